"""Checking a model against every clause of a file: the direct encoding of the 14x14 tour."""

from __future__ import annotations

import numpy as np

from bench._measure import Row, best_of, scratch
from boardsat.adapters.dimacs.model_check import first_false_clause
from boardsat.generators import build, find, write

TARGET = 5


def run() -> list[Row]:
    with scratch() as folder:
        path = folder / "tour.cnf"
        formula = build(find("tour", "direct"), {"n": 14})
        # Without its positive clauses nothing is false, so that all of the file is read.
        write(formula, str(path))
        lines = path.read_bytes().splitlines(keepends=True)
        body = [line for line in lines if line.startswith((b"c", b"-"))]
        clauses = sum(line.startswith(b"-") for line in body)
        body.insert(len(body) - clauses, b"p cnf %d %d\n" % (formula.variables, clauses))
        path.write_bytes(b"".join(body))
        model = np.full(formula.variables + 1, -1, np.int8)
        (seconds,) = best_of(3, lambda: first_false_clause(str(path), model))
    speed = clauses / seconds / 1e6
    return [
        Row(
            "checking a model",
            f"{speed:.1f} M clauses/s",
            target=f"at least {TARGET} M clauses/s",
            met=speed >= TARGET,
        )
    ]
