"""Connectivity cuts: clauses that a model with disconnected parts violates.

In an EdgeGraph, true edges must connect all vertices. Some edge must lead out of each component:
that clause is a cut. If the components are cycles, exchanging two edges often joins two of them;
whether the formula allows that is decided by its solver.

In a ChoiceGraph, the chosen cells or edges must be connected. If two chosen members are in
different components, one of the neighbours around a component must be chosen too.

A cut of k edges excludes about one in 2^k sets of cycles. With exponentially many of them, as in
flower snarks, long cuts exclude them one by one, and the number of components stays: CutProgress
detects that.

Workers import this module, so it avoids slow imports.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

Edge = tuple[int, int, int]
"""A variable, and the two vertices that it joins where it is true."""

Clause = list[int]

OWN, OTHERS = 4, 2
"""Members of a part, and of the largest, that the cuts of one round are about."""

WALKED = 2**22
"""Steps that finding the cuts of a round may take before they are no longer made as short."""

NO_ROUNDS, NO_PROGRESS = "no rounds left", "no progress"
"""Why cuts are given up."""

LONG = 32
"""Edges from which on a cut excludes nearly nothing but the model that it is from."""

FUTILE = 30
"""Rounds in a row with long cuts alone, and no fewer parts: random cubic graphs take up to ten."""

PATIENCE = 100
"""Rounds without fewer parts, however short the cuts: planted cuts have taken up to seventy."""


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


class ChoiceGraph(NamedTuple):
    """A literal for each that may be chosen, 0 for one that always is; and which of them meet."""

    literals: list[int]
    meetings: list[list[int]]

    def variables(self) -> Iterator[int]:
        return (abs(literal) for literal in self.literals if literal)

    def renamed(self, names: Sequence[int]) -> ChoiceGraph:
        """The same with other variables: those at the index of each."""
        literals = [(names[abs(x)] if x > 0 else -names[abs(x)]) if x else 0 for x in self.literals]
        return ChoiceGraph(literals, self.meetings)

    def chosen(self, true: Collection[int]) -> list[int]:
        return [
            number
            for number, literal in enumerate(self.literals)
            if not literal or (literal in true if literal > 0 else -literal not in true)
        ]

    def near(self) -> list[list[int]]:
        """For each the meetings that it is in."""
        found: list[list[int]] = [[] for _ in self.literals]
        for place, meeting in enumerate(self.meetings):
            for number in meeting:
                found[number].append(place)
        return found


LazyGraph = EdgeGraph | ChoiceGraph
"""Graph of a lazy constraint."""

KINDS = {kind.__name__: kind for kind in (EdgeGraph, ChoiceGraph)}
"""Classes of graphs by name, for the tasks of workers."""


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


def choice_cuts(graph: ChoiceGraph, true: Collection[int]) -> list[Clause]:
    """The cuts that a model violates: none, if what it chooses is one part."""
    near = graph.near()
    parts = _parts(graph, near, graph.chosen(true))
    if len(parts) < 2:
        return []
    parts.sort(key=len)
    *small, largest = parts
    shortest = len(small) * len(graph.literals) <= WALKED
    cuts = []
    for part in small:
        around = _around(graph, near, part)
        if shortest:
            around = _reached(graph, near, largest[0], around)
        between = sorted(graph.literals[number] for number in around)
        for pair in product(_some(part, OWN), _some(largest, OTHERS)):
            ends = (-graph.literals[number] for number in pair)
            cuts.append([*(literal for literal in ends if literal), *between])
    return cuts


def _parts(graph: ChoiceGraph, near: list[list[int]], chosen: list[int]) -> list[list[int]]:
    """What is chosen, part by part."""
    left, passed = set(chosen), set[int]()
    parts = []
    for first in chosen:
        if first not in left:
            continue
        left.remove(first)
        part = [first]
        for number in part:
            for place in near[number]:
                if place not in passed:
                    passed.add(place)
                    more = [other for other in graph.meetings[place] if other in left]
                    left.difference_update(more)
                    part += more
        parts.append(part)
    return parts


def _around(graph: ChoiceGraph, near: list[list[int]], part: Iterable[int]) -> set[int]:
    """Those that meet a part and are not in it."""
    inside = set(part)
    places = {place for number in inside for place in near[number]}
    return {number for place in places for number in graph.meetings[place]} - inside


def _reached(graph: ChoiceGraph, near: list[list[int]], start: int, around: set[int]) -> set[int]:
    """Those of a border that are reached from beyond it: the others are not needed."""
    seen, passed, ahead = {start}, set[int](), [start]
    while ahead:
        for place in near[ahead.pop()]:
            if place not in passed:
                passed.add(place)
                for number in graph.meetings[place]:
                    if number not in seen:
                        seen.add(number)
                        if number not in around:
                            ahead.append(number)
    return seen & around


def _some(part: list[int], most: int) -> list[int]:
    """As many of them, evenly spread."""
    step = -(-len(part) // most)
    return part[::step]


class CutProgress:
    """The rounds so far, one after the other."""

    def __init__(self, graphs: Sequence[LazyGraph]) -> None:
        # Cuts of what is chosen are several for every part, and are long in any case.
        self.tells = all(isinstance(graph, EdgeGraph) for graph in graphs)
        self.fewest: int | None = None
        self.futile = self.waiting = 0

    def is_none(self, cuts: Collection[Clause]) -> bool:
        """Whether it is better to give up after these cuts."""
        if self.fewest is None or len(cuts) < self.fewest:
            self.fewest, self.futile, self.waiting = len(cuts), 0, 0
            return False
        self.waiting += 1
        self.futile = self.futile + 1 if min(map(len, cuts)) >= LONG else 0
        return self.tells and (self.futile >= FUTILE or self.waiting >= PATIENCE)
