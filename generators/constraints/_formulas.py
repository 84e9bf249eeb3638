"""A propositional formula for every row, converted to clauses once, instantiated by columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Ints, Tokens, clean, in_order, join
from boardsat.generators.clauses.blocks import Block, Chunk, Rows
from boardsat.generators.constraints._clauses import (
    check_no_empty_clause,
    frames_by_size,
)
from boardsat.generators.constraints._normal_form import Tree, negate, pattern_of
from boardsat.generators.language import nodes
from boardsat.generators.language.integer_terms import is_term
from boardsat.generators.language.literals import LiteralCompiler, Literals
from boardsat.generators.language.nodes import Binding, ExpressionText, Node
from boardsat.generators.language.values import Frame

if TYPE_CHECKING:
    from boardsat.generators.constraints._context import ConstraintContext

_CONNECTIVES = {"and": "and", "or": "or", "xor": "xor", "<->": "iff"}


class _Reader:
    """Reads a formula as a tree over slots; what is not a connective becomes an atom."""

    def __init__(self, compiler: LiteralCompiler) -> None:
        self.compiler = compiler
        self.atoms: dict[Node, int] = {}
        self.parts: list[Literals] = []

    def tree(self, node: Node) -> Tree:
        match node:
            case nodes.Unary(operator="not"):
                return negate(self.tree(node.operand))
            case nodes.Binary(operator="->"):
                return ("or", negate(self.tree(node.left)), self.tree(node.right))
            case nodes.Binary(operator=sign) if sign in _CONNECTIVES:
                return (_CONNECTIVES[sign], self.tree(node.left), self.tree(node.right))
            case nodes.Comparison() if any(
                is_term(self.compiler.scope, side) for side in node.operands
            ):
                return self.atom(node)
            case nodes.Comparison(operators=("==" | "!=" as sign,), operands=(left, right)):
                if self.compiler.compiler.mentions_variable(node):
                    connective = "iff" if sign == "==" else "xor"
                    return (connective, self.tree(left), self.tree(right))
            case nodes.Call(function="any" | "all" as function, arguments=(inner,)):
                if not isinstance(inner, nodes.Comprehension):
                    raise self.compiler.compiler.error(
                        f"`{function}` needs a `for`",
                        f"write `{function}(X[j] for j in ...)`",
                        node,
                    )
                # all of them is: not any of the negations.
                return self.atom(node) if function == "any" else -self.atom(node)
        return self.atom(node)

    def atom(self, node: Node) -> int:
        if node not in self.atoms:
            part = self.compiler.part(node)
            everyone = isinstance(node, nodes.Call) and node.function == "all"
            self.parts.append(part.negated() if everyone else part)
            self.atoms[node] = len(self.parts)
        return self.atoms[node]


def formula(c: ConstraintContext, source: ExpressionText, node: Node, *more: Binding) -> Block:
    """Of a tree that was read from a source, or made for it; with more names bound beside `for`."""
    grounding = c.ground(*more) if more else c.grounding
    reader = _Reader(c.literals(source, grounding))
    pattern = pattern_of(reader.tree(node), len(reader.parts))
    parts = reader.parts
    fresh = sum(part.grounding is not None for part in parts) + pattern.auxiliaries
    certain = all(part.certain for part in parts)
    clauses = int(np.count_nonzero(pattern.tokens == 0))

    def produce(first: int) -> Iterator[Chunk]:
        for frame in frames_by_size(grounding, parts, len(pattern.tokens)):
            checkpoint()
            rows = np.arange(frame.size)
            bases = first + fresh * rows
            inputs = np.empty((frame.size, len(parts)), np.int32)
            pieces, owners = [], []
            offset = 0
            for slot, part in enumerate(parts):
                if part.grounding is None:
                    inputs[:, slot], _ = part.gather(frame)
                    continue
                inputs[:, slot] = defined = (bases + offset).astype(np.int32)
                offset += 1
                for piece, owner in _define_any(defined, part, frame):
                    pieces.append(piece)
                    owners.append(owner)
            pieces.append(pattern.instantiate(inputs, bases + offset))
            owners.append(np.repeat(rows, clauses))
            tokens = in_order(pieces, owners)
            cleaned = tokens if certain else clean(tokens)
            check_no_empty_clause(c, cleaned, pieces[-1], frame)
            yield Rows(cleaned, fresh * frame.size)
            first += fresh * frame.size

    return Block(c.name, c.place, produce)


def _define_any(
    defined: Tokens,
    listed: Literals,
    frame: Frame,
) -> Iterator[tuple[Tokens, Ints]]:
    """Clauses for "defined is equivalent to one of the listed", with the row each belongs to."""
    literals, counts = listed.gather(frame)
    yield join([(-defined, None), (literals, counts)], frame.size), np.arange(frame.size)
    assert counts is not None
    owners = np.repeat(np.arange(frame.size), counts)
    yield join([(defined[owners], None), (-literals, None)], len(literals)), owners
