"""A solver that is asked about some groups of clauses at a time, each switched on by a selector.

A clause of a group begins with the negation of its selector, so that it says nothing unless the
selector is assumed. Lazy groups get their clauses here: the cuts that a model breaks are added, and
the solver is asked again.

Workers use this file, so it does without all that takes long to import.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pysat.solvers import Solver

from boardsat.adapters.lazy_cuts import incremental_solver
from boardsat.adapters.lazy_cuts.connectivity_cuts import KINDS, Clause, LazyGraph, missing


class Reply(NamedTuple):
    """What a solver says of some groups: a model, or those of them that contradict each other."""

    model: list[int] | None = None
    core: frozenset[int] | None = None

    @property
    def is_known(self) -> bool:
        return self != UNKNOWN


UNKNOWN = Reply()


class CoreTask(NamedTuple):
    """What a worker is asked: the file, its selectors, and the graphs of those that are lazy."""

    path: str
    selectors: list[int]
    lazy: list[tuple[int, str, Any]]
    """The selector of a lazy group, and what must be connected."""
    rounds: int
    """Rounds of cuts for one question; beyond them nobody knows."""
    seconds: float | None = None
    """How long a core may be made smaller."""

    def written(self) -> str:
        return json.dumps(self)

    @classmethod
    def read(cls, path: str) -> CoreTask:
        return cls(*json.loads(Path(path).read_text("ascii")))


class Selecting:
    """Answers about any groups of one file."""

    def __init__(self, library: str, task: CoreTask) -> None:
        self.solver = Solver(name=library)
        self.refuted = False
        """Whether an empty clause says that nothing can be."""
        self.graphs: list[tuple[int, LazyGraph]] = [
            (selector, KINDS[kind](*graph)) for selector, kind, graph in task.lazy
        ]
        self.rounds = task.rounds
        self.asked = 0
        """Questions so far."""
        for clauses in incremental_solver.clauses_of(task.path):
            self.add(clauses)

    def add(self, clauses: Iterable[Clause]) -> None:
        for clause in clauses:
            if clause:
                self.solver.add_clause(clause)
            else:
                self.refuted = True

    def prefer(self, groups: Sequence[int]) -> None:
        """Let groups that nobody asks about hold, where they can."""
        self.solver.set_phases(groups)

    def is_lazy(self, group: int) -> bool:
        return any(selector == group for selector, _ in self.graphs)

    def ask(self, groups: Iterable[int], conflicts: int = 0) -> Reply:
        """Whether these groups can hold together; a limit of conflicts may leave it open."""
        assumed = sorted(groups)
        self.asked += 1
        if self.refuted:
            return Reply(core=frozenset())
        graphs = [(selector, graph) for selector, graph in self.graphs if selector in assumed]
        for _ in range(self.rounds):
            holds = self._solve(assumed, conflicts)
            if holds is None:
                return UNKNOWN
            if not holds:
                return Reply(core=frozenset(self.solver.get_core() or ()))
            model = self.solver.get_model()
            cuts = [*_cuts(graphs, model)]
            if not cuts:
                return Reply(model=model)
            for cut in cuts:
                print("cut", *cut)
            self.add(cuts)
        return UNKNOWN

    def _solve(self, assumed: list[int], conflicts: int) -> bool | None:
        if not conflicts:
            return bool(self.solver.solve(assumed))
        self.solver.conf_budget(conflicts)
        holds: bool | None = self.solver.solve_limited(assumed)
        return holds


def _cuts(graphs: list[tuple[int, LazyGraph]], model: list[int]) -> Iterator[Clause]:
    """Those that a model breaks, each of its group."""
    true = {literal for literal in model if literal > 0}
    for selector, graph in graphs:
        found = missing([graph], true)
        yield from ([-selector, *cut] for cut in (found.cuts if found else ()))
