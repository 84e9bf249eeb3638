"""Bounds on the number of true literals of a group, in an encoding of generators/encodings."""

from __future__ import annotations

from collections import Counter
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
from boardsat.generators.language.grounding import pieces_by_weight
from boardsat.generators.language.literals import Part, gather
from boardsat.generators.language.values import Frame, flatten, full
from boardsat.generators.limits import CALL, STEP, WorkBudget
from boardsat.generators.ragged import clause_starts, distinct, join, put_rows, starts_of

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

    def part(self, piece: slice) -> Groups:
        """Some of the groups."""
        starts = self.starts[piece.start : piece.stop + 1]
        literals = self.literals[starts[0] : starts[-1]]
        return Groups(literals, starts - starts[0], self.low[piece], self.high[piece])


@dataclass(frozen=True)
class _Kind:
    """Groups of so many literals with the same bounds."""

    size: int
    low: int
    high: int
    chosen: str = ""
    """The encoding that their size has chosen; empty where the user has, or none is needed."""
    tokens: int = 1
    """About how many the clauses of one of them have."""


@dataclass(frozen=True)
class _Encoding:
    kind: str
    method: str
    named: bool
    """Whether the constraint itself names it, and not the user."""
    budget: WorkBudget

    def kind_of(self, size: int, low: int, high: int) -> _Kind:
        self.budget.spend(KIND)
        if _is_known(size, low, high):
            return _Kind(size, low, high)
        kind, method = self._name(low, high)
        taken = encodings.choose(kind, method, size, low, high)
        tokens = encodings.tokens(kind, taken, size, low, high)
        self._advise(encodings.smallest(kind, size, low, high), taken)
        return _Kind(size, low, high, "" if taken == method else taken, tokens)

    def _advise(self, best: str, taken: str) -> None:
        """Tell how to have a smaller encoding, should the wished one be refused."""
        if best not in ("", taken):
            self.budget.advise(f"`encoding: {best}`" if self.named else f"--set {self.kind}={best}")

    def pattern(self, of: _Kind) -> Pattern:
        if _is_known(of.size, of.low, of.high):
            satisfied = of.low == 0 and of.high == of.size
            return Pattern(of.size, 0, np.zeros(0 if satisfied else 1, np.int32))
        kind, method = self._name(of.low, of.high)
        method = of.chosen or method
        return encodings.pattern(kind, method, of.size, of.low, of.high, self.budget)

    def _name(self, low: int, high: int) -> tuple[str, str]:
        if self.kind == "amo" and (low, high) != (0, 1):
            # A literal known to be true has used up the one: the others are false.
            return "card", "binomial"
        return self.kind, self.method


def _is_known(size: int, low: int, high: int) -> bool:
    """Nothing satisfies such a bound, or everything does."""
    return low > size or high < low or (low == 0 and high == size)


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
            encoding = _Encoding(kind, method, bool(c.texts("encoding")), c.budget)
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
    kinds = [
        encoding.kind_of(int(size), int(low), int(high) + least)
        for size, low, high in zip(*np.unravel_index(keys, shape), strict=True)
    ]
    # The literals fit a chunk, but their clauses may not.
    weights = np.array([min(kind.tokens, TOKENS) for kind in kinds], np.int64)[which]
    for piece in pieces_by_weight(weights, TOKENS):
        rows = _filled_in(groups.part(piece), kinds, which[piece], encoding, first)
        first += rows.fresh
        yield rows


def _filled_in(
    groups: Groups, kinds: list[_Kind], which: Ints, encoding: _Encoding, first: int
) -> Rows:
    present = distinct(which)
    patterns = [encoding.pattern(kinds[number]) for number in present.tolist()]
    which = np.searchsorted(present, which)
    fresh = np.array([pattern.auxiliaries for pattern in patterns], np.int64)[which]
    lengths = np.array([len(pattern.tokens) for pattern in patterns], np.int64)[which]
    bases, begins = first + starts_of(fresh), starts_of(lengths)
    tokens = np.empty(begins[-1], np.int32)
    chosen: Counter[str] = Counter()
    for number, pattern in enumerate(patterns):
        members = np.flatnonzero(which == number)
        places = groups.starts[members][:, None] + np.arange(pattern.inputs)
        made = pattern.instantiate(groups.literals[places], bases[members])
        put_rows(tokens, begins[members], made.reshape(len(members), -1))
        chosen[kinds[present[number]].chosen] += len(members)
    del chosen[""]
    return Rows(tokens, int(fresh.sum()), chosen)
