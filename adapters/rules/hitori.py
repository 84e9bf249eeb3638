"""Hitori: white numbers of a line differ, black squares do not touch, white ones are connected."""

from __future__ import annotations

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Fills, Solution

Square = tuple[int, int]


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, fills = board_and_view(solution, Grid, Fills)
    numbers = parameters["numbers"]
    rows, cols = board.rows, board.cols
    if (rows, cols) != (len(numbers), len(numbers[0])):
        yield f"the board must be {len(numbers)}x{len(numbers[0])} (got {board.title})"
        return
    black = {divmod(cell, cols) for cell, value in enumerate(fills.values) if value}
    white = {(r, c) for r in range(rows) for c in range(cols)} - black
    lines = [[(r, c) for c in range(cols)] for r in range(rows)]
    lines += [[(r, c) for r in range(rows)] for c in range(cols)]
    for line in lines:
        white_numbers = [numbers[r][c] for r, c in line if (r, c) in white]
        for number in sorted({n for n in white_numbers if white_numbers.count(n) > 1}):
            yield f"{number} is white twice between {line[0]} and {line[-1]}"
    for r, c in sorted(black):
        for neighbour in sorted({(r, c + 1), (r + 1, c)} & black):
            yield f"the black squares {(r, c)} and {neighbour} share a side"
    if disconnected := _disconnected(white):
        yield f"the white square {min(disconnected)} is cut off"


def _disconnected(white: set[Square]) -> set[Square]:
    """Return the white squares that are not connected with the first."""
    unreached = set(white)
    queue = [min(unreached)] if unreached else []
    unreached.difference_update(queue)
    for r, c in queue:
        reached = unreached & {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)}
        unreached -= reached
        queue += reached
    return unreached
