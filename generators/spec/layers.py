"""A spec and the specs that it is like, in order, the most general first."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache

from boardsat.base.errors import InputError
from boardsat.generators.limits import SPEC_BYTES
from boardsat.generators.spec.reader import PROBLEM_KEYS, TOP_LEVEL_KEYS, Layer
from boardsat.generators.yaml_reader import Item, read_yaml

PROBLEM = "problem"
"""The file in a problem's folder that says what its encodings share: none is called so."""

Shelf = Callable[[str, str], bytes | None]
"""By problem and name what stands in a file that specs can be like; None where there is none."""


def shown(problem: str, stem: str = PROBLEM) -> str:
    """A file that ships, as errors and archives name it."""
    return f"specs/{problem}/{stem}.yaml"


def layers_of(
    name: str, file: str, data: bytes, shelf: Shelf, above: tuple[str, ...] = ()
) -> tuple[list[Layer], str]:
    """The layers, and one digest of all; `above` are the files that led here."""
    entries = read_entries(file, data)
    digest = hashlib.sha256(data)
    link = entries.get("encodings") or entries.get("extends")
    if link is None:
        return [entries], digest.hexdigest()
    wanted = _base(name, entries, link)
    found = _file_of(wanted, shelf)
    if found is None or found[0] in (file, *above):
        raise link.error(
            f"no spec {wanted!r} for `extends`", "name a built-in one: PROBLEM or PROBLEM/ENCODING"
        )
    base, inherited = layers_of(wanted, *found, shelf, (file, *above))
    digest.update(inherited.encode())
    return [*base, entries], digest.hexdigest()


def _base(name: str, entries: Layer, link: Item) -> str:
    """The name of the spec that this one is like."""
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


def _file_of(name: str, shelf: Shelf) -> tuple[str, bytes] | None:
    problem, slash, stem = name.partition("/")
    if stem and stem != PROBLEM and (data := shelf(problem, stem)) is not None:
        return shown(problem, stem), data
    data = shelf(problem, PROBLEM)
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
