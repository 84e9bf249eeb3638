"""Masyu: one loop through all pearls, which goes straight at white ones and turns at black ones."""

from __future__ import annotations

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, adjacency_of, board_and_view
from boardsat.adapters.rules.slitherlink import drawn_lines, loop_violations
from boardsat.adapters.views import Solution, Strokes

_WHITE, _BLACK = 1, 2


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, strokes = board_and_view(solution, Grid, Strokes)
    pearls = parameters["pearls"]
    if (board.rows, board.cols) != (len(pearls), len(pearls[0])):
        yield f"the board must be {len(pearls)}x{len(pearls[0])} (got {board.title})"
        return
    lines = drawn_lines(strokes, board)
    violations_of_loop = list(loop_violations(lines))
    yield from violations_of_loop
    if violations_of_loop:
        return
    adjacency = adjacency_of(lines)
    straight = {point for point, (a, b) in adjacency.items() if a[0] == b[0] or a[1] == b[1]}
    for point in ((r, c) for r in range(board.rows) for c in range(board.cols)):
        pearl = pearls[point[0]][point[1]]
        if not pearl:
            continue
        if point not in adjacency:
            yield f"the loop does not visit the pearl at {point}"
            continue
        straight_neighbours = sum(neighbour in straight for neighbour in adjacency[point])
        if pearl == _WHITE and (point not in straight or straight_neighbours == 2):
            yield f"the loop must go straight at the white pearl {point}, and turn before or after"
        if pearl == _BLACK and (point in straight or straight_neighbours < 2):
            yield f"the loop must turn at the black pearl {point}, and go straight before and after"
