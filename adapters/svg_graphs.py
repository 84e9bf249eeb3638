"""Graphs in pictures: the vertices on a circle, and all edges."""

from __future__ import annotations

import math

from adapters.boards import Graph
from adapters.svg_parts import PATH, SIDE, START, Canvas, dot, line, word
from adapters.tiles import Point


class GraphCanvas(Canvas):
    def __init__(self, board: Graph) -> None:
        self.board = board
        self.width = self.height = max(200, 14 * board.cells)

    def centre(self, cell: int) -> Point:
        angle = 2 * math.pi * cell / self.board.cells
        middle = self.width / 2
        radius = middle - SIDE / 2
        return middle + radius * math.sin(angle), middle - radius * math.cos(angle)

    def ground(self) -> list[str]:
        lines = []
        for u, v in self.board.edges():
            (a, b), (c, d) = self.centre(u), self.centre(v)
            lines.append(line(f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}", "#ccc"))
        return lines

    def labels(self, order: tuple[int, ...]) -> list[str]:
        """The name of each vertex, on a disc that lets it be read where edges cross."""
        parts = []
        for cell in range(self.board.cells):
            colour = START if cell == order[0] else PATH
            parts.append(dot(self.centre(cell), 10, "#fff", colour))
            parts.append(word(self.centre(cell), self.board.name(cell), 11))
        return parts
