"""Polyomino tiling: every square is covered by one piece, and each piece has its shape."""

from __future__ import annotations

from collections.abc import Iterator

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Fills, Solution
from boardsat.base.text import pluralize

Squares = set[tuple[int, int]]

_FIXED, _ONE_SIDED = 0, 1
"""Values of `turning`: 0 allows only translations, 1 also rotations, others also reflections."""


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, fills = board_and_view(solution, Grid, Fills)
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
        squares = covered.get(piece, set())
        orientations = _orientations(drawn.get(piece, set()), parameters["turning"])
        if _translate(squares) not in map(_translate, orientations):
            yield f"piece {piece} covers {sorted(squares)}, which is not its shape"


def _orientations(squares: Squares, turning: int) -> Iterator[Squares]:
    """Yield the images of a piece under the rotations and reflections that are allowed."""
    yield squares
    if turning == _FIXED:
        return
    reflected = {(r, -c) for r, c in squares}
    for shape in [squares] if turning == _ONE_SIDED else [squares, reflected]:
        yield shape
        yield {(c, -r) for r, c in shape}
        yield {(-r, -c) for r, c in shape}
        yield {(-c, r) for r, c in shape}


def _translate(squares: Squares) -> Squares:
    """Return the squares, translated to the upper left corner."""
    top = min((r for r, _ in squares), default=0)
    first_col = min((c for _, c in squares), default=0)
    return {(r - top, c - first_col) for r, c in squares}
