"""Sequential counter (Sinz, CP 2005): s[i] is implied if one of x[1..i] is true.

3n - 4 clauses, n - 1 auxiliary variables. As the implications have one direction only, x does not
determine them unless one of x is true.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, columns, stack

COUNT_PRESERVING = False


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    if len(x) < 2:
        return stack(), 0
    s = fresh + np.arange(len(x) - 1)
    return stack(columns(-x[:-1], s), columns(-s[:-1], s[1:]), columns(-x[1:], -s)), len(s)
