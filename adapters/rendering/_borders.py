"""Lines between the cells of a sheet: around regions, along walls, around filled cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

from boardsat.adapters.boards._sheets import Sheet
from boardsat.adapters.views.solution import Solution, Walls

Gap = tuple[int, int]
"""Upright: a row, and the column that the line is left of. Level: the row below, and a column."""


class Line(IntEnum):
    WEAK = 1
    STRONG = 2


class Borders:
    """Which lines there are, and how strong."""

    def __init__(self, solution: Solution, board: Sheet) -> None:
        self.board = board
        self.upright: dict[Gap, Line] = {}
        self.level: dict[Gap, Line] = {}
        filled = [each for each in solution.fills if each.has_values]
        for each in filled:
            around = Line.WEAK if solution.regions else Line.STRONG
            self._around([part[:1] for part in each.values], around)
        if solution.regions:
            self._around(solution.regions, Line.STRONG)
        walls = [each for each in solution.everything if isinstance(each, Walls)]
        for a, b in (pair for each in walls for pair in each.pairs):
            self._between(a, b)
        self.has_frame = bool(filled or walls)

    def _around(self, told: Sequence[object], strength: Line) -> None:
        """A line wherever neighbours differ, and one of them is there."""
        board = self.board
        at: Mapping[int, object] = {board.place(cell): each for cell, each in enumerate(told)}
        for place, here in at.items():
            row, column = divmod(place, board.cols)
            if column + 1 < board.cols and at.get(place + 1, here) != here:
                self.upright[row, column + 1] = strength
            if at.get(place + board.cols, here) != here:
                self.level[row + 1, column] = strength

    def _between(self, a: int, b: int) -> None:
        (r, c), (s, d) = (divmod(self.board.place(cell), self.board.cols) for cell in (a, b))
        if r == s and abs(c - d) == 1:
            self.upright[r, max(c, d)] = Line.STRONG
        if c == d and abs(r - s) == 1:
            self.level[max(r, s), c] = Line.STRONG
