"""`clause`: one clause: `a or b`, `a and b -> c or d`, or a list of parts, which may have `for`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardsat.generators.language import nodes
from boardsat.generators.language.nodes import Node
from boardsat.generators.language.syntax import parse_expression

if TYPE_CHECKING:
    from boardsat.generators.clauses.blocks import Block
    from boardsat.generators.families._context import Context
    from boardsat.generators.language.literals import LiteralCompiler, Part

SAYS = "the clause {clause}"
KEYS = ("for", "empty")


def block(c: Context) -> Block:
    from boardsat.generators.families._clauses import clauses_of

    return clauses_of(
        c,
        [
            part
            for source in c.texts("clause")
            for part in disjunction(c.literals(source), parse_expression(source))
        ],
    )


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
