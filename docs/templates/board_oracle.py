"""Oracle for the geometry of a triangle of squares: a test of every pair of places.

Template of docs/adding-a-board.md: copy the function to tests/helpers/board_geometry.py, and add it
to ORACLES and some sizes to SIZES there. It shares no code with the two boards.
"""

from __future__ import annotations


def triangle(leap: tuple[int, ...], side: int) -> set[tuple[int, int]]:
    """Return all pairs of places that a leap joins."""
    squares = [(row, column) for row in range(side) for column in range(row + 1)]
    return {
        (i, j)
        for i, (row, column) in enumerate(squares)
        for j, (target_row, target_column) in enumerate(squares)
        if sorted((abs(row - target_row), abs(column - target_column))) == sorted(leap)
    }
