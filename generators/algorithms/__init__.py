"""Algorithms on a board that specs may call in `define:`, one file each, named like the function.

`compute(board, *arguments)` takes whole numbers, or tables where `TABLES` says so. It gives
a table or a set, and checks the size of what it makes beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from boardsat.base.errors import InputError
from boardsat.base.registry import Registry
from boardsat.generators.boards import Board
from boardsat.generators.language.values import Table, Value

_registry = Registry(__name__, "algorithm")
names = _registry.names


def offered_by(board: Board) -> Mapping[str, Callable[..., Value]]:
    """Every algorithm, bound to the board; a file is imported when it is first called."""
    return {name: partial(_compute, name, board) for name in names()}


def _compute(name: str, board: Board, *arguments: Any) -> Value:
    module = _registry.load(name)
    for number, argument in enumerate(arguments):
        is_table, asked = isinstance(argument, Table), number in getattr(module, "TABLES", ())
        if is_table != asked:
            words = ("a number", "a table") if asked else ("a table", "a number")
            raise InputError(f"argument {number + 1} of `{name}` is {words[0]}", f"give {words[1]}")
    value: Value = module.compute(board, *arguments)
    return value
