"""An entry of `constraints` to a Constraint: its family, and the texts under its keys."""

from __future__ import annotations

from collections.abc import Collection
from types import ModuleType

from boardsat.base.errors import InputError
from boardsat.base.text import nearest
from boardsat.generators import constraints
from boardsat.generators.schema import Constraint, Texts
from boardsat.generators.yaml_reader import Item

ALWAYS = ("name", "if")
"""Keys that go with every family."""

ROWS = ("for", "empty", "each")
"""Keys that mean the same with every family that takes them."""


def read_constraint(item: Item, keys: dict[str, Item]) -> Constraint:
    family = _family(item, keys)
    module = constraints.load(family)
    needed: dict[str, str] = getattr(module, "NEEDS", {})
    known = (family, *needed, *module.KEYS)
    # What can be there for every row can be there for every number.
    known += ("each",) if "for" in known else ()
    for key, entry in keys.items():
        if key not in (*ALWAYS, *known):
            raise _does_not_go(entry, key, family, (*ALWAYS, *known))
    for key, example in needed.items():
        if key not in keys:
            raise item.error(f"`{family}` needs `{key}`", f"write for example `{key}: {example}`")
    if "empty" in keys and keys["empty"].text != "unsatisfiable":
        raise keys["empty"].error(
            f"`empty` cannot be {keys['empty'].text!r}",
            "write `empty: unsatisfiable`, or leave it out",
        )
    own = {key: keys[key] for key in known if key in keys and key not in ROWS}
    return Constraint(
        name=keys["name"].text if "name" in keys else f"{family} at line {item.line}",
        place=item.place,
        family=family,
        bindings=keys["for"].source() if "for" in keys else None,
        condition=keys["if"].source() if "if" in keys else None,
        may_be_empty="empty" in keys,
        lazy="lazy" in keys and keys["lazy"].flag(),
        texts=getattr(module, "read", _texts)(own),
        each=keys["each"].source() if "each" in keys else None,
    )


def _family(item: Item, keys: dict[str, Item]) -> str:
    found = [key for key in keys if key in constraints.names()]
    if len(found) == 1:
        return found[0]
    for key in keys if not found else ():
        near = nearest(key, constraints.names())
        if near and key not in (*ALWAYS, *ROWS):
            raise keys[key].error(f"unknown key {key!r}", f"did you mean {near!r}?")
    raise item.error(
        f"a constraint needs one family, not {' and '.join(found) or 'none'}",
        f"write one of: {', '.join(constraints.names())}",
    )


def _does_not_go(item: Item, key: str, family: str, known: Collection[str]) -> InputError:
    elsewhere = {word for name in constraints.names() for word in _keys(constraints.load(name))}
    if key not in elsewhere and (near := nearest(key, known)):
        return item.error(f"unknown key {key!r}", f"did you mean {near!r}?")
    return item.error(f"`{key}` does not go with `{family}`", "remove it")


def _keys(module: ModuleType) -> tuple[str, ...]:
    return (*getattr(module, "NEEDS", {}), *module.KEYS)


def _texts(keys: dict[str, Item]) -> Texts:
    """Under every key a text, or a list of them."""
    return {key: tuple(part.source() for part in item.items()) for key, item in keys.items()}
