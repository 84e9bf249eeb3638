"""A tour in a picture: its path with its direction, the moves numbered, start and end marked.

Numbers stand on discs over the path, so that no line crosses them.
"""

from __future__ import annotations

import math
from itertools import pairwise

from boardsat.adapters.boards._tiles import Point
from boardsat.adapters.rendering._parts import (
    BEFORE_DISC,
    INK,
    MOST_NUMBERS,
    PAGE,
    PATH,
    START,
    Canvas,
    arrowhead,
    dot,
    lettered,
    line,
)

_ON_THE_WAY = 0.6
"""Where on a move its arrowhead is without a disc at its end: lines cross in the middle."""


def tour(canvas: Canvas, order: tuple[int, ...], closed: bool) -> list[str]:
    if not order:
        return []
    # A tour that nobody has judged yet may stay where it is, which is no line.
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
    width = 2.2 if len(order) <= MOST_NUMBERS else 2.6
    return [
        line(path, PATH, f'stroke-width="{width}" stroke-linejoin="round" class="tour"'),
        *detours,
        *_heads(canvas, drawn, len(order) <= MOST_NUMBERS),
        *_stops(canvas, order, closed),
    ]


def _path(canvas: Canvas, moves: list[tuple[int, int]], straight: list[bool], start: int) -> str:
    """One line as far as moves are straight, taken up again after each that is not."""
    cells = [(start, "M")]
    cells += [
        (b, "L" if unbroken else "M") for (_, b), unbroken in zip(moves, straight, strict=False)
    ]
    points = ((canvas.centre(cell), letter) for cell, letter in cells)
    return "".join(f"{letter}{x:.1f} {y:.1f}" for (x, y), letter in points)


def _heads(canvas: Canvas, moves: list[tuple[int, int]], has_discs: bool) -> list[str]:
    """The direction of every move."""
    heads = []
    for a, b in moves:
        (x, y), (u, v) = canvas.centre(a), canvas.centre(b)
        part = 1 - BEFORE_DISC / math.dist((x, y), (u, v)) if has_discs else _ON_THE_WAY
        heads.append(arrowhead((x + part * (u - x), y + part * (v - y)), (u - x, v - y)))
    return [f'<path d="{"".join(heads)}" fill="{PATH}"/>'] if heads else []


def _stops(canvas: Canvas, order: tuple[int, ...], closed: bool) -> list[str]:
    """Every cell with its number; on large boards only the start, and the end if it is open."""
    colours = {order[0]: START}
    if not closed:
        colours.setdefault(order[-1], PATH)
    if len(order) > MOST_NUMBERS:
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
