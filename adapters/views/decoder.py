"""Decode a model by the header of its file to a solution: tours, marks, labels and other views.

Decoding follows the views that the header names, and assumes that the model is correct. Whether the
solution obeys the rules of the problem is checked by `rules`, which shares no code with encodings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from string import ascii_uppercase

import numpy as np

from boardsat.adapters.answer import AnswerSet, Model
from boardsat.adapters.boards import Board, Grid, begins_anywhere, board_of, start_of
from boardsat.adapters.boards.graph import NO_BOARD
from boardsat.adapters.boards.grid import Sheet
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.dimacs.header_entries import OFF_BOARD, HeaderView
from boardsat.adapters.dimacs.header_values import MIN_HEADER_NUMBERS
from boardsat.adapters.views import (
    MARGINS,
    AnyOffBoardView,
    Fills,
    Labels,
    ListView,
    Marks,
    Pair,
    PairsView,
    SetView,
    Solution,
    Strokes,
    TableView,
    Tour,
    View,
    Walls,
)
from boardsat.base.errors import InputError
from boardsat.base.text import pluralize

Roles = dict[str, list[int]]

Rows = Callable[[HeaderView, bool], Roles]
"""Function that returns the rows of a view, as a list of numbers for each role (cell, value, ...).

The rows are those that are true in the model; if the second argument is True, all that may be.
"""


def _model_rows(header: Header, model: Model, view: HeaderView, all_rows: bool) -> Roles:
    variable = header.variables[view.variable]
    is_true, members = model[variable.ids] > 0, view.members_of(variable)
    if variable.integers is None:
        rows = np.arange(len(members)) if all_rows else np.flatnonzero(is_true[members])
        return view.numbers(variable, rows)
    # An integer has a value in every model.
    values = {view.value_role: variable.integers.decode(is_true)[members].tolist()}
    return values | view.numbers(variable, np.arange(len(members)))


def _answer_set_rows(atoms: AnswerSet, view: HeaderView, all_rows: bool) -> Roles:
    """Return the rows of a view: the atoms of an answer set that have the name of the view."""
    members = [numbers for name, numbers in atoms if name == view.atom]
    return {role: [n[index] for n in members] for role, index in view.indices.items()}


def _static_rows(view: HeaderView, all_rows: bool) -> Roles:
    return {role: column.tolist() for role, column in view.columns.items()}


def decode(header: Header, model: Model) -> Solution | None:
    """Return the solution that a model encodes.

    Parameters
    ----------
    header : Header
        Header of the formula file.
    model : Model
        Array of signs: entry v is 1 if variable v is true, and -1 if it is false.

    Returns
    -------
    Solution or None
        None if the header has no views.

    Raises
    ------
    InputError
        The header does not fit the formula: a view refers to cells that the board does not have.

    Examples
    --------
    >>> from boardsat.adapters.dimacs.header import read_header
    >>> comments = [
    ...     'boardsat {"format": 2}',
    ...     'board {"shape": "grid", "rows": 2, "cols": 2}',
    ...     'variable {"name": "Q", "shape": [4], "count": 4, "first": 1}',
    ...     'decode {"view": "mark", "variable": "Q", "cell": 0}',
    ... ]
    >>> header = read_header(comments, variables=4)
    >>> solution = decode(header, np.array([0, 1, -1, -1, 1], np.int8))
    >>> solution.board.title, sorted(solution.view.cells)
    ('2x2', [0, 3])
    """
    return _solution(header, partial(_model_rows, header, model))


def decode_answer_set(header: Header, atoms: AnswerSet) -> Solution | None:
    """Return the solution that an answer set encodes; None if the header has no views."""
    return _solution(header, partial(_answer_set_rows, atoms))


def _solution(header: Header, rows: Rows) -> Solution | None:
    try:
        header_board = board_of(header)
        views, static_views = (
            [view for view in views if header_board is not None or view.kind in OFF_BOARD]
            for views in (header.display.views, header.display.static_views)
        )
        if not views:
            return None
        board = header_board or NO_BOARD
        signed = _with_signs([*views, *static_views])
        first, *further = (_decode_view(v, rows, board, header) for v in signed[: len(views)])
        static = (_decode_view(v, _static_rows, board, header) for v in signed[len(views) :])
        return Solution(
            board,
            first,
            tuple(further),
            *_regions_and_given(header, board),
            tuple(static),
            header.display.board_style,
        )
    except (ValueError, LookupError) as error:
        raise InputError(
            f"the header of the file does not fit its formula: {error}", "generate the file again"
        ) from None


def _decode_view(view: HeaderView, rows: Rows, board: Board, header: Header) -> View:
    roles = rows(view, False)
    decoded: View
    if view.kind in OFF_BOARD:
        decoded = _off_board_view(view, roles, rows)
    else:
        decoded = _board_view(view, roles, board, header)
        _check_cells(decoded, board)
    return replace(decoded, colours=view.style.colours, apart=view.style.apart)


def _with_signs(views: Sequence[HeaderView]) -> list[HeaderView]:
    """Give each view of marks without a sign the first unused letter of its variable's name."""
    used = {view.style.sign for view in views}
    signed = []
    for view in views:
        sign = view.style.sign
        if view.kind == "mark" and not sign:
            letters = f"{view.variable or view.atom}{ascii_uppercase}"
            sign = next((letter for letter in letters.upper() if letter not in used), "X")
            used.add(sign)
        signed.append(replace(view, style=replace(view.style, sign=sign)))
    return signed


def _regions_and_given(header: Header, board: Board) -> tuple[tuple[int, ...], frozenset[int]]:
    """Return the region of every cell, and the given cells."""
    display = header.display
    regions = () if display.regions is None else tuple(display.regions.tolist())
    given_cells = frozenset(() if display.given_cells is None else display.given_cells.tolist())
    if regions and len(regions) != board.cells:
        entries = pluralize(board.cells, "entry", "entries")
        raise LookupError(f"`regions` must have {entries} (got {len(regions)})")
    _check_cells(Marks(given_cells), board)
    return regions, given_cells


def _check_cells(view: View, board: Board) -> None:
    """Raise LookupError if a view has cells that are not on the board."""
    cells: Iterable[int] = ()
    match view:
        case Tour(order=cells) | Marks(cells=cells):
            pass
        case Strokes(pairs=pairs) | Walls(pairs=pairs):
            cells = chain.from_iterable(pairs)
    if invalid := [cell for cell in cells if not 0 <= cell < board.cells]:
        raise LookupError(
            f"each cell of a view must be below {board.cells:,}, as on the board (got {invalid[0]})"
        )


def _board_view(view: HeaderView, roles: Roles, board: Board, header: Header) -> View:
    style = view.style
    match view.kind:
        case "order" | "arcs" | "edges" | "turned":
            order = _tour_order(view, roles, board, header)
            # An open tour from any cell begins on a virtual cell.
            is_virtual = begins_anywhere(header.parameters) and order[:1] == [board.cells]
            return Tour(tuple(order[is_virtual:]))
        case "mark":
            return Marks(frozenset(roles["cell"]), style.sign)
        case "label":
            size, position = board.cells, view.label_position
            if position in MARGINS:
                if not isinstance(board, Sheet):
                    raise LookupError(f"labels at a margin must be on a grid (got {board.title})")
                size = board.rows if position in ("left", "right") else board.cols
            values = _group_values(roles[position], roles["value"], size, style.plus)
            return Labels(values, style.words, position, style.at)
        case "fill":
            numbers = roles.get("value") or [0] * len(roles["cell"])
            values = _group_values(roles["cell"], numbers, board.cells, style.plus)
            return Fills(values, "value" in roles, style.sign, style.words)
        case "walls":
            return Walls(tuple(_pairs(roles)))
    return Strokes(tuple(_pairs(roles)), has_heads=view.kind == "arrows")


def _tour_order(view: HeaderView, roles: Roles, board: Board, header: Header) -> list[int]:
    """Return the cells of a tour in order, up to the first that repeats or has no successor."""
    if view.kind == "order":
        return [cell for _, cell in sorted(zip(roles["position"], roles["cell"], strict=True))]
    moves = _pairs(roles)
    if view.kind == "edges":
        moves = [move for u, v in moves for move in ((u, v), (v, u))]
    elif view.kind == "turned":
        # The moves represent their orbits under a rotation.
        if not isinstance(board, Grid):
            raise LookupError(f"a view `turned` must be on a grid (got {board.title})")
        _check_cells(Walls(tuple(moves)), board)
        turn = header_values.text(header.parameters, "turn")
        if turn not in ("90", "180"):
            raise header_values.malformed("`turn`", "be 90 or 180", turn)
        angles = range(0, 360, int(turn))
        moves = [(board.rotate(u, a), board.rotate(v, a)) for a in angles for u, v in moves]
    successors: defaultdict[int, list[int]] = defaultdict(list)
    for u, v in moves:
        successors[u].append(v)
    order = [start_of(header, board)]
    visited = set(order)
    while unvisited := [cell for cell in successors[order[-1]] if cell not in visited]:
        order.append(unvisited[0])
        visited.add(unvisited[0])
    return order


def _group_values(
    indices: list[int], values: list[int], size: int, plus: int
) -> tuple[tuple[int, ...], ...]:
    """Return the values of every index below `size`, each increased by `plus`."""
    groups: list[list[int]] = [[] for _ in range(size)]
    for index, value in zip(indices, values, strict=True):
        if not 0 <= index < size:
            raise LookupError(f"each index of a view must be below {size:,} (got {index:,})")
        groups[index].append(value + plus)
    return tuple(map(tuple, groups))


def _pairs(roles: Roles) -> list[Pair]:
    return list(zip(roles["from"], roles["to"], strict=True))


def _off_board_view(view: HeaderView, roles: Roles, rows: Rows) -> AnyOffBoardView:
    style, all_rows = view.style, rows(view, True)
    domains = {role: tuple(sorted(set(numbers))) for role, numbers in all_rows.items()}
    match view.kind:
        case "list":
            entries: defaultdict[int, list[int]] = defaultdict(list)
            for index, value in zip(roles["index"], roles["value"], strict=True):
                entries[index].append(value + style.plus)
            default = () if style.default is None else (style.default,)
            values = tuple(tuple(entries[index]) or default for index in domains["index"])
            return ListView(style.name, style.words, domains["index"], values)
        case "table":
            return _table(view, roles, domains["row"], domains["column"])
        case "pairs":
            pairs = tuple(_pairs(roles))
            return PairsView(style.name, style.words, pairs, domains["from"], domains["to"])
    items = tuple(sorted(set(roles["item"])))
    return SetView(style.name, style.words, items, domains["item"])


def _table(
    view: HeaderView, roles: Roles, rows: tuple[int, ...], columns: tuple[int, ...]
) -> TableView:
    # A small header can name many rows and columns.
    if len(rows) * len(columns) > MIN_HEADER_NUMBERS:
        size = f"{pluralize(len(rows), 'row')} and {pluralize(len(columns), 'column')}"
        raise LookupError(f"a table must have at most {MIN_HEADER_NUMBERS:,} cells (got {size})")
    style, content = view.style, next((role for role in ("value", "item") if role in roles), "")
    numbers = roles[content] if content else [1] * len(roles["row"])
    plus = style.plus if content == "value" else 0
    cell_numbers: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for row, column, number in zip(roles["row"], roles["column"], numbers, strict=True):
        cell_numbers[row, column].append(number + plus)
    cells = tuple(tuple(tuple(sorted(cell_numbers[r, c])) for c in columns) for r in rows)
    return TableView(style.name, style.words, rows, columns, cells, style.heads, content)
