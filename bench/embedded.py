"""Solvers of python-sat, compared on our encodings: medians of three shuffles."""

from __future__ import annotations

from bench._measure import Row, scratch
from bench._shuffled import ShuffledCase, row

SHUFFLES, SECONDS = 3, 30
SOLVERS = ("cadical", "cadical300", "kissat", "minisat-preprocessed")
INSTANCES = (
    ("tour/binary", 8),
    ("tour/binary", 10),
    ("tour/binary", 12),
    ("tour/unary", 8),
    ("tour/direct", 8),
    ("tour/uve", 16),
    ("tour/hve", 16),
    ("tour/hve", 20),
    ("tour/hve", 24),
    ("sudoku/direct", 5),
    ("queens/squares", 40),
)


def run() -> list[Row]:
    with scratch() as folder:
        return [
            row(folder, ShuffledCase(spec, side, solver, "embedded"), SHUFFLES, SECONDS)
            for spec, side in INSTANCES
            for solver in SOLVERS
        ]
