"""Recorded formulas, solver output and tours for tests of `solve`."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path

from boardsat.adapters.workers import pysat as worker

USE_EMBEDDED = ("--runtime", "embedded")

RECORDED = Path(__file__).parents[1] / "recorded"
SAT, UNSAT, HARD = (str(RECORDED / f"{name}.cnf") for name in ("sat", "unsat", "limit"))


def is_closed_tour(board: list[list[int]]) -> bool:
    """Return True if the rows of numbers are a closed knight's tour."""
    squares = {number: (r, c) for r, row in enumerate(board) for c, number in enumerate(row)}
    size = len(board) * len(board[0])
    if sorted(squares) != list(range(1, size + 1)):
        return False
    steps = [(squares[k], squares[k % size + 1]) for k in range(1, size + 1)]
    return all(sorted((abs(a - c), abs(b - d))) == [1, 2] for (a, b), (c, d) in steps)


def solver_output(path: str) -> str:
    """Return a correct answer to a formula file, as a solver prints it."""
    output = io.StringIO()
    with redirect_stdout(output):
        worker.main("cadical195", path)
    return output.getvalue()
