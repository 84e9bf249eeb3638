"""Base class of boards: cells, moves between them, and cells that enemies attack."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass


def shortest_cycle(directed: bool) -> int:
    """Cells of a closed tour, at least: along an edge and back is no cycle, but along two arcs."""
    return 2 if directed else 3


class Board(ABC):
    """Cells are numbered from 0, and users name them by places, which count holes too."""

    @property
    @abstractmethod
    def cells(self) -> int: ...

    @abstractmethod
    def is_move(self, a: int, b: int) -> bool: ...

    @abstractmethod
    def edges(self) -> list[tuple[int, int]]:
        """The pairs of cells that are a move apart, each once, the smaller cell first."""

    @property
    def directed(self) -> bool:
        """Whether a move may lack its reverse."""
        return False

    @abstractmethod
    def name(self, cell: int) -> str: ...

    @property
    @abstractmethod
    def title(self) -> str:
        """The board in a few words: `8x8`, `a torus of 5x6`."""

    def cell_at(self, place: int) -> int:
        """The cell at a place that a user has named."""
        return place

    def notes(self) -> list[str]:
        """What is so, and perhaps not meant."""
        return []

    def guards(self) -> list[tuple[int, int]]:
        """Pairs of an enemy's cell and one that it attacks, which must be visited later."""
        return []


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
