"""Draw lines between cells in SVG: tours with numbered moves, loops, matchings, trees, arrows.

Numbers of a tour stand on discs over its path, so that no line crosses them.
"""

from __future__ import annotations

import math
from itertools import pairwise

from boardsat.adapters.boards._tiles import Point
from boardsat.adapters.rendering._svg_elements import (
    BEFORE_DISC,
    INK,
    MAX_NUMBERED_CELLS,
    PAGE,
    PATH,
    START,
    STRONG,
    Canvas,
    arrowhead,
    colour_of,
    dot,
    lettered,
    line,
    segment,
)
from boardsat.adapters.views.solution import Strokes

_WIDTH = 3.5

_BEFORE_END = 0.32
"""Distance of an arrowhead from the end of its line, in sides: the middle may have a sign."""

_FULL = 13.0
"""Distance of a line's end from the middle of a cell that has a label."""

_ON_THE_WAY = 0.6
"""Position of the arrowhead on a move without discs: lines cross in the middle."""


def lines(shown: Strokes, canvas: Canvas, full: frozenset[int] = frozenset()) -> list[str]:
    """Return the SVG elements of lines or arrows: straight ones as one path, others as detours.

    Lines end before the labels of `full` cells.
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
    """Return the end of a line to a cell."""
    way = other[0] - end[0], other[1] - end[1]
    part = _FULL / (math.hypot(*way) or 1.0) if is_full else 0.0
    return end[0] + part * way[0], end[1] + part * way[1]


def _head(a: Point, b: Point) -> str:
    way = b[0] - a[0], b[1] - a[1]
    part = 1 - max(_BEFORE_END * 40 / (math.hypot(*way) or 1.0), 0.05)
    return arrowhead((a[0] + part * way[0], a[1] + part * way[1]), way)


def tour(canvas: Canvas, order: tuple[int, ...], closed: bool) -> list[str]:
    """Return the SVG elements of a tour: path, arrowheads, and numbered cells."""
    if not order:
        return []
    # An unchecked tour may repeat a cell, which is not a line.
    moves = [(a, b) for a, b in pairwise([*order, order[0]] if closed else order) if a != b]
    straight = [canvas.is_straight(a, b) for a, b in moves]
    if closed and all(straight):
        path = _path(canvas, moves[:-1], straight, order[0]) + "Z"
    else:
        path = _path(canvas, moves, straight, order[0])
    number = {cell: place for place, cell in enumerate(order, 1)}
    detours = [
        part
        for (a, b), is_straight in zip(moves, straight, strict=True)
        if not is_straight
        for part in canvas.detour(a, b, (number[a], number[b]))
    ]
    drawn = [move for move, is_straight in zip(moves, straight, strict=True) if is_straight]
    width = 2.2 if len(order) <= MAX_NUMBERED_CELLS else 2.6
    return [
        line(path, PATH, f'stroke-width="{width}" stroke-linejoin="round" class="tour"'),
        *detours,
        *_heads(canvas, drawn, len(order) <= MAX_NUMBERED_CELLS),
        *_stops(canvas, order, closed),
    ]


def _path(canvas: Canvas, moves: list[tuple[int, int]], straight: list[bool], start: int) -> str:
    """Return the path of all straight moves."""
    cells = [(start, "M")]
    cells += [
        (b, "L" if unbroken else "M") for (_, b), unbroken in zip(moves, straight, strict=False)
    ]
    points = ((canvas.centre(cell), letter) for cell, letter in cells)
    return "".join(f"{letter}{x:.1f} {y:.1f}" for (x, y), letter in points)


def _heads(canvas: Canvas, moves: list[tuple[int, int]], has_discs: bool) -> list[str]:
    """Return an arrowhead for every move."""
    heads = []
    for a, b in moves:
        (x, y), (u, v) = canvas.centre(a), canvas.centre(b)
        part = 1 - BEFORE_DISC / math.dist((x, y), (u, v)) if has_discs else _ON_THE_WAY
        heads.append(arrowhead((x + part * (u - x), y + part * (v - y)), (u - x, v - y)))
    return [f'<path d="{"".join(heads)}" fill="{PATH}"/>'] if heads else []


def _stops(canvas: Canvas, order: tuple[int, ...], closed: bool) -> list[str]:
    """Return numbered discs on all cells; on large boards only start and end."""
    colours = {order[0]: START}
    if not closed:
        colours.setdefault(order[-1], PATH)
    if len(order) > MAX_NUMBERED_CELLS:
        return [dot(canvas.centre(cell), 10, colour, PAGE) for cell, colour in colours.items()]
    names = [canvas.name(cell, number) for number, cell in enumerate(order, 1)]
    longest = max(map(len, names))
    parts = []
    for cell, name in zip(order, names, strict=True):
        parts += _stop(canvas.centre(cell), name, longest, colours.get(cell))
    return parts


def _stop(at: Point, name: str, longest: int, colour: str | None) -> list[str]:
    radius, size = (10.5, 10.5) if longest <= 2 else (12, 9)
    if colour:
        return [dot(at, radius + 1, colour), lettered(at, name, size, PAGE, 'font-weight="bold"')]
    return [dot(at, radius, PAGE, PATH), lettered(at, name, size, INK)]
