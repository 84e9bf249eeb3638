"""Solvers of python-sat, called through its extension module.

Importing the Python classes of the package takes longer than solving a small formula.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pysolvers

from boardsat.adapters.solver_meter import mark_solver_start


class ExtensionSolver:
    """Solver with those methods of pysat.solvers.Solver that workers call."""

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
