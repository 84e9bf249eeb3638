"""Contraction of a cycle: a vertex that goes leaves a link between the two that it was linked to.

What is left of a cycle stays a cycle, until of three linked vertices one goes: there it closes, and
after that there are no links. So a link is new or old, but not both, and with two links at every
vertex or none a solver concludes more than from what is merely connected.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import FALSE, Ints, Tokens
from boardsat.generators.clauses.patterns import columns, stack
from boardsat.generators.ragged import clean, join


def contracted_links(p: Tokens, q: Tokens, o: Tokens, z: Tokens) -> Tokens:
    """z is o, or p and q, but not where all three hold."""
    return clean(
        stack(
            columns(z, -o, p),
            columns(z, -o, q),
            columns(z, o, -p, -q),
            columns(-z, o, p),
            columns(-z, o, q),
            columns(-z, -o, -p, -q),
        )
    )


def closing(steps: tuple[Tokens, Tokens, Tokens], at: Tokens, counts: Ints, fresh: int) -> Tokens:
    """With a variable for every vertex: whether the cycle has closed when it is gone.

    `steps` are the links p, q and o of all steps, `at` the links of every vertex when it goes.
    """
    p, q, o = steps
    size = len(counts)
    closed = (fresh + np.arange(size)).astype(np.int32)
    before = np.concatenate([[FALSE], closed[:-1]]).astype(np.int32)[:size]
    step = np.repeat(np.arange(size), counts * (counts - 1) // 2)
    link = np.repeat(np.arange(size), counts)
    return np.concatenate(
        [
            stack(columns(closed, -before), columns(closed[step], -p, -q, -o)),
            stack(columns(-closed[step], before[step], -p, -q, o)),
            join([(-closed, None), (before, None), (at, counts)], size),
            stack(columns(-before[link], -at)),
        ]
    )
