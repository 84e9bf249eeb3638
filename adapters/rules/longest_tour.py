"""A closed tour by moves that visits no cell twice; how long one can be, no board tells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.views.solution import Solution, Strokes
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, strokes = solution.board, solution.view
    assert isinstance(strokes, Strokes)
    near: dict[int, list[int]] = {}
    for a, b in strokes.pairs:
        if not board.is_move(a, b):
            yield f"there is no move from {board.name(a)} to {board.name(b)}"
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    if not near:
        yield "there is no tour"
        return
    for cell, others in sorted(near.items()):
        if len(set(others)) != 2 or len(others) != 2:
            yield f"{pluralize(len(others), 'move')} at {board.name(cell)}, not 2"
            return
    start = min(near)
    last, here, passed = start, near[start][0], 1
    while here != start:
        last, here = here, next(cell for cell in near[here] if cell != last)
        passed += 1
    if passed != len(near):
        cells = pluralize(len(near), "cell")
        yield f"the tour from {board.name(start)} visits {passed} of {cells}"
