"""Graphs in pictures: planar ones without crossings, others with their vertices on a circle."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import pairwise

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.boards._tiles import Point
from boardsat.adapters.rendering._svg_elements import (
    FAINT,
    MAX_NUMBERED_CELLS,
    PAGE,
    SIDE,
    Canvas,
    contrast,
    dot,
    lettered,
    line,
    segment,
)
from boardsat.adapters.rendering.planar_drawing import planar_page
from boardsat.adapters.rendering.planar_embedding import neighbours

_EDGE, _RIM = "#d2ccc0", "#6b6252"
_INSIDE, _LONGEST = 3, 30
"""Letters of a name that fit into a disc, and that are shown beside one."""

_LETTER = 6
"""Units that a letter beside a disc is wide."""

_DISC, _BESIDE = 13, 24
"""The radius of a disc, and how far from its centre a name stands beside it."""


class GraphCanvas(Canvas):
    def __init__(self, board: GraphBoard) -> None:
        self.board = board
        longest = max((len(self._shown(cell)) for cell in range(board.cells)), default=0)
        self.outside = longest > _INSIDE and board.cells <= MAX_NUMBERED_CELLS
        """Whether names are too long for discs, and stand beside them."""
        self.margin = SIDE + (round(_LETTER * longest) if self.outside else 0)
        self.planar = planar_page(board.cells, board.edges(), _DISC)
        """A place for every vertex, where no edges need cross."""
        self.width = self.height = max(160, round(13 * board.cells)) + 2 * self.margin
        if self.planar is not None:
            self.width, self.height = (
                round(float(side)) + 2 * self.margin for side in self.planar.max(axis=0)
            )

    def centre(self, cell: int) -> Point:
        if self.planar is None:
            return self._at(cell, self.width / 2 - self.margin)
        x, y = self.planar[cell].tolist()
        return x + self.margin, y + self.margin

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
        """The name of the vertex: the line itself shows the order."""
        return str(number) if self.outside else self.board.name(cell)

    def over(self) -> list[str]:
        return [self._beside(cell) for cell in range(self.board.cells)] if self.outside else []

    def _beside(self, cell: int) -> str:
        """The name outside the circle, or where there is most room between edges."""
        name = self._shown(cell)
        angle = self._free_angle(cell)
        x, y = self.centre(cell)
        side = math.sin(angle)
        middle = x + side * (_BESIDE + _LETTER * len(name) / 2), y - math.cos(angle) * _BESIDE
        return lettered(middle, name, 10, FAINT)

    def _free_angle(self, cell: int) -> float:
        """Clockwise from above: the middle of the widest gap between the edges of a vertex."""
        if self.planar is None:
            return 2 * math.pi * cell / self.board.cells
        x, y = self.centre(cell)
        ends = (self.centre(other) for other in self._around[cell])
        angles = sorted(math.atan2(to_x - x, y - to_y) for to_x, to_y in ends)
        if not angles:
            return math.pi / 2
        gaps = [(b - a, a) for a, b in pairwise([*angles, angles[0] + 2 * math.pi])]
        gap, start = max(gaps)
        return start + gap / 2

    @cached_property
    def _around(self) -> list[list[int]]:
        return neighbours(self.board.cells, self.board.edges())

    def vertices(self) -> list[str]:
        """All of them, with their names where anybody could read them: those with no sign too."""
        cells = range(self.board.cells)
        discs = [dot(self.centre(cell), _DISC, PAGE, _RIM) for cell in cells]
        named = not self.outside and len(cells) <= MAX_NUMBERED_CELLS
        return [*discs, *(self._beside(cell) for cell in cells if named)]

    def coloured(self, cell: int, word: str, fill: str) -> list[str]:
        """A vertex with what is written on it, in a colour, and its name beside it."""
        return [
            dot(self.centre(cell), _DISC, fill, _RIM),
            lettered(self.centre(cell), word, 13 if len(word) < 3 else 9, contrast(fill)),
            *([] if self.outside else [self._beside(cell)]),
        ]
