"""Cuts: the components of a model, the clauses that they violate, and joining subtours.

Here edges that hold must connect all vertices of a graph. Of every part that they leave alone, some
edge must lead out: that clause is a cut. Where the parts are circles, two of them often run side by
side, and exchanging two edges makes them one. Whether the formula allows that is for its solver.

Workers use this file too, so it does without all that takes long to import.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from boardsat.adapters.lazy_cuts.choosing import ChoiceGraph, Clause, choice_cuts

Edge = tuple[int, int, int]
"""A variable, and the two vertices that it joins where it is true."""


class EdgeGraph(NamedTuple):
    """Vertices from 0 on, and edges in groups: those of one group may be exchanged."""

    vertices: int
    groups: list[list[Edge]]

    def edges(self) -> Iterator[Edge]:
        return (edge for group in self.groups for edge in group)

    def variables(self) -> Iterator[int]:
        return (variable for variable, _, _ in self.edges())

    def renamed(self, names: Sequence[int]) -> EdgeGraph:
        """The same with other variables: those at the index of each."""
        groups = [[(names[variable], u, v) for variable, u, v in group] for group in self.groups]
        return EdgeGraph(self.vertices, groups)


LazyGraph = EdgeGraph | ChoiceGraph
"""What a file leaves out: that all of a graph is connected, or what is chosen of it."""

KINDS = {kind.__name__: kind for kind in (EdgeGraph, ChoiceGraph)}
"""By their names, as they are sent to a worker."""


class Missing(NamedTuple):
    """What a model lacks: cuts that it breaks, and edges to take instead of its own, if any do."""

    cuts: list[Clause]
    instead: set[int] | None


def missing(graphs: Sequence[LazyGraph], true: Collection[int]) -> Missing | None:
    """None, if the variables that are true connect every graph."""
    cuts: list[Clause] = []
    instead = None
    for graph in graphs:
        if isinstance(graph, ChoiceGraph):
            cuts += choice_cuts(graph, true)
            continue
        part = parts(graph, true)
        if len(set(part)) > 1:
            cuts += violated(graph, part)
            if len(graphs) == 1:
                instead = patched(graph, true, part)
    return Missing(cuts, instead) if cuts else None


def parts(graph: EdgeGraph, true: Collection[int]) -> list[int]:
    """For every vertex the name of its part, which is one of the vertices in it."""
    return _joined(graph.vertices, (edge for edge in graph.edges() if edge[0] in true))


def violated(graph: EdgeGraph, part: list[int]) -> list[Clause]:
    """The cuts of all parts but the largest: of two parts both have the same."""
    leaving: dict[int, Clause] = {name: [] for name in part}
    for variable, u, v in graph.edges():
        if part[u] != part[v]:
            leaving[part[u]].append(variable)
            leaving[part[v]].append(variable)
    size = dict.fromkeys(leaving, 0)
    for name in part:
        size[name] += 1
    del leaving[max(size, key=size.__getitem__)]
    return list(leaving.values())


def patched(graph: EdgeGraph, true: Collection[int], part: list[int]) -> set[int] | None:
    """Edges that connect all and leave every vertex as many as it had, if exchanges lead there."""
    chosen, leader, left = set(true), list(range(graph.vertices)), len(set(part)) - 1
    for group in graph.groups:
        swaps = _Swaps(graph.vertices, group, chosen)
        for u in range(graph.vertices):
            for w in swaps.between[u] if left else ():
                own, other = _find(leader, part[u]), _find(leader, part[w])
                if own != other and swaps.join(u, w):
                    leader[other] = own
                    left -= 1
    # Without a circle, an exchange may tear apart what it began with.
    return chosen if not left and len(set(parts(graph, chosen))) == 1 else None


class _Swaps:
    """The edges of a group while some of them are exchanged for others."""

    def __init__(self, vertices: int, group: list[Edge], chosen: set[int]) -> None:
        self.chosen = chosen
        self.between: list[dict[int, int]] = [{} for _ in range(vertices)]
        self.linked: list[set[int]] = [set() for _ in range(vertices)]
        for variable, u, v in group:
            self.between[u][v] = self.between[v][u] = variable
            if variable in chosen:
                self.linked[u].add(v)
                self.linked[v].add(u)

    def join(self, u: int, w: int) -> bool:
        """Whether edges u-v and w-x could give way to u-w and v-x."""
        for v in self.linked[u]:
            for x in self.linked[w]:
                if x in self.between[v]:
                    self._turn(u, v, on=False)
                    self._turn(w, x, on=False)
                    self._turn(u, w, on=True)
                    self._turn(v, x, on=True)
                    return True
        return False

    def _turn(self, a: int, b: int, on: bool) -> None:
        variable = self.between[a][b]
        (self.chosen.add if on else self.chosen.remove)(variable)
        for one, other in ((a, b), (b, a)):
            (self.linked[one].add if on else self.linked[one].remove)(other)


def _joined(vertices: int, edges: Iterable[Edge]) -> list[int]:
    leader = list(range(vertices))
    for _, u, v in edges:
        leader[_find(leader, u)] = _find(leader, v)
    return [_find(leader, vertex) for vertex in range(vertices)]


def _find(leader: list[int], vertex: int) -> int:
    while leader[vertex] != vertex:
        leader[vertex] = vertex = leader[leader[vertex]]
    return vertex
