"""Linear: y[i] is "one of x[1..i]", by equivalences. 4n - 5 clauses, n - 1 auxiliary variables.

Template of docs/adding-an-encoding.md: copy it to generators/encodings/amo/NAME.py.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, columns, stack

COUNT_PRESERVING = True


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    """Return the clauses of "at most one of x", and the number of auxiliary variables."""
    if len(x) < 2:
        return stack(), 0
    y = fresh + np.arange(len(x) - 1)
    return stack(
        columns(-x[:-1], y),
        columns(-y[:-1], y[1:]),
        columns(-x[1:], -y),
        columns(-y[:1], x[:1]),
        columns(-y[1:], y[:-1], x[1:-1]),
    ), len(y)
