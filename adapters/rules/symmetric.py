"""Symmetric tour: a closed tour that a rotation maps to itself, with its direction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import tour
from boardsat.adapters.views.solution import Solution, Tour


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    tour_violations = list(tour.violations(solution, parameters))
    yield from tour_violations
    if tour_violations:
        return
    board, view = solution.board, solution.view
    assert isinstance(board, Grid) and isinstance(view, Tour)
    order, degrees = view.order, int(parameters["turn"])
    successors = dict(zip(order, (*order[1:], order[0]), strict=True))
    for cell in order:
        image = board.rotate(cell, degrees)
        if successors[image] != board.rotate(successors[cell], degrees):
            yield f"the move from {board.name(cell)}, rotated, is not that of {board.name(image)}"
