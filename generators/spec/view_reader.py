"""An entry of `decode` to a View: its kind, its roles, and how it is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from boardsat.base.text import suggest
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.schema import (
    ALWAYS,
    GROUNDS,
    MORE_ROLES,
    OWN_ROLES,
    PLACES,
    TOURS,
    VIEW_OPTIONS,
    VIEWS,
    View,
)
from boardsat.generators.yaml_reader import Item

_ROLES = {role for names in (*VIEWS.values(), *MORE_ROLES.values(), PLACES) for role in names}
_KEYS = (*VIEWS, *sorted(_ROLES), "for", "if", *VIEW_OPTIONS)


def is_ground(item: Item) -> bool:
    """Whether an entry is about the board under all views."""
    return not item.is_scalar and "ground" in item.mapping()


def read_ground(items: Sequence[Item]) -> str:
    if not items:
        return ""
    if len(items) > 1:
        raise items[1].error("`ground` is given twice", "give it once")
    ground = items[0].mapping(("ground",))["ground"]
    if ground.text not in GROUNDS:
        raise ground.error(f"no ground {ground.text[:20]!r}", suggest(ground.text, GROUNDS))
    return ground.text


def read_view(item: Item) -> View:
    keys = item.mapping(_KEYS)
    kinds = [kind for kind in VIEWS if kind in keys]
    if len(kinds) != 1:
        raise _no_view(item)
    kind = kinds[0]
    roles = _roles(kind, keys, item)
    if set(keys) - set(VIEW_OPTIONS) - {kind, *roles, "for", "if"}:
        raise _no_view(item)
    for key in VIEW_OPTIONS:
        if key in keys and kind not in VIEW_OPTIONS[key]:
            raise keys[key].error(
                f"`{key}` does not go with `{kind}`",
                f"it goes with {', '.join(VIEW_OPTIONS[key])}",
            )
    said = {key: keys[key].source() for key in VIEW_OPTIONS if key in keys}
    return View(
        kind,
        item.place,
        _member(kind, keys),
        tuple((role, keys[role].source()) for role in roles),
        keys["for"].source() if "for" in keys else None,
        keys["if"].source() if "if" in keys else None,
        said,
    )


def _roles(kind: str, keys: dict[str, Item], item: Item) -> list[str]:
    """Those that the view has; a label stands in a cell or elsewhere."""
    needed = list(VIEWS[kind])
    if kind == "label" and (places := [place for place in PLACES if place in keys]):
        needed = [*places, "value"]
        if len(places) > 1:
            raise keys[places[1]].error(
                f"a label has one place, not `{places[0]}` and `{places[1]}`", "choose one"
            )
    # That of an integer's own value; whether there is one, the section of variables tells.
    needed = [role for role in needed if role in keys or role != OWN_ROLES.get(kind)]
    if missing := [role for role in needed if role not in keys]:
        raise item.error(
            f"`{kind}` needs `{missing[0]}`",
            f"name an index of its variable, for example `{missing[0]}: i`",
        )
    more = [role for role in MORE_ROLES.get(kind, ()) if role in keys]
    if len(more) > 1:
        raise keys[more[1]].error(f"`{kind}` has either `{more[0]}` or `{more[1]}`", "choose one")
    return [*needed, *more]


def _member(kind: str, keys: dict[str, Item]) -> ExpressionText | None:
    member = keys[kind]
    if member.text != ALWAYS:
        return member.source()
    if kind in TOURS:
        raise member.error(f"`{kind}` is never given", "name a variable: `arcs: H[i, j]`")
    return None


def _no_view(item: Item) -> Exception:
    return item.error(
        "a view needs one of " + ", ".join(VIEWS) + " and its indices",
        "for example `arcs: H[i, j]`, `from: i`, `to: j`",
    )
