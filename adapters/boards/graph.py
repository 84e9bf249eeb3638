"""A graph: vertices and edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boardsat.adapters.boards._board import Board
from boardsat.adapters.counts import counted
from boardsat.adapters.dimacs import values
from boardsat.adapters.dimacs.header import Header


@dataclass(frozen=True)
class GraphBoard(Board):
    """Its file counts vertices from `first`."""

    vertices: int
    first: int
    joined: frozenset[tuple[int, int]]

    @property
    def cells(self) -> int:
        return self.vertices

    def is_move(self, a: int, b: int) -> bool:
        return (min(a, b), max(a, b)) in self.joined

    def edges(self) -> list[tuple[int, int]]:
        return sorted(self.joined)

    @property
    def title(self) -> str:
        return f"a graph of {counted(self.vertices, 'vertex', 'vertices')}"

    def name(self, cell: int) -> str:
        return str(cell + self.first)


def read(header: Header) -> GraphBoard:
    vertices = values.number(header.board, "vertices", 0, header.room)
    first = values.number(header.board, "first", 0, values.LARGEST)
    edges = header.edges if header.edges is not None else np.zeros(0, np.int64)
    if len(edges) and not 0 <= edges.min() <= edges.max() < vertices * vertices:
        raise values.MalformedError("an edge to a vertex that does not exist")
    pairs = zip((edges // vertices).tolist(), (edges % vertices).tolist(), strict=True)
    return GraphBoard(vertices, first, frozenset(pairs))
