"""`forest()`: the parent of each cell in a spanning forest.

Together these moves are a spanning forest; a cell where a tree begins has itself before it.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.boards import Board
from boardsat.generators.language.values import Table
from boardsat.generators.limits import STEP, WorkBudget


def compute(board: Board, budget: WorkBudget) -> Table:
    budget.spend(STEP * (3 * board.cells + board.moves.size // 2))
    budget.room(100 * board.cells)
    starts, (targets,) = board.neighbours.starts.tolist(), board.neighbours.columns
    before = [-1] * board.cells
    for root in range(board.cells):
        if before[root] >= 0:
            continue
        before[root] = root
        reached = [root]
        for i in reached:
            for j in targets[starts[i] : starts[i + 1]].tolist():
                if before[j] < 0:
                    before[j] = i
                    reached.append(j)
    return Table(np.array(before, np.int64))
