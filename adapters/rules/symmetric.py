"""A symmetric tour is a closed one that a rotation maps to itself, with its direction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import tour
from boardsat.adapters.views.solution import Solution, Tour


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    found = list(tour.violations(solution, parameters))
    yield from found
    if found:
        return
    board, picture = solution.board, solution.view
    assert isinstance(board, Grid) and isinstance(picture, Tour)
    order, degrees = picture.order, int(parameters["turn"])
    after = dict(zip(order, (*order[1:], order[0]), strict=True))
    for cell in order:
        there, then = board.rotate(cell, degrees), board.rotate(after[cell], degrees)
        if after[there] != then:
            yield f"the move from {board.name(cell)}, turned, is not that of {board.name(there)}"
