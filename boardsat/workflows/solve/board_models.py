"""Boards as partial models: the literals of the decision variables that decode to a board.

A board that another encoding or solver found must extend to a model of each encoding of its
problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from boardsat.adapters.boards import Grid, begins_anywhere, board_of
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.dimacs.header_entries import (
    OPTIONAL_ROLES,
    VIEWS,
    HeaderView,
    Integers,
    Variable,
)
from boardsat.adapters.views import (
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
"""Cells, positions and values that a true variable stands for, in the order of the view's roles."""

Members = list[Member]


def member_lists(header: Header, solution: Solution) -> Iterator[Members]:
    """Yield the list of the true members that the first view of the header decodes to a board.

    A closed tour has a second list, for the opposite direction.
    """
    style = header.display.views[0].style
    match solution.view:
        case Tour(order=order):
            yield _tour_members(header, order)
            if header.closed:
                yield _tour_members(header, (order[0], *order[:0:-1]))
        case Marks(cells=cells):
            yield [(cell,) for cell in sorted(cells)]
        case Fills(values=cells, has_values=False):
            yield [(cell,) for cell, values in enumerate(cells) if values]
        case Labels(values=cells) | Fills(values=cells):
            yield [
                (cell, value - style.plus) for cell, values in enumerate(cells) for value in values
            ]
        case Strokes(pairs=pairs) | Walls(pairs=pairs) | PairsView(pairs=pairs):
            yield list(pairs)
        case SetView(items=items):
            yield [(item,) for item in items]
        case ListView(indices=indices, values=entries):
            yield [
                (index, value - style.plus)
                for index, values in zip(indices, entries, strict=True)
                for value in values
                if value != style.default
            ]
        case TableView() as table:
            yield _table_members(table, style.plus)


def _table_members(table: TableView, plus: int) -> Members:
    members = []
    for row, cells in zip(table.rows, table.cells, strict=True):
        for column, values in zip(table.columns, cells, strict=True):
            for value in values:
                content = {"value": (value - plus,), "item": (value,)}.get(table.content, ())
                members.append((row, column, *content))
    return members


def _tour_members(header: Header, order: tuple[int, ...]) -> Members:
    if begins_anywhere(header.parameters):
        # The virtual start cell has the number after the last cell of the board.
        order = (len(order), *order)
    if header.display.views[0].kind == "order":
        return [(cell, position) for position, cell in enumerate(order)]
    return list(pairwise((*order, order[0]) if header.closed else order))


def board_literals(formula: FormulaFile, members: Members) -> list[int] | None:
    """Return the literals that decode to a board: those of the variable of the first view.

    Parameters
    ----------
    formula : FormulaFile
        Formula whose header has a view.
    members : list of tuple
        Members of the board, from `member_lists`.

    Returns
    -------
    list of int or None
        Literal of each variable that the view shows; None if the encoding cannot express the board.
    """
    view = formula.header.display.views[0]
    variable = formula.header.variables[view.variable]
    positions = list(view.indices.values())
    if not view.is_direct or len(positions) != len(variable.shape):
        return _literals_by_rows(view, variable, members) if variable.integers is None else None
    if variable.integers is not None:
        return _integer_literals(variable, variable.integers, positions, members)
    numbers = dict(zip(variable.keys.tolist(), variable.ids.tolist(), strict=True))
    equivalents = _equivalent_members(formula.header)
    true = set()
    for member in members:
        keys = [_key(equivalent, positions, variable.shape) for equivalent in equivalents(member)]
        number = next((numbers[key] for key in keys if key in numbers), None)
        if number is None:
            return None
        true.add(number)
    return [number if number in true else -number for number in np.unique(variable.ids).tolist()]


def _literals_by_rows(view: HeaderView, variable: Variable, members: Members) -> list[int] | None:
    """Return the literals of a variable whose members each have one or more rows in the view.

    A member is true if all its rows belong to the board. None if two members have equal rows, or if
    the rows of the true members are not the whole board.
    """
    owners = view.members_of(variable)
    columns = view.numbers(variable, np.arange(len(owners)))
    rows = zip(*(columns[role] for role in _roles(view)), strict=True)
    rows_by_owner: dict[int, set[Member]] = {}
    for owner, row in zip(owners.tolist(), rows, strict=True):
        rows_by_owner.setdefault(owner, set()).add(row)
    if len(set(map(frozenset, rows_by_owner.values()))) < len(rows_by_owner):
        return None
    board_rows = set(members)
    true = {owner for owner, shown_rows in rows_by_owner.items() if shown_rows <= board_rows}
    if board_rows != {row for owner in true for row in rows_by_owner[owner]}:
        return None
    ids = variable.ids.tolist()
    # Variables without a row stay free.
    return [ids[owner] if owner in true else -ids[owner] for owner in sorted(rows_by_owner)]


def _roles(view: HeaderView) -> list[str]:
    """Return the roles of a view in the order of the components of a member."""
    roles = (view.label_position, *VIEWS[view.kind], *OPTIONAL_ROLES.get(view.kind, ()))
    return [role for role in dict.fromkeys(roles) if role in view.roles]


def _integer_literals(
    variable: Variable, integers: Integers, positions: list[int], members: Members
) -> list[int] | None:
    """Return the literals of integers; the last component of each member is the value."""
    values_by_key = {_key(member[:-1], positions, variable.shape): member[-1] for member in members}
    keys = variable.keys.tolist()
    if len(values_by_key) != len(members) or values_by_key.keys() != set(keys):
        return None
    values = np.array([values_by_key[key] for key in keys], np.int64)
    if not integers.in_bounds(values):
        return None
    signs = np.where(integers.encode(values), 1, -1)
    literals: list[int] = (signs * variable.ids).tolist()
    return literals


def _equivalent_members(header: Header) -> Callable[[Member], list[Member]]:
    """Return a function from a member to all members that share its variable.

    They are the two directions of an edge, or the rotations of a step of a symmetric tour.
    """
    match header.display.views[0].kind:
        case "edges":
            return lambda member: [member, member[::-1]]
        case "turned":
            board = board_of(header)
            assert isinstance(board, Grid)
            angles = range(0, 360, int(header.parameters["turn"]))
            return lambda step: [
                tuple(board.rotate(cell, angle) for cell in step) for angle in angles
            ]
    return lambda member: [member]


def _key(member: Member, positions: list[int], shape: tuple[int, ...]) -> int | None:
    """Return the flat index of a member in an array of this shape; None if it is out of range.

    `positions` has the axis of the array for each component of the member.
    """
    indices = [0] * len(shape)
    for position, index in zip(positions, member, strict=True):
        indices[position] = index
    if any(not 0 <= index < size for index, size in zip(indices, shape, strict=True)):
        return None
    return int(np.ravel_multi_index(indices, shape))
