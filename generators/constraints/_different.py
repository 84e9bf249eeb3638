"""Integers that all have different values: at most one of them has each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators import encodings
from boardsat.generators.arrays import TRUE, Bools, Ints, Tokens, clean, join, starts_of
from boardsat.generators.clauses.blocks import Block, Chunk, Rows
from boardsat.generators.clauses.linear_constraints import LinearConstraints
from boardsat.generators.constraints._bounds import GroupEncoding
from boardsat.generators.constraints._clauses import frames_by_size
from boardsat.generators.language import nodes
from boardsat.generators.language.compiled import CompiledExpression
from boardsat.generators.language.grounding import ONE_ROW, Grounding
from boardsat.generators.language.integer_terms import Member, is_term, member_of, parted
from boardsat.generators.language.integers import EQUAL
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame, full

if TYPE_CHECKING:
    from boardsat.generators.constraints._context import ConstraintContext

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
                raise _too_many(found, frame, c.place)
            yield found

    def produce(first: int) -> Iterator[Chunk]:
        for found in values():
            for chunk in encoding.chunks(found.groups, first):
                first += chunk.num_auxiliary
                yield chunk
            yield Rows(found.taken)

    count_preserving = encodings.load("amo", method).COUNT_PRESERVING
    return Block(
        c.name, c.place, produce, count_preserving, sums=lambda: (each.groups for each in values())
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
