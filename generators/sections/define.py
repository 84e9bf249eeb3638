"""Section `define:` of a spec: names for numbers, tables, sets and keyed sets."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints, distinct
from boardsat.generators.language import nodes
from boardsat.generators.language.compiled_expressions import CompiledExpression
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.grounding import Grounding, compile_grounding
from boardsat.generators.language.nodes import ExpressionText, Node
from boardsat.generators.language.scope import Bound, Scope
from boardsat.generators.language.syntax import parse_bindings, parse_expression
from boardsat.generators.language.values import (
    Column,
    Frame,
    KeyedSet,
    Table,
    TupleSet,
    Value,
    flatten,
    full,
)
from boardsat.generators.schema import Definition

ROW_BYTES = 40
"""Bytes for each row of a table, set or variable, besides its columns, while it is built."""

KEY_BYTES = 32
"""Bytes for each key of a keyed set."""


def define(definition: Definition, scope: Scope) -> Value:
    """Return the value of a definition."""
    if definition.expression is None:
        return _set(definition, scope)
    return _evaluate(definition.expression, parse_expression(definition.expression), scope)


def _evaluate(source: ExpressionText, tree: Node, scope: Scope) -> Value:
    """Return the value of an expression, which may be a table, a set or a call of an algorithm."""
    compiler = Compiler(scope, source)
    match tree:
        case nodes.Comprehension():
            return _table(source, tree, scope)
        case nodes.Call(function=name) if name in scope.algorithms:
            return _call_algorithm(source, tree, scope)
        case nodes.Name(name=name) if name not in ("true", "false"):
            return compiler.look_up(name, tree)
        case nodes.Conditional():
            branch = tree.then if compiler.constant(tree.test) else tree.otherwise
            return _evaluate(source, branch, scope)
    constant = compiler.constant(tree)
    assert isinstance(constant, int | str)
    return constant


def _call_algorithm(source: ExpressionText, call: nodes.Call, scope: Scope) -> Value:
    compiler = Compiler(scope, source)
    arguments = [_argument(compiler, argument) for argument in call.arguments]
    try:
        return scope.algorithms[call.function](*arguments)
    except TypeError:
        raise source.error(
            f"`{call.function}` cannot have {pluralize(len(arguments), 'argument')}",
            "see docs/spec-language.md",
        ) from None
    except InputError as error:
        raise error.at(source.location) from None


def _argument(compiler: Compiler, node: Node) -> Table | int:
    """Return the value of an argument: a number, or a table that is given by its name."""
    if isinstance(node, nodes.Name) and node.name in compiler.scope.values:
        table = compiler.look_up(node.name, node)
        if isinstance(table, Table):
            return table
    number: int = compiler.number(node).run(Frame(1))
    return number


def _table(source: ExpressionText, tree: nodes.Comprehension, scope: Scope) -> Table:
    """Return the table of `expression for i in cells, k in range(m)`, with indices from 0 on."""
    grounding = compile_grounding(scope, tree.bindings, source, tree.condition)
    item = Compiler(scope, source, grounding.bound).number(tree.item)

    def columns_of(frame: Frame) -> list[Column]:
        return [*grounding.columns(frame), item.run(frame)]

    columns = 1 + grounding.width
    *indices, values = collect(grounding, columns_of, columns)
    if not indices:
        fault = "a table must have an index"
        raise source.error(fault, "bind a name to a number or a nonempty tuple")
    flat, shape = flatten(indices, source.location)
    size = math.prod(shape)
    if size != len(values) or len(distinct(flat)) != size:
        raise source.error(
            "a table must have one value for every index from 0 on",
            "remove gaps and repetitions of the `for`",
        )
    checkpoint(8 * size)
    table = np.empty(size, np.int64)
    table[flat] = values
    return Table(table.reshape(shape))


def _set(definition: Definition, scope: Scope) -> Value:
    """Return the set or keyed set that a `for` defines."""
    assert definition.bindings is not None
    grounding = ground(scope, definition.bindings, definition.condition)
    bound = grounding.bound
    key_numbers = _numbers(definition.by, scope, bound) if definition.by else []
    give = definition.give or ExpressionText(", ".join(bound), definition.location)
    item_numbers = _numbers(give, scope, bound)
    if not item_numbers:
        raise give.error("the items of a set must have at least one number", "add a number")
    numbers = [*item_numbers, *key_numbers]
    columns = collect(grounding, lambda frame: [n.run(frame) for n in numbers], len(numbers))
    items, keys = columns[: len(item_numbers)], columns[len(item_numbers) :]
    if not keys:
        return TupleSet(tuple(items))
    flat, shape = flatten(keys, definition.location)
    checkpoint(KEY_BYTES * math.prod(shape))
    return KeyedSet.group(flat, shape, items)


def _numbers(source: ExpressionText, scope: Scope, bound: Bound) -> list[CompiledExpression]:
    """Compile numbers that are separated by commas."""
    tree = parse_expression(ExpressionText(f"({source.text})", source.location))
    items = tree.items if isinstance(tree, nodes.Pair) else (tree,)
    compiler = Compiler(scope, source, bound)
    return [number for item in items for number in compiler.numbers(item)]


def ground(
    scope: Scope, bindings: ExpressionText, condition: ExpressionText | None = None
) -> Grounding:
    """Compile the texts of a `for` and its `if`."""
    tree = parse_expression(condition) if condition else None
    return compile_grounding(scope, parse_bindings(bindings), bindings, tree, condition)


def collect(
    grounding: Grounding,
    columns_of: Callable[[Frame], Sequence[Column]],
    columns: int,
    start: Frame | None = None,
) -> list[Ints]:
    """Return the columns of all rows of a grounding.

    Parameters
    ----------
    grounding : Grounding
        Rows.
    columns_of : callable
        Function that computes the columns of a chunk of rows.
    columns : int
        Number of columns, for the limit of memory.
    start : Frame, optional
        Rows of the names that are bound further out.
    """
    row_bytes = ROW_BYTES + 16 * columns
    checkpoint(row_bytes * (grounding.length or 0))
    pieces: list[list[Ints]] = []
    total = 0
    for frame in grounding.frames(start):
        total += frame.size
        checkpoint(row_bytes * frame.size)
        pieces.append([full(column, frame.size) for column in columns_of(frame)])
    if not pieces:
        outer = start.columns if start else {}
        inner = grounding.frame(0, [np.zeros(0, np.int64)] * grounding.width)
        empty = Frame(0, {name: column[:0] for name, column in outer.items()} | inner.columns)
        return [full(column, 0) for column in columns_of(empty)]
    return [np.concatenate(column) for column in zip(*pieces, strict=True)]
