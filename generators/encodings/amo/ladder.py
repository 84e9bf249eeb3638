"""Ladder (Gent and Nightingale 2004): y falls once from true to false, and x[i] marks the rung.

x[i] is equivalent to y[i-1] and not y[i], with y[0] true; if all of y are true, none of x is.
4n - 2 clauses, n auxiliary variables, each determined by x.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, columns, stack

COUNT_PRESERVING = True


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    if len(x) < 2:
        return stack(), 0
    y = fresh + np.arange(len(x))
    return stack(
        columns(-y[1:], y[:-1]),
        columns(-x, -y),
        columns(-x[1:], y[:-1]),
        columns(x[:1], y[:1]),
        columns(x[1:], -y[:-1], y[1:]),
    ), len(y)
