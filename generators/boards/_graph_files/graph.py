"""Graph files: a graph with labels, edges or arcs, and the text that it is read from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import nearest
from boardsat.generators.arrays import Ints, distinct
from boardsat.generators.limits import LARGEST_INTEGER

REMEDY = "give a DIMACS .col, TSPLIB .hcp, graph6, GML or DOT file, or a line `u v` for every edge"

LONGEST_NAME = 100


@dataclass(frozen=True)
class GraphText:
    path: str
    text: str
    kind: str = ""
    """What is asked for, where a format has several kinds: `digraph`, `dag`, `bipartite`."""

    def error(self, line: int, fault: str, remedy: str = REMEDY) -> InputError:
        return InputError(fault, remedy, f"{self.path}:{line}")

    def number(self, line: int, word: str) -> int:
        """The number of a vertex."""
        digits = word.isascii() and word.isdecimal() and len(word) <= 10
        if not digits or int(word) > LARGEST_INTEGER:
            raise self.error(line, f"{word[:30]!r} is not a vertex number")
        return int(word)

    def name(self, line: int, name: str) -> str:
        """What a vertex is called: some words on one line."""
        if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
            raise self.error(
                line,
                f"{name[:30]!r} is not a name for a vertex",
                f"use 1 to {LONGEST_NAME} printable characters",
            )
        return name


VERTEX, LABEL = 100, 200
"""Bytes for every vertex, and more for one that has a label."""

LABELS = 2**21
"""Characters that the labels of all vertices may take in the header of a file."""

_SHOWN = 20
"""Labels in an error."""


@dataclass(frozen=True)
class Graph:
    """Vertices 0..n-1 and edges, each once, sorted, without loops.

    An edge of an undirected graph has its smaller end first; one of a directed graph is an arc.
    """

    vertices: int
    edges: Ints
    first: int = 0
    """The number that the file gives to vertex 0, where its numbers have no gaps."""
    labels: tuple[str, ...] = ()
    """What the file calls the vertices; empty where they are numbered from `first`."""
    directed: bool = False
    name: str = ""
    sha256: str = ""
    left: int | None = None
    """Of a bipartite graph, how many vertices are on its left side: they come first."""
    construction: str = ""
    """What names it where it is not from a file: `complete 5`."""

    @property
    def stem(self) -> str:
        """What it is called in the names of files."""
        return self.construction.replace(" ", "-") or self.name.split(".")[0]

    def vertex(self, label: str) -> int:
        """The vertex that a user means."""
        found = -1
        # Zeros before a number mean nothing, unless the file has a label with them.
        number = label.lstrip("0") or "0" if label.isdecimal() else label
        for name in (label, number):
            if found < 0 and name in self.labels:
                found = self.labels.index(name)
        if not self.labels and _is_number(number):
            found = int(number) - self.first
        if not 0 <= found < self.vertices:
            raise InputError(f"the graph has no vertex {label[:40]!r}", self._choices(label))
        return found

    def _choices(self, label: str) -> str:
        if not self.labels:
            last = self.first + self.vertices - 1
            return f"its vertices are {self.first} to {last}"
        if near := nearest(label, self.labels[:1000]):
            return f"did you mean {near!r}?"
        more = ", ..." if self.vertices > _SHOWN else ""
        return f"its vertices are {', '.join(self.labels[:_SHOWN])}{more}"


def numbered(source: GraphText, vertices: int, edges: Ints, first: int, directed: bool) -> Graph:
    """A graph whose vertices are numbered from `first`; edges are rows of two numbers and a line.

    Where edges name all vertices, and numbers between them may be missing, see `labelled`.
    """
    if not vertices:
        raise source.error(1, "a graph of 0 vertices", "give at least 1")
    checkpoint(VERTEX * vertices)
    ends = edges[:, :2] - first
    wrong = np.flatnonzero(((ends < 0) | (ends >= vertices)).any(axis=1))
    if len(wrong):
        raise source.error(
            int(edges[wrong[0], 2]),
            "an edge to a vertex that does not exist",
            f"vertices are {first}..{vertices - 1 + first}",
        )
    u, v = ends.T
    loops = np.flatnonzero(u == v)
    if len(loops):
        raise source.error(int(edges[loops[0], 2]), "an edge from a vertex to itself", "remove it")
    if not directed:
        u, v = np.minimum(u, v), np.maximum(u, v)
    flat = distinct(u * vertices + v)
    return Graph(vertices, np.column_stack(np.divmod(flat, vertices)), first, directed=directed)


def labelled(source: GraphText, names: Sequence[str], edges: Ints, directed: bool) -> Graph:
    """A graph whose vertices have names, to which edges refer by their place in the list.

    Numbers give an order to the vertices; other names are in the order of the file.
    """
    checkpoint((VERTEX + LABEL) * len(names))
    if all(map(_is_number, names)):
        numbers = np.array([*map(int, names)], np.int64)
        order = np.argsort(numbers, kind="stable")
        numbers, rank = numbers[order], np.argsort(order)
        edges = np.column_stack([rank[edges[:, :2]], edges[:, 2]])
        if len(numbers) and numbers[-1] - numbers[0] == len(numbers) - 1:
            return renamed(numbered(source, len(names), edges, 0, directed), int(numbers[0]))
        names = [names[k] for k in order.tolist()]
    graph = numbered(source, len(names), edges, 0, directed)
    if len(json.dumps(names)) > LABELS:
        raise source.error(
            1,
            f"the names of the vertices take more than {LABELS:,} characters",
            "give shorter ones, or the numbers 1, 2, ... without gaps",
        )
    return renamed(graph, 0, tuple(names))


def renamed(
    graph: Graph, first: int, labels: tuple[str, ...] = (), left: int | None = None
) -> Graph:
    return Graph(graph.vertices, graph.edges, first, labels, graph.directed, left=left)


def _is_number(name: str) -> bool:
    """A whole number, in the one way to write it."""
    return (
        name.isascii()
        and name.isdecimal()
        and (name[0] != "0" or name == "0")
        and len(name) <= len(str(LARGEST_INTEGER))
        and int(name) <= LARGEST_INTEGER
    )
