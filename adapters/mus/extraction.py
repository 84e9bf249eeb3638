"""Worker process that finds a minimal unsatisfiable subset (MUS) of groups, or verifies one.

Deletion: each group is omitted once. If the others are unsatisfiable, it is removed together with
all groups outside the solver's core (clause-set refinement). Otherwise it belongs to every MUS
within the current core. A group that exceeds its conflict limit is tried again after the others.

Smallest MUS by hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva, CP 2015): a correction
set, whose removal makes the rest satisfiable, intersects every MUS. A smallest set that hits the
known correction sets is a smallest MUS, or it is satisfiable and gives another correction set.

Results are printed at once: when time runs out, the last `core` line is the result.

Verification: all groups together must be unsatisfiable. Without any one of them there must be a
model, which is printed, so that the caller can check it against the clauses.

Each group is activated by assuming its selector variable: its clauses begin with the negation of
the selector. Lazy groups get their clauses here: the cuts that a model violates are added, and the
solver is called again.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pysat.solvers import Solver

from boardsat.adapters.lazy_cuts import incremental_solver
from boardsat.adapters.lazy_cuts.connectivity_cuts import KINDS, Clause, LazyGraph, find_cuts

INITIAL_CONFLICTS = 2_000
"""Conflict limit of the first attempt on a group; each further attempt has four times as many."""

MAX_TRIMS = 5
"""Maximum number of queries that trim a core."""

MAX_QUERIES = 10_000
"""Maximum number of queries for a smallest MUS; this many take some seconds."""

HITTING_SET_CONFLICTS, GROWTH_CONFLICTS = 10_000, 200
"""Conflict limits of a query with a hitting set, and of one that adds a group to it."""


class Reply(NamedTuple):
    """Answer to a query: a model, or an unsatisfiable core of the groups; neither if unknown."""

    model: list[int] | None = None
    core: frozenset[int] | None = None


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
                return Reply()
            if not is_satisfiable:
                return Reply(core=frozenset(self.solver.get_core() or ()))
            model = self.solver.get_model()
            cuts = [*_violated_cuts(graphs, model)]
            if not cuts:
                return Reply(model=model)
            for cut in cuts:
                print("cut", *cut)
            self.add(cuts)
        return Reply()

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


def main(command: str, library: str, task_path: str) -> int:
    """Run a command, `find` or `verify`, on a task; return the exit code."""
    task = CoreTask(*json.loads(Path(task_path).read_text("ascii")))
    return {"find": find_mus, "verify": verify_mus}[command](SelectorSolver(library, task), task)


def find_mus(solver: SelectorSolver, task: CoreTask) -> int:
    """Print a MUS of the groups of a task, then a smallest one; return the exit code."""
    reply = solver.query(task.selectors)
    if reply.model is not None:
        print("satisfiable")
        return 10
    if reply.core is None:
        print("unknown")
        return 0
    core = trim_core(solver, reply.core)
    print_groups("core", core)
    deadline = time.monotonic() + (task.seconds or math.inf)
    core = deletion_mus(solver, core, deadline)
    if time.monotonic() >= deadline:
        return 20
    print("minimal", flush=True)
    smallest = smallest_mus(solver, task.selectors, core, deadline)
    if smallest is not None:
        print_groups("core", smallest)
        print("smallest", flush=True)
    return 20


def trim_core(solver: SelectorSolver, core: frozenset[int]) -> frozenset[int]:
    """Replace a core by the core that the solver reports for it, while that is smaller."""
    for _ in range(MAX_TRIMS):
        smaller = solver.query(core).core
        if smaller is None or len(smaller) == len(core):
            break
        core = smaller
    return core


def deletion_mus(solver: SelectorSolver, core: frozenset[int], deadline: float) -> frozenset[int]:
    """Return a MUS within a core, or the smallest core found before the time ends."""
    needed: set[int] = set()
    conflicts = INITIAL_CONFLICTS
    while len(needed) < len(core):
        # Later constraints of a spec tend to follow from earlier ones, and go first.
        for group in sorted(core - needed, reverse=True):
            if group not in core:
                continue
            if time.monotonic() >= deadline:
                return core
            reply = solver.query(core - {group}, conflicts)
            if reply.core is not None:
                core = reply.core
                print_groups("core", core)
            elif reply.model is not None:
                needed.add(group)
        conflicts *= 4
    return core


def print_groups(keyword: str, groups: frozenset[int]) -> None:
    """Print a result line."""
    print(keyword, *sorted(groups), flush=True)


def smallest_mus(
    solver: SelectorSolver, selectors: Sequence[int], core: frozenset[int], deadline: float
) -> frozenset[int] | None:
    """Return a smallest MUS, given a core; None if a limit is reached."""
    from pysat.examples.hitman import Hitman

    # Other groups hold if possible, so that correction sets are small.
    solver.prefer(selectors)
    with Hitman(htype="sorted") as hitman:
        max_queries = solver.num_queries + MAX_QUERIES
        while solver.num_queries < max_queries and time.monotonic() < deadline:
            hitting = frozenset(hitman.get() or ())
            if len(hitting) >= len(core):
                return core
            reply = solver.query(hitting, HITTING_SET_CONFLICTS)
            if reply.core is not None:
                return hitting
            if reply.model is None:
                return None
            satisfied = {*hitting, *_satisfied_groups(solver, selectors, reply.model)}
            _grow(solver, selectors, satisfied)
            hitman.hit([group for group in selectors if group not in satisfied])
    return None


def _grow(solver: SelectorSolver, selectors: Sequence[int], satisfied: set[int]) -> None:
    """Add groups that can be satisfied together with `satisfied`, one at a time."""
    for group in selectors:
        if group not in satisfied:
            reply = solver.query({*satisfied, group}, GROWTH_CONFLICTS)
            if reply.model is not None:
                satisfied |= {group, *_satisfied_groups(solver, selectors, reply.model)}


def _satisfied_groups(
    solver: SelectorSolver, selectors: Sequence[int], model: list[int]
) -> Iterator[int]:
    """Return the groups that hold in a model, without lazy ones, whose clauses are incomplete."""
    true = set(model)
    return (group for group in selectors if group in true and not solver.is_lazy(group))


def verify_mus(solver: SelectorSolver, task: CoreTask) -> int:
    """Print whether the groups of a task are a MUS; return the exit code."""
    reply = solver.query(task.selectors)
    if reply.core is None:
        print("satisfiable" if reply.model else "unknown")
        return 1
    print("unsatisfiable", flush=True)
    for group in task.selectors:
        without_group = solver.query(selector for selector in task.selectors if selector != group)
        if without_group.model is None:
            print("unknown" if without_group.core is None else "needless", group, flush=True)
        else:
            print("without", group, *without_group.model, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
