"""Direct: a literal of "equal to k" for every k, exactly one of which is true.

size literals, with pairwise clauses up to 16 values, and a sequential counter of size - 1 auxiliary
variables for more. A literal of "at least k" is defined as "equal to k, or at least k + 1" by 4
clauses if a constraint uses it.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, columns, stack
from boardsat.generators.encodings.amo import pairwise, sequential
from boardsat.generators.encodings.int import Defined

COUNT_PRESERVING = True

MAX_PAIRWISE_SIZE = 16
"""Number of values up to which the pairwise encoding is used."""


def width(size: int) -> int:
    return size


def clauses(x: Ints, size: int, fresh: int) -> tuple[Tokens, int]:
    # The true literal determines the counter, so that the number of models is preserved.
    encoding = pairwise if size <= MAX_PAIRWISE_SIZE else sequential
    at_most, used = encoding.clauses(x, fresh)
    return np.concatenate([stack(x[None, :]), at_most]), used


def at_least(x: Ints, size: int, fresh: int) -> Defined:
    if size == 1:
        return Defined(x[1:], stack(), 0)
    y = fresh + np.arange(max(0, size - 3))
    # "At least 1" is "not equal to 0", and "at least the maximum" is "equal to the maximum".
    reached = np.concatenate([-x[:1], y, x[-1:]]) if size > 2 else x[1:]
    this, following = reached[1:-1], reached[2:]
    defined = stack(
        columns(-following, this),
        columns(-x[2:-1], this),
        columns(-this, following, x[2:-1]),
        # Implied by the others, but not by unit propagation.
        columns(-reached[1:], -x[1:-1]),
    )
    return Defined(reached, defined, len(y))


def equal(x: Ints, size: int, fresh: int) -> Defined:
    return Defined(x, stack(), 0)
