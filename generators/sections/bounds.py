"""The bounds of a parameter: `min` and `max`, of a number or of every entry of a table."""

from __future__ import annotations

from collections.abc import Set

import numpy as np

from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.boards._graph_files import Graph
from boardsat.generators.errors import InputError
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.nodes import names_in
from boardsat.generators.language.scope import Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame, Table
from boardsat.generators.sections import entries
from boardsat.generators.spec import Parameter


def check_bounds(
    parameter: Parameter,
    value: int | bool | str | Table | Graph,
    scope: Scope,
    known: Set[str] | None = None,
    cols: int | None = None,
) -> None:
    """Check min and max; where names other than the known ones occur in them, that comes later."""
    for bound, sign in ((parameter.least, -1), (parameter.most, 1)):
        if bound is None:
            continue
        tree = parse_expression(bound)
        if known is not None and (isinstance(value, Table) or not names_in(tree) <= known):
            continue
        limit: int = Compiler(scope, bound).number(tree).run(Frame(1))
        numbers = value.values.reshape(-1) if isinstance(value, Table) else np.array([value])
        wrong = np.flatnonzero(((numbers - limit) * sign > 0) & _is_there(value, numbers))
        if len(wrong):
            where = _entry(int(wrong[0]), value, cols) if isinstance(value, Table) else ""
            side, least = ("below", "at least") if sign < 0 else ("above", "at most")
            raise InputError(
                f"{parameter.name} = {numbers[wrong[0]]}{where} is {side} {limit}",
                f"give {least} {limit}",
                parameter.place,
            )


def _is_there(value: int | bool | str | Table | Graph, numbers: Ints) -> Bools:
    """Bounds are for entries that are there."""
    missing = value.missing if isinstance(value, Table) else None
    there: Bools = np.ones(len(numbers), np.bool_) if missing is None else numbers != missing
    return there


def _entry(number: int, table: Table, cols: int | None) -> str:
    """Which entry of a list, by rows where it or the board has them."""
    if table.values.ndim > 1:
        row, column, *_ = np.unravel_index(number, table.values.shape)
        return f" in row {row + 1}, column {column + 1}"
    return f" in {entries.whereabouts(number, cols)}" if cols else f" in entry {number + 1}"
