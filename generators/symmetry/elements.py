"""The symmetries of a board: turns that keep its cells, its moves and what stands on it."""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints
from boardsat.generators.boards import Board, Turn, turns
from boardsat.generators.language.values import TupleSet
from boardsat.generators.ragged import distinct


def symmetries(board: Board) -> list[Turn]:
    """As maps of cells; the one that does nothing is among them, and none of a graph."""
    found: dict[bytes, Turn] = {}
    for turn in turns(board):
        cells = _cells(board, turn.image)
        if cells is not None and _keeps(board, turn.image, cells):
            found.setdefault(cells.tobytes(), Turn(turn.name, cells))
    return list(found.values())


def _cells(board: Board, places: Ints) -> Ints | None:
    """Where cells come to, the one outside to itself; None where one comes to a hole."""
    inside = board.cells - board.outside
    at = np.arange(inside) if board.cell_at is None else board.cell_at
    place = np.flatnonzero(at >= 0)
    cells = at[places[place]]
    if (cells < 0).any():
        return None
    return np.concatenate([cells, np.arange(inside, board.cells)])


def _keeps(board: Board, places: Ints, cells: Ints) -> bool:
    pairs = (board.moves, board.guards)
    return all(_is_kept(each, cells) for each in pairs) and all(
        _piece_is_kept(board, kind, places) for kind in ("friends", "enemies")
    )


def _is_kept(pairs: TupleSet, cells: Ints) -> bool:
    one, other = pairs.columns
    before, after = one * len(cells) + other, cells[one] * len(cells) + cells[other]
    return np.array_equal(distinct(before), distinct(after))


def _piece_is_kept(board: Board, kind: str, places: Ints) -> bool:
    standing = board.description.get(kind, ())
    before = {(word, place) for word, place in standing}
    return before == {(word, int(places[place])) for word, place in standing}
