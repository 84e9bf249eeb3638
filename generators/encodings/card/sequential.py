"""Sequential counter (Sinz, CP 2005): s[i, j] is implied if at least j of x[1..i] are true.

2nk + n - 3k - 1 clauses and (n-1)k fresh variables for at most k. For at least k the implications
are turned around: 2nk - k(k-1) - n + 1 clauses and nk - k(k-1)/2 variables; one clause for k = 1.
Beyond half of n it is at most n-k of the negations instead, which is less. The implications run one
way, so the counter is not determined by x.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens
from boardsat.generators.clauses.patterns import columns, stack
from boardsat.generators.ragged import clean

KEEPS_COUNTS = False


def tokens(n: int, low: int, high: int) -> int:
    return 8 * n * ((high if high < n else 0) + min(low, n - low))


def clauses(x: Ints, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    upper, used = _at_most(x, high, fresh)
    few = low <= len(x) - low
    lower, more = (
        _at_least(x, low, fresh + used) if few else _at_most(-x, len(x) - low, fresh + used)
    )
    return np.concatenate([upper, lower]), used + more


def _at_least(x: Ints, k: int, fresh: int) -> tuple[Tokens, int]:
    """s[i, j] implies that at least j of x[1..i] are true; there is none where j is beyond i."""
    if k == 0:
        return stack(), 0
    if k == 1:
        return stack(x[None, :]), 0
    n = len(x)
    i, j = np.indices((n + 1, k + 1))
    exists = (j >= 1) & (j <= i)
    s = np.where(exists, fresh - 1 + np.cumsum(exists).reshape(exists.shape), FALSE)
    s[:, 0] = TRUE
    now, before = s[1:, 1:][exists[1:, 1:]], s[:-1, 1:][exists[1:, 1:]]
    less = s[:-1, :-1][exists[1:, 1:]]
    added = np.broadcast_to(x[:, None], (n, k))[exists[1:, 1:]]
    counted = clean(stack(columns(-now, before, added), columns(-now, less)))
    return np.concatenate([counted, stack(columns(s[-1:, -1]))]), int(np.count_nonzero(exists))


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
