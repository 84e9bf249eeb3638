"""Literals and integer terms in specs: `X[i, j]`, `P[i, k] == bit(p, k)`, `V[i] + 1`.

A literal may be listed by `for`. An integer term becomes a literal when it is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize, suggest
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
_LISTED = "declare a variable `Y`, define it by `formula: Y[i] <-> ...`, and list `Y[i]`"

LITERAL_BYTES = 64
"""Bytes for each literal of a list until its clause is made."""

MIN_ROWS_PER_LITERAL = 64
"""Minimum ratio of rows to literals per row for making the literals column by column."""


class Literals(NamedTuple):
    """One literal for each row, or the literals of a `for` in each row."""

    run: Callable[[Frame], Tokens]
    """Function that returns one literal for each row; TRUE or FALSE for one that is constant."""
    certain: bool
    """True if no literal is TRUE or FALSE, so that clauses need no cleaning."""
    grounding: Grounding | None = None
    """Rows of the `for` inside each row; None for one literal in each row."""

    def negated(self) -> Literals:
        """Return the negations of the literals."""
        return self._replace(run=lambda frame: -self.run(frame))

    def gather(self, frame: Frame) -> tuple[Tokens, Ints | None]:
        """Return the literals of all rows, and the number in each row: None if each has one."""
        checkpoint()
        if self.grounding is None:
            return self.run(frame), None
        length = self.grounding.length
        if length and MIN_ROWS_PER_LITERAL * length <= frame.size:
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
        """Return the literals of all rows, computed column by column: first literals, and so on."""
        checkpoint(LITERAL_BYTES * length * frame.size)
        table = np.empty((frame.size, length), np.int32)
        for column, inner in enumerate(grounding.one_by_one(frame)):
            checkpoint()
            table[:, column] = self.run(inner)
        return table.reshape(-1)


def gather_rows(lists: Sequence[Literals], frame: Frame) -> Tokens:
    """Return a clause for each row, ended by 0, with the literals of all lists."""
    return join([literals.gather(frame) for literals in lists], frame.size)


class LiteralCompiler:
    """Compiler of the literals of one source line."""

    def __init__(
        self, scope: Scope, source: ExpressionText, bound: Bound, remedy: str = _REMEDY
    ) -> None:
        self.scope, self.source, self.bound, self.remedy = scope, source, bound, remedy
        self.compiler = Compiler(scope, source, bound)

    def literals(self, node: Node) -> Literals:
        """Compile a literal, `literal for ... if ...`, or such a list inside `any` or `all`."""
        match node:
            case nodes.Call(function="any" | "all", arguments=(nodes.Comprehension() as inner,)):
                return self.literals(inner)
            case nodes.Comprehension():
                grounding, compiler = self.inner(node.bindings, node.condition)
                return compiler.literal(node.item)._replace(grounding=grounding)
        return self.literal(node)

    def inner(
        self, bindings: tuple[Binding, ...], condition: Node | None
    ) -> tuple[Grounding, LiteralCompiler]:
        """Return the grounding of a `for` with its `if`, and the compiler of literals inside it."""
        grounding = compile_grounding(
            self.scope, bindings, self.source, condition, outer=self.bound
        )
        bound = {**self.bound, **grounding.bound}
        return grounding, LiteralCompiler(self.scope, self.source, bound, _LISTED)

    def literal(self, node: Node) -> Literals:
        """Compile a single literal, which may be a comparison or a condition on data."""
        match node:
            case nodes.Unary(operator="not"):
                return self.literal(node.operand).negated()
            case nodes.Name(name=name) if name in self.scope.variables:
                return self._member(nodes.Index(node.at, name, ()))
            case nodes.Index(name=name) if name in self.scope.variables:
                return self._member(node)
            case nodes.Comparison(operators=(sign,), operands=(x, y)) if any(
                is_term(self.scope, side) for side in node.operands
            ):
                return self._comparison(x, sign, y)
            case nodes.Comparison(operators=("==" | "!=" as sign,), operands=(x, y)):
                mentions = [self.compiler.mentions_variable(side) for side in (x, y)]
                if any(mentions) and not all(mentions):
                    return self._signed(x, y, sign)
        if is_term(self.scope, node):
            remedy = "compare it: `V[i] == 3`, `V[i] <= k`"
            raise self.compiler.error("a literal is needed, not an integer,", remedy, node)
        if self.compiler.mentions_variable(node):
            raise self.compiler.error("a literal is needed", self.remedy, node)
        return self._constant(node)

    def _comparison(self, term: Node, sign: str, number: Node) -> Literals:
        """Compile the comparison of an integer with data, by literals for `>=` or `==`."""
        if not is_term(self.scope, term):
            term, number, sign = number, term, MIRRORED.get(sign, sign)
        if is_term(self.scope, number):
            raise self.compiler.error(
                "two integers cannot be compared in a literal",
                "compare them in a `clause` or a `formula`, outside of any, all, xor and <->",
                term,
            )
        index, offset = split_term(self.compiler, term)
        member = compile_member(self.compiler, index)
        # V > k is V >= k + 1, and V <= k is its negation.
        step = Number(term.at, 1 if sign in ("<=", ">") else 0)
        bound = Binary(term.at, "-", Binary(term.at, "+", number, step), offset)
        compiled_bound = self.compiler.number(bound)
        integer, is_equality = member.integer, sign in ("==", "!=")
        integer.requested.add(EQUAL if is_equality else AT_LEAST)
        literals = integer.equal if is_equality else integer.at_least
        polarity = -1 if sign in ("<", "<=", "!=") else 1

        def run(frame: Frame) -> Tokens:
            numbers = full(compiled_bound.run(frame), frame.size)
            return polarity * literals(member.numbers(frame), numbers)

        return Literals(run, certain=False)

    def _member(self, node: nodes.Index) -> Literals:
        variable = self.scope.variables[node.name]
        indices = self.compiler.indices(node, len(variable.shape))

        def run(frame: Frame) -> Tokens:
            columns = [index.run(frame) for index in indices]
            try:
                return variable.ids(columns, frame.size).astype(np.int32)
            except OutsideError as outside:
                entries = [int(full(column, frame.size)[outside.row]) for column in columns]
                fault = f"{node.name}{entries} was not declared{frame.describe(outside.row)}"
                remedy = f"exclude it by `if`, or extend the `for` of {node.name}"
                raise self.compiler.error(fault, remedy, node) from None

        return Literals(run, certain=variable.keys is None)

    def _signed(self, x: Node, y: Node, sign: str) -> Literals:
        """Compile `literal == data` or `literal != data`: a literal with a computed sign."""
        if self.compiler.mentions_variable(y):
            x, y = y, x
        literal, condition = self.literal(x), self.compiler.condition(y)
        agree = sign == "=="

        def run(frame: Frame) -> Tokens:
            same = np.asarray(condition.run(frame)) == agree
            return literal.run(frame) * np.where(same, 1, -1).astype(np.int32)

        return Literals(run, literal.certain)

    def _constant(self, node: Node) -> Literals:
        """Compile a condition on data: TRUE or FALSE in each row."""
        condition = self.compiler.data(node)
        if condition.kind != CONDITION:
            fault = f"a literal is needed, not {condition.kind},"
            raise self.compiler.error(fault, _REMEDY, node)

        def run(frame: Frame) -> Tokens:
            holds = np.broadcast_to(np.asarray(condition.run(frame)), (frame.size,))
            return np.where(holds, TRUE, FALSE).astype(np.int32)

        return Literals(run, certain=False)


def parse_member(
    source: ExpressionText,
    scope: Scope,
    fault: str,
    example: str,
    variables: Mapping[str, Variable] | None = None,
) -> tuple[str, list[str]]:
    """Return the name of a variable such as `H[i, j]`, and the names of its indices.

    An index that is not a name becomes an empty text. `variables` are the allowed ones; default:
    the Boolean variables of the scope.
    """
    tree = parse_expression(source)
    variables = scope.variables if variables is None else variables
    if isinstance(tree, nodes.Index | nodes.Name) and not scope.is_known(tree.name):
        raise source.error(f"unknown variable {tree.name!r}", suggest(tree.name, variables))
    if not isinstance(tree, nodes.Index) or tree.name not in variables:
        raise source.error(fault, f"write `{example}`")
    if len(tree.indices) != (count := len(variables[tree.name].shape)):
        fault = f"{tree.name!r} has {pluralize(len(tree.indices), 'index', 'indices')}"
        raise source.error(fault, f"it was declared with {count}")
    names = [index.name if isinstance(index, nodes.Name) else "" for index in tree.indices]
    return tree.name, names


# Integer terms.


MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
"""Operator of the equivalent comparison with exchanged sides."""


class Member(NamedTuple):
    """One member of an integer for each row."""

    integer: Integer
    numbers: Callable[[Frame], Ints]
    """Function that returns the number of the member in each row."""
    error: Callable[[str, str], InputError]
    """Function that makes an InputError about the term from a fault and a remedy."""


def is_term(scope: Scope, node: Node) -> bool:
    """Return True if the value of an expression, such as `V[i] + 1`, depends on an integer."""
    match node:
        case nodes.Name(name=name) | Index(name=name):
            return name in scope.integers
        case Binary(operator="+" | "-" | "*" | "//" | "%", left=left, right=right):
            return is_term(scope, left) or is_term(scope, right)
        case Unary(operator="-", operand=operand):
            return is_term(scope, operand)
    return False


def split_term(compiler: Compiler, node: Node) -> tuple[Index, Node]:
    """Split an integer term such as `V[i] + 1` into the integer and the data that is added."""
    match node:
        case Index():
            return node, Number(node.at, 0)
        case nodes.Name(name=name):
            return Index(node.at, name, ()), Number(node.at, 0)
        case Binary(operator="+" | "-" as sign, left=left, right=right):
            if not is_term(compiler.scope, right):
                index, offset = split_term(compiler, left)
                return index, Binary(node.at, sign, offset, right)
            if sign == "+" and not is_term(compiler.scope, left):
                index, offset = split_term(compiler, right)
                return index, Binary(node.at, "+", left, offset)
    raise compiler.error(
        "a term must be one integer plus data", "compare other sums by `sum: ...`", node
    )


def compile_member(compiler: Compiler, node: Index) -> Member:
    """Compile a member of an integer, such as `V[i]`."""
    integer = compiler.scope.integers[node.name]
    indices = compiler.indices(node, len(integer.shape))

    def numbers(frame: Frame) -> Ints:
        columns = [index.run(frame) for index in indices]
        try:
            return integer.member_numbers(columns, frame.size)
        except (OutsideError, NoValueError) as error:
            entries = [int(full(column, frame.size)[error.row]) for column in columns]
            excluded = isinstance(error, NoValueError)
            state = "has no value: its `if` excludes it" if excluded else "was not declared"
            fault = f"{node.name}{entries} {state}{frame.describe(error.row)}"
            remedy = f"exclude it by `if: exists({node.name}[...])`"
            raise compiler.error(fault, remedy, node) from None

    def error(fault: str, remedy: str) -> InputError:
        return compiler.error(fault, remedy, node)

    return Member(integer, numbers, error)
