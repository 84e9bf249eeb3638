"""Lookups in sets, tuples, tables and variables by expressions: `len`, `exists`, `in`, `d[i]`."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.text import pluralize, suggest
from boardsat.generators.language import nodes
from boardsat.generators.language.conditions import is_member, negated
from boardsat.generators.language.functions import CONDITION, INTEGER, plain
from boardsat.generators.language.nodes import ExpressionText, Node
from boardsat.generators.language.scope import NOTHING, Bound, Data, Scope, constant_data, data_of
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
    missing_in,
    use_of,
)


class NameResolver(ABC):
    """The names that an expression may use, and what can be asked of each."""

    def __init__(self, scope: Scope, source: ExpressionText, bound: Bound = NOTHING) -> None:
        self.scope, self.source, self.bound = scope, source, bound

    def error(self, fault: str, remedy: str, node: Node) -> InputError:
        return self.source.error(fault, remedy, node.at)

    @abstractmethod
    def number(self, node: Node) -> Data:
        """An expression that gives a number."""

    def numbers(self, node: Node) -> list[Data]:
        """A number, or all those of a tuple that is bound."""
        if isinstance(node, nodes.Name) and (width := self.bound.get(node.name)) is not None:
            return self._components(node.name, width)
        return [self.number(node)]

    def look_up(self, name: str, node: Node) -> Value:
        """What a name that is not bound stands for."""
        if name in self.scope.values:
            return self.scope.values[name]
        if name in self.scope.variables:
            remedy = f"ask `exists({name}[...])`, or use it in a constraint"
            raise self.error(f"{name!r} is a variable of the formula, not data,", remedy, node)
        if name in self.scope.integers:
            remedy = f"compare it in a constraint: `{name}[...] == 3`"
            raise self.error(f"{name!r} is an integer of the formula, not data,", remedy, node)
        known = {*self.scope.known(), *self.bound}
        raise self.error(f"unknown name {name!r}", suggest(name, known), node)

    def indices(self, node: nodes.Index, expected: int) -> list[Data]:
        numbers = [number for index in node.indices for number in self.numbers(index)]
        if len(numbers) != expected:
            fault = f"{node.name!r} has {pluralize(len(numbers), 'index', 'indices')}"
            raise self.error(fault, f"it was declared with {expected}", node)
        return numbers

    def flat_key(self, node: nodes.Index, shape: tuple[int, ...]) -> Data:
        """The indices of a table or a keyed set as one number, checked against its shape."""
        indices = self.indices(node, len(shape))

        def run(frame: Frame) -> Column:
            flat: Column = 0
            for index, extent in zip(indices, shape, strict=True):
                column = index.run(frame)
                self._check_range(frame, column, extent, node)
                flat = flat * extent + column
            return flat

        return data_of(INTEGER, run, indices, fallible=True)

    def _check_range(self, frame: Frame, index: Column, extent: int, node: nodes.Index) -> None:
        column = np.asarray(index)
        if column.size and (column.min() < 0 or column.max() >= extent):
            # A constant index is wrong even where there is no row.
            everywhere = np.broadcast_to(column, (max(frame.size, 1),))
            row = int(np.argmax((everywhere < 0) | (everywhere >= extent)))
            where = frame.describe(row) if frame.size else ""
            fault = f"index {everywhere[row]} of {node.name!r} is out of range{where}"
            raise self.error(fault, f"its indices are 0..{extent - 1}", node)

    def entry(self, node: nodes.Index) -> Data:
        """`d[i]` of a table, or of a tuple that is bound."""
        if node.name in self.bound:
            return self._component(node)
        value = self.look_up(node.name, node)
        if not isinstance(value, Table):
            fault = f"{node.name!r} is {kind_of(value)}, not a table,"
            raise self.error(fault, use_of(node.name, value), node)
        flat = value.values.reshape(-1)
        key = self.flat_key(node, value.values.shape)
        return data_of(INTEGER, lambda frame: plain(flat[key.run(frame)]), [key])

    def _component(self, node: nodes.Index) -> Data:
        name, width = node.name, self.bound[node.name]
        if width is None:
            raise self.error(f"{name!r} is a number, not a table,", f"write `{name}` alone", node)
        place = self.flat_key(node, (width,))

        def run(frame: Frame) -> Column:
            return frame.columns[name][np.arange(frame.size), place.run(frame)]

        own = Data(INTEGER, run, frozenset({name}))
        return data_of(INTEGER, run, [own, place])

    def _components(self, name: str, width: int) -> list[Data]:
        """The numbers of a tuple that is bound."""

        def component(place: int) -> Data:
            return Data(INTEGER, lambda frame: frame.columns[name][:, place], frozenset({name}))

        return [component(place) for place in range(width)]

    def exists(self, node: nodes.Call) -> Data:
        match node.arguments:
            case (nodes.Index(name=name) as index,) if name in self.scope.members:
                variable = self.scope.members[name]
            case (nodes.Index(name=name) as index,) if (
                missing := missing_in(self.scope.values.get(name))
            ) is not None:
                entry = self.entry(index)
                return data_of(CONDITION, lambda f: plain(entry.run(f) != missing), [entry])
            case _:
                fault = "`exists` asks for one member of a variable, or one entry of a setting"
                raise self.error(fault, "write `exists(X[i, j])`", node)
        indices = self.indices(index, len(variable.shape))

        def run(frame: Frame) -> Column:
            return variable.exists([part.run(frame) for part in indices], frame.size)

        return data_of(CONDITION, run, indices)

    def length(self, node: nodes.Call) -> Data:
        match node.arguments:
            case (nodes.Name(name=name),) if (width := self.bound.get(name)) is not None:
                return constant_data(INTEGER, width)
            case (nodes.Name(name=name),) if name not in self.bound:
                if (length := length_of(self.look_up(name, node))) is not None:
                    return constant_data(INTEGER, length)
            case (nodes.Index(name=name) as index,) if name not in self.bound:
                if (lengths := lengths_of(self.look_up(name, node))) is not None:
                    counts = lengths.reshape(-1)
                    key = self.flat_key(index, lengths.shape)
                    return data_of(INTEGER, lambda frame: plain(counts[key.run(frame)]), [key])
        raise self.error("`len` needs a set", "write `len(cells)` or `len(neighbours[i])`", node)

    def membership(self, left: Node, sign: str, right: Node) -> Data:
        items = left.items if isinstance(left, nodes.Pair) else (left,)
        values = [number for item in items for number in self.numbers(item)]
        match right:
            case nodes.Name(name=name) if (width := self.bound.get(name)) is not None:
                found = self._in_tuple(values, name, width, left)
            case nodes.Name(name=name) if name not in self.bound:
                members = self.look_up(name, right)
                if not isinstance(members, TupleSet) or len(members.columns) != len(values):
                    raise self._not_of_such(name, members, len(values), right)
                found = is_member(values, members, self.source.place)
            case nodes.Index(name=name) if name not in self.bound:
                keyed = self.look_up(name, right)
                if not isinstance(keyed, KeyedSet) or len(keyed.columns) != len(values):
                    raise self._not_of_such(name, keyed, len(values), right)
                key = self.flat_key(right, keyed.shape)
                keys = np.repeat(np.arange(len(keyed.starts) - 1), np.diff(keyed.starts))
                found = is_member(
                    [key, *values], TupleSet((keys, *keyed.columns)), self.source.place
                )
            case _:
                raise self.error("`in` needs a named set", "name it under `define:`", right)
        return found if sign == "in" else negated(found)

    def _not_of_such(self, name: str, value: Value, parts: int, node: Node) -> InputError:
        wanted = "a set" if parts == 1 else f"a set of {parts}-tuples"
        fault = f"{name!r} is {kind_of(value)}, not {wanted},"
        return self.error(fault, "name a set of such items", node)

    def _in_tuple(self, values: list[Data], name: str, width: int, left: Node) -> Data:
        if len(values) != 1:
            fault = f"{name!r} is a tuple of numbers, not of tuples,"
            raise self.error(fault, "ask for one number", left)
        (value,) = values

        def run(frame: Frame) -> Column:
            number = np.asarray(value.run(frame)).reshape(-1, 1)
            return (frame.columns[name] == number).any(axis=1)

        own = Data(INTEGER, run, frozenset({name}))
        return data_of(CONDITION, run, [own, value])
