"""Validation of cuts: a cut follows from a lazy constraint if removing its literals disconnects it.

The search shares no code with the one that finds cuts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from boardsat.adapters.lazy_cuts.connectivity_cuts import (
    ChoiceGraph,
    EdgeGraph,
    LazyGraph,
    components,
)


def cut_checker(graph: LazyGraph) -> CutChecker | ChoiceCutChecker:
    """Return the checker of cuts of a graph."""
    return ChoiceCutChecker(graph) if isinstance(graph, ChoiceGraph) else CutChecker(graph)


class CutChecker:
    """Check clauses against the constraint that the edges connect all vertices."""

    def __init__(self, graph: EdgeGraph) -> None:
        self.graph = graph
        self.ends = {variable: (u, v) for variable, u, v in graph.edges()}
        self.near: list[list[tuple[int, int]]] = [[] for _ in range(graph.vertices)]
        for variable, u, v in graph.edges():
            self.near[u].append((variable, v))
            self.near[v].append((variable, u))

    def is_cut(self, clause: Iterable[int]) -> bool:
        """Return whether removing the edges of the clause separates the ends of one of them.

        The search is bidirectional, so that a small component ends it early.
        """
        without = set(clause)
        edge = next((self.ends[variable] for variable in clause if variable in self.ends), None)
        if edge is None:
            return len(set(components(self.graph, self.ends.keys()))) > 1
        reached = [set(edge[:1]), set(edge[1:])]
        ahead = [[edge[0]], [edge[1]]]
        while all(ahead):
            for own, other in ((0, 1), (1, 0)):
                for variable, vertex in self.near[ahead[own].pop()] if ahead[own] else ():
                    if variable in without or vertex in reached[own]:
                        continue
                    if vertex in reached[other]:
                        return False
                    reached[own].add(vertex)
                    ahead[own].append(vertex)
        return True


class ChoiceCutChecker:
    """Check clauses against the constraint that the chosen members are connected."""

    def __init__(self, graph: ChoiceGraph) -> None:
        self.meetings = graph.meetings
        self.always = [number for number, literal in enumerate(graph.literals) if not literal]
        self.bearing: dict[int, int] = {x: number for number, x in enumerate(graph.literals) if x}
        self.at: list[list[int]] = [[] for _ in graph.literals]
        for place, meeting in enumerate(graph.meetings):
            for number in meeting:
                self.at[number].append(place)

    def is_cut(self, clause: Iterable[int]) -> bool:
        """Return whether the clause is a valid cut.

        Two negated members must be disconnected once the positive ones are removed.
        """
        clause = list(clause)
        offered = {self.bearing[x] for x in clause if x in self.bearing}
        supposed = [self.bearing[-x] for x in clause if -x in self.bearing]
        if len(supposed) < 2:
            supposed += self.always
        first, *others = supposed or [-1]
        return not offered.intersection(supposed) and any(
            self._apart(first, other, offered) for other in others
        )

    def _apart(self, one: int, other: int, without: set[int]) -> bool:
        """Return whether two members are disconnected, by bidirectional search."""
        reached = ({one}, {other})
        passed: tuple[set[int], set[int]] = (set(), set())
        ahead = ([one], [other])
        while all(ahead) and one != other:
            for own, opposite in ((0, 1), (1, 0)):
                for number in self._met(ahead[own].pop(), passed[own]) if ahead[own] else ():
                    if number in without or number in reached[own]:
                        continue
                    if number in reached[opposite]:
                        return False
                    reached[own].add(number)
                    ahead[own].append(number)
        return one != other

    def _met(self, number: int, passed: set[int]) -> Iterator[int]:
        """Yield the members of its unvisited meetings."""
        for place in self.at[number]:
            if place not in passed:
                passed.add(place)
                yield from self.meetings[place]
