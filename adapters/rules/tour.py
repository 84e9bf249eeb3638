"""Tour: moves from a start through every cell once, and back to the start if it is closed.

A closed tour is a cycle: it has at least three cells, or two if moves are directed. A single cell
has an open tour without a move. A tour enters a cell that an enemy guards only after it has
captured the enemy, by visiting the enemy's cell.
"""

from __future__ import annotations

from itertools import pairwise

from boardsat.adapters.boards import begins_anywhere, shortest_cycle
from boardsat.adapters.rules import Parameters, Violations
from boardsat.adapters.views import Solution, Tour
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
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
        if len(order) < (min_cells := shortest_cycle(board.directed)):
            yield f"a closed tour has at least {min_cells} cells"
    for a, b in steps:
        if not board.is_move(a, b):
            yield f"there is no move from {board.name(a)} to {board.name(b)}"
    positions = {cell: position for position, cell in enumerate(order)}
    for enemy, guarded in board.guards():
        if positions.get(guarded, len(order)) < positions.get(enemy, len(order)):
            yield f"{board.name(guarded)} is visited before the enemy on {board.name(enemy)}"
