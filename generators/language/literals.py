"""Literals in specs: `X[i, j]`, `not X[i, j]`, `P[i, k] == bit(p, k)`, and lists by `for`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.base.text import suggest
from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens
from boardsat.generators.language import nodes
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.functions import CONDITION
from boardsat.generators.language.grounding import Grounding, compile_grounding
from boardsat.generators.language.integer_terms import MIRRORED, is_term, member_of, parted
from boardsat.generators.language.integers import AT_LEAST, EQUAL
from boardsat.generators.language.layout import OutsideError, Variable
from boardsat.generators.language.nodes import Binding, ExpressionText, Node
from boardsat.generators.language.scope import Bound, Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame, full

_REMEDY = "write `X[i]` or `not X[i]`; in a `formula:`, join them by and, or, not"
_LISTED = "`for` lists literals: declare `Y[i]`, say `formula: Y[i] <-> ...`, and list `Y[i]`"

LITERAL_BYTES = 64
"""What a literal of a list takes until its clause is made."""

MANY_ROWS = 64
"""With so many times as many rows as literals of each, these are made column by column."""

ROW = "#row"
"""The hidden column that tells to which outer row an inner row belongs."""


class Literal(NamedTuple):
    """One literal a row; TRUE or FALSE where it is already known."""

    run: Callable[[Frame], Tokens]
    certain: bool
    """Never TRUE or FALSE: nothing to clean away afterwards."""

    def negated(self) -> Literal:
        return Literal(lambda frame: -self.run(frame), self.certain)

    def gather(self, frame: Frame) -> Tokens:
        """The literals of all rows."""
        checkpoint()
        return self.run(frame)


class Listed(NamedTuple):
    """`literal for ... if ...`: any number of literals a row."""

    grounding: Grounding
    literal: Literal

    def negated(self) -> Listed:
        return Listed(self.grounding, self.literal.negated())

    @property
    def certain(self) -> bool:
        return self.literal.certain

    def gather(self, frame: Frame) -> tuple[Tokens, Ints]:
        """The literals of all rows, and how many belong to each."""
        checkpoint()
        length = self.grounding.length
        if length and MANY_ROWS * length <= frame.size:
            return self._by_columns(frame, length), np.full(frame.size, length)
        start = frame.bind([ROW], [np.arange(frame.size)])
        literals, owners, total = [], [], 0
        for inner in self.grounding.frames(start):
            total += inner.size
            checkpoint(LITERAL_BYTES * total)
            literals.append(self.literal.gather(inner))
            owners.append(inner.columns[ROW])
        if not literals:
            return np.zeros(0, np.int32), np.zeros(frame.size, np.int64)
        counts = np.bincount(np.concatenate(owners), minlength=frame.size)
        return np.concatenate(literals), counts

    def _by_columns(self, frame: Frame, length: int) -> Tokens:
        """The first literal of every row, then the second, and so on."""
        checkpoint(LITERAL_BYTES * length * frame.size)
        table = np.empty((frame.size, length), np.int32)
        for place, bound in enumerate(self.grounding.one_by_one(frame)):
            table[:, place] = self.literal.gather(bound)
        return table.reshape(-1)


Part = Literal | Listed


def gather(part: Part, frame: Frame) -> tuple[Tokens, Ints | None]:
    """What `arrays.join` takes."""
    if isinstance(part, Literal):
        return part.gather(frame), None
    return part.gather(frame)


class LiteralCompiler:
    """Compiles the literals of one source line."""

    def __init__(
        self, scope: Scope, source: ExpressionText, bound: Bound, remedy: str = _REMEDY
    ) -> None:
        self.scope, self.source, self.bound, self.remedy = scope, source, bound, remedy
        self.compiler = Compiler(scope, source, bound)

    def part(self, node: Node) -> Part:
        """A literal, or `literal for ... if ...`, or the same inside `any( )`."""
        match node:
            case nodes.Call(function="any" | "all", arguments=(nodes.Comprehension() as inner,)):
                return self.part(inner)
            case nodes.Comprehension():
                return self.listed(node)
        return self.literal(node)

    def listed(self, node: nodes.Comprehension) -> Listed:
        grounding, inner = self.within(node.bindings, node.condition)
        return Listed(grounding, inner.literal(node.item))

    def within(
        self, bindings: tuple[Binding, ...], condition: Node | None
    ) -> tuple[Grounding, LiteralCompiler]:
        """The rows of a `for` and its `if`, and who reads the literals in them."""
        grounding = compile_grounding(
            self.scope, bindings, self.source, condition, outer=self.bound
        )
        bound = {**self.bound, **grounding.bound}
        return grounding, LiteralCompiler(self.scope, self.source, bound, _LISTED)

    def literal(self, node: Node) -> Literal:
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

    def _compared(self, left: Node, sign: str, right: Node) -> Literal:
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
        integer.asked.add(EQUAL if is_equality else AT_LEAST)
        opposite = -1 if sign in ("<", "<=", "!=") else 1

        def run(frame: Frame) -> Tokens:
            places, numbers = member.places(frame), full(number.run(frame), frame.size)
            found = integer.equal if is_equality else integer.at_least
            return opposite * found(places, numbers)

        return Literal(run, certain=False)

    def _member(self, node: nodes.Index) -> Literal:
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

        return Literal(run, certain=variable.keys is None)

    def _signed(self, left: Node, right: Node, sign: str) -> Literal:
        """A literal whose sign is data."""
        if self.compiler.mentions_variable(right):
            left, right = right, left
        literal, data = self.literal(left), self.compiler.condition(right)
        agree = sign == "=="

        def run(frame: Frame) -> Tokens:
            same = np.asarray(data.run(frame)) == agree
            return literal.run(frame) * np.where(same, 1, -1).astype(np.int32)

        return Literal(run, literal.certain)

    def _known(self, node: Node) -> Literal:
        data = self.compiler.data(node)
        if data.kind != CONDITION:
            raise self.compiler.error(f"a literal is needed, not {data.kind},", _REMEDY, node)

        def run(frame: Frame) -> Tokens:
            holds = np.broadcast_to(np.asarray(data.run(frame)), (frame.size,))
            return np.where(holds, TRUE, FALSE).astype(np.int32)

        return Literal(run, certain=False)


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
