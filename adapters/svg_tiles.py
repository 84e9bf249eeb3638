"""Boards of tiles in pictures: the tiles, the pieces on them, and arrows along glued sides."""

from __future__ import annotations

import math

from adapters.pieces import sign
from adapters.svg_parts import PATH, SIDE, Canvas, line, word
from adapters.tiles import Point, Seam, Tiles

_SHADES = ("#f3ead9", "#d9c6a5", "#e8d3c0")
_SEAMS = ("#b3261e", "#2e7d32", "#6a3d9a", "#e08214", "#1f78b4", "#a6761d", "#d01c8b")
_BEND = 0.15
"""How far a line is pulled aside, as a part of its length, and at most: its middle follows half."""
_MOST_BEND = 0.8 * SIDE


class TileCanvas(Canvas):
    def __init__(self, board: Tiles) -> None:
        self.board = board
        self._written: list[Point] = []
        corners = [corner for place in range(board.places) for corner in board.corners(place)]
        margin = 1.0 if board.seams() else 0.0
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
        tiles = [self._tile(board.place(cell)) for cell in range(board.cells)]
        friends = [
            word(self._page(board.middle(place)), sign(name, enemy=False), SIDE * 0.8)
            for place, name in board.pieces.friends.items()
        ]
        enemies = [
            word(self._page((x + 0.27, y + 0.25)), sign(name, enemy=True), SIDE * 0.45)
            for place, name in board.pieces.enemies.items()
            for x, y in (board.middle(place),)
        ]
        return [*tiles, *friends, *enemies, *self._seams()]

    def _tile(self, place: int) -> str:
        corners = [self._page(corner) for corner in self.board.corners(place)]
        fill = _SHADES[self.board.shade(place)]
        if len(corners) == 4:
            x, y = corners[0]
            return f'<rect x="{x:g}" y="{y:g}" width="{SIDE}" height="{SIDE}" fill="{fill}"/>'
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        return f'<polygon points="{points}" fill="{fill}" stroke="#fff"/>'

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
        length = abs(u - x) + abs(v - y)
        a, b = (u - x) / length, (v - y) / length
        middle = ((x + u) / 2, (y + v) / 2)
        head = (
            f"M{middle[0] - 5 * a - 5 * b:.1f} {middle[1] - 5 * b - 5 * a:.1f}"
            f"L{middle[0] + 5 * a:.1f} {middle[1] + 5 * b:.1f}"
            f"L{middle[0] - 5 * a + 5 * b:.1f} {middle[1] - 5 * b + 5 * a:.1f}"
        )
        beside = (middle[0] + 0.55 * SIDE * out[0], middle[1] + 0.55 * SIDE * out[1])
        return [
            line(f"M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}", colour, 'stroke-width="2"'),
            line(head, colour, 'stroke-width="2"'),
            word(beside, seam.name, 12, colour),
        ]

    def labels(self, order: tuple[int, ...]) -> list[str]:
        """The number of each move, in the upper left of its tile."""
        aside = 17 if len(self.board.corners(0)) == 4 else 11
        return [
            f'<text x="{x - aside:.1f}" y="{y - 9:.1f}" font-size="9" fill="#555">{number}</text>'
            for number, (x, y) in enumerate(map(self.centre, order), 1)
        ]

    def is_straight(self, a: int, b: int) -> bool:
        p, q = self.board.place(a), self.board.place(b)
        return not self.board.is_far(p, q) and len(self.board.strokes(p, q)) == 1

    def detour(self, a: int, b: int, numbers: tuple[int, int]) -> list[str]:
        """A bent line over what is not board; across a seam two stubs that say where they lead."""
        p, q = self.board.place(a), self.board.place(b)
        dashed = 'stroke-width="1.5" stroke-dasharray="4 3" opacity="0.75"'
        if self.board.is_far(p, q):
            (x, y), (u, v) = self.centre(a), self.centre(b)
            pull = min(_BEND, _MOST_BEND / math.dist((x, y), (u, v)))
            bend = (x + u) / 2 + pull * (v - y), (y + v) / 2 - pull * (u - x)
            curve = f"M{x:.1f} {y:.1f}Q{bend[0]:.1f} {bend[1]:.1f} {u:.1f} {v:.1f}"
            return [line(curve, PATH, dashed)]
        parts = []
        stubs = self.board.strokes(p, q)
        for (tail, head), number in zip(stubs, reversed(numbers), strict=True):
            (x, y), (u, v) = self._page(tail), self._page(head)
            parts.append(line(f"M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}", PATH, dashed))
            parts.append(word(self._free((u, v)), str(number), 8, PATH))
        return parts

    def _free(self, at: Point) -> Point:
        """A point for a word where no other stands yet: at the end of its line, or below it."""
        x, y = at
        while any(abs(x - u) < 11 and abs(y - v) < 8 for u, v in self._written):
            y += 8
        self._written.append((x, y))
        return x, y
