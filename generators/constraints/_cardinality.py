"""Bounds on the number of true literals of a group, in an encoding of generators/encodings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boardsat.base.errors import InputError
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
    clean,
    distinct,
    join,
    starts_of,
)
from boardsat.generators.clauses.blocks import (
    Block,
    Chunk,
    LinearConstraints,
    Pairs,
    Rows,
    produce_all,
)
from boardsat.generators.clauses.patterns import Pattern
from boardsat.generators.constraints._clauses import (
    GroupKind,
    encoded_kind,
    fill_in,
    frames_by_size,
)
from boardsat.generators.language import nodes
from boardsat.generators.language.compiled import CompiledExpression
from boardsat.generators.language.grounding import ONE_ROW, Grounding
from boardsat.generators.language.integer_terms import Member, is_term, member_of, parted
from boardsat.generators.language.integers import EQUAL
from boardsat.generators.language.literals import Literals, gather_rows
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame, flatten, full

if TYPE_CHECKING:
    from boardsat.generators.constraints._context import ConstraintContext

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

    return bounded(c, "amo", parts, one, one).linear


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
    return Block(c.name, c.location, produce, count_preserving, linear=sums)


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


VALUE_BYTES = 128
"""What a value of an integer takes until its group is made."""


@dataclass(frozen=True)
class ListedIntegers:
    """`V[i] + i for ...`, or one alone: integers of every row."""

    grounding: Grounding
    member: Member
    more: CompiledExpression

    def gather(self, frame: Frame) -> Iterator[_Piece]:
        """Those of all rows of the frame."""
        for inner, rows in self.grounding.inner_rows(frame):
            checkpoint()
            integer, places = self.member.integer, self.member.places(inner)
            sizes = (integer.high - integer.low + 1)[places]
            checkpoint(VALUE_BYTES * int(sizes.sum()))
            owners, values, literals = integer.values_of(places)
            more = full(self.more.run(inner), inner.size)
            yield _Piece(rows, rows[owners], values + more[owners], literals)


class _Piece(NamedTuple):
    """Some integers of some rows."""

    members: Ints
    """The row of every integer."""
    rows: Ints
    """For every value that one of them can have: its row, the value, and the literal."""
    values: Ints
    literals: Tokens


def integers_of(c: ConstraintContext, source: ExpressionText) -> ListedIntegers:
    node, literals = parse_expression(source), c.literals(source)
    grounding = ONE_ROW
    if isinstance(node, nodes.Comprehension):
        grounding, literals = literals.within(node.bindings, node.condition)
        node = node.item
    compiler = literals.compiler
    if not is_term(c.scope, node):
        raise compiler.error("an integer is needed", "write `V[i] for i in ...`", node)
    index, more = parted(compiler, node)
    member = member_of(compiler, index)
    member.integer.requested.add(EQUAL)
    return ListedIntegers(grounding, member, compiler.number(more))


@dataclass(frozen=True)
class _Values:
    """For every row and every value the literals that an integer has it, of which one may hold."""

    groups: LinearConstraints
    taken: Tokens
    """Clauses of rows that have as many values as integers: each of the values is there."""
    crowded: Bools
    """Which rows have more integers than values."""


def all_different(c: ConstraintContext, parts: Sequence[ListedIntegers]) -> Block:
    method = c.encoding("amo")
    encoding = GroupEncoding("amo", method, bool(c.texts("encoding")))

    def values() -> Iterator[_Values]:
        for frame in frames_by_size(c.grounding, parts):
            found = _by_value([p for part in parts for p in part.gather(frame)], frame)
            if found.crowded.any() and not c.may_be_empty:
                raise _too_many(found, frame, c.location)
            yield found

    def produce(first: int) -> Iterator[Chunk]:
        for found in values():
            for chunk in encoding.chunks(found.groups, first):
                first += chunk.num_auxiliary
                yield chunk
            yield Rows(found.taken)

    count_preserving = encodings.load("amo", method).COUNT_PRESERVING
    return Block(
        c.name,
        c.location,
        produce,
        count_preserving,
        linear=lambda: (each.groups for each in values()),
    )


def _by_value(pieces: Sequence[_Piece], frame: Frame) -> _Values:
    none = np.zeros(0, np.int64)
    empty = _Piece(none, none, none, none.astype(np.int32))
    columns = zip(*[empty, *pieces], strict=True)
    members, rows, values, literals = map(np.concatenate, columns)
    order = np.lexsort((values, rows))
    rows, values, literals = rows[order], values[order], literals[order]
    new = np.ones(len(rows), np.bool_)
    new[1:] = (np.diff(rows) != 0) | (np.diff(values) != 0)
    group = np.cumsum(new) - 1
    sizes = np.bincount(group)
    owners = rows[new]
    integers = np.bincount(members, minlength=frame.size)
    different = np.bincount(owners, minlength=frame.size)
    # An integer of one value has it.
    true = np.bincount(group[literals == TRUE], minlength=len(sizes))
    open_ = literals != TRUE
    left = np.bincount(group[open_], minlength=len(sizes))
    high = np.minimum(1 - true, left)
    groups = LinearConstraints(
        literals[open_], starts_of(left), np.zeros(len(left), np.int64), high
    )
    everyone = (integers == different)[owners]
    inside = everyone[group]
    taken = join([(literals[inside], sizes[everyone])], int(everyone.sum()))
    return _Values(groups, clean(taken), integers > different)


def _too_many(found: _Values, frame: Frame, place: str) -> InputError:
    row = int(np.argmax(found.crowded))
    return InputError(
        f"more integers than values, which cannot all be different{frame.describe(row)}",
        "allow more `values`, or write `empty: unsatisfiable` if that is intended",
        place,
    )
