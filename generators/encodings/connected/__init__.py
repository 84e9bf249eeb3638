"""Encodings of connectivity, selected by `--set connected=NAME`.

Each module has this function:

clauses(graph, fresh) -> tuple of array and int
    Return the clauses of "the selected vertices of a LiteralGraph are in one component", each ended
    by 0, and the number of their auxiliary variables, which are numbered from `fresh` on. No vertex
    need be selected. Call `checkpoint(nbytes)` before large allocations.

Encodings work on a simple graph with a literal for every vertex. Auxiliary variables replace
parallel edges, and are the literals of vertices that are selected by their edges. They are defined
by equivalences.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens, columns, join, stack

DEFAULT = "elimination"
MEANS = "encoding of connectivity"


class LiteralGraph(NamedTuple):
    """Graph with vertices 0..n-1, whose edges and vertices are literals."""

    vertices: int
    ends: tuple[Ints, Ints]
    edges: Tokens | None
    """Literal of every edge; None if an edge is true when both of its ends are selected."""
    selected: Tokens | None
    """Literal of every vertex; None if the ends of true edges are selected."""
    has_degree_two: bool = False
    """True if every vertex has two true edges or none, which an encoding may use."""

    def as_cycle(self, fresh: int) -> SimpleGraph | None:
        """Return the simple graph of a cycle constraint, in which all vertices are selected.

        None unless `has_degree_two` is set, and None if there are parallel edges: two of them can
        form a cycle, which a single link cannot represent.
        """
        if not self.has_degree_two or self.edges is None:
            return None
        u, v, links, definitions = _merge_parallel(self.ends, self.edges, fresh)
        if len(definitions):
            return None
        selected = np.full(self.vertices, TRUE, np.int32)
        return SimpleGraph(selected, (u, v), links, definitions, fresh)

    def simple(self, fresh: int) -> SimpleGraph:
        """Return the graph without parallel edges and with literals for all vertices."""
        if self.edges is None:
            assert self.selected is not None
            return _induced_subgraph(self.selected, self.ends, fresh)
        tokens, selected = stack(), self.selected
        if selected is None:
            selected, tokens = _select_ends(self.vertices, self.ends, self.edges, fresh)
            fresh += self.vertices
        u, v, links, definitions = _merge_parallel(self.ends, self.edges, fresh)
        fresh += int(np.count_nonzero(links >= fresh))
        return SimpleGraph(selected, (u, v), links, np.concatenate([tokens, definitions]), fresh)


class SimpleGraph(NamedTuple):
    """Graph of literals without parallel edges and loops."""

    selected: Tokens
    """Literal of every vertex: TRUE for one that is always selected, never FALSE."""
    ends: tuple[Ints, Ints]
    links: Tokens
    """Literal of every edge; a true edge has selected ends."""
    tokens: Tokens
    """Clauses that define the auxiliary literals."""
    fresh: int
    """Next unused variable."""

    @property
    def vertices(self) -> int:
        return len(self.selected)


def _induced_subgraph(selected: Tokens, ends: tuple[Ints, Ints], fresh: int) -> SimpleGraph:
    """Return the graph whose edges are true if both ends are selected, without FALSE vertices."""
    is_vertex = selected != FALSE
    number = np.cumsum(is_vertex) - 1
    is_edge = is_vertex[ends[0]] & is_vertex[ends[1]]
    u, v = (number[end[is_edge]] for end in ends)
    selected = selected[is_vertex]
    a, b = selected[u], selected[v]
    is_conjunction = (a != TRUE) & (b != TRUE)
    links = np.where(a == TRUE, b, a)
    links[is_conjunction] = fresh + np.arange(np.count_nonzero(is_conjunction))
    z, a, b = links[is_conjunction], a[is_conjunction], b[is_conjunction]
    tokens = stack(columns(-z, a), columns(-z, b), columns(z, -a, -b))
    return SimpleGraph(selected, (u, v), links, tokens, fresh + len(z))


def _select_ends(
    vertices: int, ends: tuple[Ints, Ints], edges: Tokens, fresh: int
) -> tuple[Tokens, Tokens]:
    """Return a variable of "some edge is true" for every vertex, and clauses that define it."""
    defined = (fresh + np.arange(vertices)).astype(np.int32)
    # A loop occurs once in the definition of its vertex.
    is_loop = ends[0] == ends[1]
    vertex = np.concatenate([ends[0], ends[1][~is_loop]])
    return defined, any_of(defined, vertex, np.concatenate([edges, edges[~is_loop]]))


def _merge_parallel(
    ends: tuple[Ints, Ints], edges: Tokens, fresh: int
) -> tuple[Ints, Ints, Tokens, Tokens]:
    """Return the ends and literals of the simple graph, and the clauses of merged edges.

    The literal of merged parallel edges is an auxiliary variable: their disjunction.
    """
    low, high = np.minimum(*ends), np.maximum(*ends)
    is_loop = low == high
    low, high, edges = low[~is_loop], high[~is_loop], edges[~is_loop]
    order = np.lexsort((high, low))
    low, high, edges = low[order], high[order], edges[order]
    is_new = np.ones(len(low), np.bool_)
    is_new[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    pair = np.cumsum(is_new) - 1
    is_merged = np.bincount(pair) > 1
    links = edges[is_new]
    links[is_merged] = fresh + np.arange(np.count_nonzero(is_merged))
    is_parallel = is_merged[pair]
    number = np.cumsum(is_merged) - 1
    tokens = any_of(links[is_merged], number[pair[is_parallel]], edges[is_parallel])
    return low[is_new], high[is_new], links, tokens


def any_of(defined: Tokens, owner: Ints, literals: Tokens) -> Tokens:
    """Return clauses that define each literal in `defined` as a disjunction.

    `owner` has for each of the `literals` the index of the disjunction in which it occurs.
    """
    order = np.argsort(owner, kind="stable")
    owner, literals = owner[order], literals[order]
    counts = np.bincount(owner, minlength=len(defined))
    forth = join([(-defined, None), (literals, counts)], len(defined))
    return np.concatenate([forth, stack(columns(defined[owner], -literals))])
