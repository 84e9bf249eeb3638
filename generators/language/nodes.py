"""Syntax tree of an expression: nodes, and the text that they were parsed from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError


class ExpressionText(NamedTuple):
    """Text of an expression, and its source location (file and line)."""

    text: str
    location: str

    def error(self, fault: str, remedy: str = "", at: int | None = None) -> InputError:
        """Return an error that quotes the expression; `at` is the index of a character in it."""
        where = f" in `{self.text}`" if 0 < len(self.text) <= 120 else ""
        fault = fault if where else fault.removesuffix(",")
        column = f" at character {at + 1}" if at is not None and len(self.text) > 40 else ""
        return InputError(f"{fault}{where}{column}", remedy, self.location)


@dataclass(eq=False, repr=False)
class Node:
    """Immutable node of a syntax tree; nodes with the same fields are equal at any position.

    Equality is defined here once: methods that the decorator compiles for each class would take
    longer at every start than reading a spec.
    """

    at: int
    """Index of the first character in the text."""

    def _fields(self) -> tuple[object, ...]:
        return type(self), *(value for name, value in vars(self).items() if name != "at")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())


@dataclass(eq=False, repr=False)
class Number(Node):
    value: int


@dataclass(eq=False, repr=False)
class Word(Node):
    value: str


@dataclass(eq=False, repr=False)
class Name(Node):
    name: str


@dataclass(eq=False, repr=False)
class Index(Node):
    name: str
    indices: tuple[Node, ...]


@dataclass(eq=False, repr=False)
class Call(Node):
    function: str
    arguments: tuple[Node, ...]


@dataclass(eq=False, repr=False)
class Unary(Node):
    operator: str
    operand: Node


@dataclass(eq=False, repr=False)
class Binary(Node):
    operator: str
    left: Node
    right: Node


@dataclass(eq=False, repr=False)
class Comparison(Node):
    """Chain `first op second op third ...`, as in mathematics: `0 <= i < n`."""

    operands: tuple[Node, ...]
    operators: tuple[str, ...]


@dataclass(eq=False, repr=False)
class Conditional(Node):
    then: Node
    test: Node
    otherwise: Node


@dataclass(eq=False, repr=False)
class Pair(Node):
    """Tuple of two or more items, as in `(i, j) in moves`."""

    items: tuple[Node, ...]


@dataclass(eq=False, repr=False)
class Binding(Node):
    """Binding `name in source` or `(name, name) in source` of a `for`."""

    names: tuple[str, ...]
    source: Node


@dataclass(eq=False, repr=False)
class Comprehension(Node):
    item: Node
    bindings: tuple[Binding, ...]
    condition: Node | None


def children(node: Node) -> Iterator[Node]:
    """Yield the direct children of a node."""
    for content in vars(node).values():
        for child in content if isinstance(content, tuple) else (content,):
            if isinstance(child, Node):
                yield child


def links(node: Comparison) -> Iterator[tuple[Node, str, Node]]:
    """Yield the comparisons of neighbours in a chain such as `0 <= i < n`."""
    return zip(node.operands, node.operators, node.operands[1:], strict=False)


def names_in(node: Node) -> set[str]:
    """Return the names that occur in an expression."""
    names = set().union(*(names_in(child) for child in children(node)))
    return names | {node.name} if isinstance(node, Name | Index) else names
