"""Symmetric tour: a closed tour that a rotation maps to itself, preserving its direction."""

from __future__ import annotations

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Solution, Tour

BASE = "tour"


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, tour = board_and_view(solution, Grid, Tour)
    order, degrees = tour.order, int(parameters["turn"])
    successors = dict(zip(order, (*order[1:], order[0]), strict=True))
    for cell in order:
        image = board.rotate(cell, degrees)
        if successors[image] != board.rotate(successors[cell], degrees):
            yield f"the move from {board.name(cell)}, rotated, is not that of {board.name(image)}"
