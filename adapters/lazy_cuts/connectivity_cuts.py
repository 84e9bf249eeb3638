"""Connectivity cuts: clauses that a model with disconnected parts violates.

In an EdgeGraph, true edges must connect all vertices. Some edge must lead out of each component:
that clause is a cut. If the components are cycles, exchanging two edges often joins two of them;
whether the formula allows that is decided by its solver.

In a ChoiceGraph, the chosen cells or edges must be connected. If two chosen members are in
different components, one of the neighbours around a component must be chosen too.

A cut of k edges excludes about one in 2^k sets of cycles. If exponentially many sets of cycles
exist, as in flower snarks, long cuts exclude them one by one, and the number of components does not
decrease: CutProgress detects that.

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
"""Maximum number of members that get cuts in a round: per component, and in the largest one."""

MAX_SHORTENING_STEPS = 2**22
"""Limit on the steps of a round, above which cuts are not shortened."""

NO_ROUNDS, NO_PROGRESS = "no rounds left", "no progress"
"""Reasons for giving up the rounds of cuts."""

LONG_CUT_LENGTH = 32
"""Length from which a cut excludes little more than the model it was found in."""

MAX_STALLED_ROUNDS = 30
"""Consecutive rounds with long cuts only, after which to give up; cubic graphs need up to 10."""

MAX_ROUNDS_WITHOUT_PROGRESS = 100
"""Rounds without fewer components, after which to give up; planted cuts need up to 70."""


class EdgeGraph(NamedTuple):
    """Graph whose true edges must connect all vertices. Edges of one group can be exchanged."""

    vertices: int
    groups: list[list[Edge]]

    def edges(self) -> Iterator[Edge]:
        """Return the edges of all groups."""
        return (edge for group in self.groups for edge in group)

    def variables(self) -> Iterator[int]:
        """Return the variables of all edges."""
        return (variable for variable, _, _ in self.edges())

    def renamed(self, names: Sequence[int]) -> EdgeGraph:
        """Return the graph with each variable `v` replaced by `names[v]`."""
        groups = [[(names[variable], u, v) for variable, u, v in group] for group in self.groups]
        return EdgeGraph(self.vertices, groups)


class ChoiceGraph(NamedTuple):
    """Cells or edges whose chosen members must be connected."""

    literals: list[int]
    """Literal of each member, true if it is chosen; 0 if it is always chosen."""
    meetings: list[list[int]]
    """Cliques: sets of pairwise adjacent members."""

    def variables(self) -> Iterator[int]:
        """Return the variables of all members that are not always chosen."""
        return (abs(literal) for literal in self.literals if literal)

    def renamed(self, names: Sequence[int]) -> ChoiceGraph:
        """Return the graph with each variable `v` replaced by `names[v]`."""
        literals = [(names[abs(x)] if x > 0 else -names[abs(x)]) if x else 0 for x in self.literals]
        return ChoiceGraph(literals, self.meetings)

    def chosen(self, true_variables: Collection[int]) -> list[int]:
        """Return the members that a model chooses."""
        return [
            member
            for member, literal in enumerate(self.literals)
            if not literal
            or (literal in true_variables if literal > 0 else -literal not in true_variables)
        ]

    def meetings_of(self) -> list[list[int]]:
        """Return the indices of the meetings of every member."""
        meetings: list[list[int]] = [[] for _ in self.literals]
        for index, meeting in enumerate(self.meetings):
            for member in meeting:
                meetings[member].append(index)
        return meetings


LazyGraph = EdgeGraph | ChoiceGraph
"""Graph of a lazy constraint."""

KINDS = {kind.__name__: kind for kind in (EdgeGraph, ChoiceGraph)}
"""Classes of graphs by name, for the tasks of workers."""


class ViolatedCuts(NamedTuple):
    """Cuts that a model violates."""

    cuts: list[Clause]
    alternative_edges: set[int] | None
    """True edges of a connected alternative to the model. None if none was found."""


def find_cuts(graphs: Sequence[LazyGraph], true_variables: Collection[int]) -> ViolatedCuts | None:
    """Return the cuts that a model violates; None if every graph is connected."""
    cuts: list[Clause] = []
    alternative = None
    for graph in graphs:
        if isinstance(graph, ChoiceGraph):
            cuts += choice_cuts(graph, true_variables)
            continue
        component_of = components(graph, true_variables)
        if len(set(component_of)) > 1:
            cuts += edge_cuts(graph, component_of)
            if len(graphs) == 1:
                alternative = join_subtours(graph, true_variables, component_of)
    return ViolatedCuts(cuts, alternative) if cuts else None


def components(graph: EdgeGraph, true_variables: Collection[int]) -> list[int]:
    """Return a representative vertex of the component of every vertex."""
    return _joined(graph.vertices, (edge for edge in graph.edges() if edge[0] in true_variables))


def edge_cuts(graph: EdgeGraph, component_of: list[int]) -> list[Clause]:
    """Return the cuts of all components except the largest: two components have the same cut."""
    leaving: dict[int, Clause] = {name: [] for name in component_of}
    for variable, u, v in graph.edges():
        if component_of[u] != component_of[v]:
            leaving[component_of[u]].append(variable)
            leaving[component_of[v]].append(variable)
    size = dict.fromkeys(leaving, 0)
    for name in component_of:
        size[name] += 1
    del leaving[max(size, key=size.__getitem__)]
    return list(leaving.values())


def join_subtours(
    graph: EdgeGraph, true_variables: Collection[int], component_of: list[int]
) -> set[int] | None:
    """Join the subtours by exchanging edges; return the edges, or None if that fails."""
    chosen, leader, joins_left = (
        set(true_variables),
        list(range(graph.vertices)),
        len(set(component_of)) - 1,
    )
    for group in graph.groups:
        swaps = _Swaps(graph.vertices, group, chosen)
        for u in range(graph.vertices):
            for w in swaps.variable_between[u] if joins_left else ():
                first, second = _find(leader, component_of[u]), _find(leader, component_of[w])
                if first != second and swaps.join(u, w):
                    leader[second] = first
                    joins_left -= 1
    # Without a cycle, an exchange can disconnect a component.
    return chosen if not joins_left and len(set(components(graph, chosen))) == 1 else None


class _Swaps:
    """True edges of a group, two of which can be exchanged for two others."""

    def __init__(self, vertices: int, group: list[Edge], chosen: set[int]) -> None:
        self.chosen = chosen
        self.variable_between: list[dict[int, int]] = [{} for _ in range(vertices)]
        self.neighbours: list[set[int]] = [set() for _ in range(vertices)]
        for variable, u, v in group:
            self.variable_between[u][v] = self.variable_between[v][u] = variable
            if variable in chosen:
                self.neighbours[u].add(v)
                self.neighbours[v].add(u)

    def join(self, u: int, w: int) -> bool:
        """Replace edges u-v and w-x by u-w and v-x; return whether they exist."""
        for v in self.neighbours[u]:
            for x in self.neighbours[w]:
                if x in self.variable_between[v]:
                    self._set_edge(u, v, on=False)
                    self._set_edge(w, x, on=False)
                    self._set_edge(u, w, on=True)
                    self._set_edge(v, x, on=True)
                    return True
        return False

    def _set_edge(self, a: int, b: int, on: bool) -> None:
        """Choose an edge, or remove it."""
        variable = self.variable_between[a][b]
        (self.chosen.add if on else self.chosen.remove)(variable)
        for start, end in ((a, b), (b, a)):
            (self.neighbours[start].add if on else self.neighbours[start].remove)(end)


def _joined(vertices: int, edges: Iterable[Edge]) -> list[int]:
    """Return a representative of the component of each vertex (union-find)."""
    leader = list(range(vertices))
    for _, u, v in edges:
        leader[_find(leader, u)] = _find(leader, v)
    return [_find(leader, vertex) for vertex in range(vertices)]


def _find(leader: list[int], vertex: int) -> int:
    while leader[vertex] != vertex:
        leader[vertex] = vertex = leader[leader[vertex]]
    return vertex


def choice_cuts(graph: ChoiceGraph, true_variables: Collection[int]) -> list[Clause]:
    """Return the cuts that a model violates; empty if the chosen members are connected."""
    meetings_of = graph.meetings_of()
    components = _choice_components(graph, meetings_of, graph.chosen(true_variables))
    if len(components) < 2:
        return []
    components.sort(key=len)
    *smaller, largest = components
    can_shorten = len(smaller) * len(graph.literals) <= MAX_SHORTENING_STEPS
    cuts = []
    for component in smaller:
        border = _border(graph, meetings_of, component)
        if can_shorten:
            border = _reachable_border(graph, meetings_of, largest[0], border)
        border_literals = sorted(graph.literals[member] for member in border)
        for pair in product(
            _sample(component, MEMBERS_PER_COMPONENT), _sample(largest, MEMBERS_OF_LARGEST)
        ):
            ends = (-graph.literals[member] for member in pair)
            cuts.append([*(literal for literal in ends if literal), *border_literals])
    return cuts


def _choice_components(
    graph: ChoiceGraph, meetings_of: list[list[int]], chosen: list[int]
) -> list[list[int]]:
    """Return the components of the chosen members."""
    unvisited, visited_meetings = set(chosen), set[int]()
    components = []
    for first in chosen:
        if first not in unvisited:
            continue
        unvisited.remove(first)
        component = [first]
        for member in component:
            for meeting in meetings_of[member]:
                if meeting not in visited_meetings:
                    visited_meetings.add(meeting)
                    neighbours = [other for other in graph.meetings[meeting] if other in unvisited]
                    unvisited.difference_update(neighbours)
                    component += neighbours
        components.append(component)
    return components


def _border(graph: ChoiceGraph, meetings_of: list[list[int]], component: Iterable[int]) -> set[int]:
    """Return the neighbours of a component."""
    inside = set(component)
    meetings = {meeting for member in inside for meeting in meetings_of[member]}
    return {member for meeting in meetings for member in graph.meetings[meeting]} - inside


def _reachable_border(
    graph: ChoiceGraph, meetings_of: list[list[int]], start: int, border: set[int]
) -> set[int]:
    """Return the members of a border that are reachable from outside; the others are redundant."""
    reached, visited_meetings, stack = {start}, set[int](), [start]
    while stack:
        for meeting in meetings_of[stack.pop()]:
            if meeting not in visited_meetings:
                visited_meetings.add(meeting)
                for member in graph.meetings[meeting]:
                    if member not in reached:
                        reached.add(member)
                        if member not in border:
                            stack.append(member)
    return reached & border


def _sample(component: list[int], max_members: int) -> list[int]:
    """Return at most `max_members` members, evenly spaced."""
    step = -(-len(component) // max_members)
    return component[::step]


class CutProgress:
    """Detector of rounds of cuts without progress."""

    def __init__(self, graphs: Sequence[LazyGraph]) -> None:
        # The cuts of a ChoiceGraph are long and several for each component: no measure of progress.
        self.is_reliable = all(isinstance(graph, EdgeGraph) for graph in graphs)
        self.min_cuts: int | None = None
        self.long_rounds = self.stalled_rounds = 0

    def is_stalled(self, cuts: Collection[Clause]) -> bool:
        """Record the cuts of a round; return whether to give up."""
        if self.min_cuts is None or len(cuts) < self.min_cuts:
            self.min_cuts, self.long_rounds, self.stalled_rounds = len(cuts), 0, 0
            return False
        self.stalled_rounds += 1
        self.long_rounds = self.long_rounds + 1 if min(map(len, cuts)) >= LONG_CUT_LENGTH else 0
        return self.is_reliable and (
            self.long_rounds >= MAX_STALLED_ROUNDS
            or self.stalled_rounds >= MAX_ROUNDS_WITHOUT_PROGRESS
        )
