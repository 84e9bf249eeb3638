"""2-factors of a graph: their cycles, subtour elimination cuts, and joining cycles by exchanges.

A 2-factor is a set of edges in which each vertex has degree two, so a set of disjoint cycles. An
exchange replaces edges of an alternating cycle of four (2-opt) or six edges (3-opt) such that
two or three cycles become one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Clause = list[int]

MAX_CYCLES_FOR_THREE_OPT = 20
"""Maximum number of cycles that are joined by 3-opt."""


class CycleGraph:
    """Graph whose edges are variables, and whose Hamiltonian cycles are searched for."""

    def __init__(self, vertices: int, edges: Iterable[tuple[int, int, int]]) -> None:
        self.vertices = vertices
        self.ends: dict[int, tuple[int, int]] = {}
        """Ends of each edge, by variable."""
        self.variables: list[dict[int, int]] = [{} for _ in range(vertices)]
        """Variable of the edge to each neighbour, by vertex."""
        for variable, u, v in edges:
            self.ends[variable] = u, v
            self.variables[u][v] = self.variables[v][u] = variable

    def two_factor(self, model: Iterable[int]) -> TwoFactor | None:
        """Return the 2-factor of the true edges of a model; None if some degree is not two."""
        links: list[list[int]] = [[] for _ in range(self.vertices)]
        ends = self.ends
        for literal in model:
            if literal > 0 and literal in ends:
                u, v = ends[literal]
                links[u].append(v)
                links[v].append(u)
        if any(len(neighbours) != 2 for neighbours in links):
            return None
        return TwoFactor(self, links)


class TwoFactor:
    """Disjoint cycles that cover all vertices of a graph."""

    def __init__(self, graph: CycleGraph, links: list[list[int]]) -> None:
        self.graph = graph
        self.links = links
        """Two neighbours of every vertex."""
        self.cycles: list[list[int]] = []
        """Vertices of each cycle, in order."""
        self.cycle_of: list[int] = []
        """Index of the cycle of every vertex."""
        self._positions: list[int] = []
        self._find_cycles()

    def _find_cycles(self) -> None:
        links = self.links
        self.cycles = []
        self.cycle_of = cycle_of = [-1] * len(links)
        self._positions = positions = [0] * len(links)
        for start in range(len(links)):
            if cycle_of[start] >= 0:
                continue
            cycle: list[int] = []
            index, previous, vertex = len(self.cycles), -1, start
            while cycle_of[vertex] < 0:
                cycle_of[vertex] = index
                positions[vertex] = len(cycle)
                cycle.append(vertex)
                first, second = links[vertex]
                previous, vertex = vertex, second if first == previous else first
            self.cycles.append(cycle)

    def edges(self) -> list[int]:
        """Return the variables of all edges of the cycles."""
        variables = self.graph.variables
        return [
            variables[u][v]
            for cycle in self.cycles
            for u, v in zip(cycle, [*cycle[1:], cycle[0]], strict=True)
        ]

    def cuts(self) -> list[Clause]:
        """Return a cut for each cycle except the largest: some edge leads out of it."""
        largest = max(self.cycles, key=len)
        cycle_of, variables = self.cycle_of, self.graph.variables
        return [
            sorted(
                variable
                for u in cycle
                for v, variable in variables[u].items()
                if cycle_of[v] != index
            )
            for index, cycle in enumerate(self.cycles)
            if cycle is not largest
        ]

    def join(self) -> None:
        """Join cycles by exchanges: 2-opt, then 3-opt if few cycles are left.

        After each 3-opt exchange all vertices are renumbered. For many cycles, cuts are cheaper.
        """
        self._join_pairs()
        while 1 < len(self.cycles) <= MAX_CYCLES_FOR_THREE_OPT and self._join_by_three():
            self._find_cycles()
            self._join_pairs()

    def _join_pairs(self) -> None:
        """Join pairs of cycles by 2-opt: u-v and w-x become u-w and v-x."""
        leader = list(range(len(self.cycles)))
        variables, links, cycle_of = self.graph.variables, self.links, self.cycle_of
        is_joined = False
        for cycle in sorted(self.cycles, key=len)[:-1] or ():
            for u in cycle:
                own = _find(leader, cycle_of[u])
                for w in variables[u]:
                    other = _find(leader, cycle_of[w])
                    if own != other and self._exchange_two(u, w, links, variables):
                        leader[own] = own = other
                        is_joined = True
        if is_joined:
            self._find_cycles()

    def _exchange_two(
        self, u: int, w: int, links: list[list[int]], variables: list[dict[int, int]]
    ) -> bool:
        """Replace edges u-v and w-x of two cycles by u-w and v-x; return whether they exist."""
        for v in links[u]:
            for x in links[w]:
                if x in variables[v]:
                    self._replace(((u, v), (w, x)), ((u, w), (v, x)))
                    return True
        return False

    def _join_by_three(self) -> bool:
        """Join a cycle by 3-opt: u-v, w-x and y-z become u-w, x-y and z-v; return whether it did.

        The edge y-z belongs to a third cycle, or to one of the two if one cycle results.
        """
        variables, links, cycle_of = self.graph.variables, self.links, self.cycle_of
        for cycle in sorted(self.cycles, key=len)[:-1]:
            own = cycle_of[cycle[0]]
            for u in cycle:
                for v in links[u]:
                    for w in variables[u]:
                        if cycle_of[w] == own:
                            continue
                        for x in links[w]:
                            for y in variables[x]:
                                for z in links[y]:
                                    if z in variables[v] and self._is_joining(u, v, w, x, y, z):
                                        self._replace(
                                            ((u, v), (w, x), (y, z)), ((u, w), (x, y), (z, v))
                                        )
                                        return True
        return False

    def _is_joining(self, u: int, v: int, w: int, x: int, y: int, z: int) -> bool:
        """Return whether a 3-opt exchange of disjoint edges joins the cycles it changes into one.

        If y-z is in the cycle of w-x, it must be passed as z, y on the way from x to w; if it is
        in that of u-v, as y, z on the way from v to u.
        """
        cycle = self.cycle_of[y]
        if cycle == self.cycle_of[w]:
            return {w, x} != {y, z} and y != x and self._is_passed(x, w, z, y)
        if cycle == self.cycle_of[u]:
            return {u, v} != {y, z} and z != v and self._is_passed(v, u, y, z)
        return True

    def _is_passed(self, start: int, end: int, first: int, second: int) -> bool:
        """Return whether one vertex comes before its neighbour on the cycle from start to end.

        The edge from `end` to `start` closes the cycle.
        """
        positions, length = self._positions, len(self.cycles[self.cycle_of[start]])
        origin = positions[start]
        is_forward = positions[end] == (origin - 1) % length
        distances = [(positions[vertex] - origin) % length for vertex in (first, second)]
        if not is_forward:
            distances = [-distance % length for distance in distances]
        return distances[0] < distances[1]

    def _replace(self, old: Sequence[tuple[int, int]], new: Sequence[tuple[int, int]]) -> None:
        """Replace edges of the cycles by others, which change no degree."""
        for u, v in old:
            self.links[u].remove(v)
            self.links[v].remove(u)
        for u, v in new:
            self.links[u].append(v)
            self.links[v].append(u)


def _find(leader: list[int], index: int) -> int:
    while leader[index] != index:
        leader[index] = index = leader[leader[index]]
    return index
