"""Catalogue of specs: the built-in ones in specs/PROBLEM/ENCODING.yaml, and spec files of users.

Besides its encodings a problem may have a file problem.yaml, with what they share, and parts whose
names begin with an underscore, each shared by some of them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from boardsat.base.errors import InputError
from boardsat.base.text import nearest, suggest
from boardsat.generators import formats
from boardsat.generators.build_limits import SPEC_BYTES
from boardsat.generators.schema import Spec
from boardsat.generators.spec import defaults
from boardsat.generators.spec.spec_reader import PROBLEM_KEYS, TOP_LEVEL_KEYS, Layer, SpecReader
from boardsat.generators.yaml_reader import Item, read_yaml

FOLDER = Path(__file__).resolve().parents[2] / "specs"

PROBLEM = "problem"
"""Stem of the file with what the encodings of a problem share; no encoding has this name."""

SpecSource = Callable[[str, str], bytes | None]
"""Function that returns the content of a file that specs can extend, given by problem and stem."""

HEADLINES = ("title", "group", "about", "cite")

_HEADLINE = rf"^({'|'.join(HEADLINES)}):[ \t]*(.*(?:\n(?:[ \t]+.*|[ \t]*(?=\n[ \t])))*)"
_BLOCK_SCALAR = re.compile(r"[|>][-+]?$")

MAX_CACHED_SPECS = 128  # a comparison reads the same specs many times
_cache: dict[tuple[str, str, str], Spec] = {}


class SpecTexts(NamedTuple):
    """Texts of a spec and of those that it extends, from which it is read without the catalogue."""

    name: str
    file: str
    texts: dict[str, str]
    """Text of each file by its displayed path."""


class Headline(NamedTuple):
    """Entry of a problem in a list of all problems."""

    name: str
    title: str
    group: str
    words: str
    """Titles, explanations and sources of all its files."""


def problems() -> list[str]:
    return sorted(name for name in _folders() if _stems(name))


def _folders() -> list[str]:
    return [entry.name for entry in os.scandir(FOLDER) if entry.is_dir()]


def _is_problem(name: str) -> bool:
    # A path such as `../x` is not the name of a folder.
    return name in _folders() and bool(_stems(name))


def encodings_of(problem: str) -> list[str]:
    if not _is_problem(problem):
        raise _no_problem(problem)
    entries = _problem(problem)
    return sorted(_own(problem).union(_own(_lender(entries)) if "encodings" in entries else ()))


def _no_problem(word: str) -> InputError:
    """Return the error for a file that is not a spec, a folder, or an unknown name."""
    if os.path.exists(word):  # noqa: PTH110 (a Path takes no zero byte)
        format_name = formats.format_from_name(word)
        what = f"a file of format {format_name}" if format_name else "a file of another kind"
        what = "a folder" if os.path.isdir(word) else what  # noqa: PTH112
        remedy = "name a file that ends in .yaml, or a problem of `boardsat list`"
        return InputError(f"{what}, where a spec is needed", remedy, word)
    name = word.partition("/")[0] or word
    near = nearest(name, problems())
    remedy = f"did you mean {near!r}?" if near else "`boardsat list` names all of them"
    return InputError(f"no problem {name!r}", f"{remedy} (a spec file ends in .yaml)")


def _own(problem: str) -> set[str]:
    """Return the encodings that have files in the problem's folder."""
    return {stem for stem in _stems(problem) if stem != PROBLEM and not stem.startswith("_")}


def _lender(entries: Layer) -> str:
    """Return the problem whose encodings another problem reuses; it must have them itself."""
    item = entries["encodings"]
    if not _is_problem(item.text):
        raise item.error(f"no problem {item.text!r}", suggest(item.text, problems()))
    if "encodings" in _problem(item.text):
        raise item.error(
            f"{item.text!r} has no encodings to reuse", "name the problem that has them"
        )
    return item.text


def _stems(problem: str) -> set[str]:
    names = os.listdir(FOLDER / problem)  # noqa: PTH208
    return {name.removesuffix(".yaml") for name in names if name.endswith(".yaml")}


def _problem(problem: str) -> Layer:
    """Return the entries of a problem's problem.yaml, if it has one."""
    data = _built_in(problem, PROBLEM)
    return {} if data is None else read_entries(shown(problem), data)


def contents() -> list[Headline]:
    """Return the headlines of all problems."""
    entries = []
    for problem in problems():
        files = {
            stem: headlines(_bytes(_path(problem, stem), shown(problem, stem)).decode())
            for stem in sorted(_stems(problem))
        }
        encodings = [lines for stem, lines in files.items() if stem != PROBLEM and stem[0] != "_"]
        shared = files.get(PROBLEM, {})
        first = encodings[0] if encodings else {}
        title = shared.get("title") or first.get("title", "").partition(", ")[0]
        group = shared.get("group") or first.get("group", "")
        words = [line for lines in files.values() for line in lines.values()]
        entries.append(Headline(problem, title, group, "\n".join([problem, *words])))
    return entries


def headlines(text: str) -> dict[str, str]:
    """Return the headlines of a spec, each on one line, without parsing its YAML.

    A list of all problems needs these alone, and parsing all specs would take too long for it. A
    test compares them with those of the parser.
    """
    return {key: _scalar(value) for key, value in re.findall(_HEADLINE, text, re.MULTILINE)}


def _scalar(text: str) -> str:
    first, *rest = text.split("\n")
    if _BLOCK_SCALAR.match(first.strip()):
        return " ".join(" ".join(rest).split())
    words = " ".join(text.split())
    if words.startswith('"') and words.endswith('"'):
        return str(json.loads(words))
    if words.startswith("'") and words.endswith("'"):
        return words[1:-1].replace("''", "'")
    return " ".join(" ".join(line.partition(" #")[0] for line in (first, *rest)).split())


def defaults_of(problem: str) -> dict[str, str]:
    """Return the default encoding for every purpose."""
    return {purpose: names[0] for purpose, names in choices_of(problem).items()}


def choices_of(problem: str) -> dict[str, list[str]]:
    """Return the encodings for every purpose: the default, then fallbacks for other boards."""
    known = encodings_of(problem)
    entries = _problem(problem)
    if "defaults" in entries:
        return defaults.read_defaults(entries["defaults"], known)
    if "encodings" in entries:
        return choices_of(_lender(entries))
    if len(known) > 1:
        raise InputError(
            f"no `defaults` for the encodings of {problem!r}",
            "write them for solve, count and write",
            shown(problem),
        )
    return {purpose: [*known] for purpose in defaults.PURPOSES}


def exceptions_of(problem: str, purpose: str) -> list[defaults.DefaultException]:
    """Return the exceptions from the default for some boards."""
    entries = _problem(problem)
    if "exceptions" not in entries:
        return []
    exceptions = defaults.read_exceptions(entries["exceptions"], encodings_of(problem))
    return [exception for exception in exceptions if exception.purpose == purpose]


def find(problem: str, encoding: str | None = None, purpose: str = defaults.WRITE) -> Spec:
    """Return a spec, given by names or a path; by default the problem's default for a purpose."""
    return _read(*_locate(problem, encoding, purpose))


def find_any(problem: str, encoding: str | None = None) -> Spec:
    """Return a spec as `find` does, by default the first encoding of the problem."""
    if encoding is None and _is_problem(problem):
        encoding = encodings_of(problem)[0]
    return find(problem, encoding)


def load(path: str) -> Spec:
    """Return the spec of any file."""
    return _read(Path(path).stem, path, Path(path))


def _locate(
    problem: str, encoding: str | None, purpose: str = defaults.WRITE
) -> tuple[str, str, Path]:
    """Return the name of a spec, the displayed path of its file, and the path."""
    if problem.endswith((".yaml", ".yml")):
        if encoding is not None:
            raise InputError("a spec file is one encoding already", "leave --enc out", problem)
        return Path(problem).stem, problem, Path(problem)
    word = problem
    problem, _, inner = word.partition("/")
    if not _is_problem(problem):
        raise _no_problem(word)
    known = encodings_of(problem)
    if encoding and inner:
        raise InputError("the encoding is named twice", f"write {problem} --enc {encoding}")
    encoding = encoding or inner or defaults_of(problem)[purpose]
    if encoding not in known:
        raise InputError(f"no encoding {encoding!r} of {problem!r}", suggest(encoding, known))
    # A problem that reuses the encodings of another has one file for all of them.
    stem = encoding if encoding in _stems(problem) else PROBLEM
    return f"{problem}/{encoding}", shown(problem, stem), _path(problem, stem)


def _path(problem: str, stem: str) -> Path:
    return FOLDER / problem / f"{stem}.yaml"


def texts(problem: str, encoding: str | None = None) -> SpecTexts:
    """Return the texts of the spec that `find` returns."""
    name, place, path = _locate(problem, encoding)
    # The path of a user's file is private.
    file = place if "/" in name else path.name
    data = _bytes(path, place)
    files = {file: data}

    def load_and_record(problem: str, stem: str) -> bytes | None:
        content = _built_in(problem, stem)
        if content is not None:
            files[shown(problem, stem)] = content
        return content

    layers_of(name, place, data, load_and_record)
    return SpecTexts(name, file, {file: data.decode() for file, data in files.items()})


def parse_texts(spec: SpecTexts) -> Spec:
    """Return the spec of these texts, without reading the catalogue."""
    files = {file: text.encode() for file, text in spec.texts.items()}
    if spec.file not in files:
        raise InputError("the text of the spec is missing", "create the archive again", spec.file)
    return _parse(
        spec.name,
        spec.file,
        files[spec.file],
        lambda problem, stem: files.get(shown(problem, stem)),
    )


def parse(text: str, name: str = "spec", file: str = "spec.yaml") -> Spec:
    """Return the spec of a text."""
    return _parse(name, file, text.encode())


def _read(name: str, place: str, path: Path) -> Spec:
    # Only names of built-in specs have a slash.
    return _parse(name, place, _bytes(path, place)).with_limits_of(is_built_in="/" in name)


def _bytes(path: Path, place: str) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(SPEC_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"cannot read the spec: {error.strerror}", "give a readable YAML file", place
        ) from None


def _built_in(problem: str, stem: str) -> bytes | None:
    """Return the content of a built-in file: an encoding, problem.yaml, or a part."""
    if not _is_problem(problem) or stem not in _stems(problem):
        return None
    return _bytes(_path(problem, stem), shown(problem, stem))


def _parse(name: str, file: str, data: bytes, source: SpecSource = _built_in) -> Spec:
    layers, digest = layers_of(name, file, data, source)
    key = (name, file, digest)
    if key not in _cache:
        if len(_cache) >= MAX_CACHED_SPECS:
            _cache.clear()
        _cache[key] = SpecReader(name, file, digest, layers).spec()
    return _cache[key]


# Layers of a spec: the specs that it extends, the most general first, and its own file.


def shown(problem: str, stem: str = PROBLEM) -> str:
    """Return the path of a built-in file as errors and archives display it."""
    return f"specs/{problem}/{stem}.yaml"


def layers_of(
    name: str, file: str, data: bytes, source: SpecSource, above: tuple[str, ...] = ()
) -> tuple[list[Layer], str]:
    """Return the layers, and a digest of all; `above` are the files that extend this one."""
    entries = read_entries(file, data)
    digest = hashlib.sha256(data)
    link = entries.get("encodings") or entries.get("extends")
    if link is None:
        return [entries], digest.hexdigest()
    wanted = _base(name, entries, link)
    found = _file_of(wanted, source)
    if found is None or found[0] in (file, *above):
        raise link.error(
            f"no spec {wanted!r} for `extends`", "name a built-in one: PROBLEM or PROBLEM/ENCODING"
        )
    base, inherited = layers_of(wanted, *found, source, (file, *above))
    digest.update(inherited.encode())
    return [*base, entries], digest.hexdigest()


def _base(name: str, entries: Layer, link: Item) -> str:
    """Return the name of the spec that this one extends."""
    if "encodings" not in entries:
        return link.text
    encoding = name.partition("/")[2]
    if "extends" in entries:
        raise entries["extends"].error(
            "`extends` does not go with `encodings`", "remove one of them"
        )
    if not encoding:
        raise link.error(
            f"not an encoding: its encodings are those of {link.text}", "name one of them"
        )
    return f"{link.text}/{encoding}"


def _file_of(name: str, source: SpecSource) -> tuple[str, bytes] | None:
    problem, slash, stem = name.partition("/")
    if stem and stem != PROBLEM and (data := source(problem, stem)) is not None:
        return shown(problem, stem), data
    data = source(problem, PROBLEM)
    if data is None:
        return None
    # Where a problem takes the encodings of another, its file is each of them, and else none.
    is_encoding = "encodings" in read_entries(shown(problem), data)
    return (shown(problem), data) if is_encoding == bool(stem) == bool(slash) else None


# A problem's file is looked at once to find an encoding, and again by the encoding itself.
@lru_cache(maxsize=128)
def read_entries(file: str, data: bytes) -> Layer:
    """The top-level keys of a file."""
    if len(data) > SPEC_BYTES:
        raise InputError(
            f"a spec of more than {SPEC_BYTES:,} bytes", "use `for` for repetitive parts", file
        )
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text", "save it as UTF-8", file) from None
    of_problem = file.startswith("specs/") and file.endswith(f"/{PROBLEM}.yaml")
    return read_yaml(text, file).mapping((*TOP_LEVEL_KEYS, *(PROBLEM_KEYS if of_problem else ())))
