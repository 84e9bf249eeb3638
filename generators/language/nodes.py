"""The tree of an expression: plain nodes, and the text they come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import NamedTuple

from boardsat.base.errors import InputError


class ExpressionText(NamedTuple):
    """The text of an expression and where it stands."""

    text: str
    location: str

    def error(self, fault: str, remedy: str = "", at: int | None = None) -> InputError:
        where = f" in `{self.text}`" if 0 < len(self.text) <= 120 else ""
        fault = fault if where else fault.removesuffix(",")
        column = f" at character {at + 1}" if at is not None and len(self.text) > 40 else ""
        return InputError(f"{fault}{where}{column}", remedy, self.location)


@dataclass(eq=False, repr=False)
class Node:
    """A node is never changed; it equals another of the same parts, wherever they stand.

    Comparing is written once, here: what the decorator would write for every kind of node takes
    longer at each start than reading a spec.
    """

    at: int

    def _parts(self) -> tuple[object, ...]:
        return type(self), *(value for name, value in vars(self).items() if name != "at")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())


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
    """`first op second op third ...`, each op between its neighbours, as in mathematics."""

    operands: tuple[Node, ...]
    operators: tuple[str, ...]


@dataclass(eq=False, repr=False)
class Conditional(Node):
    then: Node
    test: Node
    otherwise: Node


@dataclass(eq=False, repr=False)
class Pair(Node):
    """A tuple of two or more items, as in `(i, j) in moves`."""

    items: tuple[Node, ...]


@dataclass(eq=False, repr=False)
class Binding(Node):
    """`names in source`."""

    names: tuple[str, ...]
    source: Node


@dataclass(eq=False, repr=False)
class Comprehension(Node):
    item: Node
    bindings: tuple[Binding, ...]
    condition: Node | None


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below this one."""
    for part in fields(node):
        value = getattr(node, part.name)
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, Node):
                yield child


def links(node: Comparison) -> Iterator[tuple[Node, str, Node]]:
    """Yield the comparisons of neighbours in a chain such as `0 <= i < n`."""
    return zip(node.operands, node.operators, node.operands[1:], strict=False)


def names_in(node: Node) -> set[str]:
    """The names that an expression speaks of."""
    below = set().union(*(names_in(child) for child in children(node)))
    return below | {node.name} if isinstance(node, Name | Index) else below
