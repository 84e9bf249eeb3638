"""Literals in specs: `X[i, j]`, `not X[i, j]`, `P[i, k] == bit(p, k)`, and lists by `for`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import suggest
from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens, join
from boardsat.generators.language import nodes
from boardsat.generators.language.compiled_expressions import CONDITION
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.grounding import Grounding, compile_grounding
from boardsat.generators.language.layout import (
    AT_LEAST,
    EQUAL,
    Integer,
    NoValueError,
    OutsideError,
    Variable,
)
from boardsat.generators.language.nodes import (
    Binary,
    Binding,
    ExpressionText,
    Index,
    Node,
    Number,
    Unary,
)
from boardsat.generators.language.scope import Bound, Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame, full

_REMEDY = "write `X[i]` or `not X[i]`; in a `formula:`, join them by and, or, not"
_LISTED = "`for` lists literals: declare `Y[i]`, say `formula: Y[i] <-> ...`, and list `Y[i]`"

LITERAL_BYTES = 64
"""What a literal of a list takes until its clause is made."""

MANY_ROWS = 64
"""With so many times as many rows as literals of each, these are made column by column."""


class Literals(NamedTuple):
    """Literals of every row: one, or those of a `for`."""

    run: Callable[[Frame], Tokens]
    """Function that returns one literal for each row; TRUE or FALSE for one that is constant."""
    certain: bool
    """True if no literal is TRUE or FALSE, so that clauses need no cleaning."""
    grounding: Grounding | None = None
    """Rows of the `for` inside each row; None for one literal in each row."""

    def negated(self) -> Literals:
        return self._replace(run=lambda frame: -self.run(frame))

    def gather(self, frame: Frame) -> tuple[Tokens, Ints | None]:
        """Return the literals of all rows, and their number in each row; None if that is 1."""
        checkpoint()
        if self.grounding is None:
            return self.run(frame), None
        length = self.grounding.length
        if length and MANY_ROWS * length <= frame.size:
            return self._by_columns(self.grounding, frame, length), np.full(frame.size, length)
        pieces, owners, total = [], [], 0
        for inner, rows in self.grounding.inner_rows(frame):
            total += inner.size
            checkpoint(LITERAL_BYTES * total)
            pieces.append(self.run(inner))
            owners.append(rows)
        if not pieces:
            return np.zeros(0, np.int32), np.zeros(frame.size, np.int64)
        return np.concatenate(pieces), np.bincount(np.concatenate(owners), minlength=frame.size)

    def _by_columns(self, grounding: Grounding, frame: Frame, length: int) -> Tokens:
        """Return the literals as `gather` does, made for one inner row after the other."""
        checkpoint(LITERAL_BYTES * length * frame.size)
        table = np.empty((frame.size, length), np.int32)
        for column, inner in enumerate(grounding.one_by_one(frame)):
            checkpoint()
            table[:, column] = self.run(inner)
        return table.reshape(-1)


def gather_rows(parts: Sequence[Literals], frame: Frame) -> Tokens:
    """Return the literals of all parts, row after row, each row ended by 0."""
    return join([part.gather(frame) for part in parts], frame.size)


class LiteralCompiler:
    """Compiles the literals of one source line."""

    def __init__(
        self, scope: Scope, source: ExpressionText, bound: Bound, remedy: str = _REMEDY
    ) -> None:
        self.scope, self.source, self.bound, self.remedy = scope, source, bound, remedy
        self.compiler = Compiler(scope, source, bound)

    def part(self, node: Node) -> Literals:
        """Compile a literal, `literal for ... if ...`, or such a list inside `any` or `all`."""
        match node:
            case nodes.Call(function="any" | "all", arguments=(nodes.Comprehension() as inner,)):
                return self.part(inner)
            case nodes.Comprehension():
                grounding, compiler = self.within(node.bindings, node.condition)
                return compiler.literal(node.item)._replace(grounding=grounding)
        return self.literal(node)

    def within(
        self, bindings: tuple[Binding, ...], condition: Node | None
    ) -> tuple[Grounding, LiteralCompiler]:
        """The rows of a `for` and its `if`, and who reads the literals in them."""
        grounding = compile_grounding(
            self.scope, bindings, self.source, condition, outer=self.bound
        )
        bound = {**self.bound, **grounding.bound}
        return grounding, LiteralCompiler(self.scope, self.source, bound, _LISTED)

    def literal(self, node: Node) -> Literals:
        match node:
            case nodes.Unary(operator="not"):
                return self.literal(node.operand).negated()
            case nodes.Name(name=name) if name in self.scope.variables:
                return self._member(nodes.Index(node.at, name, ()))
            case nodes.Index(name=name) if name in self.scope.variables:
                return self._member(node)
            case nodes.Comparison(operators=(sign,), operands=(left, right)) if any(
                is_term(self.scope, side) for side in node.operands
            ):
                return self._compared(left, sign, right)
            case nodes.Comparison(operators=("==" | "!=" as sign,), operands=(left, right)):
                speaking = [self.compiler.mentions_variable(side) for side in (left, right)]
                if any(speaking) and not all(speaking):
                    return self._signed(left, right, sign)
        if is_term(self.scope, node):
            remedy = "compare it: `V[i] == 3`, `V[i] <= k`"
            raise self.compiler.error("a literal is needed, not an integer,", remedy, node)
        if self.compiler.mentions_variable(node):
            raise self.compiler.error("a literal is needed", self.remedy, node)
        return self._known(node)

    def _compared(self, left: Node, sign: str, right: Node) -> Literals:
        """An integer and data: more than so much is one more or more, less is not as much."""
        if not is_term(self.scope, left):
            left, right, sign = right, left, MIRRORED.get(sign, sign)
        if is_term(self.scope, right):
            raise self.compiler.error(
                "two integers are compared where one literal is needed",
                "do so in a `clause` or a `formula`, outside of any, all, xor and <->",
                left,
            )
        index, more = parted(self.compiler, left)
        member = member_of(self.compiler, index)
        up = nodes.Number(left.at, 1 if sign in ("<=", ">") else 0)
        moved = nodes.Binary(left.at, "-", nodes.Binary(left.at, "+", right, up), more)
        number = self.compiler.number(moved)
        integer, is_equality = member.integer, sign in ("==", "!=")
        integer.requested.add(EQUAL if is_equality else AT_LEAST)
        opposite = -1 if sign in ("<", "<=", "!=") else 1

        def run(frame: Frame) -> Tokens:
            places, numbers = member.places(frame), full(number.run(frame), frame.size)
            found = integer.equal if is_equality else integer.at_least
            return opposite * found(places, numbers)

        return Literals(run, certain=False)

    def _member(self, node: nodes.Index) -> Literals:
        variable = self.scope.variables[node.name]
        indices = self.compiler.indices(node, len(variable.shape))

        def run(frame: Frame) -> Tokens:
            columns = [index.run(frame) for index in indices]
            try:
                return variable.ids(columns, frame.size).astype(np.int32)
            except OutsideError as outside:
                places = [int(full(column, frame.size)[outside.row]) for column in columns]
                fault = f"{node.name}{places} was not declared{frame.describe(outside.row)}"
                remedy = f"exclude it by `if`, or let the `for` of {node.name} give it"
                raise self.compiler.error(fault, remedy, node) from None

        return Literals(run, certain=variable.keys is None)

    def _signed(self, left: Node, right: Node, sign: str) -> Literals:
        """A literal whose sign is data."""
        if self.compiler.mentions_variable(right):
            left, right = right, left
        literal, data = self.literal(left), self.compiler.condition(right)
        agree = sign == "=="

        def run(frame: Frame) -> Tokens:
            same = np.asarray(data.run(frame)) == agree
            return literal.run(frame) * np.where(same, 1, -1).astype(np.int32)

        return Literals(run, literal.certain)

    def _known(self, node: Node) -> Literals:
        data = self.compiler.data(node)
        if data.kind != CONDITION:
            raise self.compiler.error(f"a literal is needed, not {data.kind},", _REMEDY, node)

        def run(frame: Frame) -> Tokens:
            holds = np.broadcast_to(np.asarray(data.run(frame)), (frame.size,))
            return np.where(holds, TRUE, FALSE).astype(np.int32)

        return Literals(run, certain=False)


def member(
    source: ExpressionText,
    scope: Scope,
    fault: str,
    example: str,
    among: Mapping[str, Variable] | None = None,
) -> tuple[str, list[str]]:
    """`H[i, j]`: the name of the variable and those of its indices; empty for what is no name."""
    tree = parse_expression(source)
    among = scope.variables if among is None else among
    if isinstance(tree, nodes.Index | nodes.Name) and not scope.is_known(tree.name):
        raise source.error(f"unknown variable {tree.name!r}", suggest(tree.name, among))
    if not isinstance(tree, nodes.Index) or tree.name not in among:
        raise source.error(fault, f"write `{example}`")
    if len(tree.indices) != len(among[tree.name].shape):
        raise source.error(f"{tree.name!r} has another number of indices", "write them all")
    names = [index.name if isinstance(index, nodes.Name) else "" for index in tree.indices]
    return tree.name, names


# Integer terms.


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
