"""The smallest core, by hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva, CP 2015).

What must be left out of the groups for the others to hold, a correction set, has a group in every
core. So a core hits all correction sets, and a smallest set that hits those known so far is either
a smallest core, or can hold, which gives one more correction set. Often a few hundred are enough.

Workers use this file, so it does without all that takes long to import.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from boardsat.adapters.mus.selecting import Selecting

QUESTIONS = 10_000
"""To the solver, after which it is given up: some seconds."""

CONFLICTS, GROWING = 10_000, 200
"""What a question about a core may take, and one about a group more that could hold."""


def smallest(
    solver: Selecting, selectors: Sequence[int], core: frozenset[int], end: float
) -> frozenset[int] | None:
    """A smallest core, where some core is known; None if it takes too long to find out."""
    from pysat.examples.hitman import Hitman

    # What is not asked about shall hold where it can: so correction sets are small.
    solver.prefer(selectors)
    with Hitman(htype="sorted") as hitman:
        most = solver.asked + QUESTIONS
        while solver.asked < most and time.monotonic() < end:
            hitting = frozenset(hitman.get() or ())
            if len(hitting) >= len(core):
                return core
            asked = solver.ask(hitting, CONFLICTS)
            if asked.core is not None:
                return hitting
            if asked.model is None:
                return None
            holding = {*hitting, *_true(solver, selectors, asked.model)}
            _grow(solver, selectors, holding)
            hitman.hit([group for group in selectors if group not in holding])
    return None


def _grow(solver: Selecting, selectors: Sequence[int], holding: set[int]) -> None:
    """Add what can hold besides, one after the other."""
    for group in selectors:
        if group not in holding:
            asked = solver.ask({*holding, group}, GROWING)
            if asked.model is not None:
                holding |= {group, *_true(solver, selectors, asked.model)}


def _true(solver: Selecting, selectors: Sequence[int], model: list[int]) -> Iterator[int]:
    """The groups that hold in a model; of a lazy one its clauses alone do not tell."""
    true = set(model)
    return (group for group in selectors if group in true and not solver.is_lazy(group))
