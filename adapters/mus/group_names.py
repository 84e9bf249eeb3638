"""Names of clause groups: the squares, digits or moves that their variables stand for.

The views of a file determine how its variables are drawn, and so their names: a mark is named by
its square, a label by its square and value, an edge by its two ends. A group without a variable in
a view is named by the indices that its `for` binds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from boardsat.adapters.boards import Board, Grid, board_of
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.dimacs.header_entries import OFF_BOARD, HeaderView, Variable

MAX_LISTED_NAMES = 9
"""Maximum number of squares or moves in a name."""

_SQUARE = re.compile(r"([a-z]+)([0-9]+)")

Tokens = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Row:
    """Bindings of a `for` for one group of clauses."""

    numbers: Mapping[str, int]
    """Bound numbers by name."""
    cells: Sequence[str]
    """Names whose numbers are cells."""


class Namer:
    """Names for the clause groups of one file."""

    def __init__(self, header: Header) -> None:
        self.header, self.board = header, board_of(header)

    def name(self, tokens: Tokens, row: Row) -> str:
        """Return the name of a group: its squares, values and moves, or its bound indices."""
        # A unit clause states that a square is given, or must be empty.
        is_unit = len(tokens) == 2
        if row.numbers and not is_unit and set(row.numbers) <= set(row.cells):
            return "-".join(map(self._cell, row.numbers.values()))
        if name := self._name_by_view(tokens, is_unit):
            return name
        # The indices that are not cells (`r = 2`), or the cells if all are.
        indices = [f"{name} = {n}" for name, n in row.numbers.items() if name not in row.cells]
        return ", ".join(indices or map(self._cell, row.numbers.values()))

    def _name_by_view(self, tokens: Tokens, is_unit: bool) -> str:
        """Return the name by the first view of a variable in the clauses; empty if none exists."""
        literals = tokens[tokens != 0]
        variables = np.unique(np.abs(literals))
        for view in self._views:
            variable = self.header.variables[view.variable]
            rows = np.flatnonzero(_has_variable(variable, variables)[view.members_of(variable)])
            if len(rows):
                is_single = is_unit and variable.integers is None
                name = self._view_name(view, view.numbers(variable, rows), is_single)
                return f"not {name}" if is_single and literals[0] < 0 else name
        return ""

    def differing_indices(self, row: Row, other_rows: Sequence[Row]) -> str:
        """Return the bound indices that differ from those of other rows."""
        return ", ".join(
            self._cell(number) if name in row.cells else f"{name} = {number}"
            for name, number in row.numbers.items()
            if any(other.numbers.get(name) != number for other in other_rows)
        )

    @cached_property
    def _views(self) -> list[HeaderView]:
        """Views on the board, which name cells or pairs of cells."""
        views = self.header.display.views if self.board is not None else ()
        return [view for view in views if view.kind not in OFF_BOARD and view.variable]

    def _view_name(
        self, view: HeaderView, numbers: Mapping[str, list[int]], is_single: bool
    ) -> str:
        if "from" in numbers:
            return self._pairs(view, [*zip(numbers["from"], numbers["to"], strict=True)])
        cells = [self._cell(cell) for cell in numbers[view.label_position]]
        key = "value" if "value" in numbers else "position"
        values = [self._value(view, number) for number in numbers.get(key, ())]
        if view.members is not None:
            values = []  # a member with several rows has no single value
        if not values:
            return _listed(cells)
        if is_single:
            return f"{cells[0]} = {values[0]}"
        if len(set(cells)) == 1:
            return cells[0]
        return f"{values[0]} in {_listed(cells)}" if len(set(values)) == 1 else _listed(cells)

    def _value(self, view: HeaderView, number: int) -> str:
        displayed, words = number + view.style.plus, view.style.words
        return words[displayed] if 0 <= displayed < len(words) else str(displayed)

    def _pairs(self, view: HeaderView, pairs: list[tuple[int, int]]) -> str:
        """Return the name of moves: their ends, or their common cell."""
        common = set.intersection(*map(set, pairs))
        if len(pairs) > 1 and len(common) == 1:
            return self._cell(common.pop())
        separator = "-" if view.kind in ("edges", "lines", "walls") else " to "
        return _listed([separator.join(map(self._cell, pair)) for pair in pairs])

    def _cell(self, cell: int) -> str:
        board: Board | None = self.board
        if board is None:
            return str(cell)
        if cell >= board.cells:
            return "outside"  # where an open tour from anywhere begins
        if isinstance(board, Grid):
            return board.square_name(board.tile_of(cell))
        return board.name(cell)


def _has_variable(variable: Variable, variables: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Return a mask of the members that have one of the variables."""
    is_literal = np.isin(variable.ids, variables)
    if variable.integers is None:
        return is_literal
    members = np.zeros(len(variable.keys), np.bool_)
    members[np.repeat(np.arange(len(variable.keys)), variable.integers.widths)[is_literal]] = True
    return members


def _listed(names: list[str]) -> str:
    """Return the names as a list, shortened if it is long, or as the two ends of a line."""
    names = [*dict.fromkeys(names)]
    if len(names) > 3 and _is_line(names):
        return f"{names[0]} to {names[-1]}"
    if len(names) <= MAX_LISTED_NAMES:
        return ", ".join(names)
    listed = names[: MAX_LISTED_NAMES - 1]
    return f"{', '.join(listed)} and {len(names) - len(listed):,} more"


def _is_line(names: list[str]) -> bool:
    """Return whether squares are consecutive in a row or column."""
    matches = [match for match in map(_SQUARE.fullmatch, names) if match]
    squares = [(_file_number(match[1]), int(match[2])) for match in matches]
    steps = {(c - a, d - b) for (a, b), (c, d) in pairwise(squares)}
    return len(squares) == len(names) and steps in ({(1, 0)}, {(0, -1)})


def _file_number(file: str) -> int:
    """Return the number of a file of the board: a is 1, z is 26, aa is 27."""
    index = 0
    for letter in file:
        index = 26 * index + ord(letter) - ord("a") + 1
    return index
