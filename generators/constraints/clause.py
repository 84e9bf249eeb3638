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
    from boardsat.generators.constraints._comparisons import MAX_CASES, Comparisons

    texts = c.texts("clause")
    blocks = []
    cases_of_texts = [
        Comparisons(c.literals(text).compiler).cases(parse_expression(text)) for text in texts
    ]
    if prod(map(len, cases_of_texts)) > MAX_CASES:
        fault = "a clause has at most 4 equations of two integers"
        raise InputError(fault, "write several constraints", c.location)
    for cases in product(*cases_of_texts):
        inner_bindings = [binding for _, bindings in cases for binding in bindings]
        grounding = c.ground(*inner_bindings) if inner_bindings else c.grounding
        literals = [
            literals
            for source, (tree, _) in zip(texts, cases, strict=True)
            for literals in disjuncts(c.literals(source, grounding), tree)
        ]
        blocks.append(clauses_of(c, literals, grounding))
    if len(blocks) > 1 and c.texts("soft"):
        raise InputError(
            "a soft clause must not have an equation of two integers, which needs two clauses",
            "define X by `formula: X <-> V == W`, and write `clause: X`",
            c.location,
        )
    return chain(blocks)


def disjuncts(compiler: LiteralCompiler, node: Node) -> list[Literals]:
    """Return the literals of a clause in the order of its text."""
    match node:
        case nodes.Binary(operator="->"):
            return negated_conjuncts(compiler, node.left) + disjuncts(compiler, node.right)
        case nodes.Binary(operator="or"):
            return disjuncts(compiler, node.left) + disjuncts(compiler, node.right)
        case nodes.Unary(operator="not", operand=nodes.Binary(operator="and") as inner):
            return negated_conjuncts(compiler, inner)
        case nodes.Call(function="all"):
            raise _several_clauses(compiler, "all", node)
    return [compiler.literals(node)]


def negated_conjuncts(compiler: LiteralCompiler, node: Node) -> list[Literals]:
    """Return the negated literals of a conjunction, such as the left side of an implication."""
    match node:
        case nodes.Binary(operator="and"):
            return negated_conjuncts(compiler, node.left) + negated_conjuncts(compiler, node.right)
        case nodes.Unary(operator="not", operand=nodes.Binary(operator="or") as inner):
            return disjuncts(compiler, inner)
        case nodes.Call(function="any"):
            raise _several_clauses(compiler, "any", node)
    return [compiler.literals(node).negated()]


def _several_clauses(compiler: LiteralCompiler, function: str, node: Node) -> InputError:
    """Return the error of `all` or `any` where it stands for a conjunction of clauses."""
    fault = f"`{function}` makes this several clauses"
    return compiler.compiler.error(fault, "move its `for` to the `for` of the constraint", node)
