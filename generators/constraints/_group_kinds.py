"""Groups of literals of a few kinds: a pattern for each kind, filled in for all of its groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from boardsat.generators import encodings
from boardsat.generators.arrays import Ints, Tokens, distinct, put_rows, starts_of
from boardsat.generators.clauses.blocks import Rows
from boardsat.generators.clauses.patterns import Pattern
from boardsat.generators.encodings import Group
from boardsat.generators.language.grounding import pieces_by_weight

TOKENS = 2**21
"""Clauses of this many tokens are made at a time, unless a single group has more (8 MB)."""


class GroupKind(NamedTuple):
    """Kind of groups: their clauses differ only in their literals."""

    pattern: Callable[[], Pattern]
    tokens: int = 1
    """Approximate number of tokens of the clauses of one group."""
    encoding: str = ""
    """Encoding that `auto` chose by size; empty if the user chose it or none is needed."""


def encoded_kind(
    kind: str,
    method: str,
    group: Group,
    bounds: tuple[int, int],
    named: bool,
    complete: Callable[[Pattern], Pattern] = lambda pattern: pattern,
    copies: int = 1,
) -> GroupKind:
    """Return the kind of groups of one size, or of the same weights, in an encoding.

    `complete` turns the pattern of the encoding into that of the groups, which has `copies` times
    as many tokens.
    """
    chosen = encodings.choose(kind, method, group, *bounds)
    return GroupKind(
        lambda: complete(encodings.pattern(kind, chosen, group, *bounds, named)),
        copies * encodings.tokens(kind, chosen, group, *bounds),
        "" if chosen == method else chosen,
    )


def fill_in(
    literals: Tokens, starts: Ints, kinds: Sequence[GroupKind], which: Ints, first: int
) -> Iterator[Rows]:
    """Yield the clauses of all groups in order; `which` is the kind of each group."""
    # The literals fit a chunk, but their clauses may not.
    weights = np.array([min(kind.tokens, TOKENS) for kind in kinds], np.int64)[which]
    for piece in pieces_by_weight(weights, TOKENS):
        rows = _filled_in(literals, starts[:-1][piece], kinds, which[piece], first)
        first += rows.num_auxiliary
        yield rows


def _filled_in(
    literals: Tokens, starts: Ints, kinds: Sequence[GroupKind], which: Ints, first: int
) -> Rows:
    present = distinct(which)
    patterns = [kinds[number].pattern() for number in present.tolist()]
    which = np.searchsorted(present, which)
    fresh = np.array([pattern.auxiliaries for pattern in patterns], np.int64)[which]
    lengths = np.array([len(pattern.tokens) for pattern in patterns], np.int64)[which]
    bases, begins = first + starts_of(fresh), starts_of(lengths)
    tokens = np.empty(begins[-1], np.int32)
    encoding_counts: Counter[str] = Counter()
    for number, pattern in enumerate(patterns):
        members = np.flatnonzero(which == number)
        places = starts[members][:, None] + np.arange(pattern.inputs)
        made = pattern.instantiate(literals[places], bases[members])
        put_rows(tokens, begins[members], made.reshape(len(members), -1))
        encoding_counts[kinds[present[number]].encoding] += len(members)
    del encoding_counts[""]
    return Rows(tokens, int(fresh.sum()), encoding_counts)
