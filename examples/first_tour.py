"""A first tour: find a closed knight's tour of the chessboard, look at it, and check it by hand.

    python examples/first_tour.py [FILE.svg]

Draws the tour into FILE.svg, first_tour.svg if none is named.
"""

from __future__ import annotations

import sys
from pathlib import Path

import boardsat


def is_closed_tour(board: list[list[int]]) -> bool:
    """Check the rules independently: each step, and that from last to first, is a knight's move."""
    place = {number: (r, c) for r, row in enumerate(board) for c, number in enumerate(row)}
    last = len(place)
    steps = ((place[k], place[k % last + 1]) for k in range(1, last + 1))
    return all({abs(r - u), abs(c - v)} == {1, 2} for (r, c), (u, v) in steps)


def main(target: str = "first_tour.svg") -> None:
    # A problem and its parameters; an encoding and a solver are chosen unless you name them.
    result = boardsat.solve("tour", n=8, timeout=60)
    print(result)
    print("a closed tour:", is_closed_tour(result.board))
    Path(target).write_text(result.to_svg())
    print("drawn:", target)


if __name__ == "__main__":
    main(*sys.argv[1:])
