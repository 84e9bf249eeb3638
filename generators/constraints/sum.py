"""`sum`: a weighted sum of literals and integers compared with a number: `3 * X[i] + V[j] <= k`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardsat.generators.language import nodes
from boardsat.generators.language.nodes import Node, Number
from boardsat.generators.language.syntax import parse_expression

if TYPE_CHECKING:
    from boardsat.generators.blocks import Block
    from boardsat.generators.constraints._context import ConstraintContext

DESCRIPTION_TEMPLATE = "the sum {sum}"
KEYS = ("for", "empty", "encoding")
ENCODINGS = "pb card"

BOUNDS = {
    "<=": (None, 0),
    "<": (None, -1),
    ">=": (0, None),
    ">": (1, None),
    "==": (0, 0),
}
"""Lower and upper bound of the left side minus the right side, for each comparison."""


def block(c: ConstraintContext) -> Block:
    from boardsat.generators.constraints._linear import LinearCompiler
    from boardsat.generators.constraints._pseudo_boolean import Bounded, bounded_sum

    source = c.text("sum")
    literals = c.literals(source)
    linear = LinearCompiler(literals)
    low: Node | None
    high: Node | None
    match parse_expression(source):
        case nodes.Comparison(operators=(sign,), operands=(x, y)) if sign in BOUNDS:
            terms = linear.terms(x) + linear.terms(y, -1)
            low, high = (None if bound is None else Number(x.at, bound) for bound in BOUNDS[sign])
        case nodes.Comparison(operators=("<=" | "<", "<=" | "<") as signs, operands=operands):
            terms = linear.terms(operands[1])
            low = _inclusive(operands[0], signs[0], "+")
            high = _inclusive(operands[2], signs[1], "-")
        case node:
            raise source.error(
                "a sum must be compared with a number",
                "write `sum(X[i] for i in ...) <= k`, or with <, ==, >=, >, or `k <= ... <= m`",
                node.at,
            )
    if not any(term.factor for term in terms):
        raise source.error("a sum must have variables", "write `3 * X[i] + ...`, or use `if`")
    numbers = (None if bound is None else literals.compiler.number(bound) for bound in (low, high))
    return bounded_sum(c, Bounded(terms, *numbers))


def _inclusive(bound: Node, relation: str, sign: str) -> Node:
    """Return a bound as an inclusive one: for `<` the sign adds or subtracts 1."""
    if relation == "<=":
        return bound
    return nodes.Binary(bound.at, sign, bound, Number(bound.at, 1))
