"""Linear expressions in specs: `3 * X[i] - 2 * V[j] + 1`, and `sum(w[i] * X[i] for i in cells)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import TRUE, Bools, Ints, Tokens
from boardsat.generators.build_limits import MAX_INTEGER
from boardsat.generators.language import nodes
from boardsat.generators.language.compiled_expressions import CompiledExpression
from boardsat.generators.language.grounding import ONE_ROW, Grounding
from boardsat.generators.language.literals import (
    LITERAL_BYTES,
    LiteralCompiler,
    Literals,
    Member,
    compile_member,
    is_term,
    split_term,
)
from boardsat.generators.language.nodes import Binary, Binding, Node, Number, Unary
from boardsat.generators.language.values import Frame, full

WEIGHT_BYTES = 2 * LITERAL_BYTES
"""What a literal with its weight takes until its sum is in order."""


class Gathered(NamedTuple):
    """The literals of some rows: each with its row and what it counts."""

    rows: Ints
    literals: Tokens
    weights: Ints
    heads: Bools
    """Which of them imply no other: each that is not a head implies the one before it."""


@dataclass(frozen=True)
class Term:
    """`weight * literal`, or a sum of such by `for`; a number is one whose literal is true."""

    grounding: Grounding
    what: Literals | Member | None
    weight: CompiledExpression

    def gather(self, frame: Frame) -> Iterator[Gathered]:
        """Those of all rows of the frame, in pieces."""
        for inner, rows in self.grounding.inner_rows(frame):
            checkpoint()
            weights = full(self.weight.run(inner), inner.size)
            if isinstance(self.what, Member):
                yield _value(self.what, weights, inner, rows)
                continue
            ones = np.full(inner.size, TRUE, np.int32)
            literals = self.what.run(inner) if self.what else ones
            yield Gathered(rows, literals, weights, np.ones(inner.size, np.bool_))


def _value(member: Member, weights: Ints, frame: Frame, rows: Ints) -> Gathered:
    """Return the integer of every row: its minimum, and the literals that add to it."""
    checkpoint()
    integer, members = member.integer, member.numbers(frame)
    largest = max(abs(integer.min_value), abs(integer.max_value)) if frame.size else 0
    if int(np.abs(weights).max(initial=0)) * largest > MAX_INTEGER:
        raise member.error("a number grows too large", f"the limit is {MAX_INTEGER}")
    counts = np.diff(integer.starts[integer.summand_kind])[members]
    checkpoint(WEIGHT_BYTES * (int(counts.sum()) + frame.size))
    owners, literals, each = integer.summands(members)
    heads = np.ones(len(owners), np.bool_)
    if integer.weights is None:
        heads[1:] = np.diff(owners) != 0
    known = np.full(frame.size, TRUE, np.int32)
    return Gathered(
        np.concatenate([rows, rows[owners]]),
        np.concatenate([known, literals]),
        np.concatenate([weights * integer.low[members], weights[owners] * each]),
        np.concatenate([np.ones(frame.size, np.bool_), heads]),
    )


def gather_all(terms: list[Term], frame: Frame) -> Gathered:
    """Term after term; not in the order of rows."""
    none = np.zeros(0, np.int64)
    pieces = [Gathered(none, none.astype(np.int32), none, none.astype(np.bool_))]
    total = 0
    for term in terms:
        for piece in term.gather(frame):
            total += len(piece.rows)
            checkpoint(WEIGHT_BYTES * total)
            pieces.append(piece)
    return Gathered(*map(np.concatenate, zip(*pieces, strict=True)))


@dataclass(frozen=True)
class _Loops:
    """What the sums around an expression bind."""

    bindings: tuple[Binding, ...] = ()
    condition: Node | None = None

    def and_(self, inner: nodes.Comprehension) -> _Loops:
        condition = self.condition
        if inner.condition is not None:
            condition = (
                inner.condition
                if condition is None
                else Binary(inner.at, "and", condition, inner.condition)
            )
        return _Loops((*self.bindings, *inner.bindings), condition)


class LinearCompiler:
    """Compiles the linear expressions of one source line."""

    def __init__(self, literals: LiteralCompiler) -> None:
        self.literals, self.compiler = literals, literals.compiler

    def terms(self, node: Node, sign: int = 1) -> list[Term]:
        """Those whose sum the expression is, or with the sign -1 the opposite of it."""
        one = Number(node.at, 1)
        weight = one if sign > 0 else Unary(node.at, "-", one)
        return list(self._terms(node, weight, _Loops()))

    def _terms(self, node: Node, weight: Node, loops: _Loops) -> Iterator[Term]:
        match node:
            case Binary(operator="+" | "-" as sign, left=left, right=right):
                yield from self._terms(left, weight, loops)
                opposite = Unary(node.at, "-", weight)
                yield from self._terms(right, weight if sign == "+" else opposite, loops)
            case Unary(operator="-", operand=operand):
                yield from self._terms(operand, Unary(node.at, "-", weight), loops)
            case Binary(operator="*", left=left, right=right) if self._speaks(node):
                if self._speaks(left) and self._speaks(right):
                    raise self.compiler.error(
                        "a product of two variables", "multiply by numbers alone", node
                    )
                number, other = (right, left) if self._speaks(left) else (left, right)
                yield from self._terms(other, Binary(node.at, "*", weight, number), loops)
            case nodes.Call(function="sum", arguments=(nodes.Comprehension() as inner,)):
                yield from self._terms(inner.item, weight, loops.and_(inner))
            case nodes.Call(function="sum"):
                remedy = "write `sum(w[i] * X[i] for i in ...)`"
                raise self.compiler.error("`sum` needs a `for`", remedy, node)
            case _:
                yield self._term(node, weight, loops)

    def _speaks(self, node: Node) -> bool:
        return self.compiler.mentions_variable(node)

    def _term(self, node: Node, weight: Node, loops: _Loops) -> Term:
        grounding, literals = ONE_ROW, self.literals
        if loops.bindings:
            grounding, literals = literals.inner(loops.bindings, loops.condition)
        if not self._speaks(node):
            number = literals.compiler.number(Binary(node.at, "*", weight, node))
            return Term(grounding, None, number)
        if isinstance(node, nodes.Name | nodes.Index) and is_term(self.compiler.scope, node):
            index, _ = split_term(literals.compiler, node)
            member = compile_member(literals.compiler, index)
            member.integer.requested.add(member.integer.summand_kind)
            return Term(grounding, member, literals.compiler.number(weight))
        return Term(grounding, literals.literal(node), literals.compiler.number(weight))
