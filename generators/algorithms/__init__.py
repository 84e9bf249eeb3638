"""Algorithms on a board that specs may call in `define:`, one file each, named like the function.

`compute(board, budget, *arguments)` takes whole numbers and gives a table or a set; what it takes
is charged to the budget beforehand.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from boardsat.generators.boards import Board
from boardsat.generators.language.values import Value
from boardsat.generators.limits import WorkBudget


def offered_by(board: Board) -> Mapping[str, Callable[..., Value]]:
    """Every algorithm, bound to the board; a file is imported when it is first called, with the
    budget and its arguments."""
    return {name: partial(_compute, name, board) for name in names()}


@cache
def names() -> tuple[str, ...]:
    return tuple(m.name for m in pkgutil.iter_modules(__path__) if m.name[0] != "_")


def _compute(name: str, board: Board, budget: WorkBudget, *arguments: Any) -> Value:
    value: Value = importlib.import_module(f"{__name__}.{name}").compute(board, budget, *arguments)
    return value
