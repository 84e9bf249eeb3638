"""Bounds on the number of true literals of a group, in an encoding of generators/encodings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boardsat.generators import encodings
from boardsat.generators.arrays import FALSE, TRUE, Bools, Ints, Tokens
from boardsat.generators.clauses.blocks import Block
from boardsat.generators.clauses.chunks import Chunk, Pairs, Rows
from boardsat.generators.clauses.patterns import Pattern
from boardsat.generators.counts import counted
from boardsat.generators.errors import InputError
from boardsat.generators.families._clauses import frames_by_size
from boardsat.generators.language.literals import Part, gather
from boardsat.generators.language.values import Frame, flatten, full
from boardsat.generators.limits import CALL, STEP, WorkBudget
from boardsat.generators.ragged import clause_starts, distinct, in_order, join, starts_of

if TYPE_CHECKING:
    from boardsat.generators.families._context import Context

TOKENS = 2**21
"""Clauses of this many tokens are made at a time, unless a single group has more (8 MB)."""

GROUPING = 240
"""The operations of finding the size and the bounds of a group."""

KIND = 64 * STEP
"""The work for every kind of group, however few there are of it."""

NEVER_WRITTEN_OUT = 24
"""Groups of this size on average stay pairs of a group until they are text."""


@dataclass(frozen=True)
class Groups:
    """The literals of every group side by side, and how many of them may hold."""

    literals: Tokens
    starts: Ints
    low: Ints
    high: Ints

    def part(self, begin: int, end: int) -> Groups:
        """Some of the groups."""
        starts = self.starts[begin : end + 1]
        literals = self.literals[starts[0] : starts[-1]]
        return Groups(literals, starts - starts[0], self.low[begin:end], self.high[begin:end])


@dataclass(frozen=True)
class _Encoding:
    kind: str
    method: str
    budget: WorkBudget

    def pattern(self, size: int, low: int, high: int) -> Pattern:
        self.budget.spend(KIND)
        if low > size or high < low:
            return Pattern(size, 0, np.zeros(1, np.int32))
        if low == 0 and high == size:
            return Pattern(size, 0, np.zeros(0, np.int32))
        if self.kind == "amo" and (low, high) != (0, 1):
            # A literal known to be true has used up the one: the others are false.
            return encodings.pattern("card", "binomial", size, low, high, self.budget)
        return encodings.pattern(self.kind, self.method, size, low, high, self.budget)


Bound = Callable[[Frame], Ints]


def at_most_one(c: Context, parts: Sequence[Part]) -> Block:
    return bounded(c, "amo", parts, None, lambda frame: full(1, frame.size))


def bounded(
    c: Context, kind: str, parts: Sequence[Part], low: Bound | None, high: Bound | None
) -> Block:
    """Between a lower and an upper bound, each a number a row or None."""
    method = c.encoding(kind)

    def produce(first: int) -> Iterator[Chunk]:
        for frame in frames_by_size(c.grounding, parts, c.budget):
            c.budget.spend((frame.size + 8 * CALL) * GROUPING)
            tokens = join([gather(part, frame, c.budget) for part in parts], frame.size)
            groups = _groups(tokens, frame, low, high)
            _refuse_impossible(groups, frame, c.place, c.may_be_empty)
            pairs = _pairs(groups) if (kind, method) == ("amo", "pairwise") else None
            encoding = _Encoding(kind, method, c.budget)
            for chunk in [pairs] if pairs else _instantiate(groups, encoding, first):
                first += chunk.fresh
                yield chunk

    return Block(c.name, c.place, produce, encodings.module(kind, method).KEEPS_COUNTS)


def _groups(tokens: Tokens, frame: Frame, least: Bound | None, most: Bound | None) -> Groups:
    """Known literals leave their group: a false one silently, a true one lowers the bounds."""
    starts = clause_starts(tokens)
    owner = np.repeat(np.arange(frame.size), np.diff(starts))
    true = np.bincount(owner[tokens == TRUE], minlength=frame.size)
    literals = (tokens != 0) & (tokens != TRUE) & (tokens != FALSE)
    sizes = np.bincount(owner[literals], minlength=frame.size)
    low = least(frame) - true if least else np.zeros(frame.size, np.int64)
    high = most(frame) - true if most else sizes
    return Groups(tokens[literals], starts_of(sizes), np.maximum(low, 0), np.minimum(high, sizes))


def _refuse_impossible(groups: Groups, frame: Frame, place: str, meant: bool) -> None:
    impossible = _impossible(groups)
    if impossible.any() and not meant:
        row = int(np.argmax(impossible))
        size = int(np.diff(groups.starts)[row])
        raise InputError(
            f"a bound that {counted(size, 'literal')} cannot meet{frame.describe(row)}",
            "exclude the row with `if`, or write `empty: unsatisfiable` if that is intended",
            place,
        )


def _impossible(groups: Groups) -> Bools:
    impossible: Bools = (groups.low > np.diff(groups.starts)) | (groups.high < groups.low)
    return impossible


def _pairs(groups: Groups) -> Pairs | None:
    """Large groups under plain pairwise encoding, for which there is a shorter way to text."""
    plain = len(groups.literals) >= NEVER_WRITTEN_OUT * len(groups.high) and bool(
        np.all((groups.low == 0) & (groups.high == np.minimum(1, np.diff(groups.starts))))
    )
    return Pairs(-groups.literals, groups.starts) if plain else None


def _instantiate(groups: Groups, encoding: _Encoding, first: int) -> Iterator[Rows]:
    """One pattern for each kind of group, filled in for all groups of that kind at once."""
    sizes = np.diff(groups.starts)
    # An upper bound is below 0 where more is known to hold.
    least = int(groups.high.min(initial=0))
    flat, shape = flatten([sizes, groups.low, groups.high - least], "")
    keys = distinct(flat)
    which = np.searchsorted(keys, flat)
    patterns: list[Pattern] = []
    tokens = 0
    for key, members in zip(keys.tolist(), np.bincount(which).tolist(), strict=True):
        size, low, high = map(int, np.unravel_index(key, shape))
        patterns.append(encoding.pattern(size, low, high + least))
        tokens += members * len(patterns[-1].tokens)
        if tokens > TOKENS and len(sizes) > 1:
            # The literals fit a chunk, but their clauses do not: half of the groups at a time.
            middle = len(sizes) // 2
            for half in (groups.part(0, middle), groups.part(middle, len(sizes))):
                for rows in _instantiate(half, encoding, first):
                    first += rows.fresh
                    yield rows
            return
    yield _filled_in(groups, patterns, which, first)


def _filled_in(groups: Groups, patterns: list[Pattern], which: Ints, first: int) -> Rows:
    fresh = np.array([pattern.auxiliaries for pattern in patterns], np.int64)[which]
    bases = first + starts_of(fresh)
    pieces, owners = [], []
    for number, pattern in enumerate(patterns):
        members = np.flatnonzero(which == number)
        places = groups.starts[members][:, None] + np.arange(pattern.inputs)
        pieces.append(pattern.instantiate(groups.literals[places], bases[members]))
        clauses = int(np.count_nonzero(pattern.tokens == 0))
        owners.append(np.repeat(members, clauses))
    return Rows(in_order(pieces, owners), int(fresh.sum()))
