"""A tour in a picture: its path, the start marked, and the end if it is open."""

from __future__ import annotations

from itertools import pairwise

from adapters.svg_parts import PATH, START, Canvas, dot, line


def tour(canvas: Canvas, order: tuple[int, ...], closed: bool) -> list[str]:
    if not order:
        return []
    moves = list(pairwise([*order, order[0]] if closed else order))
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
    parts = [
        line(path, PATH, 'stroke-width="2.5" stroke-linejoin="round" opacity="0.75"'),
        *detours,
        dot(canvas.centre(order[0]), 7, START),
    ]
    if not closed:
        x, y = canvas.centre(order[-1])
        parts.append(
            f'<rect x="{x - 6:.1f}" y="{y - 6:.1f}" width="12" height="12" fill="{PATH}"/>'
        )
    return parts + canvas.labels(order)


def _path(canvas: Canvas, moves: list[tuple[int, int]], straight: list[bool], start: int) -> str:
    """One line as far as moves are straight, taken up again after each that is not."""
    cells = [(start, "M")]
    cells += [
        (b, "L" if unbroken else "M") for (_, b), unbroken in zip(moves, straight, strict=False)
    ]
    points = ((canvas.centre(cell), letter) for cell, letter in cells)
    return "".join(f"{letter}{x:.1f} {y:.1f}" for (x, y), letter in points)
