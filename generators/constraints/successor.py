"""`successor`: `bits`, `from`, `to` and `when`: one binary number is another plus one.

Written as formulas of the language, bit by bit: bit 0 flips, bit 1 flips when bit 0 was set, and a
higher bit flips when the bit below it fell from 1 to 0. That is 2, 4, then 6 clauses a bit.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from boardsat.generators.language import nodes
from boardsat.generators.language.nodes import Binding, Node, Number
from boardsat.generators.language.syntax import parse_bindings, parse_expression
from boardsat.generators.schema import Texts
from boardsat.generators.yaml_reader import Item

if TYPE_CHECKING:
    from boardsat.generators.clauses.blocks import Block
    from boardsat.generators.constraints._context import ConstraintContext

DESCRIPTION_TEMPLATE = "the binary successor, when {when} bits {bits} from {from} to {to}"
KEYS = ("for", "empty")


def read(keys: dict[str, Item]) -> Texts:
    parts = keys["successor"].mapping(("when", "bits", "from", "to"))
    for key in ("bits", "from", "to"):
        if key not in parts:
            raise keys["successor"].error(
                f"`successor` needs `{key}`", "write bits, from, to, and when"
            )
    return {key: (part.source(),) for key, part in parts.items()}


def block(c: ConstraintContext) -> Block:
    from boardsat.generators.clauses.blocks import chain
    from boardsat.generators.constraints._formulas import formula

    number, following = (parse_expression(c.text(key)) for key in ("from", "to"))
    when = parse_expression(c.text("when")) if c.texts("when") else None
    return chain(
        [
            formula(c, c.text("to"), tree, binding)
            for binding, tree in formulas(when, number, following, _bit(c))
        ]
    )


def _bit(c: ConstraintContext) -> Binding:
    """`k in range(m)`: the name of a bit, and how many there are."""
    source = c.text("bits")
    match parse_bindings(source):
        case (
            nodes.Binding(names=(_,), source=nodes.Call(function="range", arguments=(_,))) as bit,
        ):
            return bit
    raise source.error("bits are numbered from 0", "write `bits: k in range(m)`")


def formulas(
    when: Node | None, number: Node, following: Node, bit: Binding
) -> list[tuple[Binding, Node]]:
    """Each formula with the bits it speaks of."""
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
        (lowest, guarded(differs(y(k), x(k)))),
        (second, guarded(equal(y(k), differs(x(k), x(zero))))),
        (higher, guarded(equal(y(k), differs(x(k), fell)))),
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
