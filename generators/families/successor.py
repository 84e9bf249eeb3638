"""`successor:` one binary number is another plus one, modulo 2**bits, under a condition.

Written as formulas of the language, bit by bit: bit 0 flips, bit 1 flips when bit 0 was set, and a
higher bit flips when the bit below it fell from 1 to 0. That is 2, 4, then 6 clauses a bit.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from generators import nodes
from generators.nodes import Binding, Node, Number


def formulas(
    when: Node | None, number: Node, following: Node, bit: Binding
) -> list[tuple[tuple[Binding, ...], Node]]:
    """Each formula with the bindings it needs beside those of the constraint."""
    (name,) = bit.names
    assert isinstance(bit.source, nodes.Call)
    bits = bit.source.arguments[0]
    at = bit.at
    k: Node = nodes.Name(at, name)
    below: Node = nodes.Binary(at, "-", k, Number(at, 1))

    def guarded(node: Node) -> Node:
        return node if when is None else nodes.Binary(at, "->", when, node)

    def differs(left: Node, right: Node) -> Node:
        return nodes.Comparison(at, (left, right), ("!=",))

    def equal(left: Node, right: Node) -> Node:
        return nodes.Comparison(at, (left, right), ("==",))

    def x(place: Node) -> Node:
        return substitute(number, name, place)

    def y(place: Node) -> Node:
        return substitute(following, name, place)

    fell = nodes.Binary(at, "and", x(below), nodes.Unary(at, "not", y(below)))
    zero, one = Number(at, 0), Number(at, 1)
    lowest = replace(bit, source=nodes.Call(at, "range", (nodes.Call(at, "min", (bits, one)),)))
    second = replace(
        bit, source=nodes.Call(at, "range", (one, nodes.Call(at, "min", (bits, Number(at, 2)))))
    )
    higher = replace(bit, source=nodes.Call(at, "range", (Number(at, 2), bits)))
    return [
        ((lowest,), guarded(differs(y(k), x(k)))),
        ((second,), guarded(equal(y(k), differs(x(k), x(zero))))),
        ((higher,), guarded(equal(y(k), differs(x(k), fell)))),
    ]


def substitute(node: Node, name: str, value: Node) -> Node:
    """The node with another expression in place of a name."""
    if isinstance(node, nodes.Name):
        return value if node.name == name else node
    changed: dict[str, Any] = {}
    for part in fields(node):
        old = getattr(node, part.name)
        if isinstance(old, Node):
            changed[part.name] = substitute(old, name, value)
        elif isinstance(old, tuple) and any(isinstance(item, Node) for item in old):
            changed[part.name] = tuple(substitute(item, name, value) for item in old)
    return replace(node, **changed) if changed else node
