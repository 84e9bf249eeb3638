"""Parity constraints on groups of literals, in an encoding of generators/encodings/xor."""

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
    Tokens,
    clause_starts,
    distinct,
    join,
    starts_of,
    take_rows,
)
from boardsat.generators.clauses.blocks import Block, Chunk, Rows, XorLines
from boardsat.generators.clauses.patterns import Pattern
from boardsat.generators.constraints._clauses import (
    GroupKind,
    encoded_kind,
    fill_in,
    frames_by_size,
)
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.functions import TEXT
from boardsat.generators.language.literals import Literals, gather_rows
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame, flatten

if TYPE_CHECKING:
    from boardsat.generators.constraints._context import ConstraintContext

KIND = "xor"

GUARDING = 32
"""Bytes for each guard of a clause while the clauses of a group are made."""


def parity(c: ConstraintContext, parts: Sequence[Literals], key: str) -> Block:
    """Return the block of a parity constraint; the parity of each row is the value of a key."""
    method, is_odd, when = c.encoding(KIND), _odd(c, key), c.literal_lists("when")
    encoding = encodings.load(KIND, method)

    def produce(first: int) -> Iterator[Chunk]:
        for frame in frames_by_size(c.grounding, [*parts, *when]):
            checkpoint()
            tokens = gather_rows(parts, frame)
            checkpoint()
            equations = _equations(tokens, is_odd(frame))
            guards = _guards(when, frame)
            empty = (equations.sizes + guards.sizes == 0) & equations.asked & guards.asked
            c.check_satisfiable(empty, frame, lambda _: "an odd sum of no literals")
            chunks: Iterator[Chunk]
            if hasattr(encoding, "LINES"):
                chunks = _lines(equations, guards, first)
            else:
                literals, starts = _side_by_side(equations, guards)
                kinds = _kinds(equations, guards, method, c)
                chunks = fill_in(literals, starts, *kinds, first)
            for chunk in chunks:
                first += chunk.num_auxiliary
                yield chunk

    return Block(c.name, c.location, produce, encoding.COUNT_PRESERVING)


@dataclass(frozen=True)
class _Listed:
    """Literals of all rows, concatenated, with the number of each row."""

    literals: Tokens
    sizes: Ints
    asked: Bools

    def of(self, rows: Bools) -> tuple[Tokens, Ints]:
        """Return the literals of some rows and the numbers of all rows, 0 for the others."""
        return self.literals[np.repeat(rows, self.sizes)], np.where(rows, self.sizes, 0)


def _odd(c: ConstraintContext, key: str) -> Callable[[Frame], Bools]:
    """Return a function that computes for each row whether the sum must be odd."""
    source = c.text(key)
    data = Compiler(c.scope, source, c.grounding.bound).data(parse_expression(source))
    if data.kind == TEXT:
        raise source.error("a text is neither 0 nor 1", "write a number or a condition")

    def run(frame: Frame) -> Bools:
        checkpoint()
        return np.broadcast_to(np.asarray(data.run(frame)) % 2 == 1, (frame.size,)).copy()

    return run


def _equations(tokens: Tokens, is_odd: Bools) -> _Listed:
    """Return parity constraints that all require an odd sum.

    A true constant flips the parity, as does negating a literal: the last one is negated.
    """
    rows = len(is_odd)
    owner = np.repeat(np.arange(rows), np.diff(clause_starts(tokens)))
    is_odd ^= np.bincount(owner[tokens == TRUE], minlength=rows) % 2 == 1
    unknown = _is_unknown(tokens)
    literals, owner = _single(tokens[unknown], owner[unknown], is_odd)
    sizes = np.bincount(owner, minlength=rows)
    turned = starts_of(sizes)[1:][(sizes > 0) & ~is_odd] - 1
    literals[turned] *= -1
    # A group without literals has nothing to turn around: an even sum of none asks for nothing.
    return _Listed(literals, sizes, (sizes > 0) | is_odd)


def _guards(when: Sequence[Literals], frame: Frame) -> _Listed:
    """Return the negated literals of `when`: one true guard disables the constraint."""
    tokens = gather_rows(when, frame)
    owner = np.repeat(np.arange(frame.size), np.diff(clause_starts(tokens)))
    unknown = _is_unknown(tokens)
    sizes = np.bincount(owner[unknown], minlength=frame.size)
    asked = np.bincount(owner[tokens == FALSE], minlength=frame.size) == 0
    return _Listed(-tokens[unknown], sizes, asked)


def _is_unknown(tokens: Tokens) -> Bools:
    unknown: Bools = (tokens != 0) & (tokens != TRUE) & (tokens != FALSE)
    return unknown


def _side_by_side(equations: _Listed, guards: _Listed) -> tuple[Tokens, Ints]:
    """Return the literals of each constraint followed by its guards, and their starts."""
    both = [(listed.literals, listed.sizes) for listed in (equations, guards)]
    tokens = join(both, len(equations.sizes))
    starts = clause_starts(tokens)
    kept = equations.asked & guards.asked
    return tokens, np.concatenate([starts[:-1][kept], starts[-1:]])


def _lines(equations: _Listed, guards: _Listed, first: int) -> Iterator[Chunk]:
    """Yield constraints of two or more literals as xor lines, the others as clauses.

    If a constraint has guards, an auxiliary variable represents its sum.
    """
    asked = equations.asked & guards.asked
    is_line = asked & (equations.sizes > 1)
    has_fresh = is_line & (guards.sizes > 0)
    fresh = first + np.arange(np.count_nonzero(has_fresh), dtype=np.int32)
    clauses = [equations.of(asked & ~is_line), (fresh, has_fresh * 1), guards.of(asked)]
    lines = [equations.of(is_line), (-fresh, has_fresh * 1)]
    yield Rows(_rows_of(clauses, asked & (~is_line | has_fresh)))
    if is_line.any():
        yield XorLines(_rows_of(lines, is_line), len(fresh))


def _rows_of(parts: list[tuple[Tokens, Ints]], wanted: Bools) -> Tokens:
    tokens = join(parts, len(wanted))
    return take_rows(tokens, clause_starts(tokens), np.flatnonzero(wanted))


def _single(literals: Tokens, owner: Ints, is_odd: Bools) -> tuple[Tokens, Ints]:
    """Return literals without pairs of a variable, which are constant modulo 2.

    The sum of x and x is even, that of x and not x is odd.
    """
    variable = np.abs(literals).astype(np.int64)
    order = np.lexsort((variable, owner))
    again = np.zeros(len(order), np.bool_)
    same = np.diff(variable[order]) == 0
    again[1:] = same & (np.diff(owner[order]) == 0)
    if not again.any():
        return literals, owner
    begins = np.flatnonzero(~again)
    times = np.diff(np.append(begins, len(order)))
    kept = order[begins]
    negative = np.add.reduceat((literals[order] < 0).astype(np.int64), begins)
    remains = times % 2 == 1
    # Whoever remains has the sign of the first: its own negation is no longer to be added.
    added = (negative - (remains & (literals[kept] < 0))) % 2 == 1
    np.logical_xor.at(is_odd, owner[kept[added]], True)
    left = np.sort(kept[remains])
    return literals[left], owner[left]


def _kinds(
    equations: _Listed, guards: _Listed, method: str, c: ConstraintContext
) -> tuple[list[GroupKind], Ints]:
    """Return the kinds of groups, by size and number of guards, and each group's kind."""
    kept = equations.asked & guards.asked
    flat, shape = flatten([equations.sizes[kept], guards.sizes[kept]], c.location)
    different = distinct(flat)
    named = bool(c.texts("encoding"))
    sizes = zip(*(column.tolist() for column in np.unravel_index(different, shape)), strict=True)
    kinds = [_kind(size, more, method, named) for size, more in sizes]
    return kinds, np.searchsorted(different, flat)


def _kind(size: int, guards: int, method: str, named: bool) -> GroupKind:
    checkpoint()
    if size == 0:
        return GroupKind(lambda: _guarded(Pattern(0, 0, np.zeros(1, np.int32)), guards))
    guard = partial(_guarded, guards=guards)
    return encoded_kind(KIND, method, size, (1, 1), named, guard, copies=1 + guards)


def _guarded(pattern: Pattern, guards: int) -> Pattern:
    """Return the pattern with guards as additional inputs.

    Guards are added to the clauses of the last equation only: those before it define partial sums,
    which are determined whether or not the constraint holds.
    """
    slots = np.where(np.abs(pattern.tokens) > pattern.num_inputs, guards, 0)
    tokens = pattern.tokens + slots * np.sign(pattern.tokens)
    ends = np.flatnonzero(tokens == 0)
    width = int(ends[-1] - ends[-2] - 1 if len(ends) > 1 else ends[-1])
    last = ends[-(2 ** max(width - 1, 0)) :]
    checkpoint(GUARDING * len(last) * guards)
    more = np.tile(pattern.num_inputs + 1 + np.arange(guards), len(last))
    tokens = np.insert(tokens, np.repeat(last, guards), more).astype(np.int32)
    return Pattern(pattern.num_inputs + guards, pattern.num_auxiliary, tokens)
