"""Algorithms on boards and graphs, which specs call in `define:`.

Each algorithm is a module named after it, with these attributes:

compute(board, *arguments) -> Value
    Return a number, table or set. Arguments are integers, or tables at the positions in `TABLES`.
    Raise InputError if an argument is invalid; call `checkpoint(nbytes)` before large allocations.

TABLES : tuple of int
    Optional. Positions of the arguments that are tables, counted from 0 without the board.

Examples
--------
>>> from boardsat.generators.boards import grid
>>> bind_algorithms(grid.build(1, 4, moves="wazir"))["distance"](0).values.tolist()
[0, 1, 2, 3]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from boardsat.base.errors import InputError, prefix_faults
from boardsat.base.registry import Registry
from boardsat.generators.boards import Board
from boardsat.generators.language.values import Table, Value

_registry = Registry(__name__, "algorithm")
names = _registry.names


def bind_algorithms(board: Board) -> Mapping[str, Callable[..., Value]]:
    """Return every algorithm by name, bound to the board; the first call imports its module."""
    return {name: partial(_compute, name, board) for name in names()}


def _compute(name: str, board: Board, *arguments: Any) -> Value:
    module = _registry.load(name)
    with prefix_faults(name):
        for index, argument in enumerate(arguments):
            needs_table = index in getattr(module, "TABLES", ())
            if needs_table != isinstance(argument, Table):
                needed, got = ("a table", "a number") if needs_table else ("a number", "a table")
                remedy = "name a table of `define:`" if needs_table else "write a number such as 0"
                raise InputError(f"argument {index + 1} must be {needed} (got {got})", remedy)
        computed: Value = module.compute(board, *arguments)
    return computed
