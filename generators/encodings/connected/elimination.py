"""Elimination (after Rankooh and Rintanen 2022): a component ends where its last vertex goes.

Vertices go one after the other, the one whose neighbours lack the fewest links first. Two
neighbours of a vertex that goes are linked if they were, or if both are linked to it: so what is
connected stays connected. A chosen vertex that goes without a link was the last of its component,
and after that nothing else may be chosen. Clauses and variables grow with the square of the width
of the graph, for every vertex; all are determined. A cycle is contracted instead.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.algorithms._elimination import LINK, Links
from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens
from boardsat.generators.clauses.patterns import columns, stack
from boardsat.generators.encodings.connected._contraction import closing, contracted_links
from boardsat.generators.literal_graph import LiteralGraph, SimpleGraph
from boardsat.generators.ragged import clean, join

KEEPS_COUNTS = True

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
    linked = (contracted_links if cycle else _linked)(p, q, o, z)
    if cycle:
        ended = closing((p, q, o), at, order.counts, free)
        free += simple.vertices
    elif np.all(simple.chosen == TRUE):
        ended = _leaving(at, order.counts)
    else:
        ended = _ended(simple.chosen[order.vertices], at, order.counts, free)
        free += max(0, simple.vertices - 1)
    return clean(np.concatenate([simple.tokens, linked, ended])), free - fresh


@dataclass(frozen=True)
class _Order:
    vertices: Ints
    """In the order in which they go."""
    links: Ints
    """The numbers of the links that each has when it goes, one vertex after the other."""
    counts: Ints
    steps: Ints
    """Links p and q make z, which replaces o: four rows."""


def _eliminated(graph: SimpleGraph) -> _Order:
    """Links are numbered: first the edges, then the new ones; -1 for none."""
    checkpoint(LINK * (len(graph.links) + graph.vertices))
    u, v = (end.tolist() for end in graph.ends)
    links = Links(graph.vertices, list(zip(u, v, strict=True)))
    steps, vertices, gone, counts = array("q"), array("q"), array("q"), array("q")
    for vertex in links.cells(links.fill):
        joined = sorted(links.at[vertex].items())
        vertices.append(vertex)
        counts.append(len(joined))
        gone.extend(number for _, number in joined)
        pairs = len(joined) * (len(joined) - 1) // 2
        checkpoint(STEP_BYTES * (len(steps) // 4 + pairs))
        for (one, p), (other, q) in combinations(joined, 2):
            steps.extend((p, q, *links.join(one, other)))
        links.remove(vertex)
    order, left, sizes = (np.array(each, np.int64) for each in (vertices, gone, counts))
    return _Order(order, left, sizes, np.array(steps, np.int64).reshape(-1, 4).T)


def _linked(p: Tokens, q: Tokens, o: Tokens, z: Tokens) -> Tokens:
    """z is o, or p and q."""
    return clean(stack(columns(z, -o), columns(z, -p, -q), columns(-z, o, p), columns(-z, o, q)))


def _leaving(links: Tokens, counts: Ints) -> Tokens:
    """Where all vertices are chosen, each has a link when it goes, but the last."""
    return join([(links, counts)], len(counts))[: len(links) + len(counts) - 1]


def _ended(chosen: Tokens, links: Tokens, counts: Ints, fresh: int) -> Tokens:
    """With a variable for every vertex but the last: whether a component has ended by then."""
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
