"""A board as a file's header describes it: how many cells, and which are a move apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from adapters.header import Header


@dataclass(frozen=True)
class Grid:
    """Squares numbered row by row, and the steps of the piece that moves on them."""

    rows: int
    cols: int
    steps: frozenset[tuple[int, int]]

    @property
    def cells(self) -> int:
        return self.rows * self.cols

    def is_move(self, a: int, b: int) -> bool:
        step = (b // self.cols - a // self.cols, b % self.cols - a % self.cols)
        return step in self.steps

    def edges(self) -> list[tuple[int, int]]:
        """The pairs of cells that are a move apart, each once."""
        found = []
        for cell in range(self.cells):
            row, column = divmod(cell, self.cols)
            for down, right in self.steps:
                inside = 0 <= row + down < self.rows and 0 <= column + right < self.cols
                other = cell + down * self.cols + right
                if inside and cell < other:
                    found.append((cell, other))
        return found

    def name(self, cell: int) -> str:
        return f"({cell // self.cols}, {cell % self.cols})"


@dataclass(frozen=True)
class Graph:
    """Vertices, and the pairs that an edge joins; its file counts vertices from `first`."""

    cells: int
    first: int
    joined: frozenset[tuple[int, int]]

    def is_move(self, a: int, b: int) -> bool:
        return (min(a, b), max(a, b)) in self.joined

    def edges(self) -> list[tuple[int, int]]:
        return sorted(self.joined)

    def name(self, cell: int) -> str:
        return str(cell + self.first)


Board = Grid | Graph


def board_of(header: Header) -> Board | None:
    """The board, or None for a file without one."""
    about: dict[str, Any] = header.board
    if about.get("shape") == "grid":
        steps = frozenset((int(a), int(b)) for a, b in about["moves"])
        return Grid(about["rows"], about["cols"], steps)
    if about.get("shape") == "graph":
        cells = about["vertices"]
        edges = header.edges if header.edges is not None else np.zeros(0, np.int64)
        pairs = frozenset(zip((edges // cells).tolist(), (edges % cells).tolist(), strict=True))
        return Graph(cells, about["first"], pairs)
    return None
