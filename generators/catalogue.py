"""Finds specs: those that ship in specs/PROBLEM/ENCODING.yaml, and files anywhere."""

from __future__ import annotations

import hashlib
from pathlib import Path

from generators.errors import InputError, choose_from
from generators.limits import SPEC_BYTES
from generators.spec import Spec
from generators.spec_reader import TOP_LEVEL_KEYS, Layers, SpecReader
from generators.yaml_reader import read_yaml

FOLDER = Path(__file__).resolve().parent.parent / "specs"


def problems() -> list[str]:
    return sorted(folder.name for folder in FOLDER.iterdir() if any(folder.glob("*.yaml")))


def encodings_of(problem: str) -> list[str]:
    if problem not in problems():
        raise InputError(
            f"no problem {problem!r}",
            f"{choose_from(problem, problems())} (a spec file ends in .yaml)",
        )
    return sorted(path.stem for path in (FOLDER / problem).glob("*.yaml"))


def find(problem: str, encoding: str | None = None) -> Spec:
    """A spec by its names, or by the path of a YAML file."""
    if problem.endswith((".yaml", ".yml")):
        if encoding is not None:
            raise InputError("a spec file is one encoding already", "leave --enc out", problem)
        return load(problem)
    problem, _, inner = problem.partition("/")
    known = encodings_of(problem)
    if encoding and inner:
        raise InputError("the encoding is named twice", f"write {problem} --enc {encoding}")
    encoding = encoding or inner or (known[0] if len(known) == 1 else None)
    if encoding is None:
        raise InputError(
            f"problem {problem!r} has several encodings", f"choose with --enc: {', '.join(known)}"
        )
    if encoding not in known:
        raise InputError(f"no encoding {encoding!r} of {problem!r}", choose_from(encoding, known))
    return _shipped(f"{problem}/{encoding}")


def load(path: str) -> Spec:
    """A spec from a file anywhere."""
    return _read(Path(path).stem, path, Path(path))


def _shipped(name: str) -> Spec:
    return _read(name, f"specs/{name}.yaml", FOLDER / f"{name}.yaml")


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


def _build(name: str, file: str, data: bytes) -> Spec:
    layers, digest = _layers(file, data)
    return SpecReader(name, file, digest, layers).spec()


def _layers(file: str, data: bytes) -> tuple[Layers, str]:
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
    problem, _, encoding = name.partition("/")
    shown = f"specs/{name}.yaml"
    if problem not in problems() or encoding not in encodings_of(problem) or shown == file:
        raise entries["like"].error(
            f"no spec {name!r} to be like", "name one that ships: PROBLEM/ENCODING"
        )
    base, inherited = _layers(shown, _bytes(FOLDER / f"{name}.yaml", shown))
    digest.update(inherited.encode())
    return [*base, entries], digest.hexdigest()
