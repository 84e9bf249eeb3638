"""Incremental solver of python-sat: solve, add the violated cuts, repeat in one process.

It runs in a separate process. On a large board, imports and passing half a million clauses to the
solver take half of the time. So the extension module of python-sat is used without its classes, and
JSON parses the clauses, which is the fastest way in Python.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import pysolvers

from boardsat.adapters.lazy_cuts.connectivity_cuts import (
    KINDS,
    NO_PROGRESS,
    NO_ROUNDS,
    Clause,
    CutProgress,
    EdgeGraph,
    LazyGraph,
    find_cuts,
)
from boardsat.adapters.lazy_cuts.portfolio import CycleTask, Decision, run_portfolio
from boardsat.adapters.lazy_cuts.two_factor import CycleGraph
from boardsat.adapters.solver_meter import mark_solver_start, run_measured

BLOCK_BYTES = 2**16
"""Size of the blocks in which clauses are read; larger ones do not fit the caches."""

LITERALS_PER_LINE = 1000

NUM_SEEDED_EDGES = 3
"""Number of random edges that are assumed true in the first query of a seeded run."""


def main(library: str, path: str, task_path: str, seed: str | None = None) -> int:
    """Solve a formula with cuts, and print cuts and answer; return the exit code."""
    # Collecting garbage among millions of integers takes long and finds none.
    gc.disable()
    if seed is not None:
        import random  # noqa: F401

        mark_solver_start()
    with open(task_path, encoding="ascii") as file:  # noqa: PTH123
        task = json.load(file)
    graphs: list[LazyGraph] = [KINDS[kind](*graph) for kind, graph in task["graphs"]]
    solver = IncrementalSolver(library)
    units: set[int] = set()
    for clauses in read_clauses(path):
        solver.add(clauses)
        units.update(clause[0] for clause in clauses if len(clause) == 1)
    model = None if seed is None else solver.model(seeded_edges(graphs, int(seed)))
    previous_rounds = 0
    if task["portfolio"] and isinstance(graphs[0], EdgeGraph) and solver.can_be_limited:
        graph = CycleGraph(graphs[0].vertices, graphs[0].edges())
        cycle_task = CycleTask(
            graph, solver, frozenset(units), partial(IncrementalSolver, library), model
        )
        decision, previous_rounds = run_portfolio(cycle_task, task["portfolio"])
        if decision is not None:
            return print_decision(decision, previous_rounds)
        model = None
    progress = CutProgress(graphs)
    for rounds in range(previous_rounds + 1, previous_rounds + task["rounds"] + 1):
        model = solver.model() if model is None else model
        if model is None:
            return print_answer("UNSATISFIABLE", 20, rounds)
        violation = find_cuts(graphs, {literal for literal in model if literal > 0})
        if violation is None:
            return print_answer("SATISFIABLE", 10, rounds, model)
        if violation.alternative_edges is not None:
            joined_model = solver.model(
                v if v in violation.alternative_edges else -v
                for graph in graphs
                for v in graph.variables()
            )
            if joined_model is not None:
                print("c joined")
                return print_answer("SATISFIABLE", 10, rounds, joined_model)
        for cut in violation.cuts:
            print("c cut", *cut, 0)
        if progress.is_stalled(violation.cuts):
            return print_answer("UNKNOWN", 0, rounds, reason=NO_PROGRESS)
        solver.add(violation.cuts)
        model = None
    return print_answer("UNKNOWN", 0, rounds, reason=NO_ROUNDS)


def print_decision(decision: Decision, rounds: int) -> int:
    """Print the decision of a portfolio; return the exit code."""
    print("c method", decision.method)
    if decision.is_joined:
        print("c joined")
    model = decision.result.model
    if model is None:
        return print_answer("UNSATISFIABLE", 20, rounds)
    return print_answer("SATISFIABLE", 10, rounds, model)


def seeded_edges(graphs: list[LazyGraph], seed: int) -> list[int]:
    """Return random edges to assume first, because these solvers have no option for a seed."""
    from random import Random

    edges = [variable for graph in graphs for variable in graph.variables()]
    return Random(seed).sample(edges, min(NUM_SEEDED_EDGES, len(edges)))


class IncrementalSolver:
    """Solver of the extension module of python-sat."""

    def __init__(self, library: str) -> None:
        new, self._add, self._solve, self._model = (
            getattr(pysolvers, f"{library}_{name}") for name in ("new", "add_cl", "solve", "model")
        )
        self._state: Any = new()
        self._has_empty_clause = False
        self.can_be_limited = hasattr(pysolvers, f"{library}_cbudget")
        """True if the calls of the library can be limited in conflicts."""
        if self.can_be_limited:
            self._set_budget, self._solve_limited, self._statistics = (
                getattr(pysolvers, f"{library}_{name}")
                for name in ("cbudget", "solve_lim", "acc_stats")
            )
        # Solvers that can be interrupted take one argument more.
        is_interruptible = hasattr(pysolvers, f"{library}_interrupt")
        self._limited_arguments = (0, 0) if is_interruptible else (0,)

    def add(self, clauses: Iterable[Clause]) -> None:
        add, state = self._add, self._state
        for clause in clauses:
            if clause:
                add(state, clause)
            else:
                self._has_empty_clause = True

    def model(self, assumptions: Iterable[int] = ()) -> Clause | None:
        if self._has_empty_clause or not self._solve(self._state, list(assumptions), 0):
            return None
        # Without any clause the solver has no variables, and returns None for the model.
        model: Clause = self._model(self._state) or []
        return model

    def limited_model(self, conflicts: int) -> tuple[bool, Clause | None]:
        """Return whether the formula was decided within a number of conflicts, and its model."""
        if self._has_empty_clause:
            return True, None
        # The library takes a 32-bit number, and a negative one as no limit.
        self._set_budget(self._state, conflicts if conflicts < 2**31 else -1)
        result = self._solve_limited(self._state, [], *self._limited_arguments)
        if result <= 0:
            return result < 0, None
        model: Clause = self._model(self._state) or []
        return True, model

    def conflicts(self) -> int:
        """Return the number of conflicts so far."""
        return int(self._statistics(self._state)["conflicts"])


def read_clauses(path: str) -> Iterator[list[Clause]]:
    """Yield the clauses of a file with one clause on each line, in blocks."""
    with open(path, "rb") as file:  # noqa: PTH123
        while (line := file.readline()) and not line.startswith(b"p"):
            pass
        while block := file.read(BLOCK_BYTES):
            yield _clauses_in(block + file.readline())


def _clauses_in(block: bytes) -> list[Clause]:
    """Return the clauses of a block of whole lines."""
    text = b"\n" + block
    if b"\n0\n" not in text and b"c" not in text:
        try:
            arrays = block[:-3].replace(b" 0\n", b"],[").replace(b" ", b",")
            clauses: list[Clause] = json.loads(b"[[%s]]" % arrays)
            return clauses
        except ValueError:
            pass  # the lines have extra spaces
    lines = (line.split() for line in block.splitlines() if not line.startswith(b"c"))
    return [[int(token) for token in tokens[:-1]] for tokens in lines if tokens]


def print_answer(
    status: str, code: int, rounds: int, model: Clause | None = None, reason: str = ""
) -> int:
    """Print an answer in the format of SAT competitions; return the exit code."""
    suffix = f", {reason}" if reason else ""
    print(f"c rounds {rounds}{suffix}\ns {status}")
    if model is not None:
        for start in range(0, len(model), LITERALS_PER_LINE):
            print("v", *model[start : start + LITERALS_PER_LINE])
        print("v 0")
    return code


if __name__ == "__main__":
    sys.exit(run_measured(main))
