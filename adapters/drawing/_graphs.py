"""Graphs in pictures: the vertices on a circle, and all edges."""

from __future__ import annotations

import math

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.boards._tiles import Point
from boardsat.adapters.drawing._parts import (
    FAINT,
    INK,
    PAGE,
    SIDE,
    Canvas,
    dot,
    lettered,
    line,
    segment,
)

_EDGE, _RIM = "#d2ccc0", "#6b6252"
_HUES = ("#a9c6e3", "#f2c38f", "#b5d6a7", "#e8b0ab", "#cdb9e0", "#efe09b", "#a5d5d3", "#dcb999")
"""Colours that stay apart, also for most who see fewer; after them the circle of hues."""


class GraphCanvas(Canvas):
    def __init__(self, board: GraphBoard) -> None:
        self.board = board
        self.width = self.height = max(240, round(13 * board.cells) + 2 * SIDE)

    def centre(self, cell: int) -> Point:
        return self._at(cell, self.width / 2 - SIDE)

    def _at(self, cell: int, radius: float) -> Point:
        angle = 2 * math.pi * cell / self.board.cells
        middle = self.width / 2
        return middle + radius * math.sin(angle), middle - radius * math.cos(angle)

    def ground(self) -> list[str]:
        parts = [segment(self.centre(u), self.centre(v)) for u, v in self.board.edges()]
        return [line("".join(parts), _EDGE)] if parts else []

    def name(self, cell: int, number: int) -> str:
        """The name of the vertex: on a circle the line itself shows the order."""
        return self.board.name(cell)

    def coloured(self, cell: int, value: int | None) -> list[str]:
        """A vertex with its value, in a colour of its own, and its name outside the circle."""
        beside = self._at(cell, self.width / 2 - SIDE + 24)
        return [
            dot(self.centre(cell), 13, PAGE if value is None else _colour(value), _RIM),
            lettered(self.centre(cell), "?" if value is None else str(value), 13, INK),
            lettered(beside, self.board.name(cell), 10, FAINT),
        ]


def _colour(value: int) -> str:
    if 1 <= value <= len(_HUES):
        return _HUES[value - 1]
    # Steps of the golden angle come near no earlier one for long.
    return f"hsl({value * 137.5 % 360:.0f} 55% 78%)"
