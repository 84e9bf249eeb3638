"""Vertex elimination (Rankooh and Rintanen 2022): at most one component ends.

Vertices are eliminated in minimum-fill order. Two neighbours of an eliminated vertex are linked
afterwards if they were linked before, or if both were linked to it. This preserves connectivity. A
component ends with its last vertex, which has no link when it is eliminated; no vertex after that
may be selected. The number of clauses and variables for each vertex is quadratic in the width of
the graph; all variables are determined.

A cycle (`has_degree_two`) is contracted instead: a new link replaces the two links of an eliminated
vertex. The cycle remains one until the first of its last three vertices is eliminated. This closes
the cycle, and no link is true afterwards. Until then every vertex has two true links or none, from
which a solver infers more than from connectivity alone.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.algorithms._elimination import LINK_BYTES, EliminationGraph
from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens, clean, columns, join, stack
from boardsat.generators.encodings.connected import LiteralGraph, SimpleGraph

COUNT_PRESERVING = True

STEP_BYTES = 900  # memory for each step until its clauses are made


def clauses(graph: LiteralGraph, fresh: int) -> tuple[Tokens, int]:
    cycle = graph.as_cycle(fresh)
    simple = cycle or graph.simple(fresh)
    order = _eliminate(simple)
    new_links = simple.fresh + np.arange(order.steps.shape[1])
    # A link that does not exist is false.
    literals = np.concatenate([simple.links, new_links, [FALSE]]).astype(np.int32)
    p, q, o, z = literals[order.steps]
    links, first = literals[order.links], simple.fresh + len(z)
    definitions = (_define_contracted if cycle else _define_links)(p, q, o, z)
    if cycle:
        ends = _closing((p, q, o), links, order.counts, first)
        first += simple.vertices
    elif np.all(simple.selected == TRUE):
        # Each vertex but the last has a link.
        num_tokens = len(links) + len(order.counts) - 1
        ends = join([(links, order.counts)], len(order.counts))[:num_tokens]
    else:
        ends = _ending(simple.selected[order.vertices], links, order.counts, first)
        first += max(0, simple.vertices - 1)
    return clean(np.concatenate([simple.tokens, definitions, ends])), first - fresh


@dataclass(frozen=True)
class _Order:
    """Elimination order with its links: edges are numbered first, then new links; -1 if missing."""

    vertices: Ints
    links: Ints
    """Links of every vertex at its elimination, concatenated."""
    counts: Ints
    """Number of links of every vertex."""
    steps: Ints
    """Columns (p, q, o, z): links p and q make the new link z, which replaces the old link o."""


def _eliminate(graph: SimpleGraph) -> _Order:
    checkpoint(LINK_BYTES * (len(graph.links) + graph.vertices))
    u, v = (end.tolist() for end in graph.ends)
    elimination = EliminationGraph(graph.vertices, list(zip(u, v, strict=True)))
    steps, vertices, links, counts = array("q"), array("q"), array("q"), array("q")
    for vertex in elimination.min_fill_order():
        neighbours = sorted(elimination.links[vertex].items())
        vertices.append(vertex)
        counts.append(len(neighbours))
        links.extend(number for _, number in neighbours)
        pairs = len(neighbours) * (len(neighbours) - 1) // 2
        checkpoint(STEP_BYTES * (len(steps) // 4 + pairs))
        for (a, p), (b, q) in combinations(neighbours, 2):
            steps.extend((p, q, *elimination.link(a, b)))
        elimination.remove(vertex)
    order, links_at, sizes = (np.array(column, np.int64) for column in (vertices, links, counts))
    return _Order(order, links_at, sizes, np.array(steps, np.int64).reshape(-1, 4).T)


def _define_links(p: Tokens, q: Tokens, o: Tokens, z: Tokens) -> Tokens:
    """Return clauses that define z as o or (p and q)."""
    return clean(stack(columns(z, -o), columns(z, -p, -q), columns(-z, o, p), columns(-z, o, q)))


def _ending(selected: Tokens, links: Tokens, counts: Ints, fresh: int) -> Tokens:
    """Return clauses of "at most one component ends".

    An auxiliary variable for every vertex but the last is true if a component has ended with it or
    with a vertex before it. No vertex after that is selected.
    """
    size = max(0, len(selected) - 1)
    ended = (fresh + np.arange(size)).astype(np.int32)
    previous = np.concatenate([[FALSE], ended[:-1]]).astype(np.int32)[:size]
    vertex, counts = selected[:size], counts[:size]
    owner = np.repeat(np.arange(size), counts)
    links = links[: len(owner)]
    return np.concatenate(
        [
            stack(columns(ended, -previous), columns(-ended, previous, vertex)),
            join([(ended, None), (-vertex, None), (links, counts)], size),
            stack(columns(-ended[owner], previous[owner], -links)),
            stack(columns(-ended, -selected[1:])),
        ]
    )


def _define_contracted(p: Tokens, q: Tokens, o: Tokens, z: Tokens) -> Tokens:
    """Return clauses that define z as o xor (p and q)."""
    return clean(
        stack(
            columns(z, -o, p),
            columns(z, -o, q),
            columns(z, o, -p, -q),
            columns(-z, o, p),
            columns(-z, o, q),
            columns(-z, -o, -p, -q),
        )
    )


def _closing(
    steps: tuple[Tokens, Tokens, Tokens], links: Tokens, counts: Ints, fresh: int
) -> Tokens:
    """Return clauses of "no link is true after the cycle has closed".

    An auxiliary variable for every vertex is true if its elimination, or one before it, has closed
    the cycle. `steps` are the links p, q and o of all steps, `links` those of every vertex.
    """
    p, q, o = steps
    size = len(counts)
    closed = (fresh + np.arange(size)).astype(np.int32)
    previous = np.concatenate([[FALSE], closed[:-1]]).astype(np.int32)[:size]
    step = np.repeat(np.arange(size), counts * (counts - 1) // 2)
    link = np.repeat(np.arange(size), counts)
    return np.concatenate(
        [
            stack(columns(closed, -previous), columns(closed[step], -p, -q, -o)),
            stack(columns(-closed[step], previous[step], -p, -q, o)),
            join([(-closed, None), (previous, None), (links, counts)], size),
            stack(columns(-previous[link], -links)),
        ]
    )
