"""SAT solvers of python-sat as libraries.

They have no random seed. So the variables of the formula are renamed at random, which changes the
search as much as a seed does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import pysolvers

from boardsat.adapters.solver_meter import mark_solver_start, run_measured
from boardsat.adapters.workers._answer_output import print_status, print_values
from boardsat.adapters.workers._formula_file import read_small_cnf

# Imported only for large files: small ones are solved in less time.
if TYPE_CHECKING:
    import numpy as np


def main(library: str, path: str, seed: str | None = None) -> int:
    """Solve a CNF file, and print the answer and the statistics of the search."""
    solver, renaming = new_solver(library), None
    if seed is None and (small := read_small_cnf(path)) is not None:
        for clause in small.clauses:
            solver.add_clause(clause)
    else:
        renaming = _add_clauses(solver, path, seed)
    code = print_answer(solver.get_model() if solver.solve() else None, renaming)
    print_statistics(search_statistics(solver))
    return code


def _add_clauses(solver: Any, path: str, seed: str | None) -> Renaming:
    """Add the clauses of a file, renamed by the seed; return the renaming."""
    from boardsat.adapters.dimacs.reader import open_cnf
    from boardsat.adapters.workers._formula_file import iter_clauses

    if seed is not None:
        # Imported before the measurement begins: NumPy would import it at its first use.
        import numpy.random  # noqa: F401
    mark_solver_start()
    with open_cnf(path, strict=False) as cnf:
        renaming = Renaming.from_seed(cnf.variables, seed)
        for clause in iter_clauses(cnf, renaming.forward):
            solver.add_clause(clause)
    return renaming


class Renaming(NamedTuple):
    """Renaming of literals: entry x of an array replaces literal x; x < 0 indexes from the end."""

    forward: np.ndarray
    """Literal of the solver for each literal of the file."""
    backward: np.ndarray
    """Literal of the file for each literal of the solver."""

    @property
    def variables(self) -> int:
        """Number of variables."""
        return len(self.forward) // 2

    @classmethod
    def from_seed(cls, variables: int, seed: str | None) -> Renaming:
        """Return a random renaming; the identity without a seed."""
        import numpy as np

        order = np.arange(1, variables + 1)
        if seed is not None:
            np.random.default_rng(int(seed)).shuffle(order)
        return cls(_by_literal(order), _by_literal(np.argsort(order) + 1))


def _by_literal(names: np.ndarray) -> np.ndarray:
    """Extend new names of the variables 1, 2, ... to all literals."""
    import numpy as np

    return np.concatenate(([0], names, -names[::-1]))


def search_statistics(solver: Any) -> dict[str, int]:
    """Return the statistics of the search; empty if the solver has none."""
    try:
        return solver.accum_stats() or {}
    except NotImplementedError:
        return {}


def print_statistics(statistics: Mapping[str, int]) -> None:
    """Print statistics as comments in the format of CaDiCaL."""
    for name, number in statistics.items():
        print(f"c {name}: {number}")


def print_answer(model: list[int] | None, renaming: Renaming | None) -> int:
    """Print the status, and the model if there is one; return the exit code."""
    code = print_status("UNSATISFIABLE" if model is None else "SATISFIABLE")
    if model is not None:
        print_values(model if renaming is None else renaming.backward[model].tolist())
    return code


class ExtensionSolver:
    """Solver of the extension module, with those methods of pysat.solvers.Solver that workers call.

    Importing the Python classes of the package takes longer than solving a small formula.
    """

    def __init__(self, library: str) -> None:
        self._library = library
        self._state: Any = self._function("new")()
        self._add = self._function("add_cl")

    def _function(self, name: str) -> Any:
        return getattr(pysolvers, f"{self._library}_{name}")

    def add_clause(self, clause: Iterable[int]) -> None:
        self._add(self._state, clause)

    def solve(self) -> bool:
        """Return True if the clauses are satisfiable."""
        # The last argument would let Ctrl-C interrupt the search; the parent kills a worker.
        return bool(self._function("solve")(self._state, [], 0))

    def get_model(self) -> list[int]:
        """Return the model; empty if no clause has a variable."""
        return self._function("model")(self._state) or []

    def nof_vars(self) -> int:
        """Return the largest variable of the clauses."""
        return int(self._function("nof_vars")(self._state))

    def accum_stats(self) -> dict[str, int]:
        """Return the statistics of all searches by name."""
        statistics: dict[str, int] = self._function("acc_stats")(self._state)
        return statistics


def new_solver(library: str) -> Any:
    """Return a solver of python-sat by its name in the package."""
    # Only the class of the package knows short names, and supports Kissat.
    if hasattr(pysolvers, f"{library}_core"):
        return ExtensionSolver(library)
    from pysat.solvers import Solver

    mark_solver_start()
    return Solver(library)


if __name__ == "__main__":
    sys.exit(run_measured(main))
