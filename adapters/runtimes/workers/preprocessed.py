"""Portfolio of a python-sat solver: a short search, then CaDiCaL preprocessing and restarts with
other variable orders.

The program MiniSat simplifies before it searches, the library has the search alone. How long that
takes is a matter of luck: tours of 8x8 with binary positions are found in half a second or not in
a minute, by the order of the variables, and simplifying helps most orders but not all. So no order
is given more than its share of conflicts: the next one gets more of them.
"""

from __future__ import annotations

import math
import sys
from collections import Counter

import numpy as np
import numpy.random
from pysat.process import Processor
from pysat.solvers import Solver

from boardsat.adapters.dimacs.reader import open_cnf
from boardsat.adapters.runtimes.workers.formula import clauses
from boardsat.adapters.runtimes.workers.pysat import Names, print_statistics, say, statistics_of
from boardsat.adapters.solver_meter import run_measured

CONFLICTS = 2000
"""Of the search before all that, as simplifying takes longer than what is easy."""

SHARE, GROWTH = 20_000, 1.5
"""Conflicts of the first order, and how many times more of them the next one gets."""


def main(library: str, path: str, seed: str | None = None) -> int:
    spent: Counter[str] = Counter()
    code = _said(library, path, seed, spent)
    print_statistics(spent)
    return code


def _said(library: str, path: str, seed: str | None, spent: Counter[str]) -> int:
    """The exit code of the answer, which is printed; what all searches have spent is added up."""
    with open_cnf(path, strict=False) as cnf:
        names = Names.of(cnf.variables, seed)
    with Solver(library) as solver:
        _fill(solver, path, names)
        solver.conf_budget(CONFLICTS)
        found = solver.solve_limited()
        spent.update(statistics_of(solver))
        if found is not None:
            return say(solver.get_model() if found else None, names)
    return _simplified(library, path, names, spent)


def _simplified(library: str, path: str, names: Names, spent: Counter[str]) -> int:
    with Processor() as processor:
        _fill(processor, path, names)
        simpler = processor.process()
        model = _model(library, simpler.clauses, names.variables, spent) if simpler.status else None
        return say(None if model is None else processor.restore(model), names)


def _fill(target: Solver | Processor, path: str, names: Names) -> None:
    """Read anew each time, as clauses in Python take more memory than in any solver."""
    with open_cnf(path, strict=False) as cnf:
        for clause in clauses(cnf, names.given):
            target.add_clause(clause)


def _model(
    library: str, simpler: list[list[int]], variables: int, spent: Counter[str]
) -> list[int] | None:
    """A model of the clauses, by one order of the variables after the other."""
    share, number = SHARE, 0
    while True:
        order = Names.of(variables, str(number) if number else None)
        with Solver(library) as solver:
            for clause in simpler:
                solver.add_clause(_renamed(clause, order.given))
            solver.conf_budget(share)
            found = solver.solve_limited()
            spent.update(statistics_of(solver))
            if found is not None:
                return _in_order(solver.get_model(), order, variables) if found else None
        share, number = math.ceil(GROWTH * share), number + 1


def _renamed(literals: list[int], names: np.ndarray) -> list[int]:
    renamed: list[int] = names[literals].tolist()
    return renamed


def _in_order(model: list[int], order: Names, variables: int) -> list[int]:
    """The model under its own names: of all variables, by number, as restoring goes by places."""
    whole = -np.arange(1, variables + 1)
    own = np.array(_renamed(model, order.own), np.int64)
    whole[np.abs(own) - 1] = own
    in_order: list[int] = whole.tolist()
    return in_order


if __name__ == "__main__":
    sys.exit(run_measured(main))
