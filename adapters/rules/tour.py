"""A tour visits every cell once by moves, from its start, and back to it if it is closed.

A closed tour is a cycle: two cells have none but by arcs, and one has an open tour without a move.
It enters a cell that an enemy guards only after it has captured the enemy, on its own cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from boardsat.adapters.boards import begins_anywhere, shortest_cycle
from boardsat.adapters.views.solution import Solution, Tour
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, tour = solution.board, solution.view
    assert isinstance(tour, Tour)
    order = tour.order
    if len(order) != board.cells or set(order) != set(range(board.cells)):
        cells, length = pluralize(board.cells, "cell"), pluralize(len(order), "step")
        yield f"the tour visits {len(set(order))} of {cells} in {length}"
    anywhere = begins_anywhere(parameters)
    if order and not anywhere and order[0] != board.cell_at(parameters.get("start", 0)):
        yield f"the tour begins at {board.name(order[0])}"
    steps = list(pairwise(order))
    if parameters.get("closed", True) and order:
        steps.append((order[-1], order[0]))
        if len(order) < (least := shortest_cycle(board.directed)):
            yield f"a closed tour has at least {least} cells"
    for a, b in steps:
        if not board.is_move(a, b):
            yield f"there is no move from {board.name(a)} to {board.name(b)}"
    place = {cell: number for number, cell in enumerate(order)}
    for enemy, guarded in board.guards():
        if place.get(guarded, len(order)) < place.get(enemy, len(order)):
            yield f"{board.name(guarded)} is visited before the enemy on {board.name(enemy)}"
