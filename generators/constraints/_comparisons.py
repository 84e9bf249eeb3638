"""Comparisons of two integer variables in clauses and formulas, expanded over their values.

`V[i] <= V[j]` is equivalent to `V[i] >= k -> V[j] >= k` for all k. The comparison is replaced by
this clause, with k bound in addition to the names of the constraint. This is correct if the
comparison has positive polarity: under `and`, under `or`, and to the right of `->`. If it has
negative polarity, its negation is replaced.
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
"""Formula, and the bindings of its additional names."""

MAX_CASES = 16
"""Maximum number of formulas that replace one formula; each `==` doubles them."""

OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


class Comparisons:
    """Expansion of the comparisons in one source line."""

    def __init__(self, compiler: Compiler) -> None:
        self.compiler, self.scope = compiler, compiler.scope
        self.num_bound = 0

    def cases(self, node: Node, polarity: bool = True) -> list[Case]:
        """Return formulas without comparisons of two integers; their conjunction is equivalent.

        Parameters
        ----------
        node : Node
            Formula.
        polarity : bool
            False if the formula occurs negated.

        Raises
        ------
        InputError
            If a comparison has both polarities, or if there are more than MAX_CASES formulas.
        """
        match node:
            case Unary(operator="not"):
                return [
                    (_not(tree), bindings)
                    for tree, bindings in self.cases(node.operand, not polarity)
                ]
            case Binary(operator="and" | "or" | "->" as sign, left=x, right=y):
                x_cases = self.cases(x, polarity != (sign == "->"))
                y_cases = self.cases(y, polarity)
                if len(x_cases) * len(y_cases) > MAX_CASES:
                    fault = "a formula has at most 4 equations of two integers"
                    raise self.compiler.error(fault, "write several constraints", node)
                pairs = product(x_cases, y_cases)
                return [(Binary(node.at, sign, a, b), (*c, *d)) for (a, c), (b, d) in pairs]
            case Comparison(operators=(sign,), operands=(x, y)) if self._compares_integers(node):
                if polarity:
                    return self._expand(x, sign, y)
                return [(_not(tree), bound) for tree, bound in self._expand(x, OPPOSITE[sign], y)]
            case Comparison(operators=(_, _, *_)) if any(
                is_term(self.scope, operand) for operand in node.operands
            ):
                return self.cases(_conjunction(node), polarity)
        if any(self._contains_comparison(child) for child in nodes.children(node)):
            raise self.compiler.error(
                "two integers cannot be compared inside of any, all, xor, <-> or ==",
                "write the comparison as an operand of `and`, `or` or `->`",
                node,
            )
        return [(node, ())]

    def _compares_integers(self, node: Comparison) -> bool:
        return all(is_term(self.scope, operand) for operand in node.operands)

    def _contains_comparison(self, node: Node) -> bool:
        if isinstance(node, Comparison) and self._compares_integers(node):
            return True
        return any(self._contains_comparison(child) for child in nodes.children(node))

    def _expand(self, x: Node, sign: str, y: Node) -> list[Case]:
        match sign:
            case "<=":
                return [self._at_most(x, y)]
            case "<":
                return [self._at_most(_plus(x, Number(x.at, 1)), y)]
            case ">" | ">=":
                return self._expand(y, "<" if sign == ">" else "<=", x)
            case "!=":
                return [self._different(x, y)]
            case "==":
                return [self._implies_value(x, y), self._implies_value(y, x)]
        raise self.compiler.error(
            f"integers cannot be compared by `{sign}`", "compare them by ==, <= or !=", x
        )

    def _at_most(self, x: Node, y: Node) -> Case:
        """Return the clauses `a >= k -> b >= k + offset` of x <= y."""
        a, b, offset = self._split(x, y)
        (a_min, a_max), (b_min, b_max) = self._range(a), self._range(b)
        a_low = _number(x, a_min)
        low = _call("max", a_low, _minus(_number(x, b_min + 1), offset))
        # From the first k on that b + offset cannot reach, all clauses are equivalent.
        last = _call("max", a_low, _minus(_number(x, b_max + 1), offset))
        high = _call("min", _number(x, a_max), last)
        k, binding = self._bind(x, low, high)
        conclusion = _compare(b, ">=", _plus(k, offset))
        return Binary(x.at, "or", _not(_compare(a, ">=", k)), conclusion), binding

    def _different(self, x: Node, y: Node) -> Case:
        """Return the clauses `a != k or b != k + offset` of x != y."""
        a, b, offset = self._split(x, y)
        (a_min, a_max), (b_min, b_max) = self._range(a), self._range(b)
        low = _call("max", _number(x, a_min), _minus(_number(x, b_min), offset))
        high = _call("min", _number(x, a_max), _minus(_number(x, b_max), offset))
        k, binding = self._bind(x, low, high)
        clause = _compare(a, "!=", k), _compare(b, "!=", _plus(k, offset))
        return Binary(x.at, "or", *clause), binding

    def _implies_value(self, x: Node, y: Node) -> Case:
        """Return clauses that are one half of x == y; the other half has x and y exchanged.

        In the direct encoding they are `a != k or b == k + offset`, otherwise those of x <= y.
        """
        a, b, offset = self._split(x, y)
        if self.scope.integers[a.name].encoding != "direct":
            return self._at_most(x, y)
        a_min, a_max = self._range(a)
        k, binding = self._bind(x, _number(x, a_min), _number(x, a_max))
        clause = _compare(a, "!=", k), _compare(b, "==", _plus(k, offset))
        return Binary(x.at, "or", *clause), binding

    def _split(self, x: Node, y: Node) -> tuple[nodes.Index, nodes.Index, Node]:
        """Return a, b and an offset such that x and y are compared as a + offset and b."""
        a, a_offset = split_term(self.compiler, x)
        b, b_offset = split_term(self.compiler, y)
        return a, b, _minus(a_offset, b_offset)

    def _range(self, node: nodes.Index) -> tuple[int, int]:
        integer = self.scope.integers[node.name]
        return integer.min_value, integer.max_value

    def _bind(self, node: Node, low: Node, high: Node) -> tuple[Node, tuple[Binding, ...]]:
        """Return a new name and its binding to the numbers from low to high."""
        self.num_bound += 1
        # Names with # cannot occur in a spec, and messages omit them.
        name = f"#k{self.num_bound}"
        values = _call("range", low, _plus(high, _number(node, 1)))
        return nodes.Name(node.at, name), (Binding(node.at, (name,), values),)


def _conjunction(node: Comparison) -> Node:
    """Return a chain such as `3 <= V[i] < 5` as a conjunction of two comparisons."""
    links: list[Node] = [Comparison(node.at, (x, y), (sign,)) for x, sign, y in nodes.links(node)]
    return reduce(lambda x, y: Binary(node.at, "and", x, y), links)


def _number(node: Node, value: int) -> Node:
    return Number(node.at, value) if value >= 0 else Unary(node.at, "-", Number(node.at, -value))


def _not(node: Node) -> Node:
    if isinstance(node, Unary) and node.operator == "not":
        return node.operand
    return Unary(node.at, "not", node)


def _plus(x: Node, y: Node) -> Node:
    return Binary(x.at, "+", x, y)


def _minus(x: Node, y: Node) -> Node:
    return Binary(x.at, "-", x, y)


def _call(function: str, *arguments: Node) -> Node:
    return Call(arguments[0].at, function, arguments)


def _compare(x: Node, sign: str, y: Node) -> Node:
    return Comparison(x.at, (x, y), (sign,))
