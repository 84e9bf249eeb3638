"""Views that need no board: lists, tables, pairs and sets, by the roles of what holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from boardsat.adapters.dimacs.values import MODEST
from boardsat.adapters.dimacs.views import ShownView
from boardsat.adapters.pictures import Chosen, Listing, Matched, OffBoard, Tabulated
from boardsat.base.text import pluralize

Roles = dict[str, list[int]]
Domain = Callable[[str], Sequence[int]]
"""All numbers that a role may have, whatever holds, in order."""


def unplaced(view: ShownView, roles: Roles, domain: Domain) -> OffBoard:
    match view.kind:
        case "list":
            return _listing(view, roles, domain("index"))
        case "table":
            return _table(view, roles, domain("row"), domain("column"))
        case "pairs":
            pairs = tuple(zip(roles["from"], roles["to"], strict=True))
            ends = tuple(domain("from")), tuple(domain("to"))
            return Matched(view.name, view.words, pairs, *ends)
    items = tuple(sorted(set(roles["item"])))
    return Chosen(view.name, view.words, items, tuple(domain("item")))


def _listing(view: ShownView, roles: Roles, indices: Sequence[int]) -> Listing:
    found: defaultdict[int, list[int]] = defaultdict(list)
    for index, value in zip(roles["index"], roles["value"], strict=True):
        found[index].append(value + view.plus)
    nothing = () if view.otherwise is None else (view.otherwise,)
    values = tuple(tuple(found[index]) or nothing for index in indices)
    return Listing(view.name, view.words, tuple(indices), values)


def _table(view: ShownView, roles: Roles, rows: Sequence[int], columns: Sequence[int]) -> Tabulated:
    # A header may name so many rows and columns that no memory has room for all cells.
    if len(rows) * len(columns) > MODEST:
        size = f"{pluralize(len(rows), 'row')} and {pluralize(len(columns), 'column')}"
        raise LookupError(f"a table of {size} is too large")
    holds = next((role for role in ("value", "item") if role in roles), "")
    told = roles[holds] if holds else [1] * len(roles["row"])
    found: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for row, column, value in zip(roles["row"], roles["column"], told, strict=True):
        found[row, column].append(value + (view.plus if holds == "value" else 0))
    cells = tuple(tuple(tuple(sorted(found[r, c])) for c in columns) for r in rows)
    return Tabulated(view.name, view.words, tuple(rows), tuple(columns), cells, view.heads, holds)
