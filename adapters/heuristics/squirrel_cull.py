"""The move orderings of Squirrel and Cull, which break ties between equal moves.

Moves are numbered from 1, clockwise from two up and one right. On a square board of m rows and
columns, from a corner, one ordering is used until the knight stands on a certain square, then the
next one.
"""

from __future__ import annotations

from collections.abc import Callable

from boardsat.adapters.heuristics.neighbours import KNIGHT, Rectangle

Square = tuple[int, int]
Stage = tuple[str, Callable[[int], Square] | None]

_ORDERINGS: dict[int, tuple[Stage, ...]] = {
    0: (
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51867342", lambda m: (m - 8, 1)),
        ("51342678", lambda m: (7, m - 3)),
        ("21435678", None),
    ),
    1: (
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51324678", lambda m: (m - 6, (m - 1) // 2 + 5)),
        ("32481765", None),
    ),
    2: (
        ("34261578", lambda m: (6, 1)),
        ("87642135", lambda m: (3, 1)),
        ("54132678", lambda m: (m - 15, 4)),
        ("52431678", lambda m: (10, m - 2)),
        ("85647123", lambda m: (5, m // 2 - 3)),
        ("15746823", None),
    ),
    3: (
        ("34625718", lambda m: (m - 1, m - 2)),
        ("42681357", lambda m: (m - 6, m)),
        ("86512347", lambda m: (2, 5)),
        ("51867342", lambda m: (m - 10, 3)),
        ("61825437", lambda m: ((m - 1) // 2, m - 2)),
        ("71642538", None),
    ),
    4: (
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51867342", lambda m: (m - 8, 1)),
        ("51342678", lambda m: (10, m - 5)),
        ("86753421", lambda m: (13, m // 2 + 1)),
        ("78563421", None),
    ),
    5: (
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51324678", lambda m: (m - 2, (m - 1) // 2 - (2 if m % 16 == 5 else 6))),
        ("15234678", None),
    ),
    6: (
        ("34261578", lambda m: (6, 1)),
        ("87642135", lambda m: (3, 1)),
        ("54132678", lambda m: (m - 10, 1)),
        ("52431678", lambda m: (10, m - 2)),
        ("85647123", lambda m: (3, m // 2 + 4)),
        ("12453678", None),
    ),
    7: (
        ("34625718", lambda m: (m - 1, m - 2)),
        ("42681357", lambda m: (m - 6, m)),
        ("86512347", lambda m: (2, 5)),
        ("51867342", lambda m: (m - 6, 3)),
        ("61825437", lambda m: ((m - 1) // 2 + 1, m - 2)),
        ("61357284", None),
    ),
}
"""By m modulo 8: orderings, each with the row and column, from 1, of the square that ends its use.

Squirrel, A Warnsdorff-rule algorithm for knight's tours on square chessboards, 1996, table 1.
"""


Ranks = dict[int, int]
"""Of each step, as a difference of cells."""


def stages(board: Rectangle | None, start: int) -> list[tuple[Ranks, int | None]]:
    """The ranks of the steps, each with the cell that ends its use; none for other boards."""
    if board is None or not board.is_for_knights or board.rows != board.cols or start:
        return []
    m = board.rows
    found: list[tuple[Ranks, int | None]] = []
    for ordering, square_of in _ORDERINGS[m % 8]:
        moves = [KNIGHT[int(digit) - 1] for digit in ordering]
        ranks = {down * m + right: rank for rank, (down, right) in enumerate(moves)}
        if square_of is None:
            found.append((ranks, None))
        else:
            row, column = square_of(m)
            found.append((ranks, (row - 1) * m + column - 1))
    return found
