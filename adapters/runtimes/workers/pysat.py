"""The SAT solvers of python-sat.

The solvers of python-sat take no seed. So with one they are given the formula under other names of
its variables, which changes their search as much as a seed does.
"""

from __future__ import annotations

import sys

import numpy as np
from pysat.solvers import Solver

from adapters.answer import Status
from adapters.reader import open_cnf


def main(name: str, path: str, seed: str | None = None) -> int:
    with Solver(name) as solver, open_cnf(path, strict=False) as cnf:
        order = np.arange(1, cnf.variables + 1)
        if seed is not None:
            np.random.default_rng(int(seed)).shuffle(order)
        names = _by_literal(order)
        clause: list[int] = []
        for tokens in cnf.chunks():
            for token in names[tokens].tolist():
                if token:
                    clause.append(token)
                else:
                    solver.add_clause(clause)
                    clause = []
        status = Status.SATISFIABLE if solver.solve() else Status.UNSATISFIABLE
        print(f"s {status.name}")
        if status is Status.SATISFIABLE:
            model = np.array(solver.get_model(), np.int64)
            words = _by_literal(np.argsort(order) + 1)[model].astype(str)
            for start in range(0, len(words), 12):
                print("v", *words[start : start + 12])
            print("v 0")
    return status.value


def _by_literal(names: np.ndarray) -> np.ndarray:
    """The new name of each literal, at its own index; the negative ones are at the end."""
    return np.concatenate(([0], names, -names[::-1]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
