"""Canvases of pictures: boards of tiles, and graphs.

A canvas has a size and a background, and determines the coordinates of cells and moves. Planar
graphs are drawn without crossings, others on a circle.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from boardsat.adapters.boards import GraphBoard, Grid
from boardsat.adapters.boards._board import Point, Seam, Tiles, piece_symbol
from boardsat.adapters.boards.grid import Sheet
from boardsat.adapters.rendering._cell_text import Borders, Line, margin_texts
from boardsat.adapters.rendering._svg_elements import (
    ARROWHEAD_TO_DISC,
    FAINT,
    HALO,
    INK,
    MAX_NUMBERED_CELLS,
    PAGE,
    PATH_COLOUR,
    SIDE,
    arrowhead,
    contrast,
    disc,
    filled_path,
    path,
    segment,
    text_element,
)
from boardsat.adapters.rendering.planar_drawing import planar_page
from boardsat.adapters.rendering.planar_embedding import neighbours
from boardsat.adapters.views import MARGINS, Solution

_SHADES = ("#f6f1e7", "#e3d7c1", "#ede4d3")
_PLAIN_FILL, _GIVEN_FILL, _FRIEND_FILL = "#ffffff", "#f0ece3", "#d9d6d0"
_FRAME_COLOUR, _BORDER_COLOUR = "#9c8a6a", "#d5ccbb"
_SEAM_COLOURS = ("#b3402e", "#4d7c3a", "#7b5ea7", "#b7791f", "#2f5d8c", "#8a6d3b", "#a8417a")
_MAX_BEND_SHARE, _MAX_BEND = 0.15, 0.8 * SIDE
"""Maximum shift of a curve's control point: as a share of the curve's length, and in SVG units."""

# Lengths whose unit is the side of a tile.
_CLUE_HEIGHT = 0.5
_CLUE_LETTER_WIDTH = 0.27
_CLUE_GAP = 0.2

_EDGE_COLOUR, _RIM_COLOUR = "#d2ccc0", "#6b6252"
_MAX_NAME_INSIDE, _MAX_NAME = 3, 30
"""Maximum number of letters of a name inside a disc, and of one outside."""

_LETTER_WIDTH = 6

_DISC_RADIUS, _NAME_DISTANCE = 13, 24
"""Radius of the disc of a vertex, and distance of the name from its centre if it is outside."""


class Canvas(ABC):
    """Base class of boards in pictures: size, background, and coordinates of cells and moves."""

    width: int
    height: int

    @abstractmethod
    def centre(self, cell: int) -> Point: ...

    @abstractmethod
    def background(self) -> list[str]:
        """Return the SVG elements of the board, which are drawn below the solution."""

    @abstractmethod
    def stop_label(self, cell: int, number: int) -> str:
        """Return the label of a cell of a tour, given its number in the order of the visit."""

    def foreground(self) -> list[str]:
        """Return the SVG elements that are drawn over the solution."""
        return []

    def is_straight(self, a: int, b: int) -> bool:
        """Return True if a move is drawn as one straight line."""
        return True

    def detour(self, a: int, b: int, numbers: tuple[int, int]) -> list[str]:
        """Return the SVG elements of a move that is not straight; `numbers` label its ends."""
        return []


def _clue_extent(solution: Solution, side: str) -> float:
    """Return the extent of the clues on one side of the board; the unit is the side of a tile."""
    clues = margin_texts(solution, side)
    if side in ("left", "right"):
        return _CLUE_LETTER_WIDTH * max((len(" ".join(texts)) for texts in clues), default=0)
    return _CLUE_HEIGHT * max(map(len, clues), default=0)


class TileCanvas(Canvas):
    """Board of tiles in a picture, in one of the styles `chess`, `plain` and `points`.

    Tiles have two or three shades in the style `chess`, and thin borders in the style `plain`.
    """

    def __init__(
        self, board: Tiles, solution: Solution, style: str, fills: Mapping[int, str]
    ) -> None:
        self.board, self.style, self.fills = board, style, fills
        self.given_cells = solution.given_cells
        self.is_shaded = style == "chess"
        self.has_names = self.is_shaded and isinstance(board, Grid)
        self.borders = Borders(solution, board) if isinstance(board, Sheet) else None
        self._stub_labels: list[Point] = []
        corners = [corner for tile in range(board.num_tiles) for corner in board.corners(tile)]
        margin = 1.0 if board.seams() else 0.65 if self.has_names else 0.3
        margins = {side: margin + _clue_extent(solution, side) for side in MARGINS}
        self.left = min(x for x, _ in corners) - margins["left"]
        self.top = min(y for _, y in corners) - margins["above"]
        self.width = round((max(x for x, _ in corners) + margins["right"] - self.left) * SIDE)
        self.height = round((max(y for _, y in corners) + margins["below"] - self.top) * SIDE)

    def _to_svg(self, point: Point) -> Point:
        """Convert coordinates, whose unit is the side of a tile, to SVG units."""
        return (point[0] - self.left) * SIDE, (point[1] - self.top) * SIDE

    def centre(self, cell: int) -> Point:
        return self._to_svg(self.board.middle(self.board.tile_of(cell)))

    def clue(self, side: str, line: int, texts: Sequence[str]) -> list[str]:
        """Return the clues of a row or column, on one side of the board."""
        assert isinstance(self.board, Sheet)
        if side in ("left", "right"):
            x = -_CLUE_GAP if side == "left" else self.board.cols + _CLUE_GAP
            anchor = "end" if side == "left" else "start"
            point = self._to_svg((x, line + 0.5))
            return [text_element(point, " ".join(texts), 16, INK, anchor=anchor)]
        top = -_CLUE_HEIGHT * len(texts) if side == "above" else self.board.rows + _CLUE_GAP / 2
        return [
            text_element(
                self._to_svg((line + 0.5, top + _CLUE_HEIGHT * (number + 0.5))), text, 16, INK
            )
            for number, text in enumerate(texts)
        ]

    def corner(self, cell: int) -> Point:
        """Return the lower right corner of a cell."""
        x, y = self.board.middle(self.board.tile_of(cell))
        return self._to_svg((x + 0.5, y + 0.5))

    def background(self) -> list[str]:
        board = self.board
        if self.style == "points":
            return [
                *(disc(self.centre(cell), 3, FAINT) for cell in range(board.cells)),
                *self._seams(),
            ]
        tiles = [self._tile(board.tile_of(cell), self._fill(cell)) for cell in range(board.cells)]
        for tile, name in board.pieces.friends.items():
            symbol = piece_symbol(name, enemy=False)
            tiles.append(self._tile(tile, _FRIEND_FILL))
            tiles.append(text_element(self._to_svg(board.middle(tile)), symbol, SIDE * 0.75, INK))
        names = self._names() if self.has_names else []
        return [*tiles, *self._borders(), *names, *self._seams()]

    def _fill(self, cell: int) -> str:
        if cell in self.fills:
            return self.fills[cell]
        if self.is_shaded:
            return _SHADES[self.board.shade(self.board.tile_of(cell))]
        return _GIVEN_FILL if cell in self.given_cells else _PLAIN_FILL

    def _tile(self, tile: int, fill: str) -> str:
        corners = [self._to_svg(corner) for corner in self.board.corners(tile)]
        if len(corners) == 4:
            x, y = corners[0]
            stroke = "" if self.is_shaded else f' stroke="{_BORDER_COLOUR}"'
            return (
                f'<rect x="{x:g}" y="{y:g}" width="{SIDE}" height="{SIDE}" fill="{fill}"{stroke}/>'
            )
        colour = _PLAIN_FILL if self.is_shaded else _BORDER_COLOUR
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        return f'<polygon points="{points}" fill="{fill}" stroke="{colour}"/>'

    def foreground(self) -> list[str]:
        """Return the enemies, each in a corner of its tile."""
        elements = []
        for tile, name in self.board.pieces.enemies.items():
            x, y = self.board.middle(tile)
            point = self._to_svg((x + 0.34, y + 0.33))
            elements.append(text_element(point, piece_symbol(name, enemy=True), SIDE * 0.4, INK))
        return elements

    # Lines and names.

    def _borders(self) -> list[str]:
        """Return the frame of a sheet, and the lines between cells."""
        board = self.board
        if not isinstance(board, Sheet):
            return []
        x, y = self._to_svg((0, 0))
        width, height = board.cols * SIDE, board.rows * SIDE
        frame = f"M{x:g} {y:g}h{width}v{height}h{-width}Z"
        assert self.borders is not None
        if self.is_shaded and not (self.borders.vertical or self.borders.horizontal):
            return [path(frame, _FRAME_COLOUR, 'stroke-width="1.2"')]
        elements = []
        for strength, stroke_width in ((Line.WEAK, 1), (Line.STRONG, 2)):
            style = f'stroke-width="{stroke_width}" stroke-linecap="square"'
            if segments := self._border_segments(strength):
                elements.append(path("".join(segments), INK, style))
        return [*elements, path(frame, INK, style)]

    def _border_segments(self, strength: Line) -> list[str]:
        """Return the path commands of the lines of one strength between cells."""
        assert self.borders is not None
        directions = (self.borders.vertical, (0, 1)), (self.borders.horizontal, (1, 0))
        return [
            segment(self._to_svg((column, row)), self._to_svg((column + right, row + down)))
            for lines, (right, down) in directions
            for (row, column), line in lines.items()
            if line is strength
        ]

    def _names(self) -> list[str]:
        """Return the names of files below the board, and of ranks on its left."""
        board = self.board
        assert isinstance(board, Grid)
        files = [
            text_element(
                self._to_svg((column + 0.5, board.rows + 0.32)), board.file(column), 12, FAINT
            )
            for column in range(board.cols)
        ]
        ranks = [
            text_element(self._to_svg((-0.32, row + 0.5)), str(board.rows - row), 12, FAINT)
            for row in range(board.rows)
        ]
        return [*files, *ranks]

    def _seams(self) -> list[str]:
        seams = self.board.seams()
        names = sorted({seam.name for seam in seams})
        return [element for seam in seams for element in self._seam(seam, names.index(seam.name))]

    def _seam(self, seam: Seam, number: int) -> list[str]:
        """Return an arrow along a glued side, just outside the board, and the name of the side."""
        colour = _SEAM_COLOURS[number % len(_SEAM_COLOURS)]
        normal, distance = seam.outward, 0.1
        (x, y), (u, v) = (
            self._to_svg((end[0] + distance * normal[0], end[1] + distance * normal[1]))
            for end in (seam.tail, seam.head)
        )
        middle = ((x + u) / 2, (y + v) / 2)
        name_point = (middle[0] + 0.5 * SIDE * normal[0], middle[1] + 0.5 * SIDE * normal[1])
        return [
            path(segment((x, y), (u, v)), colour, 'stroke-width="2"'),
            filled_path(arrowhead(middle, (u - x, v - y)), colour),
            text_element(name_point, seam.name, 12, colour),
        ]

    # Moves.

    def stop_label(self, cell: int, number: int) -> str:
        return str(number)

    def is_straight(self, a: int, b: int) -> bool:
        p, q = self.board.tile_of(a), self.board.tile_of(b)
        return not self.board.is_far(p, q) and len(self.board.strokes(p, q)) == 1

    def detour(self, a: int, b: int, numbers: tuple[int, int]) -> list[str]:
        """Return a curve if a straight line would leave the board, or two stubs at glued sides.

        A stub is labelled with the number of the cell that it leads to.
        """
        p, q = self.board.tile_of(a), self.board.tile_of(b)
        dashed = 'stroke-width="1.4" stroke-dasharray="4 3" opacity="0.8"'
        if self.board.is_far(p, q):
            (x, y), (u, v) = self.centre(a), self.centre(b)
            bend = min(_MAX_BEND_SHARE, _MAX_BEND / math.dist((x, y), (u, v)))
            control = (x + u) / 2 + bend * (v - y), (y + v) / 2 - bend * (u - x)
            curve = f"M{x:.1f} {y:.1f}Q{control[0]:.1f} {control[1]:.1f} {u:.1f} {v:.1f}"
            direction = u - control[0], v - control[1]
            share = ARROWHEAD_TO_DISC / math.hypot(*direction)
            head = arrowhead((u - share * direction[0], v - share * direction[1]), direction)
            return [path(curve, PATH_COLOUR, dashed), filled_path(head, PATH_COLOUR)]
        elements = []
        stubs = self.board.strokes(p, q)
        for stub, number in zip(stubs, reversed(numbers), strict=True):
            tail, end = map(self._to_svg, stub)
            elements.append(path(segment(tail, end), PATH_COLOUR, dashed))
            elements.append(text_element(self._free_point(end), str(number), 8, PATH_COLOUR, HALO))
        return elements

    def _free_point(self, point: Point) -> Point:
        """Return the point, or the first one below it at which a label overlaps no other."""
        x, y = point
        while any(abs(x - u) < 12 and abs(y - v) < 9 for u, v in self._stub_labels):
            y += 9
        self._stub_labels.append((x, y))
        return x, y


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
            angle, middle = 2 * math.pi * cell / self.board.cells, self.width / 2
            radius = middle - self.margin
            return middle + radius * math.sin(angle), middle - radius * math.cos(angle)
        x, y = self.planar[cell].tolist()
        return x + self.margin, y + self.margin

    def _short_name(self, cell: int) -> str:
        name = self.board.name(cell)
        return name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 3]}..."

    def background(self) -> list[str]:
        segments = [segment(self.centre(u), self.centre(v)) for u, v in self.board.edges()]
        return [path("".join(segments), _EDGE_COLOUR)] if segments else []

    def stop_label(self, cell: int, number: int) -> str:
        """Return the name of the vertex, or its number in the tour if names are long.

        The number is not needed, as the line shows the order.
        """
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
        """Return an empty disc for every vertex, and names unless they are illegible."""
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
