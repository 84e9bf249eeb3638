"""The colours of cells: one for all, one for every value, or so that neighbours differ."""

from __future__ import annotations

from collections import defaultdict

from boardsat.adapters.boards import Board
from boardsat.adapters.boards._sheets import Sheet
from boardsat.adapters.rendering._parts import HUES, PALE, colour_of, hue
from boardsat.adapters.views.solution import Fills, Solution


def fills(solution: Solution) -> dict[int, str]:
    """The colour of every cell that has one; later views lie over earlier ones."""
    found: dict[int, str] = {}
    for each in solution.fills:
        told = {cell: part[0] for cell, part in enumerate(each.values) if part}
        found |= _coloured(each, told, solution.board)
    return found


def _coloured(shown: Fills, told: dict[int, int], board: Board) -> dict[int, str]:
    if shown.colours:
        return {cell: colour_of(shown.colours, value, PALE) for cell, value in told.items()}
    if not shown.has_values:
        return dict.fromkeys(told, PALE["grey"])
    least, most = min(told.values(), default=0), max(told.values(), default=0)
    if least >= 0 and most - min(least, 1) < len(HUES):
        # People count from 0 or from 1.
        return {cell: hue(value - min(least, 1)) for cell, value in told.items()}
    colours = _apart(told, _neighbours(board))
    return {cell: hue(colours[value]) for cell, value in told.items()}


def _neighbours(board: Board) -> list[tuple[int, int]]:
    if not isinstance(board, Sheet):
        return board.edges()
    cell = {board.place(cell): cell for cell in range(board.cells)}
    return [
        (here, cell[place + step])
        for place, here in cell.items()
        for step in (1, board.cols)
        if place + step in cell and (step > 1 or (place + 1) % board.cols)
    ]


def _apart(told: dict[int, int], neighbours: list[tuple[int, int]]) -> dict[int, int]:
    """For every value the first colour that no touching one has."""
    touching: defaultdict[int, set[int]] = defaultdict(set)
    for a, b in neighbours:
        if a in told and b in told and told[a] != told[b]:
            touching[told[a]].add(told[b])
            touching[told[b]].add(told[a])
    colours: dict[int, int] = {}
    for value in dict.fromkeys(told.values()):
        taken = {colours[other] for other in touching[value] if other in colours}
        colours[value] = next(k for k in range(len(taken) + 1) if k not in taken)
    return colours
