"""Compiler of data expressions, such as `d[i] + 1 < n`: evaluated over columns, not row by row."""

from __future__ import annotations

from functools import reduce
from typing import TypeVar

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.text import pluralize, suggest
from boardsat.generators.build_limits import MAX_INTEGER
from boardsat.generators.language import nodes
from boardsat.generators.language.combinations import CHOICES
from boardsat.generators.language.compiled_expressions import (
    ARITHMETIC,
    CONDITION,
    FUNCTIONS,
    INTEGER,
    ORDER,
    TEXT,
    CompiledExpression,
    combine,
    constant,
    is_member,
    logical_not,
    plain,
    select,
    short_circuit,
)
from boardsat.generators.language.nodes import ExpressionText, Node
from boardsat.generators.language.scope import NOTHING, QUERIES, Bound, Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import (
    Column,
    Frame,
    KeyedSet,
    Table,
    TupleSet,
    Value,
    kind_of,
    length_of,
    lengths_of,
    use_of,
)

_Set = TypeVar("_Set", TupleSet, KeyedSet)

_ONE_ROW = Frame(1)

EXAMPLES = {
    INTEGER: "a number, such as `i + 1`",
    CONDITION: "a condition, such as `i < 3`",
}
SET_FUNCTIONS = (*CHOICES, "pairs", "one_of_each", "distinct")
MISPLACED_FUNCTIONS = {
    "range": "write `i in range(n)` after `for`",
    **{name: f"write `x in {name}(...)` after `for`" for name in SET_FUNCTIONS},
    "any": "use it in a clause or a formula",
    "all": "use it in a clause or a formula",
    "sum": "use it in a `sum:`",
}
"""Remedies for names that look like functions and are not allowed in a data expression."""


class Compiler:
    """Compiler of the expressions of one source line, in a scope, with some names bound."""

    def __init__(self, scope: Scope, source: ExpressionText, bound: Bound = NOTHING) -> None:
        self.scope, self.source, self.bound = scope, source, bound

    def error(self, fault: str, remedy: str, node: Node) -> InputError:
        return self.source.error(fault, remedy, node.at)

    def number(self, node: Node) -> CompiledExpression:
        return self._of_kind(node, INTEGER)

    def condition(self, node: Node) -> CompiledExpression:
        return self._of_kind(node, CONDITION)

    def _of_kind(self, node: Node, kind: str) -> CompiledExpression:
        compiled = self.data(node)
        if compiled.kind != kind:
            fault = f"{kind} is needed, not {compiled.kind},"
            raise self.error(fault, f"write {EXAMPLES[kind]}", node)
        return compiled

    def constant(self, node: Node) -> Column:
        """Return the value of an expression without bound names."""
        return self.data(node).run(_ONE_ROW)

    def data(self, node: Node) -> CompiledExpression:
        """Compile an expression of any kind; a constant is evaluated at once."""
        compiled = self._compile(node)
        if compiled.names:
            return compiled
        try:
            value = plain(compiled.run(_ONE_ROW))
        except InputError:
            if compiled.fallible:
                # Evaluated with the rows: a condition before it may exclude all of them.
                return compiled
            raise
        return constant(compiled.kind, value[0].item() if np.ndim(value) else value)

    def mentions_variable(self, node: Node) -> bool:
        """Return True if a variable or integer of the formula occurs outside of `exists`."""
        if isinstance(node, nodes.Call) and node.function == "exists":
            return False
        if isinstance(node, nodes.Name | nodes.Index) and (
            node.name in self.scope.variables or node.name in self.scope.integers
        ):
            return True
        return any(self.mentions_variable(child) for child in nodes.children(node))

    def look_up(self, name: str, node: Node) -> Value:
        """Return the value of a defined name; raise InputError for a variable or unknown name."""
        if name in self.scope.values:
            return self.scope.values[name]
        if name in self.scope.variables:
            remedy = f"write `exists({name}[...])`, or use it in a constraint"
            raise self.error(f"{name!r} is a variable of the formula, not data,", remedy, node)
        if name in self.scope.integers:
            remedy = f"compare it in a constraint: `{name}[...] == 3`"
            raise self.error(f"{name!r} is an integer of the formula, not data,", remedy, node)
        names = {*self.scope.names(), *self.bound}
        raise self.error(f"unknown name {name!r}", suggest(name, names), node)

    def numbers(self, node: Node) -> list[CompiledExpression]:
        """Compile a number, or all components of a bound tuple."""
        if not isinstance(node, nodes.Name) or (width := self.bound.get(node.name)) is None:
            return [self.number(node)]
        name = node.name

        def component(index: int) -> CompiledExpression:
            return CompiledExpression(
                INTEGER, lambda frame: frame.columns[name][:, index], frozenset({name})
            )

        return [component(index) for index in range(width)]

    def indices(self, node: nodes.Index, expected: int) -> list[CompiledExpression]:
        """Compile the indices of a name that was declared with an expected number of them."""
        numbers = [number for index in node.indices for number in self.numbers(index)]
        if len(numbers) != expected:
            fault = f"{node.name!r} has {pluralize(len(numbers), 'index', 'indices')}"
            raise self.error(fault, f"it was declared with {expected}", node)
        return numbers

    def flat_key(self, node: nodes.Index, shape: tuple[int, ...]) -> CompiledExpression:
        """Return the indices of a table or keyed set as one number, checked against its shape."""
        indices = self.indices(node, len(shape))

        def run(frame: Frame) -> Column:
            key: Column = 0
            for index, extent in zip(indices, shape, strict=True):
                column = index.run(frame)
                self._check_range(frame, column, extent, node)
                key = key * extent + column
            return key

        return combine(INTEGER, run, indices, fallible=True)

    def _check_range(self, frame: Frame, index: Column, extent: int, node: nodes.Index) -> None:
        column = np.asarray(index)
        if column.size and (column.min() < 0 or column.max() >= extent):
            # A constant index is wrong even if there are no rows.
            column = np.broadcast_to(column, (max(frame.size, 1),))
            row = int(np.argmax((column < 0) | (column >= extent)))
            values = frame.describe(row) if frame.size else ""
            fault = f"index {column[row]} of {node.name!r} is out of range{values}"
            raise self.error(fault, f"its indices are 0..{extent - 1}", node)

    def _compile(self, node: Node) -> CompiledExpression:
        """Compile any expression that has one value."""
        match node:
            case nodes.Number(value=value):
                return constant(INTEGER, value)
            case nodes.Word(value=text):
                return constant(TEXT, text)
            case nodes.Name():
                return self._name(node)
            case nodes.Index():
                return self._entry(node)
            case nodes.Call():
                return self._call(node)
            case nodes.Unary(operator="-"):
                number = self.number(node.operand)
                return combine(INTEGER, lambda frame: -number.run(frame), [number])
            case nodes.Unary():
                return logical_not(self.condition(node.operand))
            case nodes.Binary(operator="and" | "or" | "->" as operator):
                first, second = self.condition(node.left), self.condition(node.right)
                first = logical_not(first) if operator == "->" else first
                return short_circuit(first, second, decisive=operator != "and")
            case nodes.Binary(operator="xor" | "<->" as operator):
                first, second = self.condition(node.left), self.condition(node.right)
                compare = ORDER["!=" if operator == "xor" else "=="]
                return combine(
                    CONDITION, lambda f: compare(first.run(f), second.run(f)), [first, second]
                )
            case nodes.Binary():
                return self._arithmetic(node)
            case nodes.Comparison():
                links = [
                    self._membership(first, sign, second)
                    if sign in ("in", "not in")
                    else self._order(first, sign, second)
                    for first, sign, second in nodes.links(node)
                ]
                return reduce(lambda x, y: short_circuit(x, y, decisive=False), links)
            case nodes.Conditional():
                return self._conditional(node)
        raise self.error("a tuple or a `for` where one value is needed", "write a number", node)

    def _name(self, node: nodes.Name) -> CompiledExpression:
        name = node.name
        if name in self.bound:
            if (width := self.bound[name]) is not None:
                fault = f"{name!r} is a tuple of {pluralize(width, 'number')}, not one value,"
                raise self.error(fault, f"write `{name}[0]`, `i in {name}` or `len({name})`", node)
            return CompiledExpression(INTEGER, lambda frame: frame.columns[name], frozenset({name}))
        if name in ("true", "false"):
            return constant(CONDITION, name == "true")
        value = self.look_up(name, node)
        if isinstance(value, int | str):
            return constant(kind_of(value), value)
        raise self.error(f"{name!r} is {kind_of(value)}, not one value,", use_of(name, value), node)

    def _entry(self, node: nodes.Index) -> CompiledExpression:
        """Compile `d[i]` of a table or of a bound tuple."""
        if node.name in self.bound:
            return self._component(node)
        value = self.look_up(node.name, node)
        if not isinstance(value, Table):
            fault = f"{node.name!r} is {kind_of(value)}, not a table,"
            raise self.error(fault, use_of(node.name, value), node)
        entries = value.values.reshape(-1)
        key = self.flat_key(node, value.values.shape)
        return combine(INTEGER, lambda frame: plain(entries[key.run(frame)]), [key])

    def _component(self, node: nodes.Index) -> CompiledExpression:
        """Compile `S[k]` of a bound tuple."""
        name, width = node.name, self.bound[node.name]
        if width is None:
            raise self.error(f"{name!r} is a number, not a table,", f"write `{name}` alone", node)
        index = self.flat_key(node, (width,))

        def run(frame: Frame) -> Column:
            return frame.columns[name][np.arange(frame.size), index.run(frame)]

        return CompiledExpression(INTEGER, run, index.names | {name}, fallible=True)

    def _call(self, node: nodes.Call) -> CompiledExpression:
        name = node.function
        if name == "exists":
            return self._exists(node)
        if name == "len":
            return self._length(node)
        if name in MISPLACED_FUNCTIONS:
            raise self.error(f"`{name}` is not allowed here", MISPLACED_FUNCTIONS[name], node)
        if name in self.scope.algorithms:
            remedy = f"name it first, under define: `x: {name}(...)`"
            raise self.error(f"{name!r} gives a table", remedy, node)
        if name not in FUNCTIONS:
            remedy = suggest(name, {*FUNCTIONS, *QUERIES, *self.scope.algorithms})
            raise self.error(f"unknown function {name!r}", remedy, node)
        function, kind, count = FUNCTIONS[name]
        arguments = [number for argument in node.arguments for number in self.numbers(argument)]
        if not arguments or count not in (None, len(arguments)):
            fault = f"{name!r} has {pluralize(len(arguments), 'argument')}"
            raise self.error(fault, f"it takes {count or 'one or more'}", node)
        return combine(kind, lambda frame: function(*(a.run(frame) for a in arguments)), arguments)

    def _exists(self, node: nodes.Call) -> CompiledExpression:
        """Compile `exists(X[i])` of a variable, an integer or a table with missing entries."""
        match node.arguments:
            case (nodes.Index(name=name) as index,) if name in self.scope.members:
                variable = self.scope.members[name]
                indices = self.indices(index, len(variable.shape))

                def run(frame: Frame) -> Column:
                    return variable.exists([index.run(frame) for index in indices], frame.size)

                return combine(CONDITION, run, indices)
            case (nodes.Index(name=name) as index,):
                table = self.scope.values.get(name)
                if isinstance(table, Table) and (missing := table.missing) is not None:
                    entry = self._entry(index)
                    return combine(CONDITION, lambda f: plain(entry.run(f) != missing), [entry])
        fault = "the argument of `exists` must be a member of a variable or an entry of a setting"
        raise self.error(fault, "write `exists(X[i, j])`", node)

    def _length(self, node: nodes.Call) -> CompiledExpression:
        """Compile `len` of a bound tuple, a set, a keyed set at a key, or a table or its row."""
        match node.arguments:
            case (nodes.Name(name=name),) if (width := self.bound.get(name)) is not None:
                return constant(INTEGER, width)
            case (nodes.Name(name=name),) if name not in self.bound:
                if (length := length_of(self.look_up(name, node))) is not None:
                    return constant(INTEGER, length)
            case (nodes.Index(name=name) as index,) if name not in self.bound:
                if (lengths := lengths_of(self.look_up(name, node))) is not None:
                    counts = lengths.reshape(-1)
                    key = self.flat_key(index, lengths.shape)
                    return combine(INTEGER, lambda frame: plain(counts[key.run(frame)]), [key])
        raise self.error("`len` needs a set", "write `len(cells)` or `len(neighbours[i])`", node)

    def _membership(self, item: Node, sign: str, container: Node) -> CompiledExpression:
        """Compile `item in container` or `item not in container`."""
        items = item.items if isinstance(item, nodes.Pair) else (item,)
        components = [number for node in items for number in self.numbers(node)]
        match container:
            case nodes.Name(name=name) if self.bound.get(name) is not None:
                condition = self._in_tuple(components, name, item)
            case nodes.Name(name=name) if name not in self.bound:
                members = self._members(name, TupleSet, len(components), container)
                condition = is_member(components, members, self.source.location)
            case nodes.Index(name=name) if name not in self.bound:
                keyed = self._members(name, KeyedSet, len(components), container)
                key = self.flat_key(container, keyed.shape)
                keys = np.repeat(np.arange(len(keyed.starts) - 1), np.diff(keyed.starts))
                pairs = TupleSet((keys, *keyed.columns))
                condition = is_member([key, *components], pairs, self.source.location)
            case _:
                raise self.error("`in` needs a named set", "name it under `define:`", container)
        return condition if sign == "in" else logical_not(condition)

    def _members(self, name: str, kind: type[_Set], width: int, node: Node) -> _Set:
        """Return the set of a name; raise InputError unless it has this kind and width."""
        value = self.look_up(name, node)
        if not isinstance(value, kind) or len(value.columns) != width:
            expected = "a set" if width == 1 else f"a set of {width}-tuples"
            fault = f"{name!r} is {kind_of(value)}, not {expected},"
            raise self.error(fault, "name a set of such items", node)
        return value

    def _in_tuple(
        self, components: list[CompiledExpression], name: str, node: Node
    ) -> CompiledExpression:
        """Compile `number in S` for a bound tuple."""
        if len(components) != 1:
            fault = f"{name!r} is a tuple of numbers, not of tuples,"
            raise self.error(fault, f"write `i in {name}` for one number i", node)
        (number,) = components

        def run(frame: Frame) -> Column:
            column = np.asarray(number.run(frame)).reshape(-1, 1)
            return (frame.columns[name] == column).any(axis=1)

        return CompiledExpression(CONDITION, run, number.names | {name}, number.fallible)

    def _arithmetic(self, node: nodes.Binary) -> CompiledExpression:
        first, second = self.number(node.left), self.number(node.right)
        if node.operator == "**":
            return self._power(node, first, second)
        function = ARITHMETIC[node.operator]
        divides = node.operator in ("//", "%")

        def run(frame: Frame) -> Column:
            a, b = first.run(frame), second.run(frame)
            if divides and np.any(np.asarray(b) == 0):
                raise self.error("division by zero", "exclude it with an `if`", node)
            return self._in_range(function(a, b), node)

        return combine(INTEGER, run, [first, second], fallible=divides)

    def _in_range(self, column: Column, node: Node) -> Column:
        """Return the result of an operation; raise InputError if it exceeds MAX_INTEGER.

        The result is exact: an int64 holds any product of two operands below 2**31.
        """
        numbers = np.asarray(column)
        if numbers.max(initial=0) > MAX_INTEGER or numbers.min(initial=0) < -MAX_INTEGER:
            fault = f"the value of an operation exceeds {MAX_INTEGER}"
            raise self.error(fault, "use smaller numbers", node)
        return column

    def _power(
        self, node: nodes.Binary, base: CompiledExpression, exponent: CompiledExpression
    ) -> CompiledExpression:
        if base.names or exponent.names:
            fault = "the operands of `**` must be constants"
            raise self.error(fault, "use `bit(number, position)` for bits of rows", node)
        x, y = base.run(_ONE_ROW), exponent.run(_ONE_ROW)
        if not 0 <= y <= 31:
            fault = f"the exponent must be between 0 and 31 (got {y})"
            raise self.error(fault, "write for example `2 ** 8`", node)
        return constant(INTEGER, self._in_range(x**y, node))

    def _order(self, x_node: Node, sign: str, y_node: Node) -> CompiledExpression:
        """Compile a comparison of two values by ==, !=, <, <=, > or >=."""
        x, y = self.data(x_node), self.data(y_node)
        if x.kind != y.kind or (x.kind != INTEGER and sign not in ("==", "!=")):
            fault = f"`{sign}` compares {x.kind} with {y.kind}"
            raise self.error(fault, "compare numbers, or values of one kind by == and !=", x_node)
        compare = ORDER[sign]
        return combine(CONDITION, lambda f: plain(compare(x.run(f), y.run(f))), [x, y])

    def _conditional(self, node: nodes.Conditional) -> CompiledExpression:
        test = self.condition(node.test)
        if not test.names and not test.fallible:
            return self.data(node.then if test.run(_ONE_ROW) else node.otherwise)
        then, otherwise = self.data(node.then), self.data(node.otherwise)
        if then.kind != otherwise.kind or then.kind == TEXT:
            fault = f"one value here is {then.kind}, the other {otherwise.kind},"
            raise self.error(fault, "make both numbers, or both conditions", node)
        return select(test, then, otherwise)


def constant_number(source: ExpressionText, scope: Scope) -> int:
    """Return the value of an expression without bound names."""
    return int(Compiler(scope, source).number(parse_expression(source)).run(_ONE_ROW))


def constant_condition(source: ExpressionText, scope: Scope) -> bool:
    """Return the value of a condition without bound names."""
    return bool(Compiler(scope, source).condition(parse_expression(source)).run(_ONE_ROW))
