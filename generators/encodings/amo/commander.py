"""Commander (Klieber and Kwon 2007): groups of three, each with a commander that is their `or`.

About 3.5n clauses and n/2 auxiliary variables, each determined by x.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, columns, stack
from boardsat.generators.encodings.amo import pairwise

COUNT_PRESERVING = True

GROUP = 3


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    if len(x) <= GROUP + 1:
        return pairwise.clauses(x, fresh)
    groups = -(-len(x) // GROUP)
    commander = fresh + np.arange(groups)
    k = np.arange(len(x))
    full = (len(x) // GROUP) * GROUP
    table, last_group = x[:full].reshape(-1, GROUP), x[full:]
    first, second = np.triu_indices(GROUP, 1)
    pieces = [
        stack(columns(-table[:, first], -table[:, second])),
        pairwise.clauses(last_group, fresh)[0],
        stack(columns(-x, commander[k // GROUP])),
        stack(np.column_stack([-commander[: len(table)], table])),
    ]
    if len(last_group):
        pieces.append(stack(np.concatenate([-commander[-1:], last_group]).reshape(1, -1)))
    upper_levels, used = clauses(commander, fresh + groups)
    return np.concatenate([*pieces, upper_levels]), groups + used
