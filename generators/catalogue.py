"""Finds specs: those that ship in specs/PROBLEM/ENCODING.yaml, and files anywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from generators import defaults
from generators.errors import InputError, choose_from
from generators.limits import SPEC_BYTES
from generators.spec import Spec
from generators.spec_reader import TOP_LEVEL_KEYS, Layers, SpecReader
from generators.yaml_reader import read_yaml

FOLDER = Path(__file__).resolve().parent.parent / "specs"

Inherit = Callable[[str], bytes | None]
"""The spec that another is `like`, by its name; None where there is none."""


class SpecTexts(NamedTuple):
    """A spec as it was written, with all that it is like: it can be read where no spec ships."""

    name: str
    file: str
    texts: dict[str, str]
    """By file: its own, and those of the specs that it is like."""


def problems() -> list[str]:
    return sorted(folder.name for folder in FOLDER.iterdir() if any(folder.glob("*.yaml")))


def encodings_of(problem: str) -> list[str]:
    if problem not in problems():
        raise InputError(
            f"no problem {problem!r}",
            f"{choose_from(problem, problems())} (a spec file ends in .yaml)",
        )
    found = {path.stem for path in (FOLDER / problem).glob("*.yaml")}
    return sorted(found - {defaults.NAME})


def defaults_of(problem: str) -> dict[str, str]:
    """For every purpose, the encoding that is meant where none is named."""
    known = encodings_of(problem)
    path = FOLDER / problem / f"{defaults.NAME}.yaml"
    if not path.exists() and len(known) == 1:
        return dict.fromkeys(defaults.PURPOSES, known[0])
    shown = _shown(f"{problem}/{defaults.NAME}")
    return defaults.read_defaults(_bytes(path, shown).decode(), shown, known)


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
    problem, _, inner = problem.partition("/")
    known = encodings_of(problem)
    if encoding and inner:
        raise InputError("the encoding is named twice", f"write {problem} --enc {encoding}")
    encoding = encoding or inner or defaults_of(problem)[purpose]
    if encoding not in known:
        raise InputError(f"no encoding {encoding!r} of {problem!r}", choose_from(encoding, known))
    name = f"{problem}/{encoding}"
    return name, _shown(name), FOLDER / f"{name}.yaml"


def find_any(problem: str, encoding: str | None = None) -> Spec:
    """The same, where the encoding does not matter: the first one will do."""
    if encoding is None and problem in problems():
        encoding = encodings_of(problem)[0]
    return find(problem, encoding)


def load(path: str) -> Spec:
    """A spec from a file anywhere."""
    return _read(*_elsewhere(path))


def _elsewhere(path: str) -> tuple[str, str, Path]:
    return Path(path).stem, path, Path(path)


def _shown(name: str) -> str:
    return f"specs/{name}.yaml"


def texts(problem: str, encoding: str | None = None) -> SpecTexts:
    """The same spec as `find` gives, as texts."""
    name, shown, path = _locate(problem, encoding)
    data = _bytes(path, shown)
    inherited: dict[str, bytes] = {}

    def inherit(name: str) -> bytes | None:
        found = _shipped(name)
        if found is not None:
            inherited[_shown(name)] = found
        return found

    _layers(shown, data, inherit)
    # Where a file outside the project stands is nobody's business.
    file = shown if "/" in name else path.name
    return SpecTexts(name, file, {k: v.decode() for k, v in {file: data, **inherited}.items()})


def parse_texts(spec: SpecTexts) -> Spec:
    """The spec of these texts alone; nothing that ships is read."""
    # Each text is taken once, so that specs which are like each other come to an end.
    left = {file: text.encode() for file, text in spec.texts.items()}
    if spec.file not in left:
        raise InputError("the text of the spec is missing", "make the archive again", spec.file)
    return _build(
        spec.name, spec.file, left.pop(spec.file), lambda name: left.pop(_shown(name), None)
    )


def parse(text: str, name: str = "spec", file: str = "spec.yaml") -> Spec:
    """A spec from its text."""
    return _build(name, file, text.encode())


def _read(name: str, shown: str, path: Path) -> Spec:
    return _build(name, shown, _bytes(path, shown))


def _bytes(path: Path, shown: str) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(SPEC_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"cannot read the spec: {error.strerror}", "give a readable YAML file", shown
        ) from None


def _shipped(name: str) -> bytes | None:
    """The text of a spec that ships."""
    problem, _, encoding = name.partition("/")
    if problem not in problems() or encoding not in encodings_of(problem):
        return None
    return _bytes(FOLDER / f"{name}.yaml", _shown(name))


def _build(name: str, file: str, data: bytes, inherit: Inherit = _shipped) -> Spec:
    layers, digest = _layers(file, data, inherit)
    return SpecReader(name, file, digest, layers).spec()


def _layers(file: str, data: bytes, inherit: Inherit) -> tuple[Layers, str]:
    if len(data) > SPEC_BYTES:
        raise InputError(
            f"a spec of more than {SPEC_BYTES:,} bytes", "let `for` list what is alike", file
        )
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text", "save it as UTF-8", file) from None
    entries = read_yaml(text, file).mapping(TOP_LEVEL_KEYS)
    digest = hashlib.sha256(data)
    if "like" not in entries:
        return [entries], digest.hexdigest()
    name = entries["like"].text
    shown = _shown(name)
    found = inherit(name) if shown != file else None
    if found is None:
        raise entries["like"].error(
            f"no spec {name!r} to be like", "name one that ships: PROBLEM/ENCODING"
        )
    base, inherited = _layers(shown, found, inherit)
    digest.update(inherited.encode())
    return [*base, entries], digest.hexdigest()
