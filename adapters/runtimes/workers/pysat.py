"""The SAT solvers of python-sat.

The solvers of python-sat take no seed. So with one they are given the formula under other names of
its variables, which changes their search as much as a seed does.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pysat.solvers import Solver

from boardsat.adapters.answer import Status
from boardsat.adapters.runtimes.workers import plain
from boardsat.adapters.solver_meter import mark_solver_start, run_measured

# Imported where it is used: most files are small, and solved in less time.
if TYPE_CHECKING:
    import numpy as np

PER_LINE = 12


def main(library: str, path: str, seed: str | None = None) -> int:
    with Solver(library) as solver:
        names = None
        if seed is None and (small := plain.read(path)) is not None:
            solver.append_formula(small.clauses)
        else:
            names = _fill(solver, path, seed)
        code = say(solver.get_model() if solver.solve() else None, names)
        print_statistics(statistics_of(solver))
    return code


def _fill(solver: Solver, path: str, seed: str | None) -> Names:
    """Add the clauses of any file, under the names that the seed gives."""
    from boardsat.adapters.dimacs.reader import open_cnf
    from boardsat.adapters.runtimes.workers.formula import clauses

    if seed is not None:
        # NumPy would import it at its first use.
        import numpy.random  # noqa: F401
    mark_solver_start()
    with open_cnf(path, strict=False) as cnf:
        names = Names.of(cnf.variables, seed)
        for clause in clauses(cnf, names.given):
            solver.add_clause(clause)
    return names


@dataclass(frozen=True)
class Names:
    """Other names of the variables: what each literal is given to the solver as, and the way back.

    The name of a literal stands at its own index; the negative ones are at the end.
    """

    given: np.ndarray
    own: np.ndarray

    @property
    def variables(self) -> int:
        return len(self.given) // 2

    @classmethod
    def of(cls, variables: int, seed: str | None) -> Names:
        import numpy as np

        order = np.arange(1, variables + 1)
        if seed is not None:
            np.random.default_rng(int(seed)).shuffle(order)
        return cls(_by_literal(order), _by_literal(np.argsort(order) + 1))


def statistics_of(solver: Solver) -> dict[str, int]:
    """What it tells about its search; not every one does."""
    try:
        return solver.accum_stats() or {}
    except NotImplementedError:
        return {}


def print_statistics(statistics: Mapping[str, int]) -> None:
    """As CaDiCaL prints them."""
    for name, number in statistics.items():
        print(f"c {name}: {number}")


def _by_literal(names: np.ndarray) -> np.ndarray:
    import numpy as np

    return np.concatenate(([0], names, -names[::-1]))


def say(model: list[int] | None, names: Names | None) -> int:
    """Print the answer as competitions want it; None for no model. The exit code."""
    status = Status.UNSATISFIABLE if model is None else Status.SATISFIABLE
    print(f"s {status.name}")
    if model is not None:
        print_model(model if names is None else names.own[model].tolist())
    return int(status.value)


def print_model(literals: list[int]) -> None:
    for start in range(0, len(literals), PER_LINE):
        print("v", *literals[start : start + PER_LINE])
    print("v 0")


if __name__ == "__main__":
    sys.exit(run_measured(main))
