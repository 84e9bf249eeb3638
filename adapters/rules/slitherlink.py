"""Slitherlink: one loop along the lines of a grid; a clue counts the sides of its square on it."""

from __future__ import annotations

from collections.abc import Iterator

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import (
    Parameters,
    Violations,
    adjacency_of,
    board_and_view,
    cycle_length,
)
from boardsat.adapters.views import Solution, Strokes

_STEPS = ((0, 1), (1, 0))
"""Steps from a point to its neighbours on the right and below."""

_SIDES = (((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 1), (1, 1)), ((1, 0), (1, 1)))
"""Sides of a square, as pairs of its corners."""

Point = tuple[int, int]


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, strokes = board_and_view(solution, Grid, Strokes)
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
    pairs = [(min(line), max(line)) for line in lines]
    for a, b in pairs:
        if (b[0] - a[0], b[1] - a[1]) not in _STEPS:
            yield f"a line from {a} does not lead to a neighbour"
            return
    adjacency = adjacency_of(pairs)
    for point, neighbours in sorted(adjacency.items()):
        if len(neighbours) != 2:
            yield f"{len(neighbours)} lines meet at {point}"
            return
    if (length := cycle_length(adjacency)) != len(lines):
        yield f"the loop at {min(adjacency)} has {length} of {len(lines)} lines"
