"""Names of clause groups: the squares, digits or moves that their variables stand for.

The views of a file determine how its variables are drawn, and so their names: a mark is named by
its square, a label by its square and value, an edge by its two ends. A group without a variable in
a view is named by the indices that its `for` binds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from boardsat.adapters.boards import Board, Grid, board_of
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.dimacs.header_variables import Variable
from boardsat.adapters.dimacs.header_views import OFF_BOARD, HeaderView

LISTED = 9
"""Maximum number of squares or moves that are listed."""

_SQUARE = re.compile(r"([a-z]+)([0-9]+)")

Tokens = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Row:
    """Values that a `for` binds, and the names whose values are cells."""

    numbers: Mapping[str, int]
    cells: Sequence[str]


class Namer:
    """Naming of the groups of one file."""

    def __init__(self, header: Header) -> None:
        self.header, self.board = header, board_of(header)

    def about(self, tokens: Tokens, row: Row) -> str:
        """Return the name of a group: its squares, values and moves, or its bound indices."""
        # One literal alone is a square that is given, or must be empty.
        alone = len(tokens) == 2
        if row.numbers and not alone and set(row.numbers) <= set(row.cells):
            return "-".join(map(self._cell, row.numbers.values()))
        return self._shown(tokens, alone) or self.bound(row)

    def _shown(self, tokens: Tokens, alone: bool) -> str:
        """Return the name by the first view that shows a variable of the clauses."""
        literals = tokens[tokens != 0]
        used = np.unique(np.abs(literals))
        for view in self._views:
            variable = self.header.variables[view.variable]
            rows = np.flatnonzero(_holds_one(variable, used)[view.members_of(variable)])
            if len(rows):
                numbers, single = view.numbers(variable, rows), alone and variable.integers is None
                words = self._words(view, numbers, single)
                return f"not {words}" if single and literals[0] < 0 else words
        return ""

    def bound(self, row: Row) -> str:
        """Return the bound indices: `r = 2`, or the cells if there are no others."""
        others = [f"{name} = {n}" for name, n in row.numbers.items() if name not in row.cells]
        return ", ".join(others or map(self._cell, row.numbers.values()))

    def differing(self, row: Row, others: Sequence[Row]) -> str:
        """Return the bound indices that differ from those of other rows."""
        names = [
            name
            for name, number in row.numbers.items()
            if any(other.numbers.get(name) != number for other in others)
        ]
        return ", ".join(
            self._cell(row.numbers[name]) if name in row.cells else f"{name} = {row.numbers[name]}"
            for name in names
        )

    @cached_property
    def _views(self) -> list[HeaderView]:
        """Views on the board: they name cells or pairs of cells."""
        on_board = [
            view
            for view in self.header.display.views
            if view.kind not in OFF_BOARD and view.variable
        ]
        return on_board if self.board is not None else []

    def _words(self, view: HeaderView, numbers: Mapping[str, list[int]], alone: bool) -> str:
        if "from" in numbers:
            return self._pairs(view, [*zip(numbers["from"], numbers["to"], strict=True)])
        cells = [self._cell(cell) for cell in numbers[view.label_position]]
        key = "value" if "value" in numbers else "position"
        values = [self._value(view, value) for value in numbers.get(key, ())]
        if view.members is not None:
            values = []  # a member that is drawn in many places is not any one of them
        if not values:
            return _listed(cells)
        if alone:
            return f"{cells[0]} = {values[0]}"
        if len(set(cells)) == 1:
            return cells[0]
        return f"{values[0]} in {_listed(cells)}" if len(set(values)) == 1 else _listed(cells)

    def _value(self, view: HeaderView, value: int) -> str:
        shown = value + view.style.plus
        return view.style.words[shown] if 0 <= shown < len(view.style.words) else str(shown)

    def _pairs(self, view: HeaderView, pairs: list[tuple[int, int]]) -> str:
        """Return the name of moves: their ends, or their common cell."""
        common = set.intersection(*map(set, pairs))
        if len(pairs) > 1 and len(common) == 1:
            return self._cell(common.pop())
        joint = "-" if view.kind in ("edges", "lines", "walls") else " to "
        return _listed([joint.join(map(self._cell, pair)) for pair in pairs])

    def _cell(self, cell: int) -> str:
        board: Board | None = self.board
        if board is None:
            return str(cell)
        if cell >= board.cells:
            return "outside"  # where an open tour from anywhere begins
        if isinstance(board, Grid):
            return board.square_name(board.tile_of(cell))
        return board.name(cell)


def _holds_one(variable: Variable, used: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Return the members that have one of these literals."""
    found = np.isin(variable.ids, used)
    if variable.integers is None:
        return found
    members = np.zeros(len(variable.keys), np.bool_)
    members[np.repeat(np.arange(len(variable.keys)), variable.integers.widths)[found]] = True
    return members


def _listed(names: list[str]) -> str:
    """Return all names, the first of them, or both ends of a line."""
    names = [*dict.fromkeys(names)]
    if len(names) > 3 and _is_line(names):
        return f"{names[0]} to {names[-1]}"
    if len(names) <= LISTED:
        return ", ".join(names)
    return f"{', '.join(names[: LISTED - 1])} and {len(names) - LISTED + 1:,} more"


def _is_line(names: list[str]) -> bool:
    """Return whether squares are consecutive in a row or column."""
    squares = [_SQUARE.fullmatch(name) for name in names]
    if not all(squares):
        return False
    files = [_number(found[1]) for found in squares if found]
    ranks = [int(found[2]) for found in squares if found]
    steps = set(zip(_steps(files), _steps(ranks), strict=True))
    return len(steps) == 1 and steps <= {(1, 0), (0, -1)}


def _number(file: str) -> int:
    """Return the number of a file of the board: a is 1, z is 26, aa is 27."""
    number = 0
    for letter in file:
        number = 26 * number + ord(letter) - ord("a") + 1
    return number


def _steps(numbers: list[int]) -> Iterator[int]:
    return (after - before for before, after in pairwise(numbers))
