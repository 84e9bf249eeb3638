"""Order (Crawford and Baker 1994; Tamura and others 2009): a literal of "at least k" for every k.

size - 1 literals, and size - 2 binary clauses. A literal of "equal to k" is defined as "at least k,
and not at least k + 1" by 3 clauses if a constraint uses it.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import TRUE, Ints, Tokens, columns, stack
from boardsat.generators.encodings.int import Defined

COUNT_PRESERVING = True


def width(size: int) -> int:
    return size - 1


def clauses(x: Ints, size: int, fresh: int) -> tuple[Tokens, int]:
    return stack(columns(-x[1:], x[:-1])), 0


def at_least(x: Ints, size: int, fresh: int) -> Defined:
    return Defined(x, stack(), 0)


def equal(x: Ints, size: int, fresh: int) -> Defined:
    if size == 1:
        return Defined(np.array([TRUE]), stack(), 0)
    # The smallest value is "not at least 1", and the largest one "at least the maximum".
    this, following = x[:-1], x[1:]
    y = fresh + np.arange(len(this))
    defined = stack(columns(-y, this), columns(-y, -following), columns(y, -this, following))
    return Defined(np.concatenate([-x[:1], y, x[-1:]]), defined, len(y))
