"""The tree of an expression: plain nodes, and the text they come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from generators.errors import InputError


@dataclass(frozen=True)
class Source:
    """The text of an expression and where it stands."""

    text: str
    place: str

    def error(self, fault: str, remedy: str = "", at: int | None = None) -> InputError:
        where = f" in `{self.text}`" if 0 < len(self.text) <= 120 else ""
        fault = fault if where else fault.removesuffix(",")
        column = f" at character {at + 1}" if at is not None and len(self.text) > 40 else ""
        return InputError(f"{fault}{where}{column}", remedy, self.place)


@dataclass(frozen=True)
class Node:
    at: int = field(compare=False)


@dataclass(frozen=True)
class Number(Node):
    value: int


@dataclass(frozen=True)
class Word(Node):
    value: str


@dataclass(frozen=True)
class Name(Node):
    name: str


@dataclass(frozen=True)
class Index(Node):
    name: str
    indices: tuple[Node, ...]


@dataclass(frozen=True)
class Call(Node):
    function: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True)
class Unary(Node):
    operator: str
    operand: Node


@dataclass(frozen=True)
class Binary(Node):
    operator: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Comparison(Node):
    """`first op second op third ...`, each op between its neighbours, as in mathematics."""

    operands: tuple[Node, ...]
    operators: tuple[str, ...]


@dataclass(frozen=True)
class Conditional(Node):
    then: Node
    test: Node
    otherwise: Node


@dataclass(frozen=True)
class Pair(Node):
    """A tuple of two or more items, as in `(i, j) in moves`."""

    items: tuple[Node, ...]


@dataclass(frozen=True)
class Binding(Node):
    """`names in source`."""

    names: tuple[str, ...]
    source: Node


@dataclass(frozen=True)
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
