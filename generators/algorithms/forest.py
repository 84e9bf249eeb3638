"""`forest()`: parent of each cell in a spanning forest; a root is its own parent."""

from __future__ import annotations

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board
from boardsat.generators.language.values import Table

CELL_BYTES = 100  # memory for each cell


def compute(board: Board) -> Table:
    checkpoint(CELL_BYTES * board.cells)
    starts, (targets,) = board.neighbours.starts.tolist(), board.neighbours.columns
    parent = [-1] * board.cells
    for root in range(board.cells):
        if parent[root] >= 0:
            continue
        parent[root] = root
        tree = [root]
        for i in tree:
            checkpoint()
            for j in targets[starts[i] : starts[i + 1]].tolist():
                if parent[j] < 0:
                    parent[j] = i
                    tree.append(j)
    return Table(np.array(parent, np.int64))
