"""`contraction_links(k)`: links of each cell at its elimination by `contraction(k)`.

Cells all of whose links are edges of the board are omitted.
"""

from __future__ import annotations

from boardsat.generators.algorithms.contraction import contract
from boardsat.generators.boards import Board
from boardsat.generators.language.values import KeyedSet


def compute(board: Board, k: int = 0) -> KeyedSet:
    return contract(board, k)[1]
