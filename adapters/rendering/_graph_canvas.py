"""Canvas of a graph: planar graphs are drawn without crossings, others on a circle."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import pairwise

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.boards._board import Point
from boardsat.adapters.rendering._svg_elements import (
    FAINT,
    MAX_NUMBERED_CELLS,
    PAGE,
    SIDE,
    Canvas,
    contrast,
    disc,
    path,
    segment,
    text_element,
)
from boardsat.adapters.rendering.planar_drawing import planar_page
from boardsat.adapters.rendering.planar_embedding import neighbours

_EDGE_COLOUR, _RIM_COLOUR = "#d2ccc0", "#6b6252"
_MAX_NAME_INSIDE, _MAX_NAME = 3, 30
"""Maximum number of letters of a name inside a disc, and of one outside."""

_LETTER_WIDTH = 6

_DISC_RADIUS, _NAME_DISTANCE = 13, 24
"""Radius of the disc of a vertex, and distance of the name from its centre if it is outside."""


class GraphCanvas(Canvas):
    """Graph in a picture: vertices are discs."""

    def __init__(self, board: GraphBoard) -> None:
        self.board = board
        longest = max((len(self._short_name(cell)) for cell in range(board.cells)), default=0)
        self.has_long_names = longest > _MAX_NAME_INSIDE and board.cells <= MAX_NUMBERED_CELLS
        """True if names do not fit into discs, and are drawn outside of them."""
        self.margin = SIDE + (round(_LETTER_WIDTH * longest) if self.has_long_names else 0)
        self.planar = planar_page(board.cells, board.edges(), _DISC_RADIUS)
        """Coordinates of the vertices in a planar drawing; None to draw them on a circle."""
        self.width = self.height = max(160, round(13 * board.cells)) + 2 * self.margin
        if self.planar is not None:
            self.width, self.height = (
                round(float(side)) + 2 * self.margin for side in self.planar.max(axis=0)
            )

    def centre(self, cell: int) -> Point:
        if self.planar is None:
            return self._on_circle(cell, self.width / 2 - self.margin)
        x, y = self.planar[cell].tolist()
        return x + self.margin, y + self.margin

    def _short_name(self, cell: int) -> str:
        name = self.board.name(cell)
        return name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 3]}..."

    def _on_circle(self, cell: int, radius: float) -> Point:
        angle = 2 * math.pi * cell / self.board.cells
        middle = self.width / 2
        return middle + radius * math.sin(angle), middle - radius * math.cos(angle)

    def background(self) -> list[str]:
        segments = [segment(self.centre(u), self.centre(v)) for u, v in self.board.edges()]
        return [path("".join(segments), _EDGE_COLOUR)] if segments else []

    def stop_label(self, cell: int, number: int) -> str:
        """Return the name of the vertex, as the line shows the order; a number if it is long."""
        return str(number) if self.has_long_names else self.board.name(cell)

    def foreground(self) -> list[str]:
        return self._outside_names() if self.has_long_names else []

    def _outside_names(self) -> list[str]:
        return [self._outside_name(cell) for cell in range(self.board.cells)]

    def _outside_name(self, cell: int) -> str:
        """Return the name of a vertex, outside its disc in the direction with the most room."""
        name = self._short_name(cell)
        angle = self._free_angle(cell)
        x, y = self.centre(cell)
        shift = math.sin(angle) * (_NAME_DISTANCE + _LETTER_WIDTH * len(name) / 2)
        return text_element((x + shift, y - math.cos(angle) * _NAME_DISTANCE), name, 10, FAINT)

    def _free_angle(self, cell: int) -> float:
        """Return the middle of the widest gap between the edges of a vertex, clockwise from up.

        On a circle it is the direction away from the centre.
        """
        if self.planar is None:
            return 2 * math.pi * cell / self.board.cells
        x, y = self.centre(cell)
        ends = (self.centre(neighbour) for neighbour in self._neighbours[cell])
        angles = sorted(math.atan2(to_x - x, y - to_y) for to_x, to_y in ends)
        if not angles:
            return math.pi / 2
        gaps = [(b - a, a) for a, b in pairwise([*angles, angles[0] + 2 * math.pi])]
        gap, start = max(gaps)
        return start + gap / 2

    @cached_property
    def _neighbours(self) -> list[list[int]]:
        return neighbours(self.board.cells, self.board.edges())

    def vertices(self) -> list[str]:
        """Return all vertices without content; their names are omitted if illegible."""
        cells = range(self.board.cells)
        discs = [disc(self.centre(cell), _DISC_RADIUS, PAGE, _RIM_COLOUR) for cell in cells]
        has_names = not self.has_long_names and len(cells) <= MAX_NUMBERED_CELLS
        return [*discs, *(self._outside_names() if has_names else [])]

    def vertex(self, cell: int, content: str, fill: str) -> list[str]:
        """Return a vertex with its content and background colour."""
        centre = self.centre(cell)
        size = 13 if len(content) < 3 else 9
        return [
            disc(centre, _DISC_RADIUS, fill, _RIM_COLOUR),
            text_element(centre, content, size, contrast(fill)),
            *([] if self.has_long_names else [self._outside_name(cell)]),
        ]
