"""Layers of a spec: the specs that it extends, the most general first, and its own file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache

from boardsat.base.errors import InputError
from boardsat.generators.build_limits import SPEC_BYTES
from boardsat.generators.spec.spec_reader import PROBLEM_KEYS, TOP_LEVEL_KEYS, Layer
from boardsat.generators.yaml_reader import Item, read_yaml

PROBLEM = "problem"
"""Stem of the file with what the encodings of a problem share; no encoding has this name."""

SpecSource = Callable[[str, str], bytes | None]
"""Function that returns the content of a file that specs can extend, given by problem and stem."""


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
