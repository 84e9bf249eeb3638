"""The tours of a board that are asked for, as a graph: what the frontier method can do."""

from __future__ import annotations

from typing import NamedTuple

from boardsat.adapters.boards import Board, begins_anywhere, start_of
from boardsat.adapters.dimacs.header import Header
from boardsat.base.errors import InputError


class AskedTours(NamedTuple):
    vertices: int
    edges: list[tuple[int, int]]
    start: int | None
    """None where each vertex may be the first."""
    closed: bool


def asked_tours(header: Header, board: Board) -> AskedTours:
    if board.guards():
        raise InputError("frontier counts tours without regard to enemies")
    if header.parameters.get("fix"):
        raise InputError("frontier counts tours without regard to fix")
    if board.directed:
        raise InputError(
            "frontier counts on graphs without arcs", "use a counter or sampler of formulas"
        )
    start = None if begins_anywhere(header.parameters) else start_of(header, board)
    return AskedTours(board.cells, board.edges(), start, header.closed)
