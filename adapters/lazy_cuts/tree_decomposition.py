"""Dynamic programming over a tree decomposition: Hamiltonian cycles of graphs of small treewidth.

Vertices are eliminated in min-degree order. An eliminated vertex and its later neighbours are a
bag; the elimination tree of the bags is a tree decomposition. The table of a bag has a row for each
way in which a set of paths can cover all vertices eliminated below it (Bern, Lawler and Wong 1987;
Arnborg, Lagergren and Seese 1991). A row stores the mate of each vertex of the bag: the vertex
itself if no path visits it, the other end of its path if it is an end, or COVERED if it is inside a
path. Tables are joined in NumPy. For each row one pair of rows that it was joined from is stored,
so that the cycle can be reconstructed in the end.

The method decides: an empty table proves that there is no cycle. Its time is linear in the number
of vertices and exponential in the width of the decomposition. Workers import this module only
if a graph is not decided by the first rounds of cuts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.uint8]
"""Mates of the vertices of a bag, as positions in the bag: a row for each set of paths."""

Indices = npt.NDArray[np.int64]

COVERED = 31
"""Mate of a vertex inside a path."""

MATE_BITS = 5

MAX_WIDTH = 11
"""Maximum width; a row of one vertex more has 60 bits, which fit in an integer."""

MAX_CHUNK = 2**20
"""Pairs of rows that are joined at a time, which bounds the memory."""

_SHIFTS = np.int64(1) << (MATE_BITS * np.arange(MAX_WIDTH + 1, dtype=np.int64))
_BITS = np.int64(1) << np.arange(MAX_WIDTH + 1, dtype=np.int64)


class _Join(NamedTuple):
    """Origin of the rows of a joined table: a row of the table before, and one of a child."""

    child: int | tuple[int, int]
    """Vertex whose table was joined, or an edge of the last bag."""
    rows: Indices
    child_rows: Indices


class _Origin(NamedTuple):
    """Origin of the rows of the table of an eliminated vertex."""

    star: list[tuple[int, ...]]
    """Later neighbours to which the vertex has an edge, by row of its first table."""
    joins: list[_Join]
    rows: Indices
    """Row of the last join for each row of the table."""


class Elimination(NamedTuple):
    """Min-degree elimination order."""

    order: list[int]
    """Eliminated vertices, until the others are pairwise adjacent or have too many neighbours."""
    neighbours: dict[int, list[int]]
    """Later neighbours of each eliminated vertex, with those that elimination made adjacent."""
    last_bag: list[int]
    """Vertices that are not eliminated."""

    @property
    def is_complete(self) -> bool:
        """True if the vertices that are not eliminated fit in a bag."""
        return len(self.last_bag) <= MAX_WIDTH + 1


def eliminate(
    vertices: int, edges: Collection[tuple[int, int]], max_width: int = MAX_WIDTH
) -> Elimination:
    """Return a min-degree elimination order, which ends before a vertex of a larger degree."""
    adjacent: list[set[int]] = [set() for _ in range(vertices)]
    for u, v in edges:
        adjacent[u].add(v)
        adjacent[v].add(u)
    queue = [(len(neighbours), vertex) for vertex, neighbours in enumerate(adjacent)]
    heapify(queue)
    order: list[int] = []
    later: dict[int, list[int]] = {}
    while queue:
        degree, vertex = heappop(queue)
        if vertex in later or degree != len(adjacent[vertex]):
            continue
        if degree > max_width or degree == vertices - len(order) - 1:
            break
        neighbours = adjacent[vertex]
        order.append(vertex)
        later[vertex] = sorted(neighbours)
        for u in neighbours:
            adjacent[u] |= neighbours
            adjacent[u] -= {u, vertex}
        for u in neighbours:
            heappush(queue, (len(adjacent[u]), u))
    return Elimination(order, later, [v for v in range(vertices) if v not in later])


class CycleProgram:
    """Dynamic program that decides whether a graph has a Hamiltonian cycle.

    It can be interrupted after a number of combinations of rows, and continued.
    """

    def __init__(
        self,
        elimination: Elimination,
        edges: Collection[tuple[int, int]],
        required: Collection[tuple[int, int]] = (),
    ) -> None:
        self.cycle: list[tuple[int, int]] | None = None
        """Edges of a Hamiltonian cycle; None until one is found."""
        self.is_finished = False
        """True if a cycle was found, or none exists."""
        self.combinations = 0
        """Number of pairs of rows that were joined."""
        self._order, self._later, self._last_bag = elimination
        self._position = {vertex: index for index, vertex in enumerate(self._order)}
        self._required = {frozenset(edge) for edge in required}
        self._up: dict[int, list[int]] = {vertex: [] for vertex in self._order}
        self._last_edges = []
        for u, v in edges:
            first, second = (u, v) if self._rank(u) < self._rank(v) else (v, u)
            if first in self._up:
                self._up[first].append(second)
            else:
                self._last_edges.append((first, second))
        self._children: dict[int, list[int]] = {}
        self._last_children: list[int] = []
        self._tables: dict[int, Table] = {}
        self._origins: dict[int, _Origin] = {}
        self._next = 0

    def _rank(self, vertex: int) -> int:
        """Return the position of a vertex in the order; the last bag comes after all others."""
        return self._position.get(vertex, len(self._order))

    @property
    def core_edges(self) -> list[tuple[int, int]]:
        """Edges between vertices that are not eliminated."""
        return self._last_edges

    def core_tables(self) -> dict[int, tuple[list[int], Table]]:
        """Return the tables of the last eliminated vertices, each with the vertices of its bag."""
        return {child: (self._later[child], self._tables[child]) for child in self._last_children}

    def advance(self, max_combinations: int) -> None:
        """Continue until the program is finished, or `max_combinations` row pairs are joined."""
        if self.contract(max_combinations):
            self.cycle = self._close()
            self.is_finished = True

    def contract(self, max_combinations: int) -> bool:
        """Eliminate vertices within the limit; return True if all are done, with no table empty."""
        while not self.is_finished and self._next < len(self._order):
            if self.combinations >= max_combinations:
                return False
            self.is_finished = not self._eliminate(self._order[self._next])
            self._next += 1
        return not self.is_finished

    def _eliminate(self, vertex: int) -> bool:
        """Compute the table of a vertex from those of its children; return False if it is empty."""
        neighbours = self._later[vertex]
        # The vertex is the last position of its bag, so that its removal moves no other.
        bag = {v: position for position, v in enumerate([*neighbours, vertex])}
        star, table = self._star(vertex, bag)
        joins = []
        for child in sorted(self._children.pop(vertex, ()), key=lambda c: len(self._tables[c])):
            joined = self._join(table, self._child_table(child, bag))
            table = joined.table
            joins.append(_Join(child, joined.rows, joined.child_rows))
        rows = np.flatnonzero(table[:, -1] == COVERED)
        table, first_rows = _unique(table[rows, :-1])
        if not len(table):
            return False
        self._tables[vertex] = table
        self._origins[vertex] = _Origin(star, joins, rows[first_rows])
        parent = min(neighbours, key=self._rank, default=-1)
        if parent in self._position:
            self._children.setdefault(parent, []).append(vertex)
        else:
            self._last_children.append(vertex)
        return True

    def _star(self, vertex: int, bag: dict[int, int]) -> tuple[list[tuple[int, ...]], Table]:
        """Return the sets of at most two edges to later neighbours, and their table."""
        up = self._up[vertex]
        required = {v for v in up if frozenset((vertex, v)) in self._required}
        stars = [
            star for size in range(3) for star in combinations(up, size) if required <= set(star)
        ]
        table = np.empty((len(stars), len(bag)), np.uint8)
        table[:] = np.arange(len(bag))
        centre = bag[vertex]
        for row, star in enumerate(stars):
            ends = [bag[v] for v in star]
            if len(ends) == 1:
                table[row, ends[0]], table[row, centre] = centre, ends[0]
            elif ends:
                table[row, ends[0]], table[row, ends[1]] = ends[1], ends[0]
                table[row, centre] = COVERED
        return stars, table

    def _child_table(self, child: int, bag: dict[int, int]) -> Table:
        """Return the table of a child with the positions of its parent's bag, and drop it."""
        return _moved(self._tables.pop(child), [bag[v] for v in self._later[child]], len(bag))

    def _close(self) -> list[tuple[int, int]] | None:
        """Join the tables of the last bag; return a cycle that closes there, None without one."""
        bag = {v: position for position, v in enumerate(self._last_bag)}
        table = np.arange(len(bag), dtype=np.uint8)[np.newaxis]
        joins: list[_Join] = []
        children = sorted(self._last_children, key=lambda c: len(self._tables[c]))
        required = [edge for edge in self._last_edges if frozenset(edge) in self._required]
        optional = [edge for edge in self._last_edges if frozenset(edge) not in self._required]
        num_mandatory = len(children) + len(required)
        items: list[int | tuple[int, int]] = [*children, *required, *optional]
        for index, child in enumerate(items):
            if isinstance(child, int):
                child_table = self._child_table(child, bag)
            else:
                choices = np.array([[0, 1], [1, 0]], np.uint8)
                if frozenset(child) in self._required:
                    choices = choices[1:]
                child_table = _moved(choices, [bag[v] for v in child], len(bag))
            joined = self._join(table, child_table)
            if joined.closed is not None and index + 1 >= num_mandatory:
                joins.append(_Join(child, *(np.array([row]) for row in joined.closed)))
                return self._edges(joins)
            joins.append(_Join(child, joined.rows, joined.child_rows))
            table = joined.table
        return None

    def _edges(self, last_joins: list[_Join]) -> list[tuple[int, int]]:
        """Return the edges that row 0 of the last join consists of."""
        edges: list[tuple[int, int]] = []
        for child, row in _child_rows(last_joins, 0):
            if isinstance(child, int):
                edges += self.edges_of(child, row)
            elif row or frozenset(child) in self._required:
                edges.append(child)
        return edges

    def edges_of(self, child: int, child_row: int) -> list[tuple[int, int]]:
        """Return the edges of the paths of a row of a table."""
        edges: list[tuple[int, int]] = []
        rows = [(child, child_row)]
        while rows:
            vertex, row = rows.pop()
            star, joins, last_rows = self._origins[vertex]
            row = int(last_rows[row])
            for joined_child, joined_row in _child_rows(joins, row):
                assert isinstance(joined_child, int)
                rows.append((joined_child, joined_row))
            for join in reversed(joins):
                row = int(join.rows[row])
            edges += [(vertex, v) for v in star[row]]
        return edges

    def _join(self, table: Table, child: Table) -> _Joined:
        """Return the unions of the path sets of two tables, without those that close a cycle."""
        parts: list[_Joined] = []
        for rows, child_rows in _compatible_rows(table, child):
            self.combinations += len(rows)
            parts.append(_union(table, child, rows, child_rows))
        closed = next((part.closed for part in parts if part.closed is not None), None)
        if len(parts) == 1:
            return parts[0]
        all_rows = np.concatenate([part.rows for part in parts]) if parts else _NO_ROWS
        all_child_rows = np.concatenate([part.child_rows for part in parts]) if parts else _NO_ROWS
        tables = np.concatenate([part.table for part in parts]) if parts else table[:0]
        joined, first_rows = _unique(tables)
        return _Joined(joined, all_rows[first_rows], all_child_rows[first_rows], closed)


class _Joined(NamedTuple):
    """Distinct unions of two tables, each with the first pair of rows that gives it."""

    table: Table
    rows: Indices
    child_rows: Indices
    closed: tuple[int, int] | None
    """Pair of rows whose union is a single cycle through all vertices of the bag."""


_NO_ROWS = np.zeros(0, np.int64)


def _child_rows(joins: list[_Join], row: int) -> Iterator[tuple[int | tuple[int, int], int]]:
    """Yield the joined children, each with its row in a row of the last join."""
    for child, rows, child_rows in reversed(joins):
        yield child, int(child_rows[row])
        row = int(rows[row])


def _moved(table: Table, positions: Sequence[int], size: int) -> Table:
    """Return a table whose columns, and the mates in them, are moved to positions of a bag."""
    names = np.zeros(COVERED + 1, np.uint8)
    names[: len(positions)] = positions
    names[COVERED] = COVERED
    moved: Table = np.empty((len(table), size), np.uint8)
    moved[:] = np.arange(size)
    moved[:, positions] = names[table]
    return moved


def _unique(table: Table) -> tuple[Table, Indices]:
    """Return the distinct rows of a table, and the index of the first occurrence of each."""
    keys = table.astype(np.int64) @ _SHIFTS[: table.shape[1]]
    rows: Indices = np.unique(keys, return_index=True)[1]
    return table[rows], rows


class _DegreeGroups(NamedTuple):
    """Rows of a table, grouped by the degrees of their vertices."""

    visited: Indices
    """Bit set of the vertices that a path visits, for each group."""
    covered: Indices
    """Bit set of the vertices inside a path, for each group."""
    rows: Indices
    """Rows of the table, sorted by group."""
    sizes: Indices
    starts: Indices


def _degree_groups(table: Table) -> _DegreeGroups:
    size = table.shape[1]
    visited = (table != np.arange(size, dtype=np.uint8)) @ _BITS[:size]
    covered = (table == COVERED) @ _BITS[:size]
    keys, group = np.unique(visited << size | covered, return_inverse=True)
    sizes = np.bincount(group)
    rows, starts = np.argsort(group, kind="stable"), np.cumsum(sizes) - sizes
    return _DegreeGroups(keys >> size, keys & ((1 << size) - 1), rows, sizes, starts)


def _compatible_rows(table: Table, child: Table) -> Iterator[tuple[Indices, Indices]]:
    """Yield pairs of rows, in chunks, in which no vertex has more than two edges."""
    left, right = _degree_groups(table), _degree_groups(child)
    is_conflict = left.covered[:, np.newaxis] & right.visited
    is_conflict |= left.visited[:, np.newaxis] & right.covered
    group, child_group = np.nonzero(is_conflict == 0)
    if not len(group):
        return
    counts = left.sizes[group] * right.sizes[child_group]
    totals = np.cumsum(counts)
    for start in range(0, int(totals[-1]), MAX_CHUNK):
        numbers = np.arange(start, min(start + MAX_CHUNK, int(totals[-1])))
        pair = np.searchsorted(totals, numbers, side="right")
        offsets = numbers - (totals - counts)[pair]
        offset, child_offset = np.divmod(offsets, right.sizes[child_group][pair])
        yield (
            left.rows[left.starts[group][pair] + offset],
            right.rows[right.starts[child_group][pair] + child_offset],
        )


def _union(table: Table, child: Table, rows: Indices, child_rows: Indices) -> _Joined:
    """Return the distinct unions of pairs of rows: each path of the child joins two ends."""
    union, added = table[rows], child[child_rows]
    num_closed = np.zeros(len(rows), np.uint8)
    for position in np.flatnonzero((child != np.arange(child.shape[1])).any(axis=0)).tolist():
        mates = added[:, position]
        union[mates == COVERED, position] = COVERED
        paths = np.flatnonzero((mates > position) & (mates < COVERED))
        end = mates[paths]
        first, second = union[paths, position], union[paths, end]
        union[paths, position] = COVERED
        union[paths, end] = COVERED
        # The path closes a cycle if its ends are those of one path.
        closes = first == end
        num_closed[paths[closes]] += 1
        paths, first, second = paths[~closes], first[~closes], second[~closes]
        union[paths, first] = second
        union[paths, second] = first
    is_cycle = (num_closed == 1) & (union == COVERED).all(axis=1)
    cycles = np.flatnonzero(is_cycle)
    closed = (int(rows[cycles[0]]), int(child_rows[cycles[0]])) if len(cycles) else None
    is_open = num_closed == 0
    open_rows, open_child_rows = rows[is_open], child_rows[is_open]
    joined, first_rows = _unique(union[is_open])
    return _Joined(joined, open_rows[first_rows], open_child_rows[first_rows], closed)
