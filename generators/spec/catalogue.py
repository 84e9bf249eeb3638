"""Catalogue of specs: the built-in ones in specs/PROBLEM/ENCODING.yaml, and spec files of users.

Besides its encodings a problem may have a file problem.yaml, with what they share, and parts whose
names begin with an underscore, each shared by some of them.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import NamedTuple

from boardsat.base.errors import InputError
from boardsat.base.text import nearest, suggest
from boardsat.generators import formats
from boardsat.generators.limits import SPEC_BYTES
from boardsat.generators.schema import Spec
from boardsat.generators.spec import defaults
from boardsat.generators.spec.layers import PROBLEM, Shelf, layers_of, read_entries, shown
from boardsat.generators.spec.reader import Layer, SpecReader

FOLDER = Path(__file__).resolve().parents[2] / "specs"


KEPT = 128
"""Specs that are kept, by name, file and digest: a comparison reads the same ones many times."""

_kept: dict[tuple[str, str, str], Spec] = {}


class SpecTexts(NamedTuple):
    """A spec as it was written, with all that it is like: it can be read where no spec ships."""

    name: str
    file: str
    texts: dict[str, str]
    """By file: its own, and those of the specs that it is like."""


class Headline(NamedTuple):
    """A problem in a list of all."""

    name: str
    title: str
    group: str
    words: str
    """All that its files say of it in words: titles, explanations and sources."""


def problems() -> list[str]:
    return sorted(name for name in _folders() if _stems(name))


def _folders() -> list[str]:
    return [entry.name for entry in os.scandir(FOLDER) if entry.is_dir()]


def _ships(problem: str) -> bool:
    """Whether it is one of them; a path that leads elsewhere is none."""
    return problem in _folders() and bool(_stems(problem))


def encodings_of(problem: str) -> list[str]:
    if not _ships(problem):
        raise _no_problem(problem)
    entries = _problem(problem)
    return sorted(_own(problem).union(_own(_lender(entries)) if "encodings" in entries else ()))


def _no_problem(word: str) -> InputError:
    """What a word is instead of a problem: a file of another kind, a folder, a mistake."""
    if os.path.exists(word):  # noqa: PTH110 (a Path takes no zero byte)
        told = formats.ending_of(word)
        what = f"a file of format {told}" if told else "a file of another kind"
        what = "a folder" if os.path.isdir(word) else what  # noqa: PTH112
        remedy = "name a file that ends in .yaml, or a problem of `boardsat list`"
        return InputError(f"{what}, where a spec is needed", remedy, word)
    name = word.partition("/")[0] or word
    near = nearest(name, problems())
    remedy = f"did you mean {near!r}?" if near else "`boardsat list` names all of them"
    return InputError(f"no problem {name!r}", f"{remedy} (a spec file ends in .yaml)")


def _own(problem: str) -> set[str]:
    """The encodings that have a file of their own."""
    return {stem for stem in _stems(problem) if stem != PROBLEM and not stem.startswith("_")}


def _lender(entries: Layer) -> str:
    """The problem whose encodings another takes; one that takes them itself has none to give."""
    item = entries["encodings"]
    if not _ships(item.text):
        raise item.error(f"no problem {item.text!r}", suggest(item.text, problems()))
    if "encodings" in _problem(item.text):
        raise item.error(
            f"{item.text!r} has no encodings to reuse", "name the problem that has them"
        )
    return item.text


def _stems(problem: str) -> set[str]:
    found = os.listdir(FOLDER / problem)  # noqa: PTH208
    return {name.removesuffix(".yaml") for name in found if name.endswith(".yaml")}


def _problem(problem: str) -> Layer:
    """What the file of a problem says, if it has one."""
    data = _shipped(problem, PROBLEM)
    return {} if data is None else read_entries(shown(problem), data)


def contents() -> list[Headline]:
    """All problems, by what their files say at first sight."""
    found = []
    for problem in problems():
        texts = {
            stem: headlines(
                _bytes(FOLDER / problem / f"{stem}.yaml", shown(problem, stem)).decode()
            )
            for stem in sorted(_stems(problem))
        }
        encodings = [text for stem, text in texts.items() if stem != PROBLEM and stem[0] != "_"]
        own = texts.get(PROBLEM, {})
        first = encodings[0] if encodings else {}
        title = own.get("title") or first.get("title", "").partition(", ")[0]
        group = own.get("group") or first.get("group", "")
        words = [word for text in texts.values() for word in text.values()]
        found.append(Headline(problem, title, group, "\n".join([problem, *words])))
    return found


def defaults_of(problem: str) -> dict[str, str]:
    """For every purpose, the encoding that is meant where none is named."""
    return {purpose: names[0] for purpose, names in choices_of(problem).items()}


def choices_of(problem: str) -> dict[str, list[str]]:
    """The same, and after it those that are meant for boards that it does not support."""
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
    """Other defaults for some boards."""
    entries = _problem(problem)
    if "exceptions" not in entries:
        return []
    found = defaults.read_exceptions(entries["exceptions"], encodings_of(problem))
    return [each for each in found if each.purpose == purpose]


def find(problem: str, encoding: str | None = None, purpose: str = defaults.WRITE) -> Spec:
    """A spec by its names, or by the path of a YAML file; its default for a purpose if need be."""
    return _read(*_locate(problem, encoding, purpose))


def _locate(
    problem: str, encoding: str | None, purpose: str = defaults.WRITE
) -> tuple[str, str, Path]:
    """Its name, its file as errors show it, and where that is."""
    if problem.endswith((".yaml", ".yml")):
        if encoding is not None:
            raise InputError("a spec file is one encoding already", "leave --enc out", problem)
        return _elsewhere(problem)
    word = problem
    problem, _, inner = word.partition("/")
    if not _ships(problem):
        raise _no_problem(word)
    known = encodings_of(problem)
    if encoding and inner:
        raise InputError("the encoding is named twice", f"write {problem} --enc {encoding}")
    encoding = encoding or inner or defaults_of(problem)[purpose]
    if encoding not in known:
        raise InputError(f"no encoding {encoding!r} of {problem!r}", suggest(encoding, known))
    return (f"{problem}/{encoding}", *_file(problem, encoding))


def _file(problem: str, stem: str) -> tuple[str, Path]:
    """Of an encoding or a part; a problem that takes the encodings of another has one for all."""
    stem = stem if stem in _stems(problem) else PROBLEM
    return shown(problem, stem), FOLDER / problem / f"{stem}.yaml"


def find_any(problem: str, encoding: str | None = None) -> Spec:
    """The same, where the encoding does not matter: the first one will do."""
    if encoding is None and _ships(problem):
        encoding = encodings_of(problem)[0]
    return find(problem, encoding)


def load(path: str) -> Spec:
    """A spec from a file anywhere."""
    return _read(*_elsewhere(path))


def _elsewhere(path: str) -> tuple[str, str, Path]:
    return Path(path).stem, path, Path(path)


def texts(problem: str, encoding: str | None = None) -> SpecTexts:
    """The same spec as `find` gives, as texts."""
    name, place, path = _locate(problem, encoding)
    # Where a file outside the project stands is nobody's business.
    file = place if "/" in name else path.name
    data = _bytes(path, place)
    gathered = {file: data}

    def shelf(problem: str, stem: str) -> bytes | None:
        found = _shipped(problem, stem)
        if found is not None:
            gathered[shown(problem, stem)] = found
        return found

    layers_of(name, place, data, shelf)
    return SpecTexts(name, file, {file: data.decode() for file, data in gathered.items()})


def parse_texts(spec: SpecTexts) -> Spec:
    """The spec of these texts alone; nothing that ships is read."""
    given = {file: text.encode() for file, text in spec.texts.items()}
    if spec.file not in given:
        raise InputError("the text of the spec is missing", "create the archive again", spec.file)

    def shelf(problem: str, stem: str) -> bytes | None:
        return given.get(shown(problem, stem))

    return _build(spec.name, spec.file, given[spec.file], shelf)


def parse(text: str, name: str = "spec", file: str = "spec.yaml") -> Spec:
    """A spec from its text."""
    return _build(name, file, text.encode())


def _read(name: str, place: str, path: Path) -> Spec:
    # No file from outside has a name with a slash.
    return _build(name, place, _bytes(path, place))._replace(is_built_in="/" in name)


def _bytes(path: Path, place: str) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(SPEC_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"cannot read the spec: {error.strerror}", "give a readable YAML file", place
        ) from None


def _shipped(problem: str, stem: str) -> bytes | None:
    """What stands in a file that ships: an encoding, a problem's own, or a part."""
    if not _ships(problem) or stem not in _stems(problem):
        return None
    return _bytes(FOLDER / problem / f"{stem}.yaml", shown(problem, stem))


def _build(name: str, file: str, data: bytes, shelf: Shelf = _shipped) -> Spec:
    layers, digest = layers_of(name, file, data, shelf)
    key = (name, file, digest)
    if key not in _kept:
        spec = SpecReader(name, file, digest, layers).spec()
        if len(_kept) >= KEPT:
            _kept.clear()
        _kept[key] = spec
    return _kept[key]


WANTED = ("title", "group", "about", "cite")

_ENTRY = re.compile(
    rf"^({'|'.join(WANTED)}):[ \t]*(.*(?:\n(?:[ \t]+.*|[ \t]*(?=\n[ \t])))*)", re.MULTILINE
)
_BLOCK = re.compile(r"[|>][-+]?$")


def headlines(text: str) -> dict[str, str]:
    """Each of them that is there, on one line."""
    return {key: _value(value) for key, value in _ENTRY.findall(text)}


def _value(text: str) -> str:
    first, *rest = text.split("\n")
    if _BLOCK.match(first.strip()):
        return " ".join(" ".join(rest).split())
    words = " ".join(text.split())
    if words.startswith('"') and words.endswith('"'):
        return str(json.loads(words))
    if words.startswith("'") and words.endswith("'"):
        return words[1:-1].replace("''", "'")
    return " ".join(" ".join(line.partition(" #")[0] for line in (first, *rest)).split())
