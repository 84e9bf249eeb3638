"""Lines between cells in a picture, which need not be a tour: loops, matchings, trees, arrows."""

from __future__ import annotations

import math

from boardsat.adapters.boards._tiles import Point
from boardsat.adapters.drawing._parts import (
    PATH,
    STRONG,
    Canvas,
    arrowhead,
    colour_of,
    line,
    segment,
)
from boardsat.adapters.pictures import Strokes

_WIDTH = 3.5
_BEFORE_END = 0.32
"""Where an arrowhead ends, as a part of its line from the end: middles of cells may be full."""


def lines(shown: Strokes, canvas: Canvas) -> list[str]:
    """Straight ones as one path; those that leave the drawing as they do in a tour."""
    colour = colour_of(shown.colours, 0, STRONG) if shown.colours else PATH
    pairs = [(a, b) for a, b in shown.pairs if a != b]
    straight = [pair for pair in pairs if canvas.is_straight(*pair)]
    ends = [(canvas.centre(a), canvas.centre(b)) for a, b in straight]
    parts = []
    if ends:
        style = f'stroke-width="{_WIDTH}" stroke-linecap="round"'
        parts.append(line("".join(segment(a, b) for a, b in ends), colour, style))
    if shown.has_heads and ends:
        heads = "".join(_head(a, b) for a, b in ends)
        parts.append(f'<path d="{heads}" fill="{colour}" stroke="{colour}" stroke-width="2"/>')
    for a, b in pairs:
        if not canvas.is_straight(a, b):
            parts += canvas.detour(a, b, (a + 1, b + 1))
    return parts


def _head(a: Point, b: Point) -> str:
    way = b[0] - a[0], b[1] - a[1]
    part = 1 - max(_BEFORE_END * 40 / (math.hypot(*way) or 1.0), 0.05)
    return arrowhead((a[0] + part * way[0], a[1] + part * way[1]), way)
