"""The `define:` section: names for numbers, tables, sets and keyed sets."""

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
"""What every row of a table, a set or a variable takes beside its columns, until it is made."""

KEY_BYTES = 32
"""What every key of a keyed set takes, whether it has members or not."""


def define(definition: Definition, scope: Scope) -> Value:
    if definition.expression is None:
        return _set(definition, scope)
    return _evaluate(definition.expression, parse_expression(definition.expression), scope)


def _evaluate(source: ExpressionText, tree: Node, scope: Scope) -> Value:
    """A number, a text, a table or a set."""
    compiler = Compiler(scope, source)
    match tree:
        case nodes.Comprehension():
            return _table(source, tree, scope)
        case nodes.Call(function=name) if name in scope.algorithms:
            return _call_algorithm(source, tree, scope)
        case nodes.Name(name=name) if name not in ("true", "false"):
            return compiler.look_up(name, tree)
        case nodes.Conditional():
            chosen = tree.then if compiler.constant(tree.test) else tree.otherwise
            return _evaluate(source, chosen, scope)
    value = compiler.constant(tree)
    assert isinstance(value, int | str)
    return value


def _call_algorithm(source: ExpressionText, call: nodes.Call, scope: Scope) -> Value:
    compiler = Compiler(scope, source)
    arguments = [_argument(compiler, argument) for argument in call.arguments]
    try:
        value = scope.algorithms[call.function](*arguments)
    except TypeError:
        raise source.error(
            f"`{call.function}` does not take {pluralize(len(arguments), 'argument')}",
            "see docs/spec-language.md",
        ) from None
    except InputError as error:
        raise error.at(source.location) from None
    return value


def _argument(compiler: Compiler, node: Node) -> Table | int:
    """A number, or a table by its name."""
    if isinstance(node, nodes.Name) and node.name in compiler.scope.values:
        value = compiler.look_up(node.name, node)
        if isinstance(value, Table):
            return value
    number: int = compiler.number(node).run(Frame(1))
    return number


def _table(source: ExpressionText, tree: nodes.Comprehension, scope: Scope) -> Table:
    """`expression for i in cells, k in range(m)`: a number for every index, from 0 on."""
    grounding = compile_grounding(scope, tree.bindings, source, tree.condition)
    item = Compiler(scope, source, grounding.bound).number(tree.item)

    def columns_of(frame: Frame) -> list[Column]:
        return [*grounding.columns(frame), item.run(frame)]

    columns = 1 + grounding.width
    *indices, values = collect(grounding, columns_of, columns)
    if not indices:
        raise source.error("this table has no index", "bind a name to numbers or to longer tuples")
    flat, shape = flatten(indices, source.location)
    size = math.prod(shape)
    if size != len(values) or len(distinct(flat)) != size:
        raise source.error(
            "this table has gaps or repetitions", "give a value for every index from 0 on"
        )
    checkpoint(8 * size)
    table = np.empty(size, np.int64)
    table[flat] = values
    return Table(table.reshape(shape))


def _set(definition: Definition, scope: Scope) -> Value:
    assert definition.bindings is not None
    grounding = ground(scope, definition.bindings, definition.condition)
    bound = grounding.bound
    by = _numbers(definition.by, scope, bound) if definition.by else []
    give = definition.give or ExpressionText(", ".join(bound), definition.location)
    wanted = [*_numbers(give, scope, bound), *by]
    if len(wanted) == len(by):
        raise give.error("an empty tuple", "give at least one number")
    columns = collect(
        grounding,
        lambda frame: [data.run(frame) for data in wanted],
        len(wanted),
    )
    items, keys = columns[: len(wanted) - len(by)], columns[len(wanted) - len(by) :]
    if not by:
        return TupleSet(tuple(items))
    flat, shape = flatten(keys, definition.location)
    checkpoint(KEY_BYTES * math.prod(shape))
    grouped = KeyedSet.group(flat, shape, items)
    return grouped


def _numbers(source: ExpressionText, scope: Scope, bound: Bound) -> list[CompiledExpression]:
    """Numbers separated by commas."""
    tree = parse_expression(ExpressionText(f"({source.text})", source.location))
    items = tree.items if isinstance(tree, nodes.Pair) else (tree,)
    compiler = Compiler(scope, source, bound)
    return [number for item in items for number in compiler.numbers(item)]


def ground(
    scope: Scope, bindings: ExpressionText, condition: ExpressionText | None = None
) -> Grounding:
    """A `for` and its `if` from their texts."""
    tree = parse_expression(condition) if condition else None
    return compile_grounding(scope, parse_bindings(bindings), bindings, tree, condition)


def _none_of(start: Frame | None) -> dict[str, Ints]:
    """No rows of it."""
    return {name: column[:0] for name, column in start.columns.items()} if start else {}


def collect(
    grounding: Grounding,
    columns_of: Callable[[Frame], Sequence[Column]],
    columns: int,
    start: Frame | None = None,
) -> list[Ints]:
    """The columns of all rows together; `columns`: how many."""
    row = ROW_BYTES + 16 * columns
    checkpoint(row * (grounding.length or 0))
    pieces: list[list[Ints]] = []
    total = 0
    for frame in grounding.frames(start):
        total += frame.size
        checkpoint(row * frame.size)
        pieces.append([full(column, frame.size) for column in columns_of(frame)])
    if not pieces:
        nothing = grounding.frame(0, [np.zeros(0, np.int64)] * grounding.width)
        nothing = Frame(0, {**_none_of(start), **nothing.columns})
        return [full(column, 0) for column in columns_of(nothing)]
    return [np.concatenate(column) for column in zip(*pieces, strict=True)]
