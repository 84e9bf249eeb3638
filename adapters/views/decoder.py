"""Decode a model by the header of its file to a solution: tours, marks, labels and other views.

Decoding follows the views that the header names, and assumes that the model is correct. Whether the
solution obeys the rules of the problem is checked by `rules`, which shares no code with encodings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from string import ascii_uppercase

import numpy as np

from boardsat.adapters.answer import AnswerSet, Model
from boardsat.adapters.boards import Board, Grid, begins_anywhere, board_of, start_of
from boardsat.adapters.boards.graph import NO_BOARD
from boardsat.adapters.boards.grid import Sheet
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.dimacs.header_values import MIN_HEADER_NUMBERS
from boardsat.adapters.dimacs.header_views import OFF_BOARD, HeaderView
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
from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.base.text import pluralize

Roles = dict[str, list[int]]

Domain = Callable[[str], Sequence[int]]
"""Function from a role to the numbers that it can have in any model, in ascending order."""


class _Rows(ABC):
    """Rows of numbers that views show: those that are true in a model or answer set, or all."""

    @abstractmethod
    def roles(self, view: HeaderView) -> Roles:
        """Return the numbers of the true rows of a view, by role."""

    @abstractmethod
    def domain(self, view: HeaderView, role: str) -> list[int]:
        """Return all numbers that a role can have in any model."""


@dataclass(frozen=True)
class _ModelRows(_Rows):
    """Rows that are true in a model of a formula."""

    header: Header
    model: Model

    def roles(self, view: HeaderView) -> Roles:
        variable = self.header.variables[view.variable]
        is_true, members = self.model[variable.ids] > 0, view.members_of(variable)
        if variable.integers is None:
            return view.numbers(variable, np.flatnonzero(is_true[members]))
        # An integer has a value in every model.
        values = {view.value_role: variable.integers.decode(is_true)[members].tolist()}
        return values | view.numbers(variable, np.arange(len(members)))

    def domain(self, view: HeaderView, role: str) -> list[int]:
        variable = self.header.variables[view.variable]
        rows = np.arange(len(view.members_of(variable)))
        return sorted(set(view.numbers(variable, rows)[role]))


@dataclass(frozen=True)
class _AnswerSetRows(_Rows):
    """Rows that are true in an answer set of a logic program, whose views name atoms."""

    atoms: AnswerSet

    def roles(self, view: HeaderView) -> Roles:
        members = [numbers for name, numbers in self.atoms if name == view.atom]
        return {role: [n[index] for n in members] for role, index in view.indices.items()}

    def domain(self, view: HeaderView, role: str) -> list[int]:
        return sorted(set(self.roles(view)[role]))


class _StaticRows(_Rows):
    """Rows of a static view, which are all shown."""

    def roles(self, view: HeaderView) -> Roles:
        return {role: column.tolist() for role, column in view.columns.items()}

    def domain(self, view: HeaderView, role: str) -> list[int]:
        return sorted(set(view.columns[role].tolist()))


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
    """
    return _solution(header, _ModelRows(header, model))


def decode_answer_set(header: Header, atoms: AnswerSet) -> Solution | None:
    """Return the solution that an answer set encodes; None if the header has no views."""
    return _solution(header, _AnswerSetRows(atoms))


def _solution(header: Header, rows: _Rows) -> Solution | None:
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
        static = (_decode_view(v, _StaticRows(), board, header) for v in signed[len(views) :])
        return Solution(
            board,
            first,
            tuple(further),
            *_regions_and_given(header, board),
            tuple(static),
            header.display.board_style,
        )
    except (ValueError, LookupError, AssertionError) as error:
        reason = str(error) or type(error).__name__
        raise InputError(
            f"the header of the file does not fit its formula ({reason})", "generate the file again"
        ) from None


def _decode_view(view: HeaderView, rows: _Rows, board: Board, header: Header) -> View:
    roles = rows.roles(view)
    decoded: View
    if view.kind in OFF_BOARD:
        decoded = _off_board(view, roles, lambda role: rows.domain(view, role))
    else:
        decoded = _DECODERS[view.kind](roles, board, header, view)
        if begins_anywhere(header.parameters):
            decoded = _without_virtual_start(decoded, board)
        _check_cells(decoded, board)
    return replace(decoded, colours=view.style.colours, apart=view.style.apart)


def _without_virtual_start(view: View, board: Board) -> View:
    """Remove the virtual start cell of a tour that may begin anywhere."""
    if isinstance(view, Tour) and view.order[:1] == (board.cells,):
        return Tour(view.order[1:])
    return view


def _with_signs(views: Sequence[HeaderView]) -> list[HeaderView]:
    """Give marks without a sign a letter: the first of the variable's name that is unused."""
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
    cells: list[int] = []
    match view:
        case Tour(order=order):
            cells = list(order)
        case Marks(cells=marked):
            cells = list(marked)
        case Strokes(pairs=pairs) | Walls(pairs=pairs):
            cells = [cell for pair in pairs for cell in pair]
    if invalid := [cell for cell in cells if not 0 <= cell < board.cells]:
        raise LookupError(
            f"each cell of a view must be below {board.cells:,}, as on the board (got {invalid[0]})"
        )


def _order(roles: Roles, board: Board, header: Header, view: HeaderView) -> Tour:
    pairs = sorted(zip(roles["position"], roles["cell"], strict=True))
    return Tour(tuple(cell for _, cell in pairs))


def _arcs(roles: Roles, board: Board, header: Header, view: HeaderView) -> Tour:
    following: dict[int, list[int]] = {}
    for origin, target in zip(roles["from"], roles["to"], strict=True):
        following.setdefault(origin, []).append(target)
    return Tour(_follow(following, start_of(header, board)))


def _edges(roles: Roles, board: Board, header: Header, view: HeaderView) -> Tour:
    following: dict[int, list[int]] = {}
    for u, v in zip(roles["from"], roles["to"], strict=True):
        following.setdefault(u, []).append(v)
        following.setdefault(v, []).append(u)
    return Tour(_follow(following, start_of(header, board)))


def _turned(roles: Roles, board: Board, header: Header, view: HeaderView) -> Tour:
    """Decode one representative of each orbit of moves, rotated to all others."""
    assert isinstance(board, Grid)
    successors: dict[int, list[int]] = {}
    for degrees in range(0, 360, int(header_values.text(header.parameters, "turn"))):
        for origin, target in zip(roles["from"], roles["to"], strict=True):
            cell = board.rotate(origin, degrees)
            successors.setdefault(cell, []).append(board.rotate(target, degrees))
    return Tour(_follow(successors, start_of(header, board)))


def _follow(successors: dict[int, list[int]], start: int) -> tuple[int, ...]:
    """Follow the arcs from the start until a cell repeats or has no successor."""
    order, seen, cell = [start], {start}, start
    while unvisited := [target for target in successors.get(cell, []) if target not in seen]:
        cell = unvisited[0]
        order.append(cell)
        seen.add(cell)
    return tuple(order)


def _mark(roles: Roles, board: Board, header: Header, view: HeaderView) -> Marks:
    return Marks(frozenset(roles["cell"]), view.style.sign)


def _label(roles: Roles, board: Board, header: Header, view: HeaderView) -> Labels:
    size = board.cells
    if view.label_position in MARGINS:
        assert isinstance(board, Sheet)
        size = board.rows if view.label_position in ("left", "right") else board.cols
    values = _group_values(roles[view.label_position], roles["value"], size, view.style.plus)
    return Labels(values, view.style.words, view.label_position, view.style.at)


def _fill(roles: Roles, board: Board, header: Header, view: HeaderView) -> Fills:
    values = roles.get("value") or [0] * len(roles["cell"])
    cell_values = _group_values(roles["cell"], values, board.cells, view.style.plus)
    return Fills(cell_values, "value" in roles, view.style.sign, view.style.words)


def _group_values(
    indices: list[int], values: list[int], size: int, plus: int
) -> tuple[tuple[int, ...], ...]:
    """Return the values of every index below `size`, each increased by `plus`."""
    groups: list[list[int]] = [[] for _ in range(size)]
    for index, value in zip(indices, values, strict=True):
        groups[index].append(value + plus)
    return tuple(tuple(group) for group in groups)


def _pairs(roles: Roles) -> tuple[Pair, ...]:
    return tuple(zip(roles["from"], roles["to"], strict=True))


_DECODERS: dict[str, Callable[[Roles, Board, Header, HeaderView], View]] = {
    "order": _order,
    "arcs": _arcs,
    "edges": _edges,
    "turned": _turned,
    "mark": _mark,
    "label": _label,
    "fill": _fill,
    "lines": lambda roles, board, header, view: Strokes(_pairs(roles)),
    "arrows": lambda roles, board, header, view: Strokes(_pairs(roles), has_heads=True),
    "walls": lambda roles, board, header, view: Walls(_pairs(roles)),
}


def _off_board(view: HeaderView, roles: Roles, domain: Domain) -> AnyOffBoardView:
    """Decode a list, a table, pairs or a set."""
    match view.kind:
        case "list":
            return _listing(view, roles, domain("index"))
        case "table":
            return _table(view, roles, domain("row"), domain("column"))
        case "pairs":
            pairs = tuple(zip(roles["from"], roles["to"], strict=True))
            ends = tuple(domain("from")), tuple(domain("to"))
            return PairsView(view.style.name, view.style.words, pairs, *ends)
    items = tuple(sorted(set(roles["item"])))
    return SetView(view.style.name, view.style.words, items, tuple(domain("item")))


def _listing(view: HeaderView, roles: Roles, indices: Sequence[int]) -> ListView:
    entries: defaultdict[int, list[int]] = defaultdict(list)
    for index, value in zip(roles["index"], roles["value"], strict=True):
        entries[index].append(value + view.style.plus)
    default = () if view.style.default is None else (view.style.default,)
    values = tuple(tuple(entries[index]) or default for index in indices)
    return ListView(view.style.name, view.style.words, tuple(indices), values)


def _table(
    view: HeaderView, roles: Roles, rows: Sequence[int], columns: Sequence[int]
) -> TableView:
    # A small header can name many rows and columns.
    if len(rows) * len(columns) > MIN_HEADER_NUMBERS:
        size = f"{pluralize(len(rows), 'row')} and {pluralize(len(columns), 'column')}"
        raise LookupError(f"a table must have at most {MIN_HEADER_NUMBERS} cells (got {size})")
    content = next((role for role in ("value", "item") if role in roles), "")
    numbers = roles[content] if content else [1] * len(roles["row"])
    plus = view.style.plus if content == "value" else 0
    cell_numbers: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for row, column, number in zip(roles["row"], roles["column"], numbers, strict=True):
        cell_numbers[row, column].append(number + plus)
    cells = tuple(tuple(tuple(sorted(cell_numbers[r, c])) for c in columns) for r in rows)
    return TableView(
        view.style.name,
        view.style.words,
        tuple(rows),
        tuple(columns),
        cells,
        view.style.heads,
        content,
    )
