"""Portfolio of a python-sat solver: a short search, then CaDiCaL preprocessing and restarts with
other variable orders.

The program MiniSat simplifies a formula before it searches; the library only searches. The run time
of the search varies widely: tours of 8x8 with binary positions take half a second or more than a
minute, depending on the variable order. Preprocessing helps with most orders but not all, so every
order has a conflict limit, and the next order has a higher limit.
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
from boardsat.adapters.solver_meter import run_measured
from boardsat.adapters.workers._formula_file import iter_clauses
from boardsat.adapters.workers.pysat import (
    Renaming,
    print_answer,
    print_statistics,
    search_statistics,
)

FIRST_SEARCH_CONFLICTS = 2000
"""Conflict limit of a search without preprocessing: an easy one is faster than preprocessing."""

FIRST_ORDER_CONFLICTS, CONFLICT_GROWTH = 20_000, 1.5
"""Conflict limit of the first variable order, and the factor from one order to the next."""


def main(library: str, path: str, seed: str | None = None) -> int:
    """Solve a CNF file with preprocessing and several variable orders, and print the answer."""
    statistics: Counter[str] = Counter()
    code = _solve(library, path, seed, statistics)
    print_statistics(statistics)
    return code


def _solve(library: str, path: str, seed: str | None, statistics: Counter[str]) -> int:
    """Print the answer, add up the statistics of all searches, and return the exit code."""
    with open_cnf(path, strict=False) as cnf:
        renaming = Renaming.from_seed(cnf.variables, seed)
    with Solver(library) as solver:
        _add_clauses(solver, path, renaming)
        status = _search(solver, FIRST_SEARCH_CONFLICTS, statistics)
        if status is not None:
            return print_answer(solver.get_model() if status else None, renaming)
    with Processor() as processor:
        _add_clauses(processor, path, renaming)
        simplified = processor.process()
        model = None
        if simplified.status:
            model = _find_model(library, simplified.clauses, renaming.variables, statistics)
        return print_answer(None if model is None else processor.restore(model), renaming)


def _add_clauses(target: Solver | Processor, path: str, renaming: Renaming) -> None:
    """Add the renamed clauses of a file.

    The file is read again each time: lists of clauses take more memory than the solver itself.
    """
    with open_cnf(path, strict=False) as cnf:
        for clause in iter_clauses(cnf, renaming.forward):
            target.add_clause(clause)


def _search(solver: Solver, conflicts: int, statistics: Counter[str]) -> bool | None:
    """Return the satisfiability of the clauses; None at the conflict limit."""
    solver.conf_budget(conflicts)
    status: bool | None = solver.solve_limited()
    statistics.update(search_statistics(solver))
    return status


def _find_model(
    library: str, clauses: list[list[int]], variables: int, statistics: Counter[str]
) -> list[int] | None:
    """Search with one variable order after another; return a model, None if unsatisfiable."""
    conflicts, number = FIRST_ORDER_CONFLICTS, 0
    while True:
        order = Renaming.from_seed(variables, str(number) if number else None)
        with Solver(library) as solver:
            for clause in clauses:
                solver.add_clause(order.forward[clause].tolist())
            status = _search(solver, conflicts, statistics)
            if status is not None:
                return _original_model(solver.get_model(), order, variables) if status else None
        conflicts, number = math.ceil(CONFLICT_GROWTH * conflicts), number + 1


def _original_model(model: list[int], order: Renaming, variables: int) -> list[int]:
    """Return the model without the renaming: one literal for each variable, sorted by variable.

    Variables that the solver does not know are false.
    """
    complete = -np.arange(1, variables + 1)
    literals = order.backward[model].astype(np.int64)
    complete[np.abs(literals) - 1] = literals
    original: list[int] = complete.tolist()
    return original


if __name__ == "__main__":
    sys.exit(run_measured(main))
