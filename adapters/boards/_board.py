"""Base class of boards: cells, moves between them, and cells that enemies attack."""

from __future__ import annotations

from abc import ABC, abstractmethod

from boardsat.base.dataclass import dataclass


def shortest_cycle(directed: bool) -> int:
    """Return the minimum length of a closed tour: 2 with arcs in both directions, 3 with edges."""
    return 2 if directed else 3


class Board(ABC):
    """Board with cells that are numbered from 0.

    Parameters of an instance, such as the start of a tour, number the tiles instead, which include
    holes. On a graph both are the vertices.
    """

    @property
    @abstractmethod
    def cells(self) -> int: ...

    @abstractmethod
    def is_move(self, a: int, b: int) -> bool: ...

    @abstractmethod
    def edges(self) -> list[tuple[int, int]]:
        """Return the pairs of cells that are a move apart, each once, the smaller cell first."""

    @property
    def directed(self) -> bool:
        """True if a move may lack its reverse."""
        return False

    @abstractmethod
    def name(self, cell: int) -> str: ...

    @property
    @abstractmethod
    def title(self) -> str:
        """Description of the board: `8x8`, `a torus of 5x6`."""

    def cell_at(self, tile: int) -> int:
        """Return the cell on a tile; raise KeyError if it is a hole or holds a friend."""
        return tile

    def notes(self) -> list[str]:
        """Return remarks on the board that the user may not expect."""
        return []

    def guards(self) -> list[tuple[int, int]]:
        """Return pairs of an enemy's cell and an attacked cell, which must be visited later."""
        return []


@dataclass(frozen=True)
class NoBoard(Board):
    """Board without cells, for solutions whose views need no board."""

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
