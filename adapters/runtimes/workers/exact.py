"""Exact, a pseudo-Boolean solver, as a library: the best model of an OPB file."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import numpy as np
from exact import Exact

from boardsat.adapters.answer import Status
from boardsat.adapters.formats import opb
from boardsat.adapters.runtimes.workers.pysat import print_model
from boardsat.adapters.solver_meter import run_measured

Pairs = Iterable[tuple[int, int]]
"""Literals, each after its weight."""


def main(path: str) -> int:
    linear = opb.read(path)
    names = [f"x{variable}" for variable in range(1, linear.variables + 1)]
    solver = Exact()
    for name in names:
        solver.addVariable(name, 0, 1)
    for bound, pairs in linear.hard.rows():
        terms, constant = _terms(pairs)
        solver.addConstraint(terms, True, bound - constant)
    if linear.optimises:
        solver.setObjective(_terms((w, -clause[0]) for w, clause in linear.clauses())[0], True, 0)
    # It says UNSAT where nothing better is left to be found.
    ended = solver.runFull(linear.optimises, 0)
    if not solver.hasSolution():
        return _say(Status.UNSATISFIABLE if ended == "UNSAT" else Status.UNKNOWN)
    model = np.array([0, *solver.getLastSolutionFor(names)], np.int8) * 2 - 1
    if linear.optimises:
        print(f"o {linear.cost(model)}")
    code = _say(Status.OPTIMUM if ended == "UNSAT" else Status.SATISFIABLE)
    print_model([v if model[v] > 0 else -v for v in range(1, len(model))])
    return code


def _say(status: Status) -> int:
    print("s OPTIMUM FOUND" if status is Status.OPTIMUM else f"s {status.name}")
    return int(status.value)


def _terms(pairs: Pairs) -> tuple[list[tuple[int, str]], int]:
    """Of variables alone, and what is left over: a negated one is 1 without it."""
    terms, constant = [], 0
    for weight, literal in pairs:
        terms.append((weight if literal > 0 else -weight, f"x{abs(literal)}"))
        constant += weight if literal < 0 else 0
    return terms, constant


if __name__ == "__main__":
    sys.exit(run_measured(main))
