"""Parity constraints on groups of literals, encoded by one of generators/encodings/xor.

All are brought into the form "the sum is odd", with guards that disable them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators import encodings
from boardsat.generators.arrays import (
    FALSE,
    TRUE,
    Bools,
    Ints,
    Pattern,
    Tokens,
    clause_starts,
    distinct,
    join,
    starts_of,
    take_rows,
)
from boardsat.generators.blocks import Block, Chunk, Rows, XorLines
from boardsat.generators.constraints._clauses import (
    GroupKind,
    encoded_kind,
    frames_by_size,
    instantiate_groups,
)
from boardsat.generators.language.compiled_expressions import TEXT
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.literals import Literals, gather_rows
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame, flatten

if TYPE_CHECKING:
    from boardsat.generators.constraints._context import ConstraintContext

KIND = "xor"

GUARD_BYTES = 32
"""Memory for each guard of a clause while the clauses of a group are made."""


def parity(c: ConstraintContext, lists: Sequence[Literals], key: str) -> Block:
    """Return the block of a parity constraint on the literals of each row.

    Parameters
    ----------
    c : ConstraintContext
        The constraint. If it has a key `when`, each row must hold only if the literals under that
        key are true: their negations are the guards of the row.
    lists : sequence of Literals
        Literals of the rows.
    key : str
        Key whose value is the parity of each row.
    """
    method, is_odd, when = c.encoding(KIND), _is_odd(c, key), c.literal_lists("when")
    encoding = encodings.load(KIND, method)

    def produce(first: int) -> Iterator[Chunk]:
        for frame in frames_by_size(c.grounding, [*lists, *when]):
            checkpoint()
            tokens = gather_rows(lists, frame)
            checkpoint()
            equations = _equations(tokens, is_odd(frame))
            guards = _guards(when, frame)
            is_empty = (equations.sizes + guards.sizes == 0) & equations.matters & guards.matters
            c.check_satisfiable(is_empty, frame, lambda _: "the sum of no literals cannot be odd")
            chunks: Iterator[Chunk]
            if hasattr(encoding, "LINES"):
                chunks = _xor_lines(equations, guards, first)
            else:
                literals, starts = _join_guards(equations, guards)
                kinds = _kinds(equations, guards, method, c)
                chunks = instantiate_groups(literals, starts, *kinds, first)
            for chunk in chunks:
                first += chunk.num_auxiliary
                yield chunk

    return Block(c.name, c.location, produce, encoding.COUNT_PRESERVING)


@dataclass(frozen=True)
class _RowLiterals:
    """Literals of all rows, concatenated."""

    literals: Tokens
    sizes: Ints
    """Number of literals of each row."""
    matters: Bools
    """False for each row that every assignment satisfies, whatever its literals."""

    def of(self, is_selected: Bools) -> tuple[Tokens, Ints]:
        """Return the literals of the selected rows, and their number in every row."""
        return self.literals[np.repeat(is_selected, self.sizes)], np.where(
            is_selected, self.sizes, 0
        )


def _is_odd(c: ConstraintContext, key: str) -> Callable[[Frame], Bools]:
    """Return a function that computes for each row whether the sum must be odd."""
    source = c.text(key)
    data = Compiler(c.scope, source, c.grounding.bound).data(parse_expression(source))
    if data.kind == TEXT:
        raise source.error(
            f"`{key}` must be a number or a condition, not a text,", "write 0, 1 or a condition"
        )

    def run(frame: Frame) -> Bools:
        checkpoint()
        return np.broadcast_to(np.asarray(data.run(frame)) % 2 == 1, (frame.size,)).copy()

    return run


def _equations(tokens: Tokens, is_odd: Bools) -> _RowLiterals:
    """Return parity constraints that all require an odd sum.

    A true constant flips the parity, as does negating a literal: where the parity is even, the last
    literal of the row is negated.
    """
    num_rows = len(is_odd)
    row = np.repeat(np.arange(num_rows), np.diff(clause_starts(tokens)))
    is_odd ^= np.bincount(row[tokens == TRUE], minlength=num_rows) % 2 == 1
    is_literal = _is_literal(tokens)
    literals, row = _cancel_pairs(tokens[is_literal], row[is_literal], is_odd)
    sizes = np.bincount(row, minlength=num_rows)
    negated = starts_of(sizes)[1:][(sizes > 0) & ~is_odd] - 1
    literals[negated] *= -1
    # An even sum of no literals is always satisfied.
    return _RowLiterals(literals, sizes, (sizes > 0) | is_odd)


def _guards(when: Sequence[Literals], frame: Frame) -> _RowLiterals:
    """Return the negated literals of `when`: one true guard disables the constraint."""
    tokens = gather_rows(when, frame)
    row = np.repeat(np.arange(frame.size), np.diff(clause_starts(tokens)))
    is_literal = _is_literal(tokens)
    sizes = np.bincount(row[is_literal], minlength=frame.size)
    matters = np.bincount(row[tokens == FALSE], minlength=frame.size) == 0
    return _RowLiterals(-tokens[is_literal], sizes, matters)


def _is_literal(tokens: Tokens) -> Bools:
    """Return True for each token that is neither a constant nor the end of a row."""
    is_literal: Bools = (tokens != 0) & (tokens != TRUE) & (tokens != FALSE)
    return is_literal


def _cancel_pairs(literals: Tokens, row: Ints, is_odd: Bools) -> tuple[Tokens, Ints]:
    """Return literals and their rows without pairs of one variable, and update the parities.

    The sum of x and x is even, that of x and not x is odd.
    """
    variable = np.abs(literals).astype(np.int64)
    order = np.lexsort((variable, row))
    is_repeated = np.zeros(len(order), np.bool_)
    is_repeated[1:] = (np.diff(variable[order]) == 0) & (np.diff(row[order]) == 0)
    if not is_repeated.any():
        return literals, row
    starts = np.flatnonzero(~is_repeated)
    multiplicity = np.diff(np.append(starts, len(order)))
    first_occurrence = order[starts]
    num_negative = np.add.reduceat((literals[order] < 0).astype(np.int64), starts)
    remains = multiplicity % 2 == 1
    # A remaining literal keeps the sign of the first occurrence, so that negation is not counted.
    num_negative -= remains & (literals[first_occurrence] < 0)
    np.logical_xor.at(is_odd, row[first_occurrence[num_negative % 2 == 1]], True)
    remaining = np.sort(first_occurrence[remains])
    return literals[remaining], row[remaining]


# Native XOR lines.


def _xor_lines(equations: _RowLiterals, guards: _RowLiterals, first: int) -> Iterator[Chunk]:
    """Yield constraints of two or more literals as XOR lines, the others as clauses.

    If a constraint has guards, an auxiliary variable represents its sum.
    """
    matters = equations.matters & guards.matters
    is_line = matters & (equations.sizes > 1)
    has_auxiliary = is_line & (guards.sizes > 0)
    auxiliary = first + np.arange(np.count_nonzero(has_auxiliary), dtype=np.int32)
    clauses = [equations.of(matters & ~is_line), (auxiliary, has_auxiliary * 1), guards.of(matters)]
    lines = [equations.of(is_line), (-auxiliary, has_auxiliary * 1)]
    yield Rows(_join_rows(clauses, matters & (~is_line | has_auxiliary)))
    if is_line.any():
        yield XorLines(_join_rows(lines, is_line), len(auxiliary))


def _join_rows(lists: list[tuple[Tokens, Ints]], is_selected: Bools) -> Tokens:
    """Return the selected rows of concatenated lists, each ended by 0."""
    tokens = join(lists, len(is_selected))
    return take_rows(tokens, clause_starts(tokens), np.flatnonzero(is_selected))


# Encoding by clauses.


def _join_guards(equations: _RowLiterals, guards: _RowLiterals) -> tuple[Tokens, Ints]:
    """Return the literals of each constraint followed by its guards, and their starts."""
    lists = [(rows.literals, rows.sizes) for rows in (equations, guards)]
    tokens = join(lists, len(equations.sizes))
    starts = clause_starts(tokens)
    matters = equations.matters & guards.matters
    return tokens, np.concatenate([starts[:-1][matters], starts[-1:]])


def _kinds(
    equations: _RowLiterals, guards: _RowLiterals, method: str, c: ConstraintContext
) -> tuple[list[GroupKind], Ints]:
    """Return the kinds of groups, by size and number of guards, and each group's kind."""
    matters = equations.matters & guards.matters
    keys, shape = flatten([equations.sizes[matters], guards.sizes[matters]], c.location)
    distinct_keys = distinct(keys)
    is_named = bool(c.texts("encoding"))
    columns = (column.tolist() for column in np.unravel_index(distinct_keys, shape))
    kinds = [
        _kind(size, num_guards, method, is_named) for size, num_guards in zip(*columns, strict=True)
    ]
    return kinds, np.searchsorted(distinct_keys, keys)


def _kind(size: int, num_guards: int, method: str, is_named: bool) -> GroupKind:
    checkpoint()
    if size == 0:
        empty_clause = Pattern(0, 0, np.zeros(1, np.int32))
        return GroupKind(lambda: _add_guards(empty_clause, num_guards))
    complete = partial(_add_guards, num_guards=num_guards)
    return encoded_kind(KIND, method, size, (1, 1), is_named, complete, 1 + num_guards)


def _add_guards(pattern: Pattern, num_guards: int) -> Pattern:
    """Return the pattern with guards as additional inputs.

    Guards are added to the clauses of the last equation only: those before it define partial sums,
    which are determined whether or not the constraint holds.
    """
    shift = np.where(np.abs(pattern.tokens) > pattern.num_inputs, num_guards, 0)
    tokens = pattern.tokens + shift * np.sign(pattern.tokens)
    ends = np.flatnonzero(tokens == 0)
    width = int(ends[-1] - ends[-2] - 1 if len(ends) > 1 else ends[-1])
    last_ends = ends[-(2 ** max(width - 1, 0)) :]
    checkpoint(GUARD_BYTES * len(last_ends) * num_guards)
    guards = np.tile(pattern.num_inputs + 1 + np.arange(num_guards), len(last_ends))
    tokens = np.insert(tokens, np.repeat(last_ends, num_guards), guards).astype(np.int32)
    return Pattern(pattern.num_inputs + num_guards, pattern.num_auxiliary, tokens)
