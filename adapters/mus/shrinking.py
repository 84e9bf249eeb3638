"""A minimal unsatisfiable core of groups, by deletion: whatever is not needed goes, one by one.

Each group is left out once. If the others still contradict each other, it goes, and so do all that
the solver did not need to see that (clause-set refinement). If not, it belongs to every core within
what is left. A group that takes too long to decide waits until the others are done.

It runs as a process of its own. What is known is printed at once, so that nothing is lost where
the time runs out: the last `core` line counts. In the end a smallest core is sought.
"""

from __future__ import annotations

import math
import sys
import time

from boardsat.adapters.mus.selecting import CoreTask, Selecting
from boardsat.adapters.mus.smallest import smallest

CONFLICTS = 2_000
"""What a group may take to be decided the first time; four times as many the next."""

TRIMS = 5
"""How often a core is asked again as a whole, while that makes it smaller."""


def main(library: str, about: str) -> int:
    task = CoreTask.read(about)
    solver = Selecting(library, task)
    first = solver.ask(task.selectors)
    if first.model is not None:
        print("satisfiable")
        return 10
    if first.core is None:
        print("unknown")
        return 0
    core = trimmed(solver, first.core)
    say("core", core)
    end = time.monotonic() + (task.seconds or math.inf)
    core = shrunk(solver, core, end)
    if time.monotonic() >= end:
        return 20
    print("minimal", flush=True)
    least = smallest(solver, task.selectors, core, end)
    if least is not None:
        say("core", least)
        print("smallest", flush=True)
    return 20


def trimmed(solver: Selecting, core: frozenset[int]) -> frozenset[int]:
    """The core without what the solver does not need when it is asked about the core alone."""
    for _ in range(TRIMS):
        smaller = solver.ask(core).core
        if smaller is None or len(smaller) == len(core):
            break
        core = smaller
    return core


def shrunk(solver: Selecting, core: frozenset[int], end: float) -> frozenset[int]:
    """A minimal core within one, or as small as it is when the time ends."""
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


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
