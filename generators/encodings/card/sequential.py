"""Sequential counter (Sinz, CP 2005): s[i, j] is implied if at least j of x[1..i] are true.

2nk + n - 3k - 1 clauses and (n-1)k fresh variables for at most k; at least k is at most n-k of the
negations. The implications run one way, so the counter is not determined by x.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.clauses.patterns import columns, stack

KEEPS_COUNTS = False


def tokens(n: int, low: int, high: int) -> int:
    return 8 * n * ((high if high < n else 0) + (n - low if low > 0 else 0))


def clauses(x: Ints, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    upper, used = _at_most(x, high, fresh)
    lower, more = _at_most(-x, len(x) - low, fresh + used)
    return np.concatenate([upper, lower]), used + more


def _at_most(x: Ints, k: int, fresh: int) -> tuple[Tokens, int]:
    n = len(x)
    if k >= n:
        return stack(), 0
    if k == 0:
        return stack(columns(-x)), 0
    s = fresh + np.arange((n - 1) * k).reshape(n - 1, k)
    return stack(
        columns(-x[:-1], s[:, 0]),
        columns(-s[0, 1:]),
        columns(-x[1:-1, None], -s[:-1, :-1], s[1:, 1:]),
        columns(-s[:-1], s[1:]),
        columns(-x[1:], -s[:, -1]),
    ), s.size
