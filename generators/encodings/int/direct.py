"""Direct: a literal for "k", for every k, and exactly one of them holds.

size literals; pairs up to 16 values, and a sequential counter of size - 1 fresh variables beyond.
A literal for "k or more" is "k, or k + 1 or more", by 4 clauses, if a constraint asks for it.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, columns, stack
from boardsat.generators.encodings.amo import pairwise, sequential
from boardsat.generators.encodings.int import Defined

COUNT_PRESERVING = True

PAIRS = 16
"""Up to so many values, no two of them hold by a clause each."""


def width(size: int) -> int:
    return size


def clauses(x: Ints, size: int, fresh: int) -> tuple[Tokens, int]:
    # The value that holds determines the counter, so that counts stay.
    most = pairwise if size <= PAIRS else sequential
    at_most, used = most.clauses(x, fresh)
    return np.concatenate([stack(x[None, :]), at_most]), used


def at_least(x: Ints, size: int, fresh: int) -> Defined:
    if size == 1:
        return Defined(x[1:], stack(), 0)
    y = fresh + np.arange(max(0, size - 3))
    # One or more is not none; the largest is alone.
    reached = np.concatenate([-x[:1], y, x[-1:]]) if size > 2 else x[1:]
    this, more = reached[1:-1], reached[2:]
    defined = stack(
        columns(-more, this),
        columns(-x[2:-1], this),
        columns(-this, more, x[2:-1]),
        # Follows from the others, but not by unit propagation.
        columns(-reached[1:], -x[1:-1]),
    )
    return Defined(reached, defined, len(y))


def equal(x: Ints, size: int, fresh: int) -> Defined:
    return Defined(x, stack(), 0)
