"""Boards of tiles in pictures: the tiles, the pieces on them, and arrows along glued sides."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from boardsat.adapters.boards import Grid
from boardsat.adapters.boards._pieces import sign
from boardsat.adapters.boards._sheets import Sheet
from boardsat.adapters.boards._tiles import Point, Seam, Tiles
from boardsat.adapters.rendering._borders import Borders, Line
from boardsat.adapters.rendering._cell_text import margin_words
from boardsat.adapters.rendering._svg_elements import (
    BEFORE_DISC,
    FAINT,
    HALO,
    INK,
    PATH,
    SIDE,
    Canvas,
    arrowhead,
    dot,
    lettered,
    line,
    segment,
)
from boardsat.adapters.views.solution import MARGINS, Solution

_SHADES = ("#f6f1e7", "#e3d7c1", "#ede4d3")
_PLAIN, _GIVEN, _BLOCKED = "#ffffff", "#f0ece3", "#d9d6d0"
_FRAME, _THIN = "#9c8a6a", "#d5ccbb"
_SEAMS = ("#b3402e", "#4d7c3a", "#7b5ea7", "#b7791f", "#2f5d8c", "#8a6d3b", "#a8417a")
_BEND = 0.15
"""How far a line is pulled aside, as a part of its length, and at most: its middle follows half."""
_MOST_BEND = 0.8 * SIDE
_BESIDE, _LETTER, _BEFORE = 0.5, 0.27, 0.2
"""The room of a word above a column, of a letter beside a row, and of what is before it."""


def _room(solution: Solution, side: str) -> float:
    """The room that words beside the board take, in sides of a tile."""
    told = margin_words(solution, side)
    if side in ("left", "right"):
        return _LETTER * max((len(" ".join(words)) for words in told), default=0)
    return _BESIDE * max(map(len, told), default=0)


class TileCanvas(Canvas):
    """In two colours where pieces move; otherwise plain, with lines, for values."""

    def __init__(
        self, board: Tiles, solution: Solution, ground: str, fills: Mapping[int, str]
    ) -> None:
        self.board, self.ground_kind, self.fills = board, ground, fills
        self.given = solution.given
        self.is_shaded = ground == "chess"
        self.has_names = self.is_shaded and isinstance(board, Grid)
        self.borders = Borders(solution, board) if isinstance(board, Sheet) else None
        self._written: list[Point] = []
        corners = [corner for place in range(board.places) for corner in board.corners(place)]
        margin = 1.0 if board.seams() else 0.65 if self.has_names else 0.3
        room = {side: margin + _room(solution, side) for side in MARGINS}
        self.left = min(x for x, _ in corners) - room["left"]
        self.top = min(y for _, y in corners) - room["above"]
        self.width = round((max(x for x, _ in corners) + room["right"] - self.left) * SIDE)
        self.height = round((max(y for _, y in corners) + room["below"] - self.top) * SIDE)

    def _page(self, at: Point) -> Point:
        return (at[0] - self.left) * SIDE, (at[1] - self.top) * SIDE

    def centre(self, cell: int) -> Point:
        return self._page(self.board.middle(self.board.place(cell)))

    def clue(self, side: str, line: int, words: Sequence[str]) -> list[str]:
        """Words beside a row, or in a column above or below the board."""
        assert isinstance(self.board, Sheet)
        if side in ("left", "right"):
            x = -_BEFORE if side == "left" else self.board.cols + _BEFORE
            anchor = "end" if side == "left" else "start"
            return [lettered(self._page((x, line + 0.5)), " ".join(words), 16, INK, anchor=anchor)]
        first = -_BESIDE * len(words) if side == "above" else self.board.rows + _BEFORE / 2
        return [
            lettered(self._page((line + 0.5, first + _BESIDE * (k + 0.5))), word, 16, INK)
            for k, word in enumerate(words)
        ]

    def corner(self, cell: int) -> Point:
        """The lower right corner of a cell."""
        x, y = self.board.middle(self.board.place(cell))
        return self._page((x + 0.5, y + 0.5))

    def ground(self) -> list[str]:
        board = self.board
        if self.ground_kind == "points":
            return [
                *(dot(self.centre(cell), 3, FAINT) for cell in range(board.cells)),
                *self._seams(),
            ]
        tiles = [self._tile(board.place(cell), self._fill(cell)) for cell in range(board.cells)]
        for place, name in board.pieces.friends.items():
            tiles.append(self._tile(place, _BLOCKED))
            tiles.append(
                lettered(self._page(board.middle(place)), sign(name, enemy=False), SIDE * 0.75, INK)
            )
        names = self._names() if self.has_names else []
        return [*tiles, *self._lines(), *names, *self._seams()]

    def _fill(self, cell: int) -> str:
        if cell in self.fills:
            return self.fills[cell]
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
        stroke = _PLAIN if self.is_shaded else _THIN
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        return f'<polygon points="{points}" fill="{fill}" stroke="{stroke}"/>'

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
        assert self.borders is not None
        is_plain = not (self.borders.upright or self.borders.level)
        if self.is_shaded and is_plain:
            return [f'{frame} fill="none" stroke="{_FRAME}" stroke-width="1.2"/>']
        parts = []
        for strength, width in ((Line.WEAK, 1), (Line.STRONG, 2)):
            style = f'fill="none" stroke="{INK}" stroke-width="{width}" stroke-linecap="square"'
            between = self._between(strength)
            parts += [f'<path d="{"".join(between)}" {style}/>'] if between else []
        return [*parts, f"{frame} {style}/>"]

    def _between(self, strength: Line) -> list[str]:
        """The lines between neighbours that are so strong."""
        assert self.borders is not None
        parts = []
        for (row, column), found in self.borders.upright.items():
            if found is strength:
                top = self._page((column, row))
                parts.append(segment(top, (top[0], top[1] + SIDE)))
        for (row, column), found in self.borders.level.items():
            if found is strength:
                left = self._page((column, row))
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
            parts.append(lettered(self._free(end), str(number), 8, PATH, HALO))
        return parts

    def _free(self, at: Point) -> Point:
        """A point for a word where no other stands yet: at the end of its line, or below it."""
        x, y = at
        while any(abs(x - u) < 12 and abs(y - v) < 9 for u, v in self._written):
            y += 9
        self._written.append((x, y))
        return x, y
