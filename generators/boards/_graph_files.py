"""Reads graphs: DIMACS `.col` (`p edge`), TSPLIB `.hcp`, and plain edge lists. Never writes."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from boardsat.generators.arrays import Ints
from boardsat.generators.errors import InputError
from boardsat.generators.limits import LARGEST_INTEGER, STEP, WorkBudget
from boardsat.generators.ragged import distinct

LARGEST_FILE = 2**28

LINE_BYTES, LINE_WORK = 250, 8 * STEP
"""What a line takes until its edge is in an array."""

VERTEX = 100
"""Bytes, and about as much work, for every vertex."""

TEXT = "graph"
"""What a graph is called that comes without a file."""


@dataclass(frozen=True)
class Graph:
    """Vertices 0..n-1 and undirected edges, each once, sorted, without loops."""

    name: str
    sha256: str
    vertices: int
    edges: Ints
    first: int
    """The number that the file gives to vertex 0."""


def read_graph(path: str, budget: WorkBudget) -> Graph:
    """The graph in a file, or in a text of lines; the first words of it tell the format."""
    try:
        # The name of a file may have lines too.
        if "\n" in path and not os.path.exists(path):  # noqa: PTH110 (pathlib minds long names)
            path, data = TEXT, os.fsencode(path)
        else:
            with Path(path).open("rb") as file:
                data = file.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise InputError("too large for a graph", f"the limit is {LARGEST_FILE:,} bytes", path)
        budget.enter("the graph", path)
        number = data.count(b"\n") + 1
        budget.room(LINE_BYTES * number + 3 * len(data))
        budget.spend(LINE_WORK * number)
        lines = data.decode("ascii").splitlines()
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError("not a text file", _REMEDY, f"{path}:{line}") from None
    except OSError as error:
        raise InputError(
            f"cannot read the graph: {error.strerror}", "give a readable file", path
        ) from None
    reader = _Reader(path, lines, budget)
    telling = islice((line for line in lines if line.split() and line.split()[0] != "c"), 50)
    words = {line.split(maxsplit=1)[0].rstrip(":").upper() for line in telling}
    if words & {"EDGE_DATA_SECTION", "EDGE_DATA_FORMAT", "DIMENSION"}:
        vertices, edges, first = reader.tsplib()
    elif "P" in words:
        vertices, edges, first = reader.dimacs()
    else:
        vertices, edges, first = reader.edge_list()
    return Graph(Path(path).name, hashlib.sha256(data).hexdigest(), vertices, edges, first)


_REMEDY = "give a DIMACS .col file, a TSPLIB .hcp file, or a line `u v` for every edge"


class _Reader:
    def __init__(self, path: str, lines: list[str], budget: WorkBudget) -> None:
        self.path, self.lines, self.budget = path, lines, budget
        self.vertices = -1
        self.edges: list[tuple[int, int, int]] = []

    def error(self, line: int, fault: str, remedy: str = _REMEDY) -> InputError:
        return InputError(fault, remedy, f"{self.path}:{line}")

    def number(self, line: int, word: str) -> int:
        if not word.isdecimal() or len(word) > 10 or int(word) > LARGEST_INTEGER:
            raise self.error(line, f"{word[:30]!r} is not a vertex number")
        return int(word)

    def dimacs(self) -> tuple[int, Ints, int]:
        for line, text in enumerate(self.lines, 1):
            match text.split():
                case [] | ["c", *_] | ["n" | "d" | "v" | "x", *_]:
                    continue
                case ["p", "edge" | "edges" | "col", vertices, _] if self.vertices < 0:
                    self.vertices = self.number(line, vertices)
                case ["e", u, v] if self.vertices >= 0:
                    self.edges.append((self.number(line, u), self.number(line, v), line))
                case _:
                    raise self.error(
                        line,
                        f"{text[:40]!r} is not a line of a DIMACS graph",
                        "write `p edge VERTICES EDGES`, then `e U V` lines",
                    )
        if self.vertices < 0:
            raise self.error(1, "no `p edge` line")
        return self.finish(1)

    def tsplib(self) -> tuple[int, Ints, int]:
        listing = False
        for line, text in enumerate(self.lines, 1):
            words = text.replace(":", " : ", 1).split()
            key = words[0].upper() if words else ""
            if key in ("", "EOF"):
                continue
            if key == "EDGE_DATA_SECTION":
                listing = True
            elif listing and words[0] == "-1":
                listing = False
            elif listing and len(words) == 2:
                u, v = words
                self.edges.append((self.number(line, u), self.number(line, v), line))
            elif listing:
                raise self.error(line, f"{text[:40]!r} is not an edge", "write `U V`, then `-1`")
            elif key == "DIMENSION":
                self.vertices = self.number(line, words[-1])
            elif key == "EDGE_DATA_FORMAT" and words[-1].upper() != "EDGE_LIST":
                raise self.error(line, f"edge format {words[-1]!r}", "EDGE_LIST is read")
        if self.vertices < 0:
            raise self.error(1, "no DIMENSION line")
        return self.finish(1)

    def edge_list(self) -> tuple[int, Ints, int]:
        """Pairs of numbers; the smallest number, 0 or else 1, is the first vertex."""
        for line, text in enumerate(self.lines, 1):
            words = text.replace(",", " ").split()
            if not words or words[0][0] in "#%":
                continue
            if len(words) != 2:
                raise self.error(line, f"{text[:40]!r} is not an edge")
            self.edges.append((self.number(line, words[0]), self.number(line, words[1]), line))
        if not self.edges:
            raise self.error(1, "no edge in it")
        first = min(1, *(min(u, v) for u, v, _ in self.edges))
        self.vertices = max(max(u, v) for u, v, _ in self.edges) + 1 - first
        graph = self.finish(first)
        self.refuse_gaps(first)
        return graph

    def refuse_gaps(self, first: int) -> None:
        """A number without an edge may be a vertex, or none: such a list does not say which."""
        have = {vertex for u, v, _ in self.edges for vertex in (u, v)}
        if len(have) < self.vertices:
            gap = next(
                vertex for vertex in range(first, first + self.vertices) if vertex not in have
            )
            raise self.error(
                1,
                f"no edge has vertex {gap}",
                f"number the vertices {first}, {first + 1}, ... without gaps, or write a `p edge` "
                "file, which may have vertices without edges",
            )

    def finish(self, first: int) -> tuple[int, Ints, int]:
        if not self.vertices:
            raise self.error(1, "a graph of 0 vertices", "give at least 1")
        self.budget.afford(VERTEX * self.vertices)
        table = np.array(self.edges, np.int64).reshape(-1, 3)
        u, v = table[:, 0] - first, table[:, 1] - first
        wrong = np.flatnonzero((np.minimum(u, v) < 0) | (np.maximum(u, v) >= self.vertices))
        if len(wrong):
            raise self.error(
                int(table[wrong[0], 2]),
                "an edge to a vertex that does not exist",
                f"vertices are {first}..{self.vertices - 1 + first}",
            )
        loops = np.flatnonzero(u == v)
        if len(loops):
            raise self.error(
                int(table[loops[0], 2]), "an edge from a vertex to itself", "remove it"
            )
        flat = distinct(np.minimum(u, v) * self.vertices + np.maximum(u, v))
        return self.vertices, np.column_stack(np.divmod(flat, self.vertices)), first
