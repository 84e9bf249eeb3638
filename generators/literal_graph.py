"""A graph of literals: which of its edges and vertices are there, a model decides.

Encodings get it with every pair of vertices joined once, and with a literal for every vertex: so
parallel edges, and vertices that count where an edge touches them, are defined by equivalences.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens, join
from boardsat.generators.clauses.patterns import columns, stack


@dataclass(frozen=True)
class LiteralGraph:
    """Vertices from 0 on, and edges between them."""

    vertices: int
    ends: tuple[Ints, Ints]
    edges: Tokens | None
    """The literal of every edge; None: an edge is there where both of its ends are chosen."""
    chosen: Tokens | None
    """The literal of every vertex; None: chosen is what an edge that holds touches."""
    has_degree_two: bool = False
    """Whether two edges hold at every vertex, or none: an encoding may rely on it."""

    def as_cycle(self, fresh: int) -> SimpleGraph | None:
        """The same where a cycle can be contracted: what it touches needs no literal then.

        Two parallel edges are a cycle too, and one link cannot tell of both.
        """
        if not self.has_degree_two or self.edges is None:
            return None
        u, v, links, more = _merged(self.ends, self.edges, fresh)
        chosen = np.full(self.vertices, TRUE, np.int32)
        return None if len(more) else SimpleGraph(chosen, (u, v), links, more, fresh)

    def simple(self, fresh: int) -> SimpleGraph:
        """The same without parallel edges, in which all that counts has a literal."""
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


@dataclass(frozen=True)
class SimpleGraph:
    chosen: Tokens
    """The literal of every vertex: TRUE for one that always counts, never FALSE."""
    ends: tuple[Ints, Ints]
    links: Tokens
    """The literal of every edge; one that holds has chosen ends."""
    tokens: Tokens
    """The clauses that define these literals, where they are not those of the spec."""
    fresh: int
    """The next variable that is free."""

    @property
    def vertices(self) -> int:
        return len(self.chosen)


def _of_chosen(chosen: Tokens, ends: tuple[Ints, Ints], fresh: int) -> SimpleGraph:
    """Chosen vertices with all edges between them; those that are never chosen are left out."""
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
    """A variable for every vertex: whether one of its edges holds."""
    defined = (fresh + np.arange(vertices)).astype(np.int32)
    # An edge from a vertex to itself touches it once.
    apart = ends[0] != ends[1]
    at = np.concatenate([ends[0], ends[1][apart]])
    literals = np.concatenate([edges, edges[apart]])
    return defined, any_of(defined, at, literals)


def _merged(
    ends: tuple[Ints, Ints], edges: Tokens, fresh: int
) -> tuple[Ints, Ints, Tokens, Tokens]:
    """Every pair that is joined, its literal, and what defines it where there are several edges."""
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
    """Clauses for "each of these is one of the literals that it owns"."""
    order = np.argsort(owner, kind="stable")
    owner, literals = owner[order], literals[order]
    counts = np.bincount(owner, minlength=len(defined))
    forth = join([(-defined, None), (literals, counts)], len(defined))
    return np.concatenate([forth, stack(columns(defined[owner], -literals))])
