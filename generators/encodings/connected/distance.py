"""Distance: what is chosen is reached from the first that is, by ever longer paths.

The root is the chosen vertex with the least number. A vertex is reached in k steps if it was in
k - 1, or if a link leads to it from one that was; what is chosen is reached in as many steps as a
path can have. For n vertices and m edges about 2nm variables and 7nm clauses; all are determined.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.limits import alternative, checkpoint
from boardsat.generators.arrays import FALSE, Tokens, clean, columns, stack
from boardsat.generators.encodings.connected import LiteralGraph, SimpleGraph, any_of

COUNT_PRESERVING = True

TOKENS = 40
"""Of an edge in a layer, about."""


def clauses(graph: LiteralGraph, fresh: int) -> tuple[Tokens, int]:
    size, edges = graph.vertices, len(graph.ends[0])
    with alternative("`encoding: elimination`"):
        checkpoint(4 * TOKENS * (size + edges) * max(1, size - 1))
    simple = graph.simple(fresh)
    free = simple.fresh
    reached, pieces = _roots(simple.chosen, free)
    free += max(0, simple.vertices - 1) + max(0, simple.vertices - 1)
    pieces.insert(0, simple.tokens)
    for _ in range(simple.vertices - 1):
        reached, tokens = _layer(simple, reached, free)
        free += simple.vertices + 2 * len(simple.links)
        pieces.append(tokens)
    pieces.append(stack(columns(-simple.chosen, reached)))
    return clean(np.concatenate(pieces)), free - fresh


def _roots(chosen: Tokens, fresh: int) -> tuple[Tokens, list[Tokens]]:
    """For every vertex whether it is the first that is chosen."""
    size = max(0, len(chosen) - 1)
    any_before = np.concatenate([[FALSE], fresh + np.arange(size)]).astype(np.int32)
    roots = chosen.copy()
    roots[1:] = fresh + size + np.arange(size)
    before, after, own = any_before[:-1], any_before[1:], chosen[:-1]
    return roots, [
        stack(columns(-after, before, own), columns(after, -before), columns(after, -own)),
        stack(
            columns(-roots[1:], chosen[1:]),
            columns(-roots[1:], -after),
            columns(roots[1:], -chosen[1:], after),
        ),
    ]


def _layer(graph: SimpleGraph, reached: Tokens, fresh: int) -> tuple[Tokens, Tokens]:
    """Who is reached by one step more, over links in both directions."""
    size, (u, v) = graph.vertices, graph.ends
    further = (fresh + np.arange(size)).astype(np.int32)
    start, end = np.concatenate([u, v]), np.concatenate([v, u])
    links = np.concatenate([graph.links, graph.links])
    steps = (fresh + size + np.arange(len(links))).astype(np.int32)
    taken = stack(
        columns(-steps, links),
        columns(-steps, reached[start]),
        columns(steps, -links, -reached[start]),
    )
    owner = np.concatenate([np.arange(size), end])
    return further, np.concatenate(
        [taken, any_of(further, owner, np.concatenate([reached, steps]))]
    )
