"""Exact, a pseudo-Boolean solver, as a library: an optimal model of an OPB file."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import numpy as np
from exact import Exact

from boardsat.adapters.answer import literals_of
from boardsat.adapters.formats import opb
from boardsat.adapters.solver_meter import run_measured
from boardsat.adapters.workers._answer_output import print_status, print_values


def main(path: str) -> int:
    """Print an optimal model of an OPB file, and its cost."""
    linear = opb.read(path)
    names = [f"x{variable}" for variable in range(1, linear.variables + 1)]
    solver = Exact()
    for name in names:
        solver.addVariable(name, 0, 1)
    for bound, weighted_literals in linear.hard.rows():
        terms, constant = _terms(weighted_literals)
        solver.addConstraint(terms, True, bound - constant)
    if linear.has_objective:
        solver.setObjective(
            _terms((w, -clause[0]) for w, clause in linear.soft_clauses())[0], True, 0
        )
    # After an optimisation, UNSAT means that no better model exists.
    verdict = solver.runFull(linear.has_objective, 0)
    if not solver.hasSolution():
        return print_status("UNSATISFIABLE" if verdict == "UNSAT" else "UNKNOWN")
    model = np.array([0, *solver.getLastSolutionFor(names)], np.int8) * 2 - 1
    if linear.has_objective:
        print(f"o {linear.cost(model)}")
    code = print_status("OPTIMUM FOUND" if verdict == "UNSAT" else "SATISFIABLE")
    print_values(literals_of(model))
    return code


def _terms(weighted_literals: Iterable[tuple[int, int]]) -> tuple[list[tuple[int, str]], int]:
    """Return a sum of weighted literals as terms over variables, and its constant."""
    terms, constant = [], 0
    for weight, literal in weighted_literals:
        terms.append((weight if literal > 0 else -weight, f"x{abs(literal)}"))
        constant += weight if literal < 0 else 0
    return terms, constant


if __name__ == "__main__":
    sys.exit(run_measured(main))
