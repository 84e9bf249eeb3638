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
"""Variable, and the two vertices that it joins if true."""

Clause = list[int]

MEMBERS_PER_COMPONENT, MEMBERS_OF_LARGEST = 4, 2
"""Members of a component, and of the largest one, that get cuts in one round."""

MAX_SHORTENING_STEPS = 2**22
"""Limit on the steps of a round, above which cuts are not shortened."""

NO_ROUNDS, NO_PROGRESS = "no rounds left", "no progress"
"""Reasons for giving up the rounds of cuts."""

LONG_CUT_LENGTH = 32
"""Cuts of this length or longer exclude little more than the model that they are from."""

MAX_STALLED_ROUNDS = 30
"""Give up after so many rounds with long cuts only; random cubic graphs need up to 10."""

MAX_ROUNDS_WITHOUT_PROGRESS = 100
"""Give up after so many rounds without fewer components; planted cuts need up to 70."""


class EdgeGraph(NamedTuple):
    """Graph whose true edges must connect all vertices. Edges of one group can be exchanged."""

    vertices: int
    groups: list[list[Edge]]

    def edges(self) -> Iterator[Edge]:
        return (edge for group in self.groups for edge in group)

    def variables(self) -> Iterator[int]:
        return (variable for variable, _, _ in self.edges())

    def renamed(self, names: Sequence[int]) -> EdgeGraph:
        """Return the graph with each variable replaced by the entry at its index."""
        groups = [[(names[variable], u, v) for variable, u, v in group] for group in self.groups]
        return EdgeGraph(self.vertices, groups)


class ChoiceGraph(NamedTuple):
    """Members with their literals (0: always chosen), and meetings, sets of adjacent members."""

    literals: list[int]
    meetings: list[list[int]]

    def variables(self) -> Iterator[int]:
        return (abs(literal) for literal in self.literals if literal)

    def renamed(self, names: Sequence[int]) -> ChoiceGraph:
        """Return the graph with each variable replaced by the entry at its index."""
        literals = [(names[abs(x)] if x > 0 else -names[abs(x)]) if x else 0 for x in self.literals]
        return ChoiceGraph(literals, self.meetings)

    def chosen(self, true: Collection[int]) -> list[int]:
        return [
            number
            for number, literal in enumerate(self.literals)
            if not literal or (literal in true if literal > 0 else -literal not in true)
        ]

    def near(self) -> list[list[int]]:
        """Return the meetings of every member."""
        found: list[list[int]] = [[] for _ in self.literals]
        for place, meeting in enumerate(self.meetings):
            for number in meeting:
                found[number].append(place)
        return found


LazyGraph = EdgeGraph | ChoiceGraph
"""Graph of a lazy constraint."""

KINDS = {kind.__name__: kind for kind in (EdgeGraph, ChoiceGraph)}
"""Classes of graphs by name, for the tasks of workers."""


class ViolatedCuts(NamedTuple):
    """Cuts that a model violates, and the edges of a connected alternative, if one was found."""

    cuts: list[Clause]
    instead: set[int] | None


def find_cuts(graphs: Sequence[LazyGraph], true: Collection[int]) -> ViolatedCuts | None:
    """Return the cuts that a model violates; None if every graph is connected."""
    cuts: list[Clause] = []
    instead = None
    for graph in graphs:
        if isinstance(graph, ChoiceGraph):
            cuts += choice_cuts(graph, true)
            continue
        part = components(graph, true)
        if len(set(part)) > 1:
            cuts += edge_cuts(graph, part)
            if len(graphs) == 1:
                instead = join_subtours(graph, true, part)
    return ViolatedCuts(cuts, instead) if cuts else None


def components(graph: EdgeGraph, true: Collection[int]) -> list[int]:
    """Return the component of every vertex, named by one of its vertices."""
    return _joined(graph.vertices, (edge for edge in graph.edges() if edge[0] in true))


def edge_cuts(graph: EdgeGraph, part: list[int]) -> list[Clause]:
    """Return the cuts of all components except the largest: two components have the same cut."""
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


def join_subtours(graph: EdgeGraph, true: Collection[int], part: list[int]) -> set[int] | None:
    """Join the subtours by exchanging edges; return the edges, or None if that fails."""
    chosen, leader, left = set(true), list(range(graph.vertices)), len(set(part)) - 1
    for group in graph.groups:
        swaps = _Swaps(graph.vertices, group, chosen)
        for u in range(graph.vertices):
            for w in swaps.between[u] if left else ():
                own, other = _find(leader, part[u]), _find(leader, part[w])
                if own != other and swaps.join(u, w):
                    leader[other] = own
                    left -= 1
    # Without a cycle, an exchange can disconnect a component.
    return chosen if not left and len(set(components(graph, chosen))) == 1 else None


class _Swaps:
    """True edges of a group, two of which can be exchanged for two others."""

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
        """Replace edges u-v and w-x by u-w and v-x; return whether they exist."""
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
    """Return the cuts that a model violates; empty if the chosen members are connected."""
    near = graph.near()
    components = _parts(graph, near, graph.chosen(true))
    if len(components) < 2:
        return []
    components.sort(key=len)
    *small, largest = components
    shortest = len(small) * len(graph.literals) <= MAX_SHORTENING_STEPS
    cuts = []
    for part in small:
        around = _around(graph, near, part)
        if shortest:
            around = _reached(graph, near, largest[0], around)
        between = sorted(graph.literals[number] for number in around)
        for pair in product(_some(part, MEMBERS_PER_COMPONENT), _some(largest, MEMBERS_OF_LARGEST)):
            ends = (-graph.literals[number] for number in pair)
            cuts.append([*(literal for literal in ends if literal), *between])
    return cuts


def _parts(graph: ChoiceGraph, near: list[list[int]], chosen: list[int]) -> list[list[int]]:
    """Return the components of the chosen members."""
    left, passed = set(chosen), set[int]()
    components = []
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
        components.append(part)
    return components


def _around(graph: ChoiceGraph, near: list[list[int]], part: Iterable[int]) -> set[int]:
    """Return the neighbours of a component."""
    inside = set(part)
    places = {place for number in inside for place in near[number]}
    return {number for place in places for number in graph.meetings[place]} - inside


def _reached(graph: ChoiceGraph, near: list[list[int]], start: int, around: set[int]) -> set[int]:
    """Return the members of a border that are reached from outside; the cut needs no others."""
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
    """Return at most so many members, evenly spaced."""
    step = -(-len(part) // most)
    return part[::step]


class CutProgress:
    """Detection of rounds of cuts that make no progress."""

    def __init__(self, graphs: Sequence[LazyGraph]) -> None:
        # A ChoiceGraph has several, long cuts for each component: their number means nothing.
        self.is_reliable = all(isinstance(graph, EdgeGraph) for graph in graphs)
        self.fewest: int | None = None
        self.long_rounds = self.stalled_rounds = 0

    def is_stalled(self, cuts: Collection[Clause]) -> bool:
        """Record the cuts of a round; return whether to give up."""
        if self.fewest is None or len(cuts) < self.fewest:
            self.fewest, self.long_rounds, self.stalled_rounds = len(cuts), 0, 0
            return False
        self.stalled_rounds += 1
        self.long_rounds = self.long_rounds + 1 if min(map(len, cuts)) >= LONG_CUT_LENGTH else 0
        return self.is_reliable and (
            self.long_rounds >= MAX_STALLED_ROUNDS
            or self.stalled_rounds >= MAX_ROUNDS_WITHOUT_PROGRESS
        )
