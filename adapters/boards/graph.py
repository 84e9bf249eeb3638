"""Graph, undirected or directed, whose vertices are the cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardsat.adapters.boards._board import Board
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header
from boardsat.base.dataclass import dataclass
from boardsat.base.text import pluralize

_MAX_NAMES = 10
"""Maximum number of isolated vertices that a note names."""


@dataclass(frozen=True)
class GraphBoard(Board):
    """Graph with numbered or labelled vertices."""

    vertices: int
    first: int
    """Number of the first vertex in texts, usually 0 or 1."""
    joined: frozenset[tuple[int, int]]
    """Edges with the smaller vertex first, or arcs."""
    labels: tuple[str, ...] = ()
    """Names of the vertices; empty if they are numbered."""
    arcs: bool = False
    """True for a directed graph."""

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
        """Return a remark on isolated vertices, which the edges of a file do not show."""
        ends = {cell for pair in self.joined for cell in pair}
        isolated = [self.name(cell) for cell in range(self.vertices) if cell not in ends]
        if not isolated or self.vertices == 1:
            return []
        names = ", ".join(isolated[:_MAX_NAMES])
        if len(isolated) > _MAX_NAMES:
            names += f" and {len(isolated) - _MAX_NAMES} more"
        subject = pluralize(
            len(isolated), "vertex without an edge is", "vertices without an edge are"
        )
        return [f"{subject} part of the graph: {names}"]

    @property
    def title(self) -> str:
        kind = "directed graph" if self.arcs else "graph"
        return f"a {kind} of {pluralize(self.vertices, 'vertex', 'vertices')}"

    def name(self, cell: int) -> str:
        return self.labels[cell] if self.labels else str(cell + self.first)


NO_BOARD = GraphBoard(0, 0, frozenset())
"""Board without cells, of solutions whose views need no board."""


def read(header: Header) -> GraphBoard:
    options = header.board.options
    vertices = header_values.integer(options, "vertices", 0, header.board.max_cells)
    labels = _labels(options, vertices) if "labels" in options else ()
    first = 0 if labels else header_values.integer(options, "first", 0, header_values.MAX_NUMBER)
    arcs = options.get("directed", False)
    if not isinstance(arcs, bool):
        raise header_values.malformed("`directed`", "be true or false", arcs)
    edges = header.board.edges if header.board.edges is not None else np.zeros(0, np.int64)
    for edge in edges[(edges < 0) | (edges >= vertices * vertices)][:1].tolist():
        raise header_values.malformed("each edge", f"be below {vertices:,} squared", edge)
    pairs = zip((edges // vertices).tolist(), (edges % vertices).tolist(), strict=True)
    return GraphBoard(vertices, first, frozenset(pairs), labels, arcs)


def _labels(options: dict[str, Any], vertices: int) -> tuple[str, ...]:
    """Return the labels of the vertices; raise MalformedError unless there are distinct ones."""
    labels = [
        header_values.line({"label": label}, "label")
        for label in header_values.json_list(options, "labels")
    ]
    if not all(labels) or not len(labels) == len(set(labels)) == vertices:
        constraint = f"be {vertices} different texts, one for each vertex"
        raise header_values.malformed("`labels`", constraint, labels)
    return tuple(labels)
