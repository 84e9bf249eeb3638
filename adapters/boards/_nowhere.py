"""No board: what is shown without one stands in lists and tables."""

from __future__ import annotations

from dataclasses import dataclass

from boardsat.adapters.boards._board import Board


@dataclass(frozen=True)
class Nowhere(Board):
    @property
    def cells(self) -> int:
        return 0

    def is_move(self, a: int, b: int) -> bool:
        return False

    def edges(self) -> list[tuple[int, int]]:
        return []

    def name(self, cell: int) -> str:
        return str(cell)

    @property
    def title(self) -> str:
        return "no board"
