"""A solver of python-sat that does not simplify a formula, which CaDiCaL then does for it.

The program MiniSat simplifies before it searches, the library has the search alone, and needs
minutes for what takes the program a second: the tours of 8x8 with binary positions. Simplifying
takes longer than the search where that is easy, so there is a short search first.
"""

from __future__ import annotations

import sys

from pysat.process import Processor
from pysat.solvers import Solver

from adapters.reader import open_cnf
from adapters.runtimes.workers.formula import clauses
from adapters.runtimes.workers.pysat import Names, say

CONFLICTS = 2000
"""Of the short search: some 0.1 s on an 8x8 board."""


def main(library: str, path: str, seed: str | None = None) -> int:
    with open_cnf(path, strict=False) as cnf:
        names = Names.of(cnf.variables, seed)
    with Solver(library) as solver:
        _fill(solver, path, names)
        solver.conf_budget(CONFLICTS)
        found = solver.solve_limited()
        if found is not None:
            return say(solver.get_model() if found else None, names)
    with Processor() as processor:
        _fill(processor, path, names)
        simpler = processor.process()
        if not simpler.status:
            return say(None, names)
        with Solver(library, bootstrap_with=simpler.clauses) as solver:
            found = solver.solve()
            return say(processor.restore(solver.get_model()) if found else None, names)


def _fill(target: Solver | Processor, path: str, names: Names) -> None:
    """Read anew each time, as clauses in Python take more memory than in any solver."""
    with open_cnf(path, strict=False) as cnf:
        for clause in clauses(cnf, names.given):
            target.add_clause(clause)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
