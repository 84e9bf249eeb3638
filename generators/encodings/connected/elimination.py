"""Elimination (Rankooh and Rintanen 2022): a component ends as its last vertex is eliminated.

Vertices are eliminated one by one, in the order of minimum fill. Two neighbours of an eliminated
vertex are linked if they were, or if both are linked to it: so connectivity is preserved. A chosen
vertex that is eliminated without a link was the last of its component, and after that nothing else
may be chosen. Clauses and variables grow with the square of the width of the graph, for every
vertex; all variables are determined.

A cycle is contracted instead: it stays a cycle, until of three linked vertices one is eliminated.
There it closes, and after that there are no links. So a link is new or old, but not both, and with
two links at every vertex or none a solver concludes more than from mere connectivity.
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

STEP_BYTES = 900
"""What a step takes until its clauses are made."""


def clauses(graph: LiteralGraph, fresh: int) -> tuple[Tokens, int]:
    cycle = graph.as_cycle(fresh)
    simple = cycle or graph.simple(fresh)
    order = _eliminated(simple)
    new = simple.fresh + np.arange(order.steps.shape[1])
    # A link that does not exist is false.
    literals = np.concatenate([simple.links, new, [FALSE]]).astype(np.int32)
    p, q, o, z = literals[order.steps]
    at, free = literals[order.links], simple.fresh + len(z)
    linked = (_contracted_links if cycle else _linked)(p, q, o, z)
    if cycle:
        ended = _closing((p, q, o), at, order.counts, free)
        free += simple.vertices
    elif np.all(simple.chosen == TRUE):
        ended = _leaving(at, order.counts)
    else:
        ended = _ended(simple.chosen[order.vertices], at, order.counts, free)
        free += max(0, simple.vertices - 1)
    return clean(np.concatenate([simple.tokens, linked, ended])), free - fresh


@dataclass(frozen=True)
class _Order:
    """Elimination order with its links: numbers of edges, then of new links, -1 for none."""

    vertices: Ints
    links: Ints
    """Links of every vertex when it is eliminated, side by side."""
    counts: Ints
    """Number of links of every vertex."""
    steps: Ints
    """Columns (p, q, o, z): links p and q make z, which replaces o."""


def _eliminated(graph: SimpleGraph) -> _Order:
    checkpoint(LINK_BYTES * (len(graph.links) + graph.vertices))
    u, v = (end.tolist() for end in graph.ends)
    elimination = EliminationGraph(graph.vertices, list(zip(u, v, strict=True)))
    steps, vertices, gone, counts = array("q"), array("q"), array("q"), array("q")
    for vertex in elimination.min_fill_order():
        joined = sorted(elimination.links[vertex].items())
        vertices.append(vertex)
        counts.append(len(joined))
        gone.extend(number for _, number in joined)
        pairs = len(joined) * (len(joined) - 1) // 2
        checkpoint(STEP_BYTES * (len(steps) // 4 + pairs))
        for (one, p), (other, q) in combinations(joined, 2):
            steps.extend((p, q, *elimination.link(one, other)))
        elimination.remove(vertex)
    order, left, sizes = (np.array(each, np.int64) for each in (vertices, gone, counts))
    return _Order(order, left, sizes, np.array(steps, np.int64).reshape(-1, 4).T)


def _linked(p: Tokens, q: Tokens, o: Tokens, z: Tokens) -> Tokens:
    """Return clauses that define z as o or (p and q)."""
    return clean(stack(columns(z, -o), columns(z, -p, -q), columns(-z, o, p), columns(-z, o, q)))


def _leaving(links: Tokens, counts: Ints) -> Tokens:
    """Return clauses that each vertex but the last has a link, where all vertices are chosen."""
    return join([(links, counts)], len(counts))[: len(links) + len(counts) - 1]


def _ended(chosen: Tokens, links: Tokens, counts: Ints, fresh: int) -> Tokens:
    """Return clauses that define for every vertex but the last if a component has ended by it."""
    size = max(0, len(chosen) - 1)
    ended = (fresh + np.arange(size)).astype(np.int32)
    before = np.concatenate([[FALSE], ended[:-1]]).astype(np.int32)[:size]
    own, counts = chosen[:size], counts[:size]
    owner = np.repeat(np.arange(size), counts)
    links = links[: len(owner)]
    return np.concatenate(
        [
            stack(columns(ended, -before), columns(-ended, before, own)),
            join([(ended, None), (-own, None), (links, counts)], size),
            stack(columns(-ended[owner], before[owner], -links)),
            stack(columns(-ended, -chosen[1:])),
        ]
    )


def _contracted_links(p: Tokens, q: Tokens, o: Tokens, z: Tokens) -> Tokens:
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


def _closing(steps: tuple[Tokens, Tokens, Tokens], at: Tokens, counts: Ints, fresh: int) -> Tokens:
    """Return clauses that define for every vertex if the cycle has closed by its elimination.

    `steps` are the links p, q and o of all steps, `at` the links of every vertex.
    """
    p, q, o = steps
    size = len(counts)
    closed = (fresh + np.arange(size)).astype(np.int32)
    before = np.concatenate([[FALSE], closed[:-1]]).astype(np.int32)[:size]
    step = np.repeat(np.arange(size), counts * (counts - 1) // 2)
    link = np.repeat(np.arange(size), counts)
    return np.concatenate(
        [
            stack(columns(closed, -before), columns(closed[step], -p, -q, -o)),
            stack(columns(-closed[step], before[step], -p, -q, o)),
            join([(-closed, None), (before, None), (at, counts)], size),
            stack(columns(-before[link], -at)),
        ]
    )
