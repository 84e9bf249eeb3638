"""Incremental solver of python-sat: solve, add the violated cuts, repeat in one process.

It runs as a process of its own. Whether a large board takes one second or two is decided here, by
what is imported and by the way of half a million clauses to the solver. So it uses the package's
inner module, without the classes around it, and JSON reads the clauses: nothing in Python is
faster.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import pysolvers

from boardsat.adapters.lazy_cuts.connectivity_cuts import (
    KINDS,
    NO_PROGRESS,
    NO_ROUNDS,
    Clause,
    CutProgress,
    LazyGraph,
    find_cuts,
)
from boardsat.adapters.solver_meter import mark_solver_start, run_measured

BLOCK = 2**16
"""Bytes of clauses that are read at a time; larger blocks do not fit the caches."""

PER_LINE = 1000

CHOSEN = 3
"""Edges that a seed chooses."""


def main(library: str, path: str, about: str, seed: str | None = None) -> int:
    # Millions of numbers, none of them garbage.
    gc.disable()
    if seed is not None:
        import random  # noqa: F401

        mark_solver_start()
    with open(about, encoding="ascii") as file:  # noqa: PTH123
        task = json.load(file)
    graphs: list[LazyGraph] = [KINDS[kind](*graph) for kind, graph in task["graphs"]]
    solver = IncrementalSolver(library)
    for clauses in clauses_of(path):
        solver.add(clauses)
    model = None if seed is None else solver.model(some_of(graphs, int(seed)))
    progress = CutProgress(graphs)
    for number in range(1, task["rounds"] + 1):
        model = solver.model() if model is None else model
        if model is None:
            return say("UNSATISFIABLE", 20, number)
        found = find_cuts(graphs, {literal for literal in model if literal > 0})
        if found is None:
            return say("SATISFIABLE", 10, number, model)
        if found.instead is not None:
            better = solver.model(
                v if v in found.instead else -v for graph in graphs for v in graph.variables()
            )
            if better is not None:
                print("c joined")
                return say("SATISFIABLE", 10, number, better)
        for cut in found.cuts:
            print("c cut", *cut, 0)
        if progress.is_stalled(found.cuts):
            return say("UNKNOWN", 0, number, gave_up=NO_PROGRESS)
        solver.add(found.cuts)
        model = None
    return say("UNKNOWN", 0, number, gave_up=NO_ROUNDS)


def some_of(graphs: list[LazyGraph], seed: int) -> list[int]:
    """Return random edges to assume first, as these solvers take no seed."""
    from random import Random

    edges = [variable for graph in graphs for variable in graph.variables()]
    return Random(seed).sample(edges, min(CHOSEN, len(edges)))


class IncrementalSolver:
    """Minimal interface of a solver of the package's inner module."""

    def __init__(self, library: str) -> None:
        new, self._add, self._solve, self._model = (
            getattr(pysolvers, f"{library}_{name}") for name in ("new", "add_cl", "solve", "model")
        )
        self._state: Any = new()
        self._refuted = False

    def add(self, clauses: Iterable[Clause]) -> None:
        add, state = self._add, self._state
        for clause in clauses:
            if clause:
                add(state, clause)
            else:
                self._refuted = True

    def model(self, assumed: Iterable[int] = ()) -> Clause | None:
        if self._refuted or not self._solve(self._state, list(assumed), 0):
            return None
        # Where there is no clause yet it knows no variable, and says that it has no model.
        model: Clause = self._model(self._state) or []
        return model


def clauses_of(path: str) -> Iterator[list[Clause]]:
    """Yield the clauses of a file with one clause on each line, in blocks."""
    with open(path, "rb") as file:  # noqa: PTH123
        while (line := file.readline()) and not line.startswith(b"p"):
            pass
        while block := file.read(BLOCK):
            yield _clauses_in(block + file.readline())


def _clauses_in(block: bytes) -> list[Clause]:
    """What every line has before its 0."""
    text = b"\n" + block
    if b"\n0\n" not in text and b"c" not in text:
        try:
            inner = block[:-3].replace(b" 0\n", b"],[").replace(b" ", b",")
            clauses: list[Clause] = json.loads(b"[[%s]]" % inner)
            return clauses
        except ValueError:
            # There are more spaces than needed.
            pass
    lines = (line.split() for line in block.splitlines() if not line.startswith(b"c"))
    return [[int(word) for word in words[:-1]] for words in lines if words]


def say(status: str, code: int, rounds: int, model: Clause | None = None, gave_up: str = "") -> int:
    """As competitions want it; the exit code."""
    why = f", {gave_up}" if gave_up else ""
    print(f"c rounds {rounds}{why}\ns {status}")
    if model is not None:
        for start in range(0, len(model), PER_LINE):
            print("v", *model[start : start + PER_LINE])
        print("v 0")
    return code


if __name__ == "__main__":
    sys.exit(run_measured(main))
