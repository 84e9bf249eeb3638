"""Lines between cells in a picture, which need not be a tour: loops, matchings, trees, arrows."""

from __future__ import annotations

import math

from boardsat.adapters.boards._tiles import Point
from boardsat.adapters.rendering._parts import (
    PATH,
    STRONG,
    Canvas,
    arrowhead,
    colour_of,
    line,
    segment,
)
from boardsat.adapters.views.solution import Strokes

_WIDTH = 3.5
_BEFORE_END = 0.32
"""Where an arrowhead ends, as a part of its line from the end: middles of cells may be full."""


_FULL = 13.0
"""How far from the middle of a cell in which something is written a line ends."""


def lines(shown: Strokes, canvas: Canvas, full: frozenset[int] = frozenset()) -> list[str]:
    """Straight ones as one path; those that leave the drawing as they do in a tour.

    They keep clear of what is written in cells that are full.
    """
    colour = colour_of(shown.colours, 0, STRONG) if shown.colours else PATH
    pairs = [(a, b) for a, b in shown.pairs if a != b]
    straight = [pair for pair in pairs if canvas.is_straight(*pair)]
    ends = [
        (
            _beside(canvas.centre(a), canvas.centre(b), a in full),
            _beside(canvas.centre(b), canvas.centre(a), b in full),
        )
        for a, b in straight
    ]
    parts = []
    if ends:
        style = f'stroke-width="{_WIDTH}" stroke-linecap="round"'
        parts.append(line("".join(segment(a, b) for a, b in ends), colour, style))
    if shown.has_heads and ends:
        heads = "".join(_head(canvas.centre(a), canvas.centre(b)) for a, b in straight)
        parts.append(f'<path d="{heads}" fill="{colour}" stroke="{colour}" stroke-width="2"/>')
    for a, b in pairs:
        if not canvas.is_straight(a, b):
            parts += canvas.detour(a, b, (a + 1, b + 1))
    return parts


def _beside(end: Point, other: Point, is_full: bool) -> Point:
    """Where a line to a cell ends."""
    way = other[0] - end[0], other[1] - end[1]
    part = _FULL / (math.hypot(*way) or 1.0) if is_full else 0.0
    return end[0] + part * way[0], end[1] + part * way[1]


def _head(a: Point, b: Point) -> str:
    way = b[0] - a[0], b[1] - a[1]
    part = 1 - max(_BEFORE_END * 40 / (math.hypot(*way) or 1.0), 0.05)
    return arrowhead((a[0] + part * way[0], a[1] + part * way[1]), way)
