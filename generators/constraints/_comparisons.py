"""Comparisons of two integers in clauses and formulas, written out over their values.

`V[i] <= V[j]` says for every k: if V[i] is at least k, so is V[j]. Each of these takes the place of
the comparison, with k bound beside the names of the constraint. That is right wherever a formula
can only gain from the comparison: under `and`, `or`, to the right of `->`; and where it can only
lose, for the opposite comparison.
"""

from __future__ import annotations

from functools import reduce
from itertools import product

from boardsat.generators.language import nodes
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.literals import is_term, split_term
from boardsat.generators.language.nodes import (
    Binary,
    Binding,
    Call,
    Comparison,
    Node,
    Number,
    Unary,
)

Case = tuple[Node, tuple[Binding, ...]]
"""A formula, and what is bound in it."""

MOST = 16
"""Formulas that one may become: each `==` doubles them."""

OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


class Comparisons:
    """Reads the comparisons of one source line."""

    def __init__(self, compiler: Compiler) -> None:
        self.compiler, self.scope = compiler, compiler.scope
        self.bound = 0

    def cases(self, node: Node, wanted: bool = True) -> list[Case]:
        """Return equivalent formulas, to be conjoined, without comparisons of two integers."""
        match node:
            case Unary(operator="not"):
                inner = self.cases(node.operand, not wanted)
                return [(_not(tree), bound) for tree, bound in inner]
            case Binary(operator="and" | "or" | "->" as sign, left=left, right=right):
                before = self.cases(left, wanted != (sign == "->"))
                after = self.cases(right, wanted)
                if len(before) * len(after) > MOST:
                    fault = "too many equal integers in one formula"
                    raise self.compiler.error(fault, "write several constraints", node)
                pairs = product(before, after)
                return [(Binary(node.at, sign, x, y), (*b, *c)) for (x, b), (y, c) in pairs]
            case Comparison(operators=(sign,), operands=(left, right)) if self._is_of_two(node):
                if wanted:
                    return self._written_out(left, sign, right)
                opposite = self._written_out(left, OPPOSITE[sign], right)
                return [(_not(clause), bound) for clause, bound in opposite]
            case Comparison(operators=(_, _, *_)) if self._has_term(node):
                return self.cases(_joined(node), wanted)
        if any(self._has_of_two(child) for child in nodes.children(node)):
            raise self.compiler.error(
                "two integers are compared inside of any, all, xor, <-> or ==",
                "write the comparison on its own side of `and`, `or` or `->`",
                node,
            )
        return [(node, ())]

    def _has_term(self, node: Comparison) -> bool:
        return any(is_term(self.scope, side) for side in node.operands)

    def _is_of_two(self, node: Comparison) -> bool:
        return all(is_term(self.scope, side) for side in node.operands)

    def _has_of_two(self, node: Node) -> bool:
        if isinstance(node, Comparison) and self._is_of_two(node):
            return True
        return any(self._has_of_two(child) for child in nodes.children(node))

    def _written_out(self, left: Node, sign: str, right: Node) -> list[Case]:
        match sign:
            case "<=":
                return [self._no_more(left, right)]
            case "<":
                return [self._no_more(Binary(left.at, "+", left, Number(left.at, 1)), right)]
            case ">" | ">=":
                return self._written_out(right, "<" if sign == ">" else "<=", left)
            case "!=":
                return [self._different(left, right)]
            case "==":
                return [self._follows(left, right), self._follows(right, left)]
        raise self.compiler.error(
            f"`{sign}` between integers", "compare them by ==, <= or !=", left
        )

    def _no_more(self, left: Node, right: Node) -> Case:
        a, b, more = self._both(left, right)
        least, most = self._ends(a), self._ends(b)
        first = _number(left, least[0])
        low = _call("max", first, _minus(_number(left, most[0] + 1), more))
        # From the first k on that the right one cannot reach all say the same; one of them stays.
        last = _call("max", first, _minus(_number(left, most[1] + 1), more))
        high = _call("min", _number(left, least[1]), last)
        k, binding = self._bind(left, low, high)
        at_least = _compared(b, ">=", _plus(k, more))
        return Binary(
            left.at, "or", Unary(left.at, "not", _compared(a, ">=", k)), at_least
        ), binding

    def _different(self, left: Node, right: Node) -> Case:
        a, b, more = self._both(left, right)
        least, most = self._ends(a), self._ends(b)
        low = _call("max", _number(left, least[0]), _minus(_number(left, most[0]), more))
        high = _call("min", _number(left, least[1]), _minus(_number(left, most[1]), more))
        k, binding = self._bind(left, low, high)
        both = _compared(a, "!=", k), _compared(b, "!=", _plus(k, more))
        return Binary(left.at, "or", *both), binding

    def _follows(self, left: Node, right: Node) -> Case:
        """Return the case that the right integer has the value of the left one."""
        a, b, more = self._both(left, right)
        if self.scope.integers[a.name].encoding != "direct":
            return self._no_more(left, right)
        least, most = self._ends(a)
        k, binding = self._bind(left, _number(left, least), _number(left, most))
        both = _compared(a, "!=", k), _compared(b, "==", _plus(k, more))
        return Binary(left.at, "or", *both), binding

    def _both(self, left: Node, right: Node) -> tuple[nodes.Index, nodes.Index, Node]:
        """Return the two integers, and the difference of their addends."""
        a, more = split_term(self.compiler, left)
        b, less = split_term(self.compiler, right)
        return a, b, _minus(more, less)

    def _ends(self, node: nodes.Index) -> tuple[int, int]:
        integer = self.scope.integers[node.name]
        return integer.min_value, integer.max_value

    def _bind(self, node: Node, low: Node, high: Node) -> tuple[Node, tuple[Binding, ...]]:
        self.bound += 1
        # No name of a spec begins so, and errors do not tell it.
        name = f"#k{self.bound}"
        values = _call("range", low, _plus(high, _number(node, 1)))
        return nodes.Name(node.at, name), (Binding(node.at, (name,), values),)


def _joined(node: Comparison) -> Node:
    """`3 <= V[i] < 5` as two comparisons."""
    sides = zip(node.operands, node.operators, node.operands[1:], strict=False)
    links: list[Node] = [Comparison(node.at, (x, y), (sign,)) for x, sign, y in sides]
    return reduce(lambda left, right: Binary(node.at, "and", left, right), links)


def _number(node: Node, value: int) -> Node:
    return Number(node.at, value) if value >= 0 else Unary(node.at, "-", Number(node.at, -value))


def _not(node: Node) -> Node:
    if isinstance(node, Unary) and node.operator == "not":
        return node.operand
    return Unary(node.at, "not", node)


def _plus(left: Node, right: Node) -> Node:
    return Binary(left.at, "+", left, right)


def _minus(left: Node, right: Node) -> Node:
    return Binary(left.at, "-", left, right)


def _call(function: str, *arguments: Node) -> Node:
    return Call(arguments[0].at, function, arguments)


def _compared(left: Node, sign: str, right: Node) -> Node:
    return Comparison(left.at, (left, right), (sign,))
