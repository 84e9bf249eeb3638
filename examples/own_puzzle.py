"""Custom puzzle: Latin squares in which equal digits keep a minimum distance.

    python examples/own_puzzle.py [FILE.svg]

Equal digits are never a king's or a knight's move apart. What is the smallest such square of more
than one digit? The spec is a text in this program, solved for one size after the other until there
is a solution, which is checked and drawn into FILE.svg, own_puzzle.svg if none is named.
"""

from __future__ import annotations

import sys
import tempfile
from itertools import combinations
from pathlib import Path

import boardsat

SPEC = """
title: Latin square whose equal digits are never a king's or a knight's move apart
params:
  n: 8
board: {shape: grid, rows: n, cols: n, moves: king+knight}
variables:
  X:
    for: i in cells, v in range(n)
    description: square {i} has digit {v}
constraints:
  - name: one digit on every square
    for: i in cells
    exactly_one: X[i, v] for v in range(n)
  - name: every digit once in every row
    for: r in range(n), v in range(n)
    exactly_one: X[i, v] for i in ranks[r]
  - name: every digit once in every column
    for: c in range(n), v in range(n)
    exactly_one: X[i, v] for i in files[c]
  - name: equal digits keep their distance
    for: (i, j) in edges, v in range(n)
    clause: not X[i, v] or not X[j, v]
projection: X
decode:
  - label: X[i, v]
    cell: i
    value: v
"""


def keeps_distance(board: list[list[int]]) -> bool:
    """Check the rules independently, for every pair of equal digits."""
    squares = [(r, c, digit) for r, row in enumerate(board) for c, digit in enumerate(row)]
    for (r, c, digit), (u, v, other) in combinations(squares, 2):
        down, right = abs(r - u), abs(c - v)
        if digit == other and (0 in (down, right) or down * right <= 2):
            return False
    return True


def main(target: str = "own_puzzle.svg") -> None:
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder) / "distant.yaml"
        spec.write_text(SPEC)
        # Up to 5, a digit in the middle of a row leaves no place for it in the next.
        for n in range(6, 12):
            result = boardsat.solve(spec, n=n, timeout=60)
            print(f"{n} x {n}: {result.status.name}")
            if result.board is not None:
                break
    print(result)
    print("equal digits keep their distance:", keeps_distance(result.board))
    Path(target).write_text(result.to_svg())
    print("drawn:", target)


if __name__ == "__main__":
    main(*sys.argv[1:])
