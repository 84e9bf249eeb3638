"""Graphs with labels, and the text of a graph file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import nearest
from boardsat.generators.arrays import Ints, distinct
from boardsat.generators.build_limits import MAX_INTEGER

Edges = Ints | Sequence[tuple[int, int, int]]
"""Edges as rows of two vertices and the line in the file."""

REMEDY = "give a DIMACS .col, TSPLIB .hcp, graph6, GML or DOT file, or a line `u v` for every edge"

MAX_NAME_LENGTH = 100
VERTEX_BYTES, LABEL_BYTES = 100, 200  # memory for each vertex, and each label
MAX_LABELS_LENGTH = 2**21  # characters of all labels in the header of a file
MAX_LISTED = 20  # labels in an error


class GraphText(NamedTuple):
    """Text of a graph file, with the path for its errors."""

    path: str
    text: str
    kind: str = ""
    """Requested kind of graph, if a format has several: `digraph`, `dag`, `bipartite`."""

    def error(self, line: int, fault: str, remedy: str = REMEDY) -> InputError:
        """Return the error of a line."""
        return InputError(fault, remedy, f"{self.path}:{line}")

    def number(self, line: int, text: str) -> int:
        """Parse the number of a vertex."""
        is_short_number = text.isascii() and text.isdecimal() and len(text) <= 10
        if not is_short_number or int(text) > MAX_INTEGER:
            raise self.error(line, f"{text[:30]!r} is not a vertex number")
        return int(text)

    def name(self, line: int, name: str) -> str:
        """Return the name of a vertex if it is short, printable text; else raise InputError."""
        if not name.strip() or not name.isprintable() or len(name) > MAX_NAME_LENGTH:
            raise self.error(
                line,
                f"the name of a vertex must be printable text (got {name[:30]!r})",
                f"use 1 to {MAX_NAME_LENGTH} printable characters",
            )
        return name


@dataclass(frozen=True)
class Graph:
    """Simple graph with vertices 0..n-1, and sorted edges or arcs.

    The smaller end of an edge is first.
    """

    vertices: int
    edges: Ints
    first: int = 0
    """Number of vertex 0 in the file, if its numbers have no gaps."""
    labels: tuple[str, ...] = ()
    """Labels of the vertices in the file; empty if they are numbered from `first`."""
    directed: bool = False
    name: str = ""
    """Name of the file."""
    sha256: str = ""
    """Hash of the file's content."""
    num_left: int | None = None
    """Number of left vertices of a bipartite graph, which come first; None if not bipartite."""
    construction: str = ""
    """Expression of a constructed graph: `complete 5`. Empty if it is from a file."""

    @staticmethod
    def from_ends(
        vertices: int, u: Ints, v: Ints, num_left: int | None = None, directed: bool = False
    ) -> Graph:
        """Return the graph with these edges or arcs, parallel ones merged."""
        if not directed:
            u, v = np.minimum(u, v), np.maximum(u, v)
        flat = distinct(u * vertices + v)
        edges = np.column_stack(np.divmod(flat, vertices))
        return Graph(vertices, edges, directed=directed, num_left=num_left)

    @property
    def stem(self) -> str:
        """Name of the graph as a part of file names."""
        return self.construction.replace(" ", "-") or self.name.split(".")[0]

    def vertex(self, label: str) -> int:
        """Return the vertex with a label or number."""
        vertex = -1
        # Leading zeros are ignored, unless the file has a label with them.
        number = label.lstrip("0") or "0" if label.isdecimal() else label
        for name in (label, number):
            if vertex < 0 and name in self.labels:
                vertex = self.labels.index(name)
        if not self.labels and _is_number(number):
            vertex = int(number) - self.first
        if not 0 <= vertex < self.vertices:
            raise InputError(f"the graph has no vertex {label[:40]!r}", self._choices(label))
        return vertex

    def _choices(self, label: str) -> str:
        if not self.labels:
            last = self.first + self.vertices - 1
            return f"its vertices are {self.first} to {last}"
        if near := nearest(label, self.labels[:1000]):
            return f"did you mean {near!r}?"
        ellipsis = ", ..." if self.vertices > MAX_LISTED else ""
        return f"its vertices are {', '.join(self.labels[:MAX_LISTED])}{ellipsis}"


def numbered(
    source: GraphText, vertices: int, edges: Edges, first: int = 1, directed: bool = False
) -> Graph:
    """Return a graph whose vertices are numbered from `first`.

    An edge has the numbers of two vertices, and its line in the file. If there are gaps between
    the numbers, use `labelled`.
    """
    edges = np.array(edges, np.int64).reshape(-1, 3)
    if not vertices:
        raise source.error(1, "the graph must have at least 1 vertex (got 0)")
    checkpoint(VERTEX_BYTES * vertices)
    ends = edges[:, :2] - first
    is_out_of_range = (ends < 0) | (ends >= vertices)
    if is_out_of_range.any():
        edge, end = np.argwhere(is_out_of_range)[0]
        raise source.error(
            int(edges[edge, 2]),
            f"there is no vertex {edges[edge, end]}",
            f"the vertices are {first} to {vertices - 1 + first}",
        )
    u, v = ends.T
    if (u == v).any():
        edge = np.flatnonzero(u == v)[0]
        raise source.error(
            int(edges[edge, 2]),
            "the edge joins a vertex to itself",
            "remove it",
        )
    return replace(Graph.from_ends(vertices, u, v, directed=directed), first=first)


def labelled(source: GraphText, names: Sequence[str], edges: Edges, directed: bool) -> Graph:
    """Return a graph whose vertices have names; edges refer to their indices.

    Vertices whose names are numbers are sorted; others are in the order of the file.
    """
    edges = np.array(edges, np.int64).reshape(-1, 3)
    checkpoint((VERTEX_BYTES + LABEL_BYTES) * len(names))
    if all(map(_is_number, names)):
        numbers = np.array([*map(int, names)], np.int64)
        order = np.argsort(numbers, kind="stable")
        numbers, rank = numbers[order], np.argsort(order)
        edges = np.column_stack([rank[edges[:, :2]], edges[:, 2]])
        if len(numbers) and numbers[-1] - numbers[0] == len(numbers) - 1:
            graph = numbered(source, len(names), edges, 0, directed)
            return replace(graph, first=int(numbers[0]))
        names = [names[k] for k in order.tolist()]
    graph = numbered(source, len(names), edges, 0, directed)
    if len(json.dumps(names)) > MAX_LABELS_LENGTH:
        raise source.error(
            1,
            f"the names of all vertices must have at most {MAX_LABELS_LENGTH:,} characters",
            "use shorter names, or the numbers 1, 2, ... without gaps",
        )
    return replace(graph, labels=tuple(names))


def _is_number(name: str) -> bool:
    """Return True for an integer in its canonical form."""
    return (
        name.isascii()
        and name.isdecimal()
        and (name[0] != "0" or name == "0")
        and len(name) <= len(str(MAX_INTEGER))
        and int(name) <= MAX_INTEGER
    )
