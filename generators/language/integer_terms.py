"""Integers in expressions: `V[i]`, and `V[i] + 1` where it is compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from boardsat.base.errors import InputError
from boardsat.generators.arrays import Ints
from boardsat.generators.language import nodes
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.integers import Integer, NoValueError
from boardsat.generators.language.layout import OutsideError
from boardsat.generators.language.nodes import Binary, Index, Node, Number, Unary
from boardsat.generators.language.scope import Scope
from boardsat.generators.language.values import Frame, full

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
"""What holds with both sides exchanged."""


class Member(NamedTuple):
    """An integer of every row."""

    integer: Integer
    places: Callable[[Frame], Ints]
    """Which member of its family it is."""
    error: Callable[[str, str], InputError]
    """Function that makes an InputError about the term from a fault and a remedy."""


def is_term(scope: Scope, node: Node) -> bool:
    """Whether it has the value of an integer, and not that of a condition or of data."""
    match node:
        case nodes.Name(name=name) | Index(name=name):
            return name in scope.integers
        case Binary(operator="+" | "-" | "*" | "//" | "%", left=left, right=right):
            return is_term(scope, left) or is_term(scope, right)
        case Unary(operator="-", operand=operand):
            return is_term(scope, operand)
    return False


def parted(compiler: Compiler, node: Node) -> tuple[Index, Node]:
    """`V[i] + 1`: the integer, and the data that is added to it."""
    match node:
        case Index():
            return node, Number(node.at, 0)
        case nodes.Name(name=name):
            return Index(node.at, name, ()), Number(node.at, 0)
        case Binary(operator="+" | "-" as sign, left=left, right=right):
            if not is_term(compiler.scope, right):
                index, more = parted(compiler, left)
                return index, Binary(node.at, sign, more, right)
            if sign == "+" and not is_term(compiler.scope, left):
                index, more = parted(compiler, right)
                return index, Binary(node.at, "+", left, more)
    raise compiler.error(
        "more than an integer and a number", "compare such a sum by `sum: ...`", node
    )


def member_of(compiler: Compiler, node: Index) -> Member:
    integer = compiler.scope.integers[node.name]
    indices = compiler.indices(node, len(integer.shape))

    def places(frame: Frame) -> Ints:
        columns = [index.run(frame) for index in indices]
        try:
            return integer.places(columns, frame.size)
        except (OutsideError, NoValueError) as error:
            named = [int(full(column, frame.size)[error.row]) for column in columns]
            missing = isinstance(error, NoValueError)
            what = "has no value: its own `if` excludes it" if missing else "was not declared"
            fault = f"{node.name}{named} {what}{frame.describe(error.row)}"
            remedy = f"exclude it by `if: exists({node.name}[...])`"
            raise compiler.error(fault, remedy, node) from None

    def error(fault: str, remedy: str) -> InputError:
        return compiler.error(fault, remedy, node)

    return Member(integer, places, error)
