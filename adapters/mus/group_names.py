"""What a group is about, in words: the squares, digits or moves that its variables stand for.

The views of a file say how its variables are drawn, and so what they are called: a mark is its
square, a label its square and value, an edge its two ends. Where a group has no variable that is
drawn, the names that its `for` binds must do.
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
from boardsat.adapters.dimacs.variables import Variable
from boardsat.adapters.dimacs.views import UNPLACED, ShownView

LISTED = 9
"""Of more squares or moves only some are named."""

_SQUARE = re.compile(r"([a-z]+)([0-9]+)")

Tokens = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Row:
    """The names that a `for` binds, with their numbers, and which of them are cells."""

    numbers: Mapping[str, int]
    cells: Sequence[str]


class Namer:
    """Says what groups of one file are about."""

    def __init__(self, header: Header) -> None:
        self.header, self.board = header, board_of(header)

    def about(self, tokens: Tokens, row: Row) -> str:
        """The squares, values and moves that clauses speak of; what their `for` binds otherwise."""
        # One literal alone is a square that is given, or must be empty.
        alone = len(tokens) == 2
        if row.numbers and not alone and set(row.numbers) <= set(row.cells):
            return "-".join(map(self._cell, row.numbers.values()))
        return self._shown(tokens, alone) or self.bound(row)

    def _shown(self, tokens: Tokens, alone: bool) -> str:
        """What the first view shows that has a variable of these clauses."""
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
        """What the `for` of a constraint binds: `r = 2`, or cells where there is nothing else."""
        others = [f"{name} = {n}" for name, n in row.numbers.items() if name not in row.cells]
        return ", ".join(others or map(self._cell, row.numbers.values()))

    def differing(self, row: Row, others: Sequence[Row]) -> str:
        """What the `for` of a constraint binds in this row, and not in all the others."""
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
    def _views(self) -> list[ShownView]:
        """Those that name something: a cell, or two that are joined."""
        on_board = [
            view for view in self.header.views if view.kind not in UNPLACED and view.variable
        ]
        return on_board if self.board is not None else []

    def _words(self, view: ShownView, numbers: Mapping[str, list[int]], alone: bool) -> str:
        if "from" in numbers:
            return self._pairs(view, [*zip(numbers["from"], numbers["to"], strict=True)])
        cells = [self._cell(cell) for cell in numbers[view.place]]
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

    def _value(self, view: ShownView, value: int) -> str:
        shown = value + view.plus
        return view.words[shown] if 0 <= shown < len(view.words) else str(shown)

    def _pairs(self, view: ShownView, pairs: list[tuple[int, int]]) -> str:
        """A move by its ends; of many moves at one cell, that cell."""
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
        return board.square(board.place(cell)) if isinstance(board, Grid) else board.name(cell)


def _holds_one(variable: Variable, used: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """The members of which one of these literals tells something."""
    found = np.isin(variable.ids, used)
    if variable.integers is None:
        return found
    members = np.zeros(len(variable.keys), np.bool_)
    members[np.repeat(np.arange(len(variable.keys)), variable.integers.widths)[found]] = True
    return members


def _listed(names: list[str]) -> str:
    """All names, some of them, or the first and the last of a line."""
    names = [*dict.fromkeys(names)]
    if len(names) > 3 and _is_line(names):
        return f"{names[0]} to {names[-1]}"
    if len(names) <= LISTED:
        return ", ".join(names)
    return f"{', '.join(names[: LISTED - 1])} and {len(names) - LISTED + 1:,} more"


def _is_line(names: list[str]) -> bool:
    """Whether these are neighbouring squares of one row or column."""
    squares = [_SQUARE.fullmatch(name) for name in names]
    if not all(squares):
        return False
    files = [_number(found[1]) for found in squares if found]
    ranks = [int(found[2]) for found in squares if found]
    steps = set(zip(_steps(files), _steps(ranks), strict=True))
    return len(steps) == 1 and steps <= {(1, 0), (0, -1)}


def _number(file: str) -> int:
    """a, b, ..., z, aa, ab, ... from 1 on."""
    number = 0
    for letter in file:
        number = 26 * number + ord(letter) - ord("a") + 1
    return number


def _steps(numbers: list[int]) -> Iterator[int]:
    return (after - before for before, after in pairwise(numbers))
