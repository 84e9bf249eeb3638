"""Encodings of connectivity, one file each, chosen by its name with `--set connected=NAME`.

docs/adding-an-encoding.md describes the interface of a module. Its argument is a graph whose edges
and vertices are literals. Encodings work on a simple graph with a literal for every vertex:
parallel edges, and vertices that are selected if an edge touches them, are defined by equivalences.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens, columns, join, stack

DEFAULT = "elimination"
MEANS = "encoding of connectivity"


class LiteralGraph(NamedTuple):
    """Graph of literals with vertices 0..n-1."""

    vertices: int
    ends: tuple[Ints, Ints]
    edges: Tokens | None
    """Literal of every edge; None if an edge is true when both of its ends are chosen."""
    chosen: Tokens | None
    """Literal of every vertex; None if the ends of true edges are chosen."""
    has_degree_two: bool = False
    """True if every vertex has two true edges or none, which an encoding may use."""

    def as_cycle(self, fresh: int) -> SimpleGraph | None:
        """Return the simple graph if the true edges are a cycle; None if edges are parallel.

        Vertices need no literals then. Two parallel edges are a cycle too, which one link cannot
        represent.
        """
        if not self.has_degree_two or self.edges is None:
            return None
        u, v, links, more = _merged(self.ends, self.edges, fresh)
        chosen = np.full(self.vertices, TRUE, np.int32)
        return None if len(more) else SimpleGraph(chosen, (u, v), links, more, fresh)

    def simple(self, fresh: int) -> SimpleGraph:
        """Return the graph without parallel edges and with literals for all vertices."""
        if self.edges is None:
            assert self.chosen is not None
            return _of_chosen(self.chosen, self.ends, fresh)
        tokens, chosen = stack(), self.chosen
        if chosen is None:
            chosen, tokens = _touched(self.vertices, self.ends, self.edges, fresh)
            fresh += self.vertices
        u, v, links, more = _merged(self.ends, self.edges, fresh)
        fresh += int(np.count_nonzero(links >= fresh))
        return SimpleGraph(chosen, (u, v), links, np.concatenate([tokens, more]), fresh)


class SimpleGraph(NamedTuple):
    """Graph of literals without parallel edges and loops."""

    chosen: Tokens
    """Literal of every vertex: TRUE for one that is always chosen, never FALSE."""
    ends: tuple[Ints, Ints]
    links: Tokens
    """Literal of every edge; a true edge has chosen ends."""
    tokens: Tokens
    """Clauses that define the auxiliary literals."""
    fresh: int
    """Next unused variable."""

    @property
    def vertices(self) -> int:
        return len(self.chosen)


def _of_chosen(chosen: Tokens, ends: tuple[Ints, Ints], fresh: int) -> SimpleGraph:
    """Return the graph of chosen vertices and all edges between them, without FALSE vertices."""
    kept = chosen != FALSE
    number = np.cumsum(kept) - 1
    inside = kept[ends[0]] & kept[ends[1]]
    u, v = (number[end[inside]] for end in ends)
    chosen = chosen[kept]
    one, other = chosen[u], chosen[v]
    both = (one != TRUE) & (other != TRUE)
    links = np.where(one == TRUE, other, one)
    links[both] = fresh + np.arange(np.count_nonzero(both))
    z, a, b = links[both], one[both], other[both]
    tokens = stack(columns(-z, a), columns(-z, b), columns(z, -a, -b))
    return SimpleGraph(chosen, (u, v), links, tokens, fresh + len(z))


def _touched(
    vertices: int, ends: tuple[Ints, Ints], edges: Tokens, fresh: int
) -> tuple[Tokens, Tokens]:
    """Define a variable for every vertex: true if one of its edges is."""
    defined = (fresh + np.arange(vertices)).astype(np.int32)
    # An edge from a vertex to itself touches it once.
    apart = ends[0] != ends[1]
    at = np.concatenate([ends[0], ends[1][apart]])
    literals = np.concatenate([edges, edges[apart]])
    return defined, any_of(defined, at, literals)


def _merged(
    ends: tuple[Ints, Ints], edges: Tokens, fresh: int
) -> tuple[Ints, Ints, Tokens, Tokens]:
    """Return every joined pair, its literal, and the clauses that define it for several edges."""
    low, high = np.minimum(*ends), np.maximum(*ends)
    apart = low != high
    low, high, edges = low[apart], high[apart], edges[apart]
    order = np.lexsort((high, low))
    low, high, edges = low[order], high[order], edges[order]
    is_new = np.ones(len(low), np.bool_)
    is_new[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    pair = np.cumsum(is_new) - 1
    several = np.bincount(pair, minlength=0) > 1 if len(pair) else np.zeros(0, np.bool_)
    links = edges[is_new]
    links[several] = fresh + np.arange(np.count_nonzero(several))
    parallel = several[pair] if len(pair) else np.zeros(0, np.bool_)
    number = np.cumsum(several) - 1
    tokens = any_of(links[several], number[pair[parallel]], edges[parallel])
    return low[is_new], high[is_new], links, tokens


def any_of(defined: Tokens, owner: Ints, literals: Tokens) -> Tokens:
    """Return clauses that define each literal as the disjunction of those that it owns."""
    order = np.argsort(owner, kind="stable")
    owner, literals = owner[order], literals[order]
    counts = np.bincount(owner, minlength=len(defined))
    forth = join([(-defined, None), (literals, counts)], len(defined))
    return np.concatenate([forth, stack(columns(defined[owner], -literals))])
