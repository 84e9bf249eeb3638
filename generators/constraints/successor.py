"""`successor`: the binary number `to` is the binary number `from` plus one, if `when` is true.

The constraint is stated by formulas of the spec language, bit by bit: bit 0 flips, bit 1 flips if
bit 0 was set, and a higher bit flips if the bit below fell from 1 to 0. That is 2, 4, then 6
clauses for each bit.
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
    from boardsat.generators.blocks import Block
    from boardsat.generators.constraints._context import ConstraintContext

DESCRIPTION_TEMPLATE = "the binary successor, when {when} bits {bits} from {from} to {to}"
KEYS = ("for", "empty")


def read(keys: dict[str, Item]) -> Texts:
    entries = keys["successor"].mapping(("when", "bits", "from", "to"))
    for key in ("bits", "from", "to"):
        if key not in entries:
            raise keys["successor"].error(
                f"`successor` needs `{key}`", "write bits, from, to, and when"
            )
    return {key: (entry.source(),) for key, entry in entries.items()}


def block(c: ConstraintContext) -> Block:
    from boardsat.generators.blocks import chain
    from boardsat.generators.constraints._formulas import formula

    number, successor = (parse_expression(c.text(key)) for key in ("from", "to"))
    when = parse_expression(c.text("when")) if c.texts("when") else None
    return chain(
        [
            formula(c, c.text("to"), tree, binding)
            for binding, tree in formulas(when, number, successor, _bit_binding(c))
        ]
    )


def _bit_binding(c: ConstraintContext) -> Binding:
    """Return the binding `k in range(m)` of the bits."""
    source = c.text("bits")
    match parse_bindings(source):
        case (
            nodes.Binding(
                names=(_,), source=nodes.Call(function="range", arguments=(_,))
            ) as binding,
        ):
            return binding
    raise source.error("`bits` must be numbered from 0", "write `bits: k in range(m)`")


def formulas(
    when: Node | None, number: Node, successor: Node, bit: Binding
) -> list[tuple[Binding, Node]]:
    """Return the formulas of bit 0, bit 1 and the higher bits, with the bindings of these bits."""
    (name,) = bit.names
    assert isinstance(bit.source, nodes.Call)
    (num_bits,) = bit.source.arguments
    at = bit.at
    k: Node = nodes.Name(at, name)
    previous: Node = nodes.Binary(at, "-", k, Number(at, 1))
    zero, unit, two = (Number(at, number) for number in range(3))

    def bound_to(*bounds: Node) -> Binding:
        return replace(bit, source=nodes.Call(at, "range", bounds))

    def at_most(limit: Node) -> Node:
        return nodes.Call(at, "min", (num_bits, limit))

    def guarded(node: Node) -> Node:
        return node if when is None else nodes.Binary(at, "->", when, node)

    def compared(a: Node, sign: str, b: Node) -> Node:
        return nodes.Comparison(at, (a, b), (sign,))

    def x(index: Node) -> Node:
        return substitute(number, name, index)

    def y(index: Node) -> Node:
        return substitute(successor, name, index)

    fell = nodes.Binary(at, "and", x(previous), nodes.Unary(at, "not", y(previous)))
    return [
        (bound_to(at_most(unit)), guarded(compared(y(k), "!=", x(k)))),
        (
            bound_to(unit, at_most(two)),
            guarded(compared(y(k), "==", compared(x(k), "!=", x(zero)))),
        ),
        (bound_to(two, num_bits), guarded(compared(y(k), "==", compared(x(k), "!=", fell)))),
    ]


def substitute(node: Node, name: str, replacement: Node) -> Node:
    """Return the node with a name replaced by an expression."""
    if isinstance(node, nodes.Name):
        return replacement if node.name == name else node
    changes: dict[str, Any] = {}
    for field in fields(node):
        child = getattr(node, field.name)
        if isinstance(child, Node):
            changes[field.name] = substitute(child, name, replacement)
        elif isinstance(child, tuple) and any(isinstance(entry, Node) for entry in child):
            changes[field.name] = tuple(substitute(entry, name, replacement) for entry in child)
    return replace(node, **changes) if changes else node
