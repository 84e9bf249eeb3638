"""Fewest queens: queens attack or occupy every square; that no fewer would do is unchecked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules.queen_domination import undominated
from boardsat.adapters.views.solution import Marks, Solution


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, marks = solution.board, solution.view
    assert isinstance(board, Grid) and isinstance(marks, Marks)
    yield from undominated(marks, board)
