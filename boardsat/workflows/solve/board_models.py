"""Boards as partial models: the literals of the decision variables that decode to a board.

A board that another encoding or solver gave must be a model of each encoding of its problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from boardsat.adapters.boards import Grid, begins_anywhere, board_of
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.dimacs.header_variables import Integers, Variable
from boardsat.adapters.dimacs.header_views import MORE_ROLES, VIEWS, HeaderView
from boardsat.adapters.views.solution import (
    Fills,
    Labels,
    ListView,
    Marks,
    PairsView,
    SetView,
    Solution,
    Strokes,
    TableView,
    Tour,
    Walls,
)
from boardsat.instance.formula_file import FormulaFile

Member = tuple[int, ...]
"""Cells, positions or values that a true variable stands for, by the roles of a view."""

Members = list[Member]


def member_lists(header: Header, solution: Solution) -> Iterator[Members]:
    """Yield the members that a board has in the view of the header; a closed tour has a reverse."""
    match solution.view:
        case Tour(order=order):
            yield _tour(header, order)
            if _is_closed(header):
                yield _tour(header, (order[0], *order[:0:-1]))
        case Marks(cells=cells):
            yield [(cell,) for cell in sorted(cells)]
        case Fills(values=values, has_values=False):
            yield [(cell,) for cell, part in enumerate(values) if part]
        case Labels(values=values) | Fills(values=values):
            plus = header.display.views[0].style.plus
            yield [(cell, value - plus) for cell, part in enumerate(values) for value in part]
        case Strokes(pairs=pairs) | Walls(pairs=pairs) | PairsView(pairs=pairs):
            yield list(pairs)
        case SetView(items=items):
            yield [(item,) for item in items]
        case ListView(indices=indices, values=values):
            view, told = header.display.views[0], zip(indices, values, strict=True)
            held = [(index, value) for index, part in told for value in part]
            yield [
                (index, value - view.style.plus)
                for index, value in held
                if value != view.style.default
            ]
        case TableView() as table:
            yield _of_table(table, header.display.views[0].style.plus)


def _of_table(table: TableView, plus: int) -> Members:
    found = []
    for row, line in zip(table.rows, table.cells, strict=True):
        for column, part in zip(table.columns, line, strict=True):
            for value in part:
                held = {"value": (value - plus,), "item": (value,)}.get(table.holds, ())
                found.append((row, column, *held))
    return found


def _is_closed(header: Header) -> bool:
    return header.closed


def _tour(header: Header, order: tuple[int, ...]) -> Members:
    if begins_anywhere(header.parameters):
        # It comes from a cell outside the board, which has the number after the last one.
        order = (len(order), *order)
    if header.display.views[0].kind == "order":
        return [(cell, position) for position, cell in enumerate(order)]
    return _steps(order, _is_closed(header))


def _steps(order: tuple[int, ...], closed: bool) -> Members:
    return list(pairwise((*order, order[0]) if closed else order))


def board_literals(problem: FormulaFile, members: Members) -> list[int] | None:
    """The variables of the view with their signs; None where the encoding has no such variable."""
    view = problem.header.display.views[0]
    variable = problem.header.variables[view.variable]
    places = list(view.indices.values())
    if not view.is_direct or len(places) != len(variable.shape):
        return _from_rows(view, variable, members) if variable.integers is None else None
    if variable.integers is not None:
        return _of_values(variable, variable.integers, places, members)
    numbers = dict(zip(variable.keys.tolist(), variable.ids.tolist(), strict=True))
    alike = _alike(problem.header)
    true = set()
    for member in members:
        keys = [_key(each, places, variable.shape) for each in alike(member)]
        found = next((numbers[key] for key in keys if key in numbers), None)
        if found is None:
            return None
        true.add(found)
    return [number if number in true else -number for number in np.unique(variable.ids).tolist()]


def _from_rows(view: HeaderView, variable: Variable, wanted: Members) -> list[int] | None:
    """The same where a member shows several things, or where they are worked out from indices.

    A member holds if all that it shows is there. If two show the same, nobody knows which holds.
    """
    owners = view.members_of(variable)
    numbers = view.numbers(variable, np.arange(len(owners)))
    rows = zip(*(numbers[role] for role in _ordered(view)), strict=True)
    shows: dict[int, set[Member]] = {}
    for owner, row in zip(owners.tolist(), rows, strict=True):
        shows.setdefault(owner, set()).add(row)
    if len(set(map(frozenset, shows.values()))) < len(shows):
        return None
    there = set(wanted)
    true = {owner for owner, shown in shows.items() if shown <= there}
    if there != {row for owner in true for row in shows[owner]}:
        return None
    ids = variable.ids.tolist()
    # Of what the view does not show, nothing is known.
    return [ids[owner] if owner in true else -ids[owner] for owner in sorted(shows)]


def _ordered(view: HeaderView) -> list[str]:
    """Its roles, in the order in which boards have them."""
    told = (view.place, *VIEWS[view.kind], *MORE_ROLES.get(view.kind, ()))
    return [role for role in dict.fromkeys(told) if role in view.roles]


def _of_values(
    variable: Variable, integers: Integers, places: list[int], members: Members
) -> list[int] | None:
    """The literals of integers with their signs: the last of each member is a value."""
    told = {_key(member[:-1], places, variable.shape): member[-1] for member in members}
    keys = variable.keys.tolist()
    if len(told) != len(members) or told.keys() != set(keys):
        return None
    found = np.array([told[key] for key in keys], np.int64)
    if not integers.can_be(found):
        return None
    signs = np.where(integers.true(found), 1, -1)
    literals: list[int] = (signs * variable.ids).tolist()
    return literals


def _alike(header: Header) -> Callable[[Member], list[Member]]:
    """What gives all that the view has the same variable for."""
    match header.display.views[0].kind:
        case "edges":
            return lambda member: [member, member[::-1]]
        case "turned":
            board = board_of(header)
            assert isinstance(board, Grid)
            turns = range(0, 360, int(header.parameters["turn"]))
            return lambda step: [tuple(board.turned(cell, by) for cell in step) for by in turns]
    return lambda member: [member]


def _key(member: Member, places: list[int], shape: tuple[int, ...]) -> int | None:
    """The flat number of indices, if they are in the box; roles may stand in another order."""
    indices = [0] * len(shape)
    for place, index in zip(places, member, strict=True):
        indices[place] = index
    if any(not 0 <= index < size for index, size in zip(indices, shape, strict=True)):
        return None
    return int(np.ravel_multi_index(indices, shape))
