"""Clauses about a permutation of variables: that it gives no smaller solution, or the same one.

Solutions are compared as words, false before true. If no symmetry of a group gives a smaller one,
the solution is the first of its class (a lex-leader); so exactly one of every class is left.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.clauses.chunks import Rows
from boardsat.generators.clauses.patterns import columns, stack


def no_smaller(decided: Ints, permutation: Tokens, first: int) -> Rows:
    """That the variables, in this order, are at most what they become.

    With a fresh variable after each: that both are the same so far. It is defined by an
    equivalence, so that counts stay.
    """
    x, y = _compared(decided, permutation)
    same = first + np.arange(max(len(x) - 1, 0))
    pieces = [stack(columns(-x[:1], y[:1])), stack(columns(-same, -x[1:], y[1:]))]
    before, after = same[:-1], same[1:]
    if len(same):
        begin = same[:1]
        pieces.append(stack(columns(-begin, x[:1], -y[:1])))
        pieces.append(stack(columns(begin, -x[:1]), columns(begin, y[:1])))
    here, there = x[1:-1], y[1:-1]
    pieces.append(stack(columns(-after, before), columns(-after, here, -there)))
    pieces.append(stack(columns(after, -before, -here), columns(after, -before, there)))
    return Rows(np.concatenate(pieces), len(same))


def unchanged(decided: Ints, permutation: Tokens) -> Rows:
    """That every variable is what it becomes: around a cycle each implies the next."""
    moved = decided[permutation[decided] != decided]
    return Rows(stack(columns(-moved, permutation[moved])))


def _compared(decided: Ints, permutation: Tokens) -> tuple[Ints, Ints]:
    """What is compared with what; the last of a cycle is the same where all others are."""
    place = np.zeros(int(decided.max(initial=0)) + 1, np.int64)
    place[decided] = np.arange(len(decided))
    following = place[permutation[decided]]
    last = np.arange(len(decided))
    while not np.array_equal(last, last[following]):
        last = np.maximum(last, last[following])
    kept = np.flatnonzero(last != np.arange(len(decided)))
    return decided[kept], decided[following[kept]]
