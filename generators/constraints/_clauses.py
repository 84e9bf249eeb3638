"""Clauses of constraints: one clause for each row, or a pattern for each group of literals.

Rows are split into frames whose literals fit into a chunk.
"""

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
    Pattern,
    Tokens,
    clause_starts,
    clean,
    distinct,
    put_rows,
    starts_of,
)
from boardsat.generators.blocks import Block, Chunk, Rows
from boardsat.generators.encodings import Group
from boardsat.generators.language.grounding import Grounding, pieces_by_weight
from boardsat.generators.language.literals import Literals, gather_rows
from boardsat.generators.language.values import Frame

if TYPE_CHECKING:
    from boardsat.generators.constraints._context import ConstraintContext
    from boardsat.generators.weights import SoftClauses

TOKENS_PER_LIST_LITERAL = 16
"""Number of tokens outside lists that take as much memory as a literal of a list."""

CHUNK_TOKENS = 2**21
"""Maximum number of tokens of a chunk (8 MB), unless a single group has more."""


class RowList(Protocol):
    """List of literals or terms in every row of a constraint."""

    @property
    def grounding(self) -> Grounding | None:
        """Rows of the `for` of the list; None, or without names, if it has no `for`."""


def frames_by_size(
    grounding: Grounding, lists: Sequence[RowList], num_tokens: int = 0
) -> Iterator[Frame]:
    """Yield the rows in frames, so that the literals of all lists fit into a chunk.

    Parameters
    ----------
    grounding : Grounding
        Rows of the constraint.
    lists : sequence
        Lists of literals or terms of each row.
    num_tokens : int, optional
        Number of tokens of each row outside its lists; at least one for each list is assumed.
    """
    inner_groundings = [
        terms.grounding for terms in lists if terms.grounding and terms.grounding.levels
    ]
    base_weight = max(num_tokens, len(lists)) // TOKENS_PER_LIST_LITERAL
    for frame in grounding.frames():
        if not inner_groundings and not base_weight:
            yield frame
            continue
        checkpoint()
        estimates = (inner.estimate(frame) for inner in inner_groundings)
        weights = sum(estimates, np.full(frame.size, base_weight))
        for piece in pieces_by_weight(weights):
            checkpoint()
            yield frame.take_slice(piece)


def clauses_of(
    c: ConstraintContext, lists: Sequence[Literals], grounding: Grounding | None = None
) -> Block:
    """Return the block of one clause for each row.

    Parameters
    ----------
    c : ConstraintContext
        The constraint. An empty clause raises InputError unless the constraint accepts it.
    lists : sequence of Literals
        Literals of the clauses.
    grounding : Grounding, optional
        Rows. Default: those of the constraint.
    """
    has_constants = not all(literals.certain for literals in lists)

    def frames_with_tokens() -> Iterator[tuple[Frame, Tokens]]:
        for frame in frames_by_size(grounding or c.grounding, lists):
            checkpoint()
            yield frame, gather_rows(lists, frame)

    def produce(first: int) -> Iterator[Chunk]:
        for frame, tokens in frames_with_tokens():
            cleaned = clean(tokens) if has_constants else tokens
            check_no_empty_clause(c, cleaned, tokens, frame)
            yield Rows(cleaned)

    if not c.texts("soft"):
        return Block(c.name, c.location, produce)
    weight = c.number("soft")

    def soft() -> Iterator[SoftClauses]:
        from boardsat.generators.weights import clean_soft_clauses

        for frame, tokens in frames_with_tokens():
            weights = weight(frame)
            _check_weights(weights, frame, c.text("soft").location)
            soft_clauses = clean_soft_clauses(tokens, weights)
            check_no_empty_clause(c, soft_clauses.tokens, tokens, frame)
            yield soft_clauses

    return Block(c.name, c.location, lambda first: iter(()), soft=soft)


def _check_weights(weights: Ints, frame: Frame, location: str) -> None:
    """Raise InputError for the first row whose soft weight is not positive."""
    if (weights < 1).any():
        row = int(np.argmax(weights < 1))
        raise InputError(
            f"the weight `soft` must be at least 1 (got {weights[row]}){frame.describe(row)}",
            "exclude the row with `if`",
            location,
        )


def check_no_empty_clause(
    c: ConstraintContext, cleaned: Tokens, tokens: Tokens, frame: Frame
) -> None:
    """Raise InputError if a row has an empty clause, unless the constraint accepts it.

    `tokens` are the clauses before constants are removed; each row has the same number of them.
    `cleaned` are the clauses after constants and satisfied clauses are removed.
    """
    if c.may_be_empty or not _has_empty_clause(cleaned):
        return
    starts = clause_starts(tokens)
    # A FALSE contributes nothing to its clause, a TRUE or another literal something.
    num_useful = np.concatenate([[0], np.cumsum((tokens != 0) & (tokens != FALSE))])
    is_empty = num_useful[starts[1:]] == num_useful[starts[:-1]]
    c.check_satisfiable(
        is_empty.reshape(frame.size, -1).any(axis=1),
        frame,
        lambda _: "the clause is empty",
        ", so it is unsatisfiable",
    )


def _has_empty_clause(tokens: Tokens) -> bool:
    return bool(len(tokens) and (tokens[0] == 0 or np.any((tokens[1:] == 0) & (tokens[:-1] == 0))))


class GroupKind(NamedTuple):
    """Kind of groups: groups of one kind are instances of the same clause pattern."""

    pattern: Callable[[], Pattern]
    num_tokens: int = 1
    """Approximate number of tokens of the clauses of one group."""
    encoding: str = ""
    """Encoding that `auto` chose by size; empty if the user chose it or none is needed."""


def encoded_kind(
    kind: str,
    method: str,
    group: Group,
    bounds: tuple[int, int],
    is_named: bool,
    complete: Callable[[Pattern], Pattern] = lambda pattern: pattern,
    size_factor: int = 1,
) -> GroupKind:
    """Return the kind of groups of one size, or of the same weights, in an encoding.

    Parameters
    ----------
    kind, method : str
        Kind and name of the encoding.
    group : int or Weights
        Number of literals of a group, or their weights.
    bounds : tuple of int
        Lower and upper bound.
    is_named : bool
        True if the constraint itself names the encoding.
    complete : callable, optional
        Function from the pattern of the encoding to the pattern of the groups.
    size_factor : int, optional
        Size of the completed pattern relative to that of the encoding.
    """
    encoding = encodings.choose(kind, method, group, *bounds)
    return GroupKind(
        lambda: complete(encodings.pattern(kind, encoding, group, *bounds, is_named)),
        size_factor * encodings.tokens(kind, encoding, group, *bounds),
        "" if encoding == method else encoding,
    )


def instantiate_groups(
    literals: Tokens, starts: Ints, kinds: Sequence[GroupKind], kind_of_group: Ints, first: int
) -> Iterator[Rows]:
    """Yield the clauses of all groups in order.

    Parameters
    ----------
    literals : array
        Literals of all groups, concatenated.
    starts : array
        Index of the first literal of each group, and the number of literals.
    kinds : sequence of GroupKind
        Kinds of groups.
    kind_of_group : array
        Index of the kind of each group.
    first : int
        First auxiliary variable.
    """
    # The literals fit a chunk, but their clauses may not.
    sizes = [min(kind.num_tokens, CHUNK_TOKENS) for kind in kinds]
    weights = np.array(sizes, np.int64)[kind_of_group]
    for piece in pieces_by_weight(weights, CHUNK_TOKENS):
        rows = _instantiate(literals, starts[:-1][piece], kinds, kind_of_group[piece], first)
        first += rows.num_auxiliary
        yield rows


def _instantiate(
    literals: Tokens, starts: Ints, kinds: Sequence[GroupKind], kind_of_group: Ints, first: int
) -> Rows:
    """Return the clauses of the groups that begin at `starts` as one chunk."""
    used_kinds = distinct(kind_of_group)
    patterns = [kinds[index].pattern() for index in used_kinds.tolist()]
    kind_of_group = np.searchsorted(used_kinds, kind_of_group)
    num_auxiliary = np.array([pattern.num_auxiliary for pattern in patterns], np.int64)
    sizes = np.array([len(pattern.tokens) for pattern in patterns], np.int64)
    firsts = first + starts_of(num_auxiliary[kind_of_group])
    offsets = starts_of(sizes[kind_of_group])
    tokens = np.empty(offsets[-1], np.int32)
    encoding_counts: Counter[str] = Counter()
    for index, pattern in enumerate(patterns):
        groups = np.flatnonzero(kind_of_group == index)
        members = starts[groups][:, None] + np.arange(pattern.num_inputs)
        clauses = pattern.instantiate(literals[members], firsts[groups])
        put_rows(tokens, offsets[groups], clauses.reshape(len(groups), -1))
        encoding_counts[kinds[used_kinds[index]].encoding] += len(groups)
    del encoding_counts[""]
    return Rows(tokens, int(firsts[-1] - first), encoding_counts)
