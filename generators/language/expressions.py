"""Expressions over data: compiled once from the tree, then run over whole columns of rows."""

from __future__ import annotations

from functools import reduce

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.text import pluralize, suggest
from boardsat.generators.build_limits import MAX_INTEGER
from boardsat.generators.language import nodes
from boardsat.generators.language.combinations import CHOICES
from boardsat.generators.language.conditions import chosen, joined, negated
from boardsat.generators.language.functions import (
    ARITHMETIC,
    CONDITION,
    FUNCTIONS,
    INTEGER,
    ORDER,
    TEXT,
    plain,
)
from boardsat.generators.language.lookups import NameResolver
from boardsat.generators.language.nodes import Node
from boardsat.generators.language.scope import Data, constant_data, data_of
from boardsat.generators.language.values import Column, Frame, kind_of, use_of

_WHOLE = Frame(1)

EXAMPLES = {
    INTEGER: "a number, such as `i + 1`",
    CONDITION: "a condition, such as `i < 3`",
}
OTHERS = ("pairs", "one_of_each", "distinct")
ONLY_THERE = {
    "range": "write `i in range(n)` after `for`",
    **{name: f"write `x in {name}(...)` after `for`" for name in (*CHOICES, *OTHERS)},
    "any": "use it in a clause or a formula",
    "all": "use it in a clause or a formula",
    "sum": "use it in a `sum:`",
}
"""Words that look like functions, and where they may stand."""


class Compiler(NameResolver):
    """Compiles the expressions of one source line, in a scope, with some names bound to columns."""

    # What may be asked for.

    def number(self, node: Node) -> Data:
        return self._of_kind(node, INTEGER)

    def condition(self, node: Node) -> Data:
        return self._of_kind(node, CONDITION)

    def _of_kind(self, node: Node, kind: str) -> Data:
        data = self.data(node)
        if data.kind != kind:
            raise self.error(f"{kind} is needed, not {data.kind},", f"write {EXAMPLES[kind]}", node)
        return data

    def constant(self, node: Node) -> Column:
        """The value of an expression in which nothing is bound."""
        return self.data(node).run(_WHOLE)

    def data(self, node: Node) -> Data:
        """Any expression; what does not depend on the rows is worked out at once."""
        compiled = self._compile(node)
        if compiled.names:
            return compiled
        try:
            value = plain(compiled.run(_WHOLE))
        except InputError:
            if compiled.fallible:
                # Left to the rows: a condition before it may keep them all away.
                return compiled
            raise
        return constant_data(compiled.kind, value[0].item() if np.ndim(value) else value)

    def mentions_variable(self, node: Node) -> bool:
        """Whether the node speaks of the formula's variables (other than asking if they exist)."""
        if isinstance(node, nodes.Call) and node.function == "exists":
            return False
        known = (self.scope.variables, self.scope.integers)
        if isinstance(node, nodes.Name | nodes.Index) and any(node.name in each for each in known):
            return True
        return any(self.mentions_variable(child) for child in nodes.children(node))

    # The tree.

    def _compile(self, node: Node) -> Data:
        match node:
            case nodes.Number(value=value):
                return constant_data(INTEGER, value)
            case nodes.Word(value=text):
                return constant_data(TEXT, text)
            case nodes.Name():
                return self._name(node)
            case nodes.Index():
                return self.entry(node)
            case nodes.Call():
                return self._call(node)
            case nodes.Unary(operator="-"):
                number = self.number(node.operand)
                return data_of(INTEGER, lambda frame: -number.run(frame), [number])
            case nodes.Unary():
                return negated(self.condition(node.operand))
            case nodes.Binary(operator="and" | "or" | "->"):
                return self._connective(node)
            case nodes.Binary(operator="xor" | "<->"):
                left, right = self.condition(node.left), self.condition(node.right)
                compare = ORDER["!=" if node.operator == "xor" else "=="]
                return data_of(
                    CONDITION, lambda f: compare(left.run(f), right.run(f)), [left, right]
                )
            case nodes.Binary():
                return self._arithmetic(node)
            case nodes.Comparison():
                return self._comparison(node)
            case nodes.Conditional():
                return self._conditional(node)
        raise self.error("a tuple or a `for` where one value is needed", "write a number", node)

    def _name(self, node: nodes.Name) -> Data:
        name = node.name
        if name in self.bound:
            if (width := self.bound[name]) is not None:
                fault = f"{name!r} is a tuple of {pluralize(width, 'number')}, not one value,"
                raise self.error(fault, f"write `{name}[0]`, `i in {name}` or `len({name})`", node)
            return Data(INTEGER, lambda frame: frame.columns[name], frozenset({name}))
        if name in ("true", "false"):
            return constant_data(CONDITION, name == "true")
        value = self.look_up(name, node)
        if isinstance(value, int | str):
            return constant_data(kind_of(value), value)
        raise self.error(f"{name!r} is {kind_of(value)}, not one value,", use_of(name, value), node)

    def _call(self, node: nodes.Call) -> Data:
        name = node.function
        if name == "exists":
            return self.exists(node)
        if name == "len":
            return self.length(node)
        if name in ONLY_THERE:
            raise self.error(f"`{name}` is not allowed here", ONLY_THERE[name], node)
        if name in self.scope.algorithms:
            remedy = f"name it first, under define: `x: {name}(...)`"
            raise self.error(f"{name!r} gives a table", remedy, node)
        if name not in FUNCTIONS:
            remedy = suggest(name, {*FUNCTIONS, "len", "exists", *self.scope.algorithms})
            raise self.error(f"no function {name!r}", remedy, node)
        function, kind, count = FUNCTIONS[name]
        arguments = [number for argument in node.arguments for number in self.numbers(argument)]
        if not arguments or count not in (None, len(arguments)):
            fault = f"{name!r} has {pluralize(len(arguments), 'argument')}"
            raise self.error(fault, f"it takes {count or 'one or more'}", node)
        return data_of(
            kind,
            lambda frame: function(*(a.run(frame) for a in arguments)),
            arguments,
        )

    def _connective(self, node: nodes.Binary) -> Data:
        """`and`, `or`, `->`; the right side runs only on the rows that the left leaves open."""
        left, right = self.condition(node.left), self.condition(node.right)
        if node.operator == "->":
            left = negated(left)
        return joined(left, right, settled=node.operator != "and")

    def _arithmetic(self, node: nodes.Binary) -> Data:
        left, right = self.number(node.left), self.number(node.right)
        if node.operator == "**":
            return self._power(node, left, right)
        function = ARITHMETIC[node.operator]
        divides = node.operator in ("//", "%")

        def run(frame: Frame) -> Column:
            a, b = left.run(frame), right.run(frame)
            if divides and np.any(np.asarray(b) == 0):
                raise self.error("division by zero", "exclude it with an `if`", node)
            return self._in_range(function(a, b), node)

        return data_of(INTEGER, run, [left, right], fallible=divides)

    def _in_range(self, result: Column, node: Node) -> Column:
        """Exact by construction: operands are below 2**31, so an int64 holds their product."""
        scalar = not isinstance(result, np.ndarray)
        high = result if scalar else result.max(initial=0)
        low = result if scalar else result.min(initial=0)
        if high > MAX_INTEGER or low < -MAX_INTEGER:
            raise self.error("a number grows too large", f"the limit is {MAX_INTEGER}", node)
        return result

    def _power(self, node: nodes.Binary, base: Data, exponent: Data) -> Data:
        if base.names or exponent.names:
            raise self.error("`**` needs constants", "use `bit(number, place)` on rows", node)
        x, y = base.run(_WHOLE), exponent.run(_WHOLE)
        if not 0 <= y <= 31:
            raise self.error(f"exponent {y}", "the range is 0..31", node)
        return constant_data(INTEGER, self._in_range(x**y, node))

    def _comparison(self, node: nodes.Comparison) -> Data:
        links = [
            self.membership(left, sign, right)
            if sign in ("in", "not in")
            else self._ordered(left, sign, right)
            for left, sign, right in zip(
                node.operands, node.operators, node.operands[1:], strict=False
            )
        ]
        return reduce(lambda left, right: joined(left, right, settled=False), links)

    def _ordered(self, left_node: Node, sign: str, right_node: Node) -> Data:
        left, right = self.data(left_node), self.data(right_node)
        if left.kind != right.kind or (left.kind != INTEGER and sign not in ("==", "!=")):
            fault = f"`{sign}` compares {left.kind} with {right.kind}"
            raise self.error(
                fault, "compare numbers, or values of one kind by == and !=", left_node
            )
        compare = ORDER[sign]
        return data_of(
            CONDITION,
            lambda frame: plain(compare(left.run(frame), right.run(frame))),
            [left, right],
        )

    def _conditional(self, node: nodes.Conditional) -> Data:
        test = self.condition(node.test)
        if not test.names and not test.fallible:
            return self.data(node.then if test.run(_WHOLE) else node.otherwise)
        then, otherwise = self.data(node.then), self.data(node.otherwise)
        if then.kind != otherwise.kind or then.kind == TEXT:
            fault = f"one value here is {then.kind}, the other {otherwise.kind},"
            raise self.error(fault, "make both numbers, or both conditions", node)
        return chosen(test, then, otherwise)
