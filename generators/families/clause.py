"""`clause:` one clause a row: literals joined by `or`, an implication, or a list of parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from generators import nodes
from generators.arrays import FALSE, Tokens
from generators.chunks import Chunk, Rows
from generators.errors import InputError
from generators.families.blocks import Block
from generators.families.literals import Listed, LiteralCompiler, Part, gather
from generators.grounding import Grounding, pieces_by_weight
from generators.limits import RowBudget
from generators.nodes import Node
from generators.ragged import clause_starts, clean, join
from generators.values import Frame


def disjunction(compiler: LiteralCompiler, node: Node) -> list[Part]:
    """The parts of a clause, in the order in which they are written."""
    match node:
        case nodes.Binary(operator="->"):
            return conjunction(compiler, node.left) + disjunction(compiler, node.right)
        case nodes.Binary(operator="or"):
            return disjunction(compiler, node.left) + disjunction(compiler, node.right)
        case nodes.Call(function="all"):
            raise compiler.compiler.error(
                "`all` here makes it more than one clause",
                "put its `for` beside the clause's own",
                node,
            )
    return [compiler.part(node)]


def conjunction(compiler: LiteralCompiler, node: Node) -> list[Part]:
    """The left side of an implication, already negated."""
    match node:
        case nodes.Binary(operator="and"):
            return conjunction(compiler, node.left) + conjunction(compiler, node.right)
        case nodes.Call(function="any"):
            raise compiler.compiler.error(
                "`any` here makes it more than one clause",
                "put its `for` beside the clause's own",
                node,
            )
    return [compiler.part(node).negated()]


LIGHT = 16
"""As many tokens written out weigh as much as one literal of a list."""


def frames_by_size(
    grounding: Grounding, parts: Sequence[Part], budget: RowBudget, tokens: int = 0
) -> Iterator[Frame]:
    """Frames cut so that the literals of their parts stay within a chunk.

    `tokens` is how many each row leads to beside its lists, where that is not one for each part.
    """
    lists = [part.grounding for part in parts if isinstance(part, Listed)]
    alone = max(tokens, len(parts)) // LIGHT
    for frame in grounding.frames(budget):
        if not lists and not alone:
            yield frame
            continue
        budget.spend(frame.size * alone, grounding.place)
        weights = sum((inner.estimate(frame) for inner in lists), np.full(frame.size, alone))
        for piece in pieces_by_weight(weights):
            yield frame.take(np.arange(piece.start, piece.stop))


def clauses_of(
    name: str,
    grounding: Grounding,
    parts: Sequence[Part],
    budget: RowBudget,
    may_be_empty: bool,
) -> Block:
    """One clause a row; a row that leaves nothing in its clause is an error unless it is meant."""
    certain = all(part.certain for part in parts)

    def produce(first: int) -> Iterator[Chunk]:
        for frame in frames_by_size(grounding, parts, budget):
            tokens = join([gather(part, frame, budget) for part in parts], frame.size)
            cleaned = tokens if certain else clean(tokens)
            if not may_be_empty and has_empty_clause(cleaned):
                raise empty_clause(tokens, frame, grounding.place)
            yield Rows(cleaned)

    return Block(name, grounding.place, produce)


def has_empty_clause(tokens: Tokens) -> bool:
    return bool(len(tokens) and (tokens[0] == 0 or np.any((tokens[1:] == 0) & (tokens[:-1] == 0))))


def empty_clause(tokens: Tokens, frame: Frame, place: str) -> InputError:
    """The error that tells which row gives an empty clause; all rows give equally many clauses."""
    starts = clause_starts(tokens)
    # A FALSE contributes nothing to its clause, a TRUE or another literal something.
    useful = np.concatenate([[0], np.cumsum((tokens != 0) & (tokens != FALSE))])
    empty = np.flatnonzero(useful[starts[1:]] == useful[starts[:-1]])
    row = int(empty[0]) * frame.size // (len(starts) - 1)
    return InputError(
        f"an empty clause{frame.describe(row)}: no literal is left, so nothing can satisfy it",
        "exclude the row with `if`, or say `empty: unsatisfiable` where that is meant",
        place,
    )
