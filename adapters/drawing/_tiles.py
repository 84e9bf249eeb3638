"""Boards of tiles in pictures: the tiles, the pieces on them, and arrows along glued sides."""

from __future__ import annotations

import math

from boardsat.adapters.boards import Grid
from boardsat.adapters.boards._pieces import sign
from boardsat.adapters.boards._sheets import Sheet
from boardsat.adapters.boards._tiles import Point, Seam, Tiles
from boardsat.adapters.drawing._parts import (
    BEFORE_DISC,
    FAINT,
    INK,
    PAGE,
    PATH,
    SIDE,
    Canvas,
    arrowhead,
    lettered,
    line,
    segment,
)

_SHADES = ("#f6f1e7", "#e3d7c1", "#ede4d3")
_PLAIN, _GIVEN, _BLOCKED = "#ffffff", "#f0ece3", "#d9d6d0"
_FRAME, _THIN = "#9c8a6a", "#d5ccbb"
_SEAMS = ("#b3402e", "#4d7c3a", "#7b5ea7", "#b7791f", "#2f5d8c", "#8a6d3b", "#a8417a")
_BEND = 0.15
"""How far a line is pulled aside, as a part of its length, and at most: its middle follows half."""
_MOST_BEND = 0.8 * SIDE
_HALO = f'stroke="{PAGE}" stroke-width="3" paint-order="stroke"'
"""Around words that a line might touch."""


class TileCanvas(Canvas):
    """In two colours where pieces move; otherwise plain, with lines, for values."""

    def __init__(
        self,
        board: Tiles,
        is_shaded: bool = True,
        regions: tuple[int, ...] = (),
        given: frozenset[int] = frozenset(),
    ) -> None:
        self.board, self.is_shaded, self.regions, self.given = board, is_shaded, regions, given
        self.has_names = is_shaded and isinstance(board, Grid)
        self._written: list[Point] = []
        corners = [corner for place in range(board.places) for corner in board.corners(place)]
        margin = 1.0 if board.seams() else 0.65 if self.has_names else 0.3
        self.left = min(x for x, _ in corners) - margin
        self.top = min(y for _, y in corners) - margin
        self.width = round((max(x for x, _ in corners) + margin - self.left) * SIDE)
        self.height = round((max(y for _, y in corners) + margin - self.top) * SIDE)

    def _page(self, at: Point) -> Point:
        return (at[0] - self.left) * SIDE, (at[1] - self.top) * SIDE

    def centre(self, cell: int) -> Point:
        return self._page(self.board.middle(self.board.place(cell)))

    def ground(self) -> list[str]:
        board = self.board
        tiles = [self._tile(board.place(cell), self._fill(cell)) for cell in range(board.cells)]
        for place, name in board.pieces.friends.items():
            tiles.append(self._tile(place, _BLOCKED))
            tiles.append(
                lettered(self._page(board.middle(place)), sign(name, enemy=False), SIDE * 0.75, INK)
            )
        names = self._names() if self.has_names else []
        return [*tiles, *self._lines(), *names, *self._seams()]

    def _fill(self, cell: int) -> str:
        if self.is_shaded:
            return _SHADES[self.board.shade(self.board.place(cell))]
        return _GIVEN if cell in self.given else _PLAIN

    def _tile(self, place: int, fill: str) -> str:
        corners = [self._page(corner) for corner in self.board.corners(place)]
        edge = "" if self.is_shaded else f' stroke="{_THIN}"'
        if len(corners) == 4:
            x, y = corners[0]
            where = f'x="{x:g}" y="{y:g}" width="{SIDE}" height="{SIDE}"'
            return f'<rect {where} fill="{fill}"{edge}/>'
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        return f'<polygon points="{points}" fill="{fill}" stroke="{_PLAIN}"/>'

    def over(self) -> list[str]:
        """Enemies, in the corner of their tiles."""
        return [
            lettered(self._page((x + 0.34, y + 0.33)), sign(name, enemy=True), SIDE * 0.4, INK)
            for place, name in self.board.pieces.enemies.items()
            for x, y in (self.board.middle(place),)
        ]

    # Lines and names.

    def _lines(self) -> list[str]:
        """The frame of a sheet, and the lines between regions."""
        board = self.board
        if not isinstance(board, Sheet):
            return []
        x, y = self._page((0, 0))
        frame = (
            f'<path d="M{x:g} {y:g}h{board.cols * SIDE}v{board.rows * SIDE}h{-board.cols * SIDE}Z"'
        )
        if self.is_shaded:
            return [f'{frame} fill="none" stroke="{_FRAME}" stroke-width="1.2"/>']
        strong = f'fill="none" stroke="{INK}" stroke-width="2" stroke-linecap="square"'
        between = self._between(board)
        inner = [f'<path d="{"".join(between)}" {strong}/>'] if between else []
        return [*inner, f"{frame} {strong}/>"]

    def _between(self, board: Sheet) -> list[str]:
        """A line wherever two neighbours are of different regions."""
        region = {board.place(cell): region for cell, region in enumerate(self.regions)}
        parts = []
        for place, here in region.items():
            row, column = divmod(place, board.cols)
            right, below = region.get(place + 1), region.get(place + board.cols)
            if column + 1 < board.cols and right not in (None, here):
                top = self._page((column + 1, row))
                parts.append(segment(top, (top[0], top[1] + SIDE)))
            if below not in (None, here):
                left = self._page((column, row + 1))
                parts.append(segment(left, (left[0] + SIDE, left[1])))
        return parts

    def _names(self) -> list[str]:
        """Of files below the board, and of ranks left of it."""
        board = self.board
        assert isinstance(board, Grid)
        files = [
            lettered(self._page((column + 0.5, board.rows + 0.32)), board.file(column), 12, FAINT)
            for column in range(board.cols)
        ]
        ranks = [
            lettered(self._page((-0.32, row + 0.5)), str(board.rows - row), 12, FAINT)
            for row in range(board.rows)
        ]
        return [*files, *ranks]

    def _seams(self) -> list[str]:
        seams = self.board.seams()
        names = sorted({seam.name for seam in seams})
        return [part for seam in seams for part in self._seam(seam, names.index(seam.name))]

    def _seam(self, seam: Seam, number: int) -> list[str]:
        """An arrow along the side, a little outside, and its name."""
        colour = _SEAMS[number % len(_SEAMS)]
        out, aside = seam.outward, 0.1
        (x, y), (u, v) = (
            self._page((end[0] + aside * out[0], end[1] + aside * out[1]))
            for end in (seam.tail, seam.head)
        )
        middle = ((x + u) / 2, (y + v) / 2)
        beside = (middle[0] + 0.5 * SIDE * out[0], middle[1] + 0.5 * SIDE * out[1])
        return [
            line(segment((x, y), (u, v)), colour, 'stroke-width="2"'),
            f'<path d="{arrowhead(middle, (u - x, v - y))}" fill="{colour}"/>',
            lettered(beside, seam.name, 12, colour),
        ]

    # Moves.

    def name(self, cell: int, number: int) -> str:
        return str(number)

    def is_straight(self, a: int, b: int) -> bool:
        p, q = self.board.place(a), self.board.place(b)
        return not self.board.is_far(p, q) and len(self.board.strokes(p, q)) == 1

    def detour(self, a: int, b: int, numbers: tuple[int, int]) -> list[str]:
        """A bent line over what is not board; across a seam two stubs that say where they lead."""
        p, q = self.board.place(a), self.board.place(b)
        dashed = 'stroke-width="1.4" stroke-dasharray="4 3" opacity="0.8"'
        if self.board.is_far(p, q):
            (x, y), (u, v) = self.centre(a), self.centre(b)
            pull = min(_BEND, _MOST_BEND / math.dist((x, y), (u, v)))
            bend = (x + u) / 2 + pull * (v - y), (y + v) / 2 - pull * (u - x)
            curve = f"M{x:.1f} {y:.1f}Q{bend[0]:.1f} {bend[1]:.1f} {u:.1f} {v:.1f}"
            way = u - bend[0], v - bend[1]
            part = BEFORE_DISC / math.hypot(*way)
            tip = arrowhead((u - part * way[0], v - part * way[1]), way)
            return [line(curve, PATH, dashed), f'<path d="{tip}" fill="{PATH}"/>']
        parts = []
        stubs = self.board.strokes(p, q)
        for stub, number in zip(stubs, reversed(numbers), strict=True):
            tail, end = map(self._page, stub)
            parts.append(line(segment(tail, end), PATH, dashed))
            parts.append(lettered(self._free(end), str(number), 8, PATH, _HALO))
        return parts

    def _free(self, at: Point) -> Point:
        """A point for a word where no other stands yet: at the end of its line, or below it."""
        x, y = at
        while any(abs(x - u) < 12 and abs(y - v) < 9 for u, v in self._written):
            y += 9
        self._written.append((x, y))
        return x, y
