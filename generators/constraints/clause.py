"""`clause`: one clause: `a or b`, `a and b -> c or d`, or a list of parts, which may have `for`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardsat.base.errors import InputError
from boardsat.generators.language import nodes
from boardsat.generators.language.nodes import Node
from boardsat.generators.language.syntax import parse_expression

if TYPE_CHECKING:
    from boardsat.generators.blocks import Block
    from boardsat.generators.constraints._context import ConstraintContext
    from boardsat.generators.language.literals import LiteralCompiler, Literals

DESCRIPTION_TEMPLATE = "the clause {clause}"
KEYS = ("for", "empty", "soft")


def block(c: ConstraintContext) -> Block:
    from itertools import product
    from math import prod

    from boardsat.generators.blocks import chain
    from boardsat.generators.constraints._clauses import clauses_of
    from boardsat.generators.constraints._comparisons import MOST, Comparisons

    texts = c.texts("clause")
    blocks = []
    every = [Comparisons(c.literals(text).compiler).cases(parse_expression(text)) for text in texts]
    if prod(map(len, every)) > MOST:
        fault = "too many equal integers in one clause"
        raise InputError(fault, "write several constraints", c.location)
    for cases in product(*every):
        more = [binding for _, bindings in cases for binding in bindings]
        grounding = c.ground(*more) if more else c.grounding
        parts = [
            part
            for source, (tree, _) in zip(texts, cases, strict=True)
            for part in disjunction(c.literals(source, grounding), tree)
        ]
        blocks.append(clauses_of(c, parts, grounding))
    if len(blocks) > 1 and c.texts("soft"):
        fault = "equal integers make it more than one clause, so that it cannot be soft"
        raise InputError(
            fault, "name a variable for it by `formula`, and minimize that", c.location
        )
    return chain(blocks)


def disjunction(compiler: LiteralCompiler, node: Node) -> list[Literals]:
    """The parts of a clause, in the order in which they are written."""
    match node:
        case nodes.Binary(operator="->"):
            return conjunction(compiler, node.left) + disjunction(compiler, node.right)
        case nodes.Binary(operator="or"):
            return disjunction(compiler, node.left) + disjunction(compiler, node.right)
        case nodes.Unary(operator="not", operand=nodes.Binary(operator="and") as inner):
            return conjunction(compiler, inner)
        case nodes.Call(function="all"):
            raise compiler.compiler.error(
                "`all` here makes it more than one clause",
                "put its `for` beside the clause's own",
                node,
            )
    return [compiler.literals(node)]


def conjunction(compiler: LiteralCompiler, node: Node) -> list[Literals]:
    """The left side of an implication, already negated."""
    match node:
        case nodes.Binary(operator="and"):
            return conjunction(compiler, node.left) + conjunction(compiler, node.right)
        case nodes.Unary(operator="not", operand=nodes.Binary(operator="or") as inner):
            return disjunction(compiler, inner)
        case nodes.Call(function="any"):
            raise compiler.compiler.error(
                "`any` here makes it more than one clause",
                "put its `for` beside the clause's own",
                node,
            )
    return [compiler.literals(node).negated()]
