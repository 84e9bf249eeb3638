"""Validation of cuts: removing the literals of a cut must disconnect the graph of its constraint.

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
    """Return a checker for the cuts of a graph."""
    return ChoiceCutChecker(graph) if isinstance(graph, ChoiceGraph) else CutChecker(graph)


class CutChecker:
    """Checker of cuts for the constraint that the true edges connect all vertices."""

    def __init__(self, graph: EdgeGraph) -> None:
        self.graph = graph
        self.ends = {variable: (u, v) for variable, u, v in graph.edges()}
        self.incident: list[list[tuple[int, int]]] = [[] for _ in range(graph.vertices)]
        for variable, u, v in graph.edges():
            self.incident[u].append((variable, v))
            self.incident[v].append((variable, u))

    def is_cut(self, clause: Iterable[int]) -> bool:
        """Return whether removing the edges of the clause separates the ends of one of them.

        The search is bidirectional, so that a small component ends it early.
        """
        removed = set(clause)
        edge = next((self.ends[variable] for variable in clause if variable in self.ends), None)
        if edge is None:
            return len(set(components(self.graph, self.ends.keys()))) > 1
        reached = [set(edge[:1]), set(edge[1:])]
        stacks = [[edge[0]], [edge[1]]]
        while all(stacks):
            for side, opposite in ((0, 1), (1, 0)):
                for variable, vertex in self.incident[stacks[side].pop()] if stacks[side] else ():
                    if variable in removed or vertex in reached[side]:
                        continue
                    if vertex in reached[opposite]:
                        return False
                    reached[side].add(vertex)
                    stacks[side].append(vertex)
        return True


class ChoiceCutChecker:
    """Checker of cuts for the constraint that the chosen members are connected."""

    def __init__(self, graph: ChoiceGraph) -> None:
        self.meetings = graph.meetings
        self.always = [member for member, literal in enumerate(graph.literals) if not literal]
        self.member_by_literal: dict[int, int] = {
            x: member for member, x in enumerate(graph.literals) if x
        }
        self.meetings_of: list[list[int]] = [[] for _ in graph.literals]
        for index, meeting in enumerate(graph.meetings):
            for member in meeting:
                self.meetings_of[member].append(index)

    def is_cut(self, clause: Iterable[int]) -> bool:
        """Return whether the clause is a valid cut.

        Two negated members must be disconnected once the positive ones are removed.
        """
        clause = list(clause)
        removed = {self.member_by_literal[x] for x in clause if x in self.member_by_literal}
        separated = [self.member_by_literal[-x] for x in clause if -x in self.member_by_literal]
        if len(separated) < 2:
            separated += self.always
        first, *others = separated or [-1]
        return not removed.intersection(separated) and any(
            self._are_disconnected(first, other, removed) for other in others
        )

    def _are_disconnected(self, start: int, target: int, removed: set[int]) -> bool:
        """Return whether two members are disconnected, by bidirectional search."""
        reached = ({start}, {target})
        visited: tuple[set[int], set[int]] = (set(), set())
        stacks = ([start], [target])
        while all(stacks) and start != target:
            for side, opposite in ((0, 1), (1, 0)):
                for member in (
                    self._neighbours(stacks[side].pop(), visited[side]) if stacks[side] else ()
                ):
                    if member in removed or member in reached[side]:
                        continue
                    if member in reached[opposite]:
                        return False
                    reached[side].add(member)
                    stacks[side].append(member)
        return start != target

    def _neighbours(self, member: int, visited: set[int]) -> Iterator[int]:
        """Yield the members of all unvisited meetings of a member."""
        for meeting in self.meetings_of[member]:
            if meeting not in visited:
                visited.add(meeting)
                yield from self.meetings[meeting]
