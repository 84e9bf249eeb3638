"""Cardinality constraints on groups of literals, and all-different constraints on integers.

An all-different constraint is an at-most-one constraint for each value. The clauses are those of an
encoding in generators/encodings/amo or generators/encodings/card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators import encodings
from boardsat.generators.arrays import (
    FALSE,
    TRUE,
    Bools,
    Ints,
    Pattern,
    Tokens,
    clause_starts,
    clean,
    distinct,
    join,
    starts_of,
)
from boardsat.generators.blocks import (
    Block,
    Chunk,
    LinearConstraints,
    Pairs,
    Rows,
    chain,
    produce_all,
)
from boardsat.generators.constraints._clauses import (
    GroupKind,
    clauses_of,
    encoded_kind,
    frames_by_size,
    instantiate_groups,
)
from boardsat.generators.language import nodes
from boardsat.generators.language.compiled_expressions import CompiledExpression
from boardsat.generators.language.grounding import ONE_ROW, Grounding
from boardsat.generators.language.layout import EQUAL
from boardsat.generators.language.literals import (
    Literals,
    Member,
    compile_member,
    gather_rows,
    is_term,
    split_term,
)
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame, flatten, full

if TYPE_CHECKING:
    from boardsat.generators.constraints._context import ConstraintContext

MIN_PAIRS_GROUP_SIZE = 24
"""Minimum average size of groups whose pairs are rendered without being stored."""

INTEGER_VALUE_BYTES = 128
"""Memory of each value of an integer until its group is encoded."""


class GroupEncoding(NamedTuple):
    """Encoding of the groups of a cardinality constraint."""

    kind: str
    method: str
    is_named: bool
    """True if the constraint itself names the encoding."""

    def chunks(self, groups: LinearConstraints, first: int) -> Iterator[Chunk]:
        """Yield the clauses of all groups, with auxiliary variables from `first` on."""
        if (self.kind, self.method) == ("amo", "pairwise") and (pairs := _as_pairs(groups)):
            yield pairs
        else:
            kinds, kind_of_group = self._kinds(groups)
            yield from instantiate_groups(
                groups.literals, groups.starts, kinds, kind_of_group, first
            )

    def _kinds(self, groups: LinearConstraints) -> tuple[list[GroupKind], Ints]:
        """Return the kinds of groups, by size and bounds, and the index of each group's kind."""
        # An upper bound is negative if more literals than it allows are constantly true.
        min_high = int(groups.high.min(initial=0))
        keys, shape = flatten([groups.sizes, groups.low, groups.high - min_high], "")
        distinct_keys = distinct(keys)
        kinds = [
            self._kind(int(size), int(low), int(high) + min_high)
            for size, low, high in zip(*np.unravel_index(distinct_keys, shape), strict=True)
        ]
        return kinds, np.searchsorted(distinct_keys, keys)

    def _kind(self, size: int, low: int, high: int) -> GroupKind:
        checkpoint()
        is_valid = low == 0 and high == size
        if is_valid or low > size or high < low:
            constant = Pattern(size, 0, np.zeros(0 if is_valid else 1, np.int32))
            return GroupKind(lambda: constant)
        kind, method = self.kind, self.method
        if kind == "amo" and (low, high) != (0, 1):
            # A literal of the group is constantly true, so the others are false.
            kind, method = "card", "binomial"
        return encoded_kind(kind, method, size, (low, high), self.is_named)


Bound = Callable[[Frame], Ints]
"""Function that computes a bound for every row of a frame."""


def _one(frame: Frame) -> Ints:
    return full(1, frame.size)


def at_most_one(c: ConstraintContext, lists: Sequence[Literals]) -> Block:
    """Return the block of an at-most-one constraint."""
    return bounded(c, "amo", lists, None, _one)


def exactly_one(c: ConstraintContext, lists: Sequence[Literals]) -> Block:
    """Return the block of an exactly-one constraint: at least one, as a clause, and at most one."""
    blocks = chain([clauses_of(c, lists), at_most_one(c, lists)])
    linear = bounded(c, "amo", lists, _one, _one).linear
    # The true literal determines every auxiliary variable of every at-most-one encoding.
    return blocks._replace(count_preserving=True, linear=linear)


def bounded(
    c: ConstraintContext,
    kind: str,
    lists: Sequence[Literals],
    low: Bound | None,
    high: Bound | None,
) -> Block:
    """Return the block of a cardinality constraint.

    Parameters
    ----------
    c : ConstraintContext
        The constraint.
    kind : str
        Kind of encoding: `amo` or `card`.
    lists : sequence of Literals
        Literals of the groups.
    low, high : callable or None
        Bounds on the number of true literals; None if unbounded.
    """
    method = c.encoding(kind)

    def linear() -> Iterator[LinearConstraints]:
        for frame in frames_by_size(c.grounding, lists):
            checkpoint()
            groups = _groups(gather_rows(lists, frame), frame, low, high)
            is_impossible = (groups.low > groups.sizes) | (groups.high < groups.low)
            c.check_satisfiable(is_impossible, frame, partial(_bound_fault, groups))
            yield groups

    encoding = GroupEncoding(kind, method, bool(c.texts("encoding")))

    def produce(first: int) -> Iterator[Chunk]:
        return produce_all((partial(encoding.chunks, groups) for groups in linear()), first)

    count_preserving = encodings.load(kind, method).COUNT_PRESERVING
    return Block(c.name, c.location, produce, count_preserving, linear=linear)


def _groups(
    tokens: Tokens, frame: Frame, low: Bound | None, high: Bound | None
) -> LinearConstraints:
    """Return groups without constant literals; each true literal lowers the bounds by 1."""
    row = np.repeat(np.arange(frame.size), np.diff(clause_starts(tokens)))
    num_true = np.bincount(row[tokens == TRUE], minlength=frame.size)
    is_literal = (tokens != 0) & (tokens != TRUE) & (tokens != FALSE)
    sizes = np.bincount(row[is_literal], minlength=frame.size)
    lows = low(frame) - num_true if low else np.zeros(frame.size, np.int64)
    highs = high(frame) - num_true if high else sizes
    return LinearConstraints(
        tokens[is_literal], starts_of(sizes), np.maximum(lows, 0), np.minimum(highs, sizes)
    )


def _bound_fault(groups: LinearConstraints, row: int) -> str:
    return f"{pluralize(int(groups.sizes[row]), 'literal')} cannot meet the bound"


def _as_pairs(groups: LinearConstraints) -> Pairs | None:
    """Return at-most-one groups as pairs; None if groups are small or have other bounds."""
    is_large = len(groups.literals) >= MIN_PAIRS_GROUP_SIZE * len(groups.high)
    if is_large and np.all((groups.low == 0) & (groups.high == np.minimum(1, groups.sizes))):
        return Pairs(-groups.literals, groups.starts)
    return None


# All-different constraints.


@dataclass(frozen=True)
class IntegerList:
    """List of integers in every row: `V[i] + i for ...`, or a single one."""

    grounding: Grounding
    member: Member
    offset: CompiledExpression
    """Number that is added to each integer."""

    def gather(self, frame: Frame) -> Iterator[_IntegerValues]:
        """Yield the values of the integers of all rows, in pieces."""
        for inner, rows in self.grounding.inner_rows(frame):
            checkpoint()
            integer, members = self.member.integer, self.member.numbers(inner)
            sizes = (integer.high - integer.low + 1)[members]
            checkpoint(INTEGER_VALUE_BYTES * int(sizes.sum()))
            indices, values, literals = integer.value_literals(members)
            offsets = full(self.offset.run(inner), inner.size)
            yield _IntegerValues(rows, rows[indices], values + offsets[indices], literals)


class _IntegerValues(NamedTuple):
    """Values that integers can have."""

    integer_rows: Ints
    """Row of each integer."""
    rows: Ints
    """Row of each value of an integer."""
    values: Ints
    literals: Tokens
    """Literal of "the integer has the value" for each value."""


def integer_list(c: ConstraintContext, source: ExpressionText) -> IntegerList:
    """Return the integers in a text; raise InputError if it contains something else."""
    node, literals = parse_expression(source), c.literals(source)
    grounding = ONE_ROW
    if isinstance(node, nodes.Comprehension):
        grounding, literals = literals.inner(node.bindings, node.condition)
        node = node.item
    compiler = literals.compiler
    if not is_term(c.scope, node):
        raise compiler.error("`all_different` needs integers", "write `V[i] for i in ...`", node)
    index, offset = split_term(compiler, node)
    member = compile_member(compiler, index)
    member.integer.requested.add(EQUAL)
    return IntegerList(grounding, member, compiler.number(offset))


@dataclass(frozen=True)
class _ValueGroups:
    """At-most-one groups: for each row and value, the literals of the integers that can have it."""

    groups: LinearConstraints
    covering: Tokens
    """Clauses of "each value is that of some integer", in rows with as many values as integers."""
    has_too_few_values: Bools
    """True for each row with more integers than values."""


def all_different(c: ConstraintContext, lists: Sequence[IntegerList]) -> Block:
    """Return the block of an all-different constraint on the integers of each row."""
    method = c.encoding("amo")
    encoding = GroupEncoding("amo", method, bool(c.texts("encoding")))

    def value_groups() -> Iterator[_ValueGroups]:
        for frame in frames_by_size(c.grounding, lists):
            pieces = [piece for integers in lists for piece in integers.gather(frame)]
            groups = _group_by_value(pieces, frame)
            if groups.has_too_few_values.any() and not c.may_be_empty:
                row = int(np.argmax(groups.has_too_few_values))
                raise InputError(
                    f"`all_different` must not have more integers than values{frame.describe(row)}",
                    "allow more `values`, or write `empty: unsatisfiable` if that is intended",
                    c.location,
                )
            yield groups

    def produce(first: int) -> Iterator[Chunk]:
        for groups in value_groups():
            for chunk in encoding.chunks(groups.groups, first):
                first += chunk.num_auxiliary
                yield chunk
            yield Rows(groups.covering)

    def linear() -> Iterator[LinearConstraints]:
        return (groups.groups for groups in value_groups())

    count_preserving = encodings.load("amo", method).COUNT_PRESERVING
    return Block(c.name, c.location, produce, count_preserving, linear=linear)


def _group_by_value(pieces: Sequence[_IntegerValues], frame: Frame) -> _ValueGroups:
    """Return the groups of each row, in the order of the values."""
    no_rows = np.zeros(0, np.int64)
    empty = _IntegerValues(no_rows, no_rows, no_rows, no_rows.astype(np.int32))
    columns = zip(*[empty, *pieces], strict=True)
    integer_rows, rows, values, literals = map(np.concatenate, columns)
    order = np.lexsort((values, rows))
    rows, values, literals = rows[order], values[order], literals[order]
    is_new_group = np.ones(len(rows), np.bool_)
    is_new_group[1:] = (np.diff(rows) != 0) | (np.diff(values) != 0)
    group = np.cumsum(is_new_group) - 1
    group_rows, group_sizes = rows[is_new_group], np.bincount(group)
    num_integers = np.bincount(integer_rows, minlength=frame.size)
    num_values = np.bincount(group_rows, minlength=frame.size)
    # The literal of an integer with a single value is TRUE.
    num_true = np.bincount(group[literals == TRUE], minlength=len(group_sizes))
    is_literal = literals != TRUE
    sizes = np.bincount(group[is_literal], minlength=len(group_sizes))
    groups = LinearConstraints(
        literals[is_literal],
        starts_of(sizes),
        np.zeros(len(sizes), np.int64),
        np.minimum(1 - num_true, sizes),
    )
    is_covered = (num_integers == num_values)[group_rows]
    covering = join([(literals[is_covered[group]], group_sizes[is_covered])], int(is_covered.sum()))
    return _ValueGroups(groups, clean(covering), num_integers > num_values)
