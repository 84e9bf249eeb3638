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
"""Memory for each literal with its weight until its sum is normalized."""


class Gathered(NamedTuple):
    """Weighted literals of some rows."""

    rows: Ints
    literals: Tokens
    weights: Ints
    heads: Bools
    """False for each literal that implies the one before it."""


@dataclass(frozen=True)
class Term:
    """Weighted literal or integer, or a sum of such over the rows of a `for`."""

    grounding: Grounding
    factor: Literals | Member | None
    """Literal or integer that is weighted; None for a constant."""
    weight: CompiledExpression

    def gather(self, frame: Frame) -> Iterator[Gathered]:
        """Yield the weighted literals of all rows of a frame, in pieces."""
        for inner, rows in self.grounding.inner_rows(frame):
            checkpoint()
            weights = full(self.weight.run(inner), inner.size)
            if isinstance(self.factor, Member):
                yield _gather_integers(self.factor, weights, inner, rows)
                continue
            constants = np.full(inner.size, TRUE, np.int32)
            literals = self.factor.run(inner) if self.factor else constants
            yield Gathered(rows, literals, weights, np.ones(inner.size, np.bool_))


def _gather_integers(member: Member, weights: Ints, frame: Frame, rows: Ints) -> Gathered:
    """Return an integer of every row: a constant for its least value, and weighted literals."""
    checkpoint()
    integer, members = member.integer, member.numbers(frame)
    largest = max(abs(integer.min_value), abs(integer.max_value)) if frame.size else 0
    if int(np.abs(weights).max(initial=0)) * largest > MAX_INTEGER:
        fault = f"the weight of an integer times its value must be at most {MAX_INTEGER}"
        raise member.error(fault, "use smaller numbers")
    counts = np.diff(integer.starts[integer.summand_kind])[members]
    checkpoint(WEIGHT_BYTES * (int(counts.sum()) + frame.size))
    owners, literals, values = integer.summands(members)
    heads = np.ones(len(owners), np.bool_)
    if integer.weights is None:
        heads[1:] = np.diff(owners) != 0
    constants = np.full(frame.size, TRUE, np.int32)
    return Gathered(
        np.concatenate([rows, rows[owners]]),
        np.concatenate([constants, literals]),
        np.concatenate([weights * integer.low[members], weights[owners] * values]),
        np.concatenate([np.ones(frame.size, np.bool_), heads]),
    )


def gather_all(terms: list[Term], frame: Frame) -> Gathered:
    """Return the weighted literals of all terms, one term after the other."""
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
    """Bindings and condition of the sums that contain an expression."""

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
    """Compiler of the linear expressions of one source line."""

    def __init__(self, literals: LiteralCompiler) -> None:
        self.literals, self.compiler = literals, literals.compiler

    def terms(self, node: Node, sign: int = 1) -> list[Term]:
        """Return the terms of an expression; the sign -1 negates their weights."""
        unit = Number(node.at, 1)
        weight = unit if sign > 0 else Unary(node.at, "-", unit)
        return list(self._terms(node, weight, _Loops()))

    def _terms(self, node: Node, weight: Node, loops: _Loops) -> Iterator[Term]:
        match node:
            case Binary(operator="+" | "-" as sign):
                yield from self._terms(node.left, weight, loops)
                negative = Unary(node.at, "-", weight)
                yield from self._terms(node.right, weight if sign == "+" else negative, loops)
            case Unary(operator="-", operand=operand):
                yield from self._terms(operand, Unary(node.at, "-", weight), loops)
            case Binary(operator="*") if self._has_variable(node):
                factor, number = node.left, node.right
                if self._has_variable(number):
                    factor, number = number, factor
                if self._has_variable(number):
                    fault = "a product must have at most one variable"
                    raise self.compiler.error(fault, "multiply variables by numbers only", node)
                yield from self._terms(factor, Binary(node.at, "*", weight, number), loops)
            case nodes.Call(function="sum", arguments=(nodes.Comprehension() as inner,)):
                yield from self._terms(inner.item, weight, loops.and_(inner))
            case nodes.Call(function="sum"):
                remedy = "write `sum(w[i] * X[i] for i in ...)`"
                raise self.compiler.error("`sum` needs a `for`", remedy, node)
            case _:
                yield self._term(node, weight, loops)

    def _has_variable(self, node: Node) -> bool:
        return self.compiler.mentions_variable(node)

    def _term(self, node: Node, weight: Node, loops: _Loops) -> Term:
        grounding, literals = ONE_ROW, self.literals
        if loops.bindings:
            grounding, literals = literals.inner(loops.bindings, loops.condition)
        if not self._has_variable(node):
            number = literals.compiler.number(Binary(node.at, "*", weight, node))
            return Term(grounding, None, number)
        if isinstance(node, nodes.Name | nodes.Index) and is_term(self.compiler.scope, node):
            index, _ = split_term(literals.compiler, node)
            member = compile_member(literals.compiler, index)
            member.integer.requested.add(member.integer.summand_kind)
            return Term(grounding, member, literals.compiler.number(weight))
        return Term(grounding, literals.literal(node), literals.compiler.number(weight))
