"""Contraction: dynamic programming for the sparse parts of a graph, and SAT for its core.

Vertices are eliminated as long as few neighbours remain; the others are the core. The table of an
eliminated part has a row for each set of paths that can cover the part. In the formula of the core
a row is a choice: its paths are further edges between core vertices, and a core vertex inside
a path has no other edges. Chains of vertices of degree two, 2-edge cuts, 3-edge cuts and 2-vertex
cuts are special cases. A model is a set of cycles on the core, which cuts exclude as in a
2-factor; a single one is expanded to a Hamiltonian cycle of the graph.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import combinations

from boardsat.adapters.lazy_cuts.tree_decomposition import COVERED, CycleProgram, Elimination, Table

Clause = list[int]

MAX_DEGREE = 8
"""Maximum degree of a contracted vertex when it is eliminated."""

MAX_BINOMIAL = 12
"""Maximum edges at a vertex for the binomial encoding; beyond it, a counter is encoded."""


class ContractedGraph:
    """Core vertices of a graph, joined by edges of the graph and by paths through the rest."""

    def __init__(
        self, elimination: Elimination, program: CycleProgram, required: Collection[frozenset[int]]
    ) -> None:
        self.clauses: list[Clause] = []
        """Formula whose models are sets of cycles on the core."""
        self.ends: dict[int, tuple[int, int]] = {}
        """Core vertices that an edge or path joins, by variable."""
        self._program = program
        self._variables = 0
        self._core = elimination.last_bag
        self._at: dict[int, list[int]] = {vertex: [] for vertex in self._core}
        """Variables of the edges and paths at each core vertex."""
        self._inside: dict[int, list[int]] = {vertex: [] for vertex in self._core}
        """Variables that are true if a core vertex is inside a path."""
        self._rows: dict[int, list[int]] = {}
        """Variable of each row of the table of an eliminated part."""
        self._real_edges = [self._edge(u, v) for u, v in program.core_edges]
        self.clauses += [[x] for x in self._real_edges if frozenset(self.ends[x]) in required]
        for child, (vertices, table) in program.core_tables().items():
            self._rows[child] = self._choose_row(vertices, table)
        for vertex in self._core:
            self._constrain_degree(self._at[vertex], self._inside[vertex])

    def _new_variable(self) -> int:
        self._variables += 1
        return self._variables

    def _edge(self, u: int, v: int) -> int:
        variable = self._new_variable()
        self.ends[variable] = u, v
        self._at[u].append(variable)
        self._at[v].append(variable)
        return variable

    def _choose_row(self, vertices: list[int], table: Table) -> list[int]:
        """Add clauses: exactly one row of a table is chosen. Return the variables of the rows."""
        rows = [self._new_variable() for _ in range(len(table))]
        properties: dict[tuple[int, int], list[int]] = {}
        for variable, mates in zip(rows, table.tolist(), strict=True):
            for position, mate in enumerate(mates):
                if mate > position:
                    properties.setdefault((position, mate), []).append(variable)
        self.clauses.append(rows)
        for (position, mate), rows_with in properties.items():
            if mate == COVERED:
                variable = self._new_variable()
                self._inside[vertices[position]].append(variable)
            else:
                variable = self._edge(vertices[position], vertices[mate])
            self.clauses.append([-variable, *rows_with])
            # Each row has all properties or lacks them, so that two rows exclude each other.
            has_property = set(rows_with)
            self.clauses += [[-row, variable if row in has_property else -variable] for row in rows]
        return rows

    def _constrain_degree(self, edges: list[int], inside: list[int]) -> None:
        """Add clauses: a vertex is inside exactly one path, or has exactly two edges."""
        self.clauses += [[-x, -y] for x, y in combinations(inside, 2)]
        self.clauses += [[-x, -y] for x in inside for y in edges]
        if len(edges) <= MAX_BINOMIAL:
            self.clauses += [[-x for x in triple] for triple in combinations(edges, 3)]
            size = max(0, len(edges) - 1)
            self.clauses += [[*rest, *inside] for rest in combinations(edges, size)]
            self.clauses += [list(inside)] if len(edges) < 2 else []
            return
        # Sequential counter: whether one, and two, of the edges so far are true.
        one, two = edges[0], 0
        for x in edges[1:]:
            next_one, next_two = self._new_variable(), self._new_variable()
            self.clauses += [[-one, next_one], [-x, next_one], [-next_one, one, x]]
            self.clauses += [[-one, -x, next_two], [-next_two, one]]
            if two:
                self.clauses += [[-next_two, two, x], [-two, next_two], [-two, -x]]
            else:
                self.clauses.append([-next_two, x])
            one, two = next_one, next_two
        self.clauses.append([two, *inside])

    def cycles(self, true: Iterable[int]) -> list[list[int]]:
        """Return the core vertices of each cycle of a model."""
        links: dict[int, list[int]] = {}
        for variable in true:
            if variable in self.ends:
                u, v = self.ends[variable]
                links.setdefault(u, []).append(v)
                links.setdefault(v, []).append(u)
        seen: set[int] = set()
        cycles = []
        for start in links:
            if start in seen:
                continue
            seen.add(start)
            cycle = [start]
            for vertex in cycle:
                new = [v for v in dict.fromkeys(links[vertex]) if v not in seen]
                seen.update(new)
                cycle += new
            cycles.append(cycle)
        return cycles

    def cuts(self, cycles: list[list[int]]) -> list[Clause]:
        """Return cuts that exclude a set of several cycles.

        Each clause is about a vertex on one of the cycles and a vertex elsewhere: one of the two is
        inside a path, or some edge or path leads out of the vertices of the cycle.
        """
        largest = max(cycles, key=len)
        covering = self._inside
        clauses = []
        for cycle in cycles:
            if cycle is largest:
                continue
            members = set(cycle)
            leaving = [
                variable
                for vertex in cycle
                for variable in self._at[vertex]
                if not members.issuperset(self.ends[variable])
            ]
            by_cover = sorted(cycle, key=lambda vertex: len(covering[vertex]))
            elsewhere = (vertex for vertex in self._core if vertex not in members)
            other = min(elsewhere, key=lambda vertex: len(covering[vertex]))
            opposite = min(largest, key=lambda vertex: len(covering[vertex]))
            pairs = [(by_cover[0], other), (by_cover[0], opposite), (by_cover[1], opposite)]
            for inner, outer in dict.fromkeys(pairs):
                clauses.append([*leaving, *covering[inner], *covering[outer]])
        return clauses

    def expand(self, true: Collection[int]) -> list[tuple[int, int]]:
        """Return the edges of the graph that a model consists of."""
        edges = [self.ends[variable] for variable in self._real_edges if variable in true]
        for child, rows in self._rows.items():
            row = next(index for index, variable in enumerate(rows) if variable in true)
            edges += self._program.edges_of(child, row)
        return edges
