"""A masyu is one loop through all pearls: straight at white ones, with a turn at black ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules.slitherlink import Point, drawn_lines, loop_violations
from boardsat.adapters.views.solution import Solution, Strokes

_WHITE, _BLACK = 1, 2


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, strokes = solution.board, solution.view
    assert isinstance(board, Grid) and isinstance(strokes, Strokes)
    pearls = parameters["pearls"]
    if (board.rows, board.cols) != (len(pearls), len(pearls[0])):
        yield "the board is not that of its pearls"
        return
    lines = drawn_lines(strokes, board)
    broken = list(loop_violations(lines))
    yield from broken
    if broken:
        return
    near: dict[Point, list[Point]] = {}
    for line in lines:
        for point in line:
            near.setdefault(point, []).extend(line - {point})
    straight = {point for point, (a, b) in near.items() if a[0] == b[0] or a[1] == b[1]}
    for place in ((r, c) for r in range(board.rows) for c in range(board.cols)):
        pearl = pearls[place[0]][place[1]]
        if not pearl:
            continue
        if place not in near:
            yield f"the loop does not visit the pearl at {place}"
            continue
        beside = sum(point in straight for point in near[place])
        if pearl == _WHITE and (place not in straight or beside == 2):
            yield f"the loop does not go straight and turn beside it at the white pearl {place}"
        if pearl == _BLACK and (place in straight or beside < 2):
            yield f"the loop does not turn and go straight beside it at the black pearl {place}"
