"""Solver for groups of clauses, each activated by assuming its selector variable.

A clause of a group begins with the negation of its selector, so that it is satisfied unless the
selector is assumed. Lazy groups get their clauses here: the cuts that a model violates are added,
and the solver is called again.

Workers import this module, so it avoids slow imports.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pysat.solvers import Solver

from boardsat.adapters.lazy_cuts import incremental_solver
from boardsat.adapters.lazy_cuts.connectivity_cuts import KINDS, Clause, LazyGraph, find_cuts


class Reply(NamedTuple):
    """Answer to a query: a model, an unsatisfiable core of the groups, or neither."""

    model: list[int] | None = None
    core: frozenset[int] | None = None

    @property
    def is_known(self) -> bool:
        """True if the query was decided."""
        return self != UNKNOWN


UNKNOWN = Reply()


class CoreTask(NamedTuple):
    """Task of a worker: a formula file, its selectors, and the graphs of lazy groups."""

    path: str
    selectors: list[int]
    lazy: list[tuple[int, str, Any]]
    """Selector, class and fields of the graph of each lazy group."""
    rounds: int
    """Maximum number of rounds of cuts in one query; the answer is unknown after them."""
    seconds: float | None = None
    """Time limit of minimizing a core; None for no limit."""

    def to_json(self) -> str:
        return json.dumps(self)

    @classmethod
    def read(cls, path: str) -> CoreTask:
        return cls(*json.loads(Path(path).read_text("ascii")))


class SelectorSolver:
    """Incremental solver of a task."""

    def __init__(self, library: str, task: CoreTask) -> None:
        self.solver = Solver(name=library)
        self.has_empty_clause = False
        """True if the formula has an empty clause."""
        self.graphs: list[tuple[int, LazyGraph]] = [
            (selector, KINDS[kind](*graph)) for selector, kind, graph in task.lazy
        ]
        self.rounds = task.rounds
        self.num_queries = 0
        """Number of queries so far."""
        for clauses in incremental_solver.read_clauses(task.path):
            self.add(clauses)

    def add(self, clauses: Iterable[Clause]) -> None:
        """Add clauses of the formula or cuts."""
        for clause in clauses:
            if clause:
                self.solver.add_clause(clause)
            else:
                self.has_empty_clause = True

    def prefer(self, groups: Sequence[int]) -> None:
        """Prefer models in which these groups hold."""
        self.solver.set_phases(groups)

    def is_lazy(self, group: int) -> bool:
        """Return whether a group has a lazy constraint."""
        return any(selector == group for selector, _ in self.graphs)

    def query(self, groups: Iterable[int], conflicts: int = 0) -> Reply:
        """Solve with some groups; `conflicts` limits the search, 0 for no limit."""
        assumptions = sorted(groups)
        self.num_queries += 1
        if self.has_empty_clause:
            return Reply(core=frozenset())
        graphs = [(selector, graph) for selector, graph in self.graphs if selector in assumptions]
        for _ in range(self.rounds):
            is_satisfiable = self._solve(assumptions, conflicts)
            if is_satisfiable is None:
                return UNKNOWN
            if not is_satisfiable:
                return Reply(core=frozenset(self.solver.get_core() or ()))
            model = self.solver.get_model()
            cuts = [*_violated_cuts(graphs, model)]
            if not cuts:
                return Reply(model=model)
            for cut in cuts:
                print("cut", *cut)
            self.add(cuts)
        return UNKNOWN

    def _solve(self, assumptions: list[int], conflicts: int) -> bool | None:
        if not conflicts:
            return bool(self.solver.solve(assumptions))
        self.solver.conf_budget(conflicts)
        is_satisfiable: bool | None = self.solver.solve_limited(assumptions)
        return is_satisfiable


def _violated_cuts(graphs: list[tuple[int, LazyGraph]], model: list[int]) -> Iterator[Clause]:
    """Yield the cuts that a model violates, each with the selector of its group."""
    true_variables = {literal for literal in model if literal > 0}
    for selector, graph in graphs:
        violation = find_cuts([graph], true_variables)
        yield from ([-selector, *cut] for cut in (violation.cuts if violation else ()))
