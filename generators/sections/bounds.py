"""The bounds of a parameter: `min` and `max` of a number or of all entries; and their `keys`."""

from __future__ import annotations

from collections.abc import Set
from string import ascii_letters

import numpy as np

from boardsat.base.errors import InputError
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.boards._graph_files import Graph
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.nodes import names_in
from boardsat.generators.language.scope import Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame, Table
from boardsat.generators.schema import Parameter
from boardsat.generators.sections import entries


def check_bounds(
    parameter: Parameter,
    value: int | bool | str | Table | Graph,
    scope: Scope,
    known: Set[str] | None = None,
    cols: int | None = None,
) -> None:
    """Check min and max; where names other than the known ones occur in them, that comes later."""
    if parameter.keys and known is None:
        _check_keys(parameter, value, scope)
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
            where = _entry(parameter, int(wrong[0]), value, cols)
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


def _check_keys(
    parameter: Parameter, value: int | bool | str | Table | Graph, scope: Scope
) -> None:
    """An entry of a list is for a number that occurs in another table."""
    of = scope.values.get(parameter.keys)
    if not isinstance(of, Table) or not isinstance(value, Table) or value.values.ndim > 1:
        raise InputError(
            f"`keys: {parameter.keys}` is not for a list, or names no table",
            "name a parameter of type numbers",
            parameter.place,
        )
    named = np.flatnonzero(_is_there(value, value.values))
    for index in named[~np.isin(named, of.values)][:1]:
        raise InputError(
            f"an entry for {_key(index)}, and {parameter.keys} has no {_key(index)}",
            "leave it out, or name another",
            parameter.place,
        )


def _key(index: int) -> str:
    """As a list names its entries."""
    return ascii_letters[index] if index < len(ascii_letters) else str(index)


def _entry(
    parameter: Parameter, number: int, value: int | bool | str | Table | Graph, cols: int | None
) -> str:
    """Which entry of a table, by rows where it or the board has them."""
    if not isinstance(value, Table):
        return ""
    if parameter.keys:
        return f" for {_key(number)}"
    if value.values.ndim > 1:
        row, column, *_ = np.unravel_index(number, value.values.shape)
        return f" in row {row + 1}, column {column + 1}"
    # Without a shape it has an entry for every cell.
    by_rows = cols is not None and parameter.shape is None
    return f" in {entries.whereabouts(number, cols or 1)}" if by_rows else f" in entry {number + 1}"
