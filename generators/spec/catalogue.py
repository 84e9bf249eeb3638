"""Catalogue of specs: the built-in ones in specs/PROBLEM/ENCODING.yaml, and spec files of users.

A problem may also have a file problem.yaml, which all of its encodings extend, and files whose
names begin with an underscore, which some of them extend.
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
"""Stem of the file that all encodings of a problem share; no encoding has this name."""

SpecSource = Callable[[str, str], bytes | None]
"""Function that returns the content of a file that specs can extend, given by problem and stem."""

HEADLINES = ("title", "group", "about", "cite")

_HEADLINE = rf"^({'|'.join(HEADLINES)}):[ \t]*(.*(?:\n(?:[ \t]+.*|[ \t]*(?=\n[ \t])))*)"
_BLOCK_SCALAR = re.compile(r"[|>][-+]?$")

MAX_CACHED_SPECS = 128  # a comparison reads the same specs many times
_cache: dict[tuple[str, str, str], Spec] = {}


class SpecTexts(NamedTuple):
    """Texts of a spec and of those that it extends, to read the spec without the catalogue."""

    name: str
    file: str
    texts: dict[str, str]
    """Text of each file by its displayed path."""


class Headline(NamedTuple):
    """Entry of a problem in a list of all problems."""

    name: str
    title: str
    group: str
    search_text: str
    """Name, titles, descriptions and sources of all its files."""


def problems() -> list[str]:
    return sorted(name for name in _folders() if _stems(name))


def _folders() -> list[str]:
    return [entry.name for entry in os.scandir(FOLDER) if entry.is_dir()]


def _is_problem(name: str) -> bool:
    # A path such as `../x` is not a folder name.
    return name in _folders() and bool(_stems(name))


def encodings_of(problem: str) -> list[str]:
    """Return the names of the encodings of a problem, sorted."""
    if not _is_problem(problem):
        raise _problem_error(problem)
    entries = _problem(problem)
    return sorted(_own(problem).union(_own(_lender(entries)) if "encodings" in entries else ()))


def _problem_error(text: str) -> InputError:
    """Return the error for a file that is not a spec, for a folder, or for an unknown name."""
    if os.path.exists(text):  # noqa: PTH110 (a Path takes no zero byte)
        format_name = formats.format_from_name(text)
        kind = f"a file of format {format_name}" if format_name else "another file"
        kind = "a folder" if os.path.isdir(text) else kind  # noqa: PTH112
        remedy = "name a file that ends in .yaml, or a problem of `boardsat list`"
        return InputError(f"a spec is needed, not {kind}", remedy, text)
    name = text.partition("/")[0] or text
    near = nearest(name, problems())
    remedy = f"did you mean {near!r}?" if near else "`boardsat list` names all of them"
    return InputError(f"no problem {name!r}", f"{remedy} (a spec file ends in .yaml)")


def _own(problem: str) -> set[str]:
    """Return the encodings that have files in the problem's folder."""
    return {stem for stem in _stems(problem) if stem != PROBLEM and not stem.startswith("_")}


def _lender(entries: Layer) -> str:
    """Return the problem whose encodings another problem reuses; it must not reuse them, too."""
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
    return {} if data is None else read_entries(display_path(problem), data)


def contents() -> list[Headline]:
    """Return the headlines of all problems."""
    entries = []
    for problem in problems():
        files = {
            stem: headlines(_bytes(_path(problem, stem), display_path(problem, stem)).decode())
            for stem in sorted(_stems(problem))
        }
        encodings = [lines for stem, lines in files.items() if stem != PROBLEM and stem[0] != "_"]
        shared = files.get(PROBLEM, {})
        first = encodings[0] if encodings else {}
        title = shared.get("title") or first.get("title", "").partition(", ")[0]
        group = shared.get("group") or first.get("group", "")
        texts = [line for lines in files.values() for line in lines.values()]
        entries.append(Headline(problem, title, group, "\n".join([problem, *texts])))
    return entries


def headlines(text: str) -> dict[str, str]:
    """Return the headlines of a spec, each on one line, without parsing its YAML.

    A list of all problems needs only these, and parsing the YAML of all specs would be too slow. A
    test compares them with those of the parser.
    """
    return {key: _scalar(value) for key, value in re.findall(_HEADLINE, text, re.MULTILINE)}


def _scalar(text: str) -> str:
    """Return the content of a YAML scalar: a block, a quoted or a plain one."""
    first, *lines = text.split("\n")
    if _BLOCK_SCALAR.match(first.strip()):
        return " ".join(" ".join(lines).split())
    line = " ".join(text.split())
    if line.startswith('"') and line.endswith('"'):
        return str(json.loads(line))
    if line.startswith("'") and line.endswith("'"):
        return line[1:-1].replace("''", "'")
    return " ".join(" ".join(line.partition(" #")[0] for line in (first, *lines)).split())


def defaults_of(problem: str) -> dict[str, str]:
    """Return the default encoding for every purpose."""
    return {purpose: names[0] for purpose, names in choices_of(problem).items()}


def choices_of(problem: str) -> dict[str, list[str]]:
    """Return the encodings for every purpose: the default, then fallbacks for other boards."""
    encodings = encodings_of(problem)
    entries = _problem(problem)
    if "defaults" in entries:
        return defaults.read_defaults(entries["defaults"], encodings)
    if "encodings" in entries:
        return choices_of(_lender(entries))
    if len(encodings) > 1:
        raise InputError(
            f"a problem with several encodings needs `defaults` ({problem} has none)",
            "write the encodings for solve, count and write",
            display_path(problem),
        )
    return {purpose: [*encodings] for purpose in defaults.PURPOSES}


def exceptions_of(problem: str, purpose: str) -> list[defaults.DefaultException]:
    """Return the exceptions from the default for some boards."""
    entries = _problem(problem)
    if "exceptions" not in entries:
        return []
    exceptions = defaults.read_exceptions(entries["exceptions"], encodings_of(problem))
    return [exception for exception in exceptions if exception.purpose == purpose]


def find(problem: str, encoding: str | None = None, purpose: str = defaults.WRITE) -> Spec:
    """Return a spec.

    Parameters
    ----------
    problem : str
        Name such as ``"tour"`` or ``"tour/unary"``, or path of a spec file (.yaml).
    encoding : str, optional
        Name of the encoding. Default: the problem's default for `purpose`.
    purpose : {"solve", "count", "write"}
        Purpose that selects the default encoding.

    Raises
    ------
    InputError
        If the problem or encoding does not exist, or the spec is invalid.
    """
    return _read(*_locate(problem, encoding, purpose))


def find_any(problem: str, encoding: str | None = None) -> Spec:
    """Return a spec as `find` does, by default the first encoding of the problem."""
    if encoding is None and _is_problem(problem):
        encoding = encodings_of(problem)[0]
    return find(problem, encoding)


def load(path: str) -> Spec:
    """Return the spec of a file."""
    return _read(Path(path).stem, path, Path(path))


def _locate(
    problem: str, encoding: str | None, purpose: str = defaults.WRITE
) -> tuple[str, str, Path]:
    """Return the name of a spec, and the path of its file: as displayed, and as opened."""
    if problem.endswith((".yaml", ".yml")):
        if encoding is not None:
            raise InputError("a spec file has only one encoding", "remove --encoding", problem)
        return Path(problem).stem, problem, Path(problem)
    full_name = problem
    problem, _, suffix = full_name.partition("/")
    if not _is_problem(problem):
        raise _problem_error(full_name)
    encodings = encodings_of(problem)
    if encoding and suffix:
        fault = f"the encoding must be given once (got {suffix!r} and {encoding!r})"
        raise InputError(fault, f"write {problem} --encoding {encoding}")
    encoding = encoding or suffix or defaults_of(problem)[purpose]
    if encoding not in encodings:
        raise InputError(f"no encoding {encoding!r} of {problem!r}", suggest(encoding, encodings))
    # A problem that reuses the encodings of another has one file for all of them.
    stem = encoding if encoding in _stems(problem) else PROBLEM
    return f"{problem}/{encoding}", display_path(problem, stem), _path(problem, stem)


def _path(problem: str, stem: str) -> Path:
    return FOLDER / problem / f"{stem}.yaml"


def texts(problem: str, encoding: str | None = None) -> SpecTexts:
    """Return the texts of the spec that `find` returns."""
    name, displayed_path, path = _locate(problem, encoding)
    # The path of a user's file is private.
    file = displayed_path if "/" in name else path.name
    content = _bytes(path, displayed_path)
    files = {file: content}

    def load_and_record(problem: str, stem: str) -> bytes | None:
        extended = _built_in(problem, stem)
        if extended is not None:
            files[display_path(problem, stem)] = extended
        return extended

    layers_of(name, displayed_path, content, load_and_record)
    return SpecTexts(name, file, {file: text.decode() for file, text in files.items()})


def parse_texts(spec: SpecTexts) -> Spec:
    """Return the spec of these texts, without reading the catalogue."""
    files = {file: text.encode() for file, text in spec.texts.items()}
    if spec.file not in files:
        raise InputError("the text of the spec is missing", "create the archive again", spec.file)
    return _parse(
        spec.name,
        spec.file,
        files[spec.file],
        lambda problem, stem: files.get(display_path(problem, stem)),
    )


def parse(text: str, name: str = "spec", file: str = "spec.yaml") -> Spec:
    """Return the spec of a text."""
    return _parse(name, file, text.encode())


def _read(name: str, displayed_path: str, path: Path) -> Spec:
    spec = _parse(name, displayed_path, _bytes(path, displayed_path))
    # Only names of built-in specs have a slash.
    return spec.with_limits_of(is_built_in="/" in name)


def _bytes(path: Path, displayed_path: str) -> bytes:
    """Return the content of a file, cut off one byte after the limit."""
    try:
        with path.open("rb") as file:
            return file.read(SPEC_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"cannot read the spec: {error.strerror}", "give a readable YAML file", displayed_path
        ) from None


def _built_in(problem: str, stem: str) -> bytes | None:
    """Return the content of a built-in file: an encoding, problem.yaml, or a part."""
    if not _is_problem(problem) or stem not in _stems(problem):
        return None
    return _bytes(_path(problem, stem), display_path(problem, stem))


def _parse(name: str, file: str, content: bytes, source: SpecSource = _built_in) -> Spec:
    layers, digest = layers_of(name, file, content, source)
    key = (name, file, digest)
    if key not in _cache:
        if len(_cache) >= MAX_CACHED_SPECS:
            _cache.clear()
        _cache[key] = SpecReader(name, file, digest, layers).spec()
    return _cache[key]


# Layers of a spec: the specs that it extends, the most general first, and its own file.


def display_path(problem: str, stem: str = PROBLEM) -> str:
    """Return the path of a built-in file as errors and archives display it."""
    return f"specs/{problem}/{stem}.yaml"


def layers_of(
    name: str, file: str, content: bytes, source: SpecSource, extending: tuple[str, ...] = ()
) -> tuple[list[Layer], str]:
    """Return the entries of the layers of a spec, and a hash of their files.

    `extending` are the files that extend this one.
    """
    entries = read_entries(file, content)
    digest = hashlib.sha256(content)
    link = entries.get("encodings") or entries.get("extends")
    if link is None:
        return [entries], digest.hexdigest()
    base_name = _base(name, entries, link)
    base_file = _file_of(base_name, source)
    if base_file is None or base_file[0] in (file, *extending):
        fault = f"no spec {base_name!r} for `extends`"
        raise link.error(fault, "name a built-in one: PROBLEM or PROBLEM/ENCODING")
    base, inherited = layers_of(base_name, *base_file, source, (file, *extending))
    digest.update(inherited.encode())
    return [*base, entries], digest.hexdigest()


def _base(name: str, entries: Layer, link: Item) -> str:
    """Return the name of the spec that this one extends."""
    if "encodings" not in entries:
        return link.text
    encoding = name.partition("/")[2]
    if "extends" in entries:
        raise entries["extends"].error(
            "`extends` cannot be combined with `encodings`", "remove one of them"
        )
    if not encoding:
        raise link.error(
            f"a problem that reuses the encodings of {link.text} is not an encoding",
            "name one of its encodings",
        )
    return f"{link.text}/{encoding}"


def _file_of(name: str, source: SpecSource) -> tuple[str, bytes] | None:
    """Return the displayed path and the content of a spec's file; None if it does not exist."""
    problem, slash, stem = name.partition("/")
    if stem and stem != PROBLEM and (content := source(problem, stem)) is not None:
        return display_path(problem, stem), content
    content = source(problem, PROBLEM)
    if content is None:
        return None
    # If a problem reuses the encodings of another, its problem.yaml is the file of each encoding.
    is_encoding = "encodings" in read_entries(display_path(problem), content)
    return (display_path(problem), content) if is_encoding == bool(stem) == bool(slash) else None


# A problem.yaml is read to find an encoding, and again as a layer of it.
@lru_cache(maxsize=128)
def read_entries(file: str, content: bytes) -> Layer:
    """Return the top-level entries of a file."""
    if len(content) > SPEC_BYTES:
        fault = f"a spec must have at most {SPEC_BYTES:,} bytes"
        raise InputError(fault, "use `for` for repeated entries", file)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8 text", "save it as UTF-8", file) from None
    is_of_problem = file.startswith("specs/") and file.endswith(f"/{PROBLEM}.yaml")
    allowed = (*TOP_LEVEL_KEYS, *PROBLEM_KEYS) if is_of_problem else TOP_LEVEL_KEYS
    return read_yaml(text, file).mapping(allowed)
