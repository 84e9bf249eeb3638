"""A slitherlink is one loop along the lines of a grid, with as many sides of squares as told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import Grid
from boardsat.adapters.views.solution import Solution, Strokes

_NEXT = ((0, 1), (1, 0))
"""From a point to the right and down."""

_SIDES = (((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 1), (1, 1)), ((1, 0), (1, 1)))
"""Of a square, each from one of its corners to another."""

Point = tuple[int, int]


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, strokes = solution.board, solution.view
    assert isinstance(board, Grid) and isinstance(strokes, Strokes)
    clues = parameters["clues"]
    if (board.rows, board.cols) != (len(clues) + 1, len(clues[0]) + 1):
        yield "the points are not the corners of its squares"
        return
    sides = drawn_lines(strokes, board)
    yield from loop_violations(sides)
    for r, row in enumerate(clues):
        for c, told in enumerate(row):
            square = (frozenset((r + a, c + b) for a, b in side) for side in _SIDES)
            taken = sum(side in sides for side in square)
            if told not in (-1, taken):
                yield f"the loop takes {taken} sides of square ({r}, {c}), which says {told}"


def drawn_lines(strokes: Strokes, board: Grid) -> set[frozenset[Point]]:
    """The pairs of points that are joined."""
    return {frozenset(divmod(end, board.cols) for end in pair) for pair in strokes.pairs}


def loop_violations(lines: set[frozenset[Point]]) -> Iterator[str]:
    """Along the lines from any point: all of them are passed before it comes again."""
    if not lines:
        yield "there is no loop"
        return
    near: dict[Point, list[Point]] = {}
    for line in lines:
        one, *other = sorted(line)
        step = [(b[0] - one[0], b[1] - one[1]) for b in other]
        if len(step) != 1 or step[0] not in _NEXT:
            yield f"a line from {one} does not lead to a neighbour"
            return
        near.setdefault(one, []).append(other[0])
        near.setdefault(other[0], []).append(one)
    for point, others in sorted(near.items()):
        if len(others) != 2:
            yield f"{len(others)} lines meet at {point}"
            return
    start = min(near)
    last, here, passed = start, near[start][0], 1
    while here != start:
        ahead = [point for point in near[here] if point != last]
        last, here = here, ahead[0]
        passed += 1
    if passed != len(lines):
        yield f"the loop at {start} has {passed} of {len(lines)} lines"
