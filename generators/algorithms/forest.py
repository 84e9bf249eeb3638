"""`forest()`: the parent of each cell in a spanning forest.

Together these moves are a spanning forest; a cell where a tree begins has itself before it.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board
from boardsat.generators.language.values import Table


def compute(board: Board) -> Table:
    checkpoint(100 * board.cells)
    starts, (targets,) = board.neighbours.starts.tolist(), board.neighbours.columns
    before = [-1] * board.cells
    for root in range(board.cells):
        if before[root] >= 0:
            continue
        before[root] = root
        reached = [root]
        for i in reached:
            checkpoint()
            for j in targets[starts[i] : starts[i + 1]].tolist():
                if before[j] < 0:
                    before[j] = i
                    reached.append(j)
    return Table(np.array(before, np.int64))
