"""Slitherlink: one loop along the lines of a grid; a clue counts the sides of its square on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import Grid
from boardsat.adapters.views.solution import Solution, Strokes

_STEPS = ((0, 1), (1, 0))
"""Steps from a point to its neighbours on the right and below."""

_SIDES = (((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 1), (1, 1)), ((1, 0), (1, 1)))
"""Sides of a square, as pairs of its corners."""

Point = tuple[int, int]


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, strokes = solution.board, solution.view
    assert isinstance(board, Grid) and isinstance(strokes, Strokes)
    clues = parameters["clues"]
    if (board.rows, board.cols) != (len(clues) + 1, len(clues[0]) + 1):
        yield f"the board must be {len(clues) + 1}x{len(clues[0]) + 1} (got {board.title})"
        return
    sides = drawn_lines(strokes, board)
    yield from loop_violations(sides)
    for r, row in enumerate(clues):
        for c, clue in enumerate(row):
            square = (frozenset((r + a, c + b) for a, b in side) for side in _SIDES)
            on_loop = sum(side in sides for side in square)
            if clue not in (-1, on_loop):
                yield f"the loop takes {on_loop} sides of square ({r}, {c}), not {clue}"


def drawn_lines(strokes: Strokes, board: Grid) -> set[frozenset[Point]]:
    """Return the pairs of points that are joined."""
    return {frozenset(divmod(end, board.cols) for end in pair) for pair in strokes.pairs}


def loop_violations(lines: set[frozenset[Point]]) -> Iterator[str]:
    """Yield a message unless the lines form a single loop between neighbours."""
    if not lines:
        yield "there is no loop"
        return
    adjacency: dict[Point, list[Point]] = {}
    for line in lines:
        a, b = min(line), max(line)
        if (b[0] - a[0], b[1] - a[1]) not in _STEPS:
            yield f"a line from {a} does not lead to a neighbour"
            return
        adjacency.setdefault(a, []).append(b)
        adjacency.setdefault(b, []).append(a)
    for point, neighbours in sorted(adjacency.items()):
        if len(neighbours) != 2:
            yield f"{len(neighbours)} lines meet at {point}"
            return
    start = min(adjacency)
    previous, point, length = start, adjacency[start][0], 1
    while point != start:
        previous, point = point, next(p for p in adjacency[point] if p != previous)
        length += 1
    if length != len(lines):
        yield f"the loop at {start} has {length} of {len(lines)} lines"
