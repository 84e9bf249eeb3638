"""A graph: vertices and edges, or arcs."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardsat.adapters.boards._board import Board
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header
from boardsat.base.dataclass import dataclass
from boardsat.base.json_data import MalformedError
from boardsat.base.text import pluralize

_NAMED = 10
"""Vertices in a note."""


@dataclass(frozen=True)
class GraphBoard(Board):
    """Its file counts vertices from `first`, or has labels for them."""

    vertices: int
    first: int
    joined: frozenset[tuple[int, int]]
    """Edges with the smaller vertex first, or arcs."""
    labels: tuple[str, ...] = ()
    arcs: bool = False

    @property
    def cells(self) -> int:
        return self.vertices

    def is_move(self, a: int, b: int) -> bool:
        return ((a, b) if self.arcs else (min(a, b), max(a, b))) in self.joined

    def edges(self) -> list[tuple[int, int]]:
        return sorted({(min(pair), max(pair)) for pair in self.joined})

    @property
    def directed(self) -> bool:
        return self.arcs

    def notes(self) -> list[str]:
        """A header may say more vertices than edges name, and all of them are there."""
        ends = {cell for pair in self.joined for cell in pair}
        alone = [self.name(cell) for cell in range(self.vertices) if cell not in ends]
        if not alone or self.vertices == 1:
            return []
        more = f" and {len(alone) - _NAMED} more" if len(alone) > _NAMED else ""
        have = pluralize(len(alone), "vertex without an edge is", "vertices without an edge are")
        return [f"{have} part of the graph: {', '.join(alone[:_NAMED])}{more}"]

    @property
    def title(self) -> str:
        kind = "directed graph" if self.arcs else "graph"
        return f"a {kind} of {pluralize(self.vertices, 'vertex', 'vertices')}"

    def name(self, cell: int) -> str:
        return self.labels[cell] if self.labels else str(cell + self.first)


def read(header: Header) -> GraphBoard:
    vertices = header_values.number(header.board.options, "vertices", 0, header.board.max_cells)
    labels = _labels(header.board.options, vertices) if "labels" in header.board.options else ()
    first = (
        0
        if labels
        else header_values.number(header.board.options, "first", 0, header_values.LARGEST)
    )
    arcs = header.board.options.get("directed", False)
    if not isinstance(arcs, bool):
        raise MalformedError("`directed` is neither true nor false")
    edges = header.board.edges if header.board.edges is not None else np.zeros(0, np.int64)
    if len(edges) and not 0 <= edges.min() <= edges.max() < vertices * vertices:
        raise MalformedError("an edge to a vertex that does not exist")
    pairs = zip((edges // vertices).tolist(), (edges % vertices).tolist(), strict=True)
    return GraphBoard(vertices, first, frozenset(pairs), labels, arcs)


def _labels(about: dict[str, Any], vertices: int) -> tuple[str, ...]:
    """A different one for every vertex, each a line that may be shown."""
    labels = [
        header_values.line({"label": each}, "label")
        for each in header_values.listed(about, "labels")
    ]
    if not all(labels) or not len(labels) == len(set(labels)) == vertices:
        raise MalformedError("`labels` are not a different one for every vertex")
    return tuple(labels)
