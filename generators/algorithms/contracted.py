"""`contracted(k)`: links of each cell that `contraction(k)` eliminates, unless all are edges."""

from __future__ import annotations

from boardsat.generators.algorithms.contraction import contract
from boardsat.generators.boards import Board
from boardsat.generators.language.values import KeyedSet


def compute(board: Board, more: int = 0) -> KeyedSet:
    return contract(board, more)[1]
