"""What tests of `solve` share."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path

from boardsat.adapters.workers import pysat as worker

HERE = ("--runtime", "embedded")

RECORDED = Path(__file__).parents[1] / "recorded"
SAT, UNSAT, HARD = (str(RECORDED / f"{name}.cnf") for name in ("sat", "unsat", "limit"))


def is_closed_tour(board: list[list[int]]) -> bool:
    place = {number: (r, c) for r, row in enumerate(board) for c, number in enumerate(row)}
    size = len(board) * len(board[0])
    if sorted(place) != list(range(1, size + 1)):
        return False
    steps = [(place[k], place[k % size + 1]) for k in range(1, size + 1)]
    return all(sorted((abs(a - c), abs(b - d))) == [1, 2] for (a, b), (c, d) in steps)


def answered(path: str) -> str:
    """A right answer to a file, as a solver prints it."""
    said = io.StringIO()
    with redirect_stdout(said):
        worker.main("cadical195", path)
    return said.getvalue()
