"""Bounds on the number of true literals of a group, in an encoding of generators/encodings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators import encodings
from boardsat.generators.arrays import (
    FALSE,
    TRUE,
    Bools,
    Ints,
    Tokens,
    clause_starts,
    distinct,
    starts_of,
)
from boardsat.generators.clauses.blocks import Block, Chunk, Pairs, produce_all
from boardsat.generators.clauses.linear_constraints import LinearConstraints
from boardsat.generators.clauses.patterns import Pattern
from boardsat.generators.constraints._clauses import frames_by_size
from boardsat.generators.constraints._group_kinds import GroupKind, encoded_kind, fill_in
from boardsat.generators.language.literals import Literals, gather_rows
from boardsat.generators.language.values import Frame, flatten, full

if TYPE_CHECKING:
    from boardsat.generators.constraints._context import ConstraintContext

NEVER_WRITTEN_OUT = 24
"""Minimum average size of groups whose pairs are rendered without being stored."""


class GroupEncoding(NamedTuple):
    """Encoding of the groups of a cardinality constraint."""

    kind: str
    method: str
    named: bool
    """True if the constraint names the encoding itself."""

    def chunks(self, groups: LinearConstraints, first: int) -> Iterator[Chunk]:
        """Yield the clauses of all groups."""
        if (self.kind, self.method) == ("amo", "pairwise") and (pairs := _pairs(groups)):
            yield pairs
        else:
            yield from fill_in(groups.literals, groups.starts, *self._kinds(groups), first)

    def _kinds(self, sums: LinearConstraints) -> tuple[list[GroupKind], Ints]:
        """Return the kinds of groups, by size and bounds, and the index of each group's kind."""
        # An upper bound is below 0 where more is known to hold.
        least = int(sums.high.min(initial=0))
        flat, shape = flatten([sums.sizes, sums.low, sums.high - least], "")
        keys = distinct(flat)
        kinds = [
            self.kind_of(int(size), int(low), int(high) + least)
            for size, low, high in zip(*np.unravel_index(keys, shape), strict=True)
        ]
        return kinds, np.searchsorted(keys, flat)

    def kind_of(self, size: int, low: int, high: int) -> GroupKind:
        checkpoint()
        if _is_known(size, low, high):
            satisfied = low == 0 and high == size
            known = Pattern(size, 0, np.zeros(0 if satisfied else 1, np.int32))
            return GroupKind(lambda: known)
        kind, method = self.kind, self.method
        if kind == "amo" and (low, high) != (0, 1):
            # A constant literal is the true one: the others are false.
            kind, method = "card", "binomial"
        return encoded_kind(kind, method, size, (low, high), self.named)


def _is_known(size: int, low: int, high: int) -> bool:
    """Return True if no assignment satisfies the bounds, or every assignment does."""
    return low > size or high < low or (low == 0 and high == size)


Bound = Callable[[Frame], Ints]


def at_most_one(c: ConstraintContext, parts: Sequence[Literals]) -> Block:
    return bounded(c, "amo", parts, None, lambda frame: full(1, frame.size))


def just_one(
    c: ConstraintContext, parts: Sequence[Literals]
) -> Callable[[], Iterator[LinearConstraints]] | None:
    """Return `exactly_one` as linear constraints, one for each row."""

    def one(frame: Frame) -> Ints:
        return full(1, frame.size)

    return bounded(c, "amo", parts, one, one).sums


def bounded(
    c: ConstraintContext,
    kind: str,
    parts: Sequence[Literals],
    low: Bound | None,
    high: Bound | None,
) -> Block:
    """Return the block of a cardinality constraint; a bound is a number for each row or None."""
    method = c.encoding(kind)

    def sums() -> Iterator[LinearConstraints]:
        for frame in frames_by_size(c.grounding, parts):
            checkpoint()
            groups = _groups(gather_rows(parts, frame), frame, low, high)
            c.check_satisfiable(_impossible(groups), frame, partial(_bound_fault, groups))
            yield groups

    encoding = GroupEncoding(kind, method, bool(c.texts("encoding")))

    def produce(first: int) -> Iterator[Chunk]:
        return produce_all((partial(encoding.chunks, groups) for groups in sums()), first)

    count_preserving = encodings.load(kind, method).COUNT_PRESERVING
    return Block(c.name, c.place, produce, count_preserving, sums=sums)


def _groups(
    tokens: Tokens, frame: Frame, least: Bound | None, most: Bound | None
) -> LinearConstraints:
    """Return groups without constant literals; each true literal lowers the bounds by 1."""
    starts = clause_starts(tokens)
    owner = np.repeat(np.arange(frame.size), np.diff(starts))
    true = np.bincount(owner[tokens == TRUE], minlength=frame.size)
    literals = (tokens != 0) & (tokens != TRUE) & (tokens != FALSE)
    sizes = np.bincount(owner[literals], minlength=frame.size)
    low = least(frame) - true if least else np.zeros(frame.size, np.int64)
    high = most(frame) - true if most else sizes
    return LinearConstraints(
        tokens[literals], starts_of(sizes), np.maximum(low, 0), np.minimum(high, sizes)
    )


def _bound_fault(groups: LinearConstraints, row: int) -> str:
    return f"a bound that {pluralize(int(groups.sizes[row]), 'literal')} cannot meet"


def _impossible(groups: LinearConstraints) -> Bools:
    impossible: Bools = (groups.low > groups.sizes) | (groups.high < groups.low)
    return impossible


def _pairs(groups: LinearConstraints) -> Pairs | None:
    """Return large at-most-one groups as pairs; None for small groups and other bounds."""
    plain = len(groups.literals) >= NEVER_WRITTEN_OUT * len(groups.high) and bool(
        np.all((groups.low == 0) & (groups.high == np.minimum(1, groups.sizes)))
    )
    return Pairs(-groups.literals, groups.starts) if plain else None
