"""Graphs in pictures: the vertices on a circle, and all edges."""

from __future__ import annotations

import math

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.boards._tiles import Point
from boardsat.adapters.drawing._parts import (
    FAINT,
    MOST_NUMBERS,
    SIDE,
    Canvas,
    contrast,
    dot,
    lettered,
    line,
    segment,
)

_EDGE, _RIM = "#d2ccc0", "#6b6252"
_INSIDE, _LONGEST = 3, 30
"""Letters of a name that fit into a disc, and that are shown beside one."""

_LETTER = 6
"""Units that a letter beside a disc is wide."""


class GraphCanvas(Canvas):
    def __init__(self, board: GraphBoard) -> None:
        self.board = board
        longest = max((len(self._shown(cell)) for cell in range(board.cells)), default=0)
        self.outside = longest > _INSIDE and board.cells <= MOST_NUMBERS
        """Whether names are too long for discs, and stand beside them."""
        self.margin = SIDE + (round(_LETTER * longest) if self.outside else 0)
        self.width = self.height = max(160, round(13 * board.cells)) + 2 * self.margin

    def centre(self, cell: int) -> Point:
        return self._at(cell, self.width / 2 - self.margin)

    def _shown(self, cell: int) -> str:
        name = self.board.name(cell)
        return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 3]}..."

    def _at(self, cell: int, radius: float) -> Point:
        angle = 2 * math.pi * cell / self.board.cells
        middle = self.width / 2
        return middle + radius * math.sin(angle), middle - radius * math.cos(angle)

    def ground(self) -> list[str]:
        parts = [segment(self.centre(u), self.centre(v)) for u, v in self.board.edges()]
        return [line("".join(parts), _EDGE)] if parts else []

    def name(self, cell: int, number: int) -> str:
        """The name of the vertex: on a circle the line itself shows the order."""
        return str(number) if self.outside else self.board.name(cell)

    def over(self) -> list[str]:
        return [self._beside(cell) for cell in range(self.board.cells)] if self.outside else []

    def _beside(self, cell: int) -> str:
        """The name outside the circle, to the left or to the right of it."""
        name = self._shown(cell)
        x, y = self._at(cell, self.width / 2 - self.margin + 24)
        turn = math.sin(2 * math.pi * cell / self.board.cells)
        return lettered((x + turn * _LETTER * len(name) / 2, y), name, 10, FAINT)

    def coloured(self, cell: int, word: str, fill: str) -> list[str]:
        """A vertex with what is written on it, in a colour, and its name outside the circle."""
        return [
            dot(self.centre(cell), 13, fill, _RIM),
            lettered(self.centre(cell), word, 13 if len(word) < 3 else 9, contrast(fill)),
            *([] if self.outside else [self._beside(cell)]),
        ]
