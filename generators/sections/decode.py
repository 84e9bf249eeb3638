"""The `decode:` section: how a model is decoded and drawn, for the header of a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from boardsat.generators.arrays import Ints
from boardsat.generators.boards._pieces import FRIENDS
from boardsat.generators.errors import InputError, choose_from
from boardsat.generators.language import nodes
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.literals import member
from boardsat.generators.language.nodes import ExpressionText, Node
from boardsat.generators.language.scope import Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame, TupleSet, full
from boardsat.generators.limits import LARGEST_INTEGER
from boardsat.generators.spec import View

CELLS = ("cell", "from", "to")
"""Roles of indices that are cells of the board."""


def view(shown: View, scope: Scope) -> dict[str, Any]:
    """A view for the header: which variable, and which of its indices plays which role."""
    variable, indices = member(shown.member, scope, "a view shows one variable", "arcs: H[i, j]")
    described: dict[str, Any] = {"view": shown.kind, "variable": variable}
    for role, source in shown.indices:
        if role == "value":
            described["value"], described["plus"] = _value(source, shown, indices, scope)
        else:
            described[role] = _place(source, source.text, shown, indices)
        if role in CELLS:
            _refuse_no_cell(source, scope.variables[variable].shape[described[role]], scope)
    if "sign" in shown.options:
        described["sign"] = _sign(shown.options["sign"])
    return described


def _refuse_no_cell(source: ExpressionText, extent: int, scope: Scope) -> None:
    """Of an index that is said to be a cell, and goes beyond the last one."""
    cells = scope.values.get("cells")
    if isinstance(cells, TupleSet) and extent > cells.size:
        fault = f"{source.text!r} goes up to {extent - 1}, but the last cell is {cells.size - 1}"
        raise InputError(fault, "name the index that is a cell", source.place)


def _place(source: ExpressionText, name: str, shown: View, indices: list[str]) -> int:
    if name not in indices:
        fault = f"no index {name!r} in `{shown.member.text}`"
        raise InputError(fault, choose_from(name, indices), source.place)
    return indices.index(name)


def _value(
    source: ExpressionText, shown: View, indices: list[str], scope: Scope
) -> tuple[int, int]:
    """`v`, or `v + 1` where people count from 1: the place of the index, and what is added."""
    tree = parse_expression(source)
    sign, more = 1, None
    match tree:
        case nodes.Binary(operator="+" | "-", left=nodes.Name() as name, right=added):
            sign, more = (1 if tree.operator == "+" else -1), added
        case nodes.Name() as name:
            pass
        case _:
            raise source.error(
                "a label shows an index, or one and a number", "write `v` or `v + 1`"
            )
    added_to = _place(source, name.name, shown, indices)
    return added_to, sign * _number(source, more, scope) if more else 0


def _number(source: ExpressionText, tree: Node, scope: Scope) -> int:
    number = int(Compiler(scope, source).number(tree).run(Frame(1)))
    if abs(number) > LARGEST_INTEGER:
        raise source.error(f"{number} is too large", "add less")
    return number


def _sign(source: ExpressionText) -> str:
    """The name of a chess piece, or one character."""
    word = source.text.strip()
    if word not in FRIENDS and (len(word) != 1 or not word.isprintable()):
        raise source.error(
            f"no sign {word[:20]!r}", f"write one character, or one of: {', '.join(FRIENDS)}"
        )
    return word


def regions(views: Sequence[View], scope: Scope) -> Ints | None:
    """The region of every cell: between cells of different ones a line is drawn."""
    found = _of_cells(views, "regions", scope)
    if found is None:
        return None
    source, name, cells = found
    compiled = Compiler(scope, source, frozenset([name])).number(parse_expression(source))
    numbers = full(compiled.run(Frame(len(cells), {name: cells})), len(cells))
    if len(numbers) and numbers.min() < 0:
        raise source.error("a negative region", "add to it so that regions start at 0")
    return numbers


def given(views: Sequence[View], scope: Scope) -> Ints | None:
    """The cells whose content is part of the question, to be told apart from the answer."""
    found = _of_cells(views, "given", scope)
    if found is None:
        return None
    source, name, cells = found
    compiled = Compiler(scope, source, frozenset([name])).condition(parse_expression(source))
    holds = np.broadcast_to(compiled.run(Frame(len(cells), {name: cells})), len(cells))
    chosen: Ints = cells[holds]
    return chosen


def _of_cells(
    views: Sequence[View], option: str, scope: Scope
) -> tuple[ExpressionText, str, Ints] | None:
    """What one of the views says of all cells, what it calls a cell, and the cells."""
    said = [shown for shown in views if option in shown.options]
    if not said:
        return None
    if len(said) > 1:
        raise said[1].options[option].error(f"`{option}` is given twice", "give it once")
    source = said[0].options[option]
    cells = scope.values.get("cells")
    if not isinstance(cells, TupleSet):
        raise source.error("cells without a board", "add a `board`")
    return source, dict(said[0].indices)["cell"].text, cells.columns[0]
