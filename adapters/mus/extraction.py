"""Worker process that finds a minimal unsatisfiable subset (MUS) of groups, then a smallest one.

Deletion: each group is left out once. If the others are unsatisfiable, it is removed with all that
the solver did not need (clause-set refinement). If not, it belongs to every MUS within the rest. A
group that exceeds its conflict limit is tried again after the others.

Smallest MUS by hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva, CP 2015): a correction
set, whose removal makes the rest satisfiable, meets every MUS. A smallest set that hits the known
correction sets is a smallest MUS, or it is satisfiable and gives another correction set.

Results are printed at once, so that the last `core` line counts when the time runs out.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Sequence

from boardsat.adapters.mus.selector_solver import CoreTask, SelectorSolver

CONFLICTS = 2_000
"""Conflict limit of the first attempt on a group; four times as many in the next."""

TRIMS = 5
"""Maximum number of queries that trim a core."""

QUESTIONS = 10_000
"""Maximum number of queries of the search for a smallest MUS: some seconds."""

HITTING_SET_CONFLICTS, GROWTH_CONFLICTS = 10_000, 200
"""Conflict limits of a query about a hitting set, and about one more satisfiable group."""


def main(library: str, about: str) -> int:
    task = CoreTask.read(about)
    solver = SelectorSolver(library, task)
    first = solver.ask(task.selectors)
    if first.model is not None:
        print("satisfiable")
        return 10
    if first.core is None:
        print("unknown")
        return 0
    core = trim_core(solver, first.core)
    say("core", core)
    end = time.monotonic() + (task.seconds or math.inf)
    core = deletion_mus(solver, core, end)
    if time.monotonic() >= end:
        return 20
    print("minimal", flush=True)
    least = smallest_mus(solver, task.selectors, core, end)
    if least is not None:
        say("core", least)
        print("smallest", flush=True)
    return 20


def trim_core(solver: SelectorSolver, core: frozenset[int]) -> frozenset[int]:
    """Shrink a core to the cores that the solver finds within it."""
    for _ in range(TRIMS):
        smaller = solver.ask(core).core
        if smaller is None or len(smaller) == len(core):
            break
        core = smaller
    return core


def deletion_mus(solver: SelectorSolver, core: frozenset[int], end: float) -> frozenset[int]:
    """Return a MUS within a core, or the smallest core found before the time ends."""
    needed: set[int] = set()
    conflicts = CONFLICTS
    while len(needed) < len(core):
        # Later constraints of a spec tend to follow from earlier ones, and go first.
        for group in sorted(core - needed, reverse=True):
            if group not in core:
                continue
            if time.monotonic() >= end:
                return core
            asked = solver.ask(core - {group}, conflicts)
            if asked.core is not None:
                core = asked.core
                say("core", core)
            elif asked.model is not None:
                needed.add(group)
        conflicts *= 4
    return core


def say(word: str, groups: frozenset[int]) -> None:
    print(word, *sorted(groups), flush=True)


def smallest_mus(
    solver: SelectorSolver, selectors: Sequence[int], core: frozenset[int], end: float
) -> frozenset[int] | None:
    """Return a smallest MUS, given a core; None if a limit is reached."""
    from pysat.examples.hitman import Hitman

    # Other groups hold if possible, so that correction sets are small.
    solver.prefer(selectors)
    with Hitman(htype="sorted") as hitman:
        most = solver.asked + QUESTIONS
        while solver.asked < most and time.monotonic() < end:
            hitting = frozenset(hitman.get() or ())
            if len(hitting) >= len(core):
                return core
            asked = solver.ask(hitting, HITTING_SET_CONFLICTS)
            if asked.core is not None:
                return hitting
            if asked.model is None:
                return None
            holding = {*hitting, *_true(solver, selectors, asked.model)}
            _grow(solver, selectors, holding)
            hitman.hit([group for group in selectors if group not in holding])
    return None


def _grow(solver: SelectorSolver, selectors: Sequence[int], holding: set[int]) -> None:
    """Add further satisfiable groups, one at a time."""
    for group in selectors:
        if group not in holding:
            asked = solver.ask({*holding, group}, GROWTH_CONFLICTS)
            if asked.model is not None:
                holding |= {group, *_true(solver, selectors, asked.model)}


def _true(solver: SelectorSolver, selectors: Sequence[int], model: list[int]) -> Iterator[int]:
    """Return the groups that hold in a model, without lazy ones, whose clauses are incomplete."""
    true = set(model)
    return (group for group in selectors if group in true and not solver.is_lazy(group))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
