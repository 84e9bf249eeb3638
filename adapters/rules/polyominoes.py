"""Every square is covered by one piece, and all that a piece covers has the form that is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import Grid
from boardsat.adapters.views.solution import Fills, Solution
from boardsat.base.text import pluralize

Squares = set[tuple[int, int]]

_AS_DRAWN, _TURNED = 0, 1
"""What `turning` may be, beside the freedom to reflect pieces too."""


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, fills = solution.board, solution.view
    assert isinstance(board, Grid) and isinstance(fills, Fills)
    covered: dict[int, Squares] = {}
    for cell, pieces in enumerate(fills.values):
        if len(pieces) != 1:
            yield f"{board.name(cell)} is covered by {pluralize(len(pieces), 'piece')}"
        for piece in pieces:
            covered.setdefault(piece, set()).add(divmod(board.tile_of(cell), board.cols))
    drawn: dict[int, Squares] = {}
    for r, row in enumerate(parameters["pieces"]):
        for c, piece in enumerate(row):
            if piece >= 0:
                drawn.setdefault(piece, set()).add((r, c))
    for piece in sorted(drawn.keys() | covered.keys()):
        lies = covered.get(piece, set())
        if not any(
            _moved(way) == _moved(lies) for way in _ways(drawn.get(piece, set()), parameters)
        ):
            yield f"piece {piece} covers {sorted(lies)}, which is not its form"


def _ways(squares: Squares, parameters: dict[str, Any]) -> Iterator[Squares]:
    """The piece as it may lie, wherever that is."""
    yield squares
    if parameters["turning"] == _AS_DRAWN:
        return
    mirrored = {(r, -c) for r, c in squares}
    for form in [squares] if parameters["turning"] == _TURNED else [squares, mirrored]:
        yield form
        yield {(c, -r) for r, c in form}
        yield {(-r, -c) for r, c in form}
        yield {(-c, r) for r, c in form}


def _moved(squares: Squares) -> Squares:
    """To the corner of the board."""
    top = min((r for r, _ in squares), default=0)
    left = min((c for _, c in squares), default=0)
    return {(r - top, c - left) for r, c in squares}
