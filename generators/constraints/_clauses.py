"""Clauses of rows: one for each row, and rows split so that their literals fit into a chunk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators import encodings
from boardsat.generators.arrays import (
    FALSE,
    Ints,
    Tokens,
    clause_starts,
    clean,
    distinct,
    put_rows,
    starts_of,
)
from boardsat.generators.clauses.blocks import Block, Chunk, Rows
from boardsat.generators.clauses.patterns import Pattern
from boardsat.generators.encodings import Group
from boardsat.generators.language.grounding import Grounding, pieces_by_weight
from boardsat.generators.language.literals import Literals, gather_rows
from boardsat.generators.language.values import Frame

if TYPE_CHECKING:
    from boardsat.generators.clauses.weights import SoftClauses
    from boardsat.generators.constraints._context import ConstraintContext


LIGHT = 16
"""Number of tokens outside lists that weigh as much as one literal of a list."""


class RowPart(Protocol):
    """Literals or terms of a constraint, with their `for` inside each row."""

    @property
    def grounding(self) -> Grounding | None:
        """Rows of the `for`; None or a grounding without names if there is none."""


def frames_by_size(
    grounding: Grounding, parts: Sequence[RowPart], tokens: int = 0
) -> Iterator[Frame]:
    """Yield frames, split so that the literals of their parts fit into a chunk.

    `tokens` is the number of tokens of each row outside its lists, at least one for each part.
    """
    lists = [part.grounding for part in parts if part.grounding and part.grounding.levels]
    alone = max(tokens, len(parts)) // LIGHT
    for frame in grounding.frames():
        if not lists and not alone:
            yield frame
            continue
        checkpoint()
        weights = sum((inner.estimate(frame) for inner in lists), np.full(frame.size, alone))
        for piece in pieces_by_weight(weights):
            checkpoint()
            yield frame.part(piece)


def clauses_of(
    c: ConstraintContext, parts: Sequence[Literals], rows: Grounding | None = None
) -> Block:
    """Return the block of one clause for each row; an empty clause is an error unless allowed."""
    certain = all(part.certain for part in parts)

    def joined() -> Iterator[tuple[Frame, Tokens]]:
        for frame in frames_by_size(rows or c.grounding, parts):
            checkpoint()
            yield frame, gather_rows(parts, frame)

    def produce(first: int) -> Iterator[Chunk]:
        for frame, tokens in joined():
            cleaned = tokens if certain else clean(tokens)
            check_no_empty_clause(c, cleaned, tokens, frame)
            yield Rows(cleaned)

    if not c.texts("soft"):
        return Block(c.name, c.location, produce)
    weight = c.number("soft")

    def soft() -> Iterator[SoftClauses]:
        from boardsat.generators.clauses.weights import clean_soft_clauses

        for frame, tokens in joined():
            weights = weight(frame)
            _check_weights(weights, frame, c.text("soft").location)
            wished = clean_soft_clauses(tokens, weights)
            check_no_empty_clause(c, wished.tokens, tokens, frame)
            yield wished

    return Block(c.name, c.location, lambda first: iter(()), soft=soft)


def _check_weights(weights: Ints, frame: Frame, place: str) -> None:
    """Raise InputError for the first row whose soft weight is not positive."""
    if (weights < 1).any():
        row = int(np.argmax(weights < 1))
        raise InputError(
            f"the weight {weights[row]}{frame.describe(row)}",
            "a weight is 1 or more: exclude the row with `if`",
            place,
        )


def check_no_empty_clause(
    c: ConstraintContext, cleaned: Tokens, tokens: Tokens, frame: Frame
) -> None:
    """Raise InputError if a row gives an empty clause; all rows give equally many clauses."""
    if c.may_be_empty or not _has_empty_clause(cleaned):
        return
    starts = clause_starts(tokens)
    # A FALSE contributes nothing to its clause, a TRUE or another literal something.
    useful = np.concatenate([[0], np.cumsum((tokens != 0) & (tokens != FALSE))])
    empty = useful[starts[1:]] == useful[starts[:-1]]
    c.check_satisfiable(
        empty.reshape(frame.size, -1).any(axis=1),
        frame,
        lambda _: "an empty clause",
        ": no literal is left, so nothing can satisfy it",
    )


def _has_empty_clause(tokens: Tokens) -> bool:
    return bool(len(tokens) and (tokens[0] == 0 or np.any((tokens[1:] == 0) & (tokens[:-1] == 0))))


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
    fresh = np.array([pattern.num_auxiliary for pattern in patterns], np.int64)[which]
    lengths = np.array([len(pattern.tokens) for pattern in patterns], np.int64)[which]
    bases, begins = first + starts_of(fresh), starts_of(lengths)
    tokens = np.empty(begins[-1], np.int32)
    encoding_counts: Counter[str] = Counter()
    for number, pattern in enumerate(patterns):
        members = np.flatnonzero(which == number)
        places = starts[members][:, None] + np.arange(pattern.num_inputs)
        made = pattern.instantiate(literals[places], bases[members])
        put_rows(tokens, begins[members], made.reshape(len(members), -1))
        encoding_counts[kinds[present[number]].encoding] += len(members)
    del encoding_counts[""]
    return Rows(tokens, int(fresh.sum()), encoding_counts)
