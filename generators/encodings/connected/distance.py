"""Distance: every selected vertex is reached from the root in at most n - 1 steps.

The root is the selected vertex with the smallest number. A vertex is reached in k steps if it is
reached in k - 1, or if a true edge joins it to a vertex that is. For n vertices and m edges about
2nm auxiliary variables, all determined, and 7nm clauses.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.limits import alternative, checkpoint
from boardsat.generators.arrays import FALSE, Tokens, clean, columns, stack
from boardsat.generators.encodings.connected import LiteralGraph, SimpleGraph, any_of

COUNT_PRESERVING = True

TOKENS_PER_EDGE = 40
"""Approximate number of tokens for each edge and vertex in one step."""


def clauses(graph: LiteralGraph, fresh: int) -> tuple[Tokens, int]:
    size, edges = graph.vertices, len(graph.ends[0])
    with alternative("`encoding: elimination`"):
        checkpoint(4 * TOKENS_PER_EDGE * (size + edges) * max(1, size - 1))
    simple = graph.simple(fresh)
    first = simple.fresh
    reached, root_clauses = _roots(simple.selected, first)
    first += 2 * max(0, simple.vertices - 1)
    pieces = [simple.tokens, root_clauses]
    for _ in range(simple.vertices - 1):
        reached, tokens = _step(simple, reached, first)
        first += simple.vertices + 2 * len(simple.links)
        pieces.append(tokens)
    pieces.append(stack(columns(-simple.selected, reached)))
    return clean(np.concatenate(pieces)), first - fresh


def _roots(selected: Tokens, fresh: int) -> tuple[Tokens, Tokens]:
    """Return the literal of "this is the root" for every vertex, and the clauses that define it.

    For every vertex v but the last, an auxiliary variable states that one up to v is selected.
    """
    size = max(0, len(selected) - 1)
    any_up_to = np.concatenate([[FALSE], fresh + np.arange(size)]).astype(np.int32)
    roots = selected.copy()
    roots[1:] = fresh + size + np.arange(size)
    previous, current, vertex = any_up_to[:-1], any_up_to[1:], selected[:-1]
    return roots, stack(
        columns(-current, previous, vertex),
        columns(current, -previous),
        columns(current, -vertex),
        columns(-roots[1:], selected[1:]),
        columns(-roots[1:], -current),
        columns(roots[1:], -selected[1:], current),
    )


def _step(graph: SimpleGraph, reached: Tokens, fresh: int) -> tuple[Tokens, Tokens]:
    """Return the literals of "reached in one step more", and the clauses that define them."""
    size, (u, v) = graph.vertices, graph.ends
    reached_next = (fresh + np.arange(size)).astype(np.int32)
    start, end = np.concatenate([u, v]), np.concatenate([v, u])
    links = np.concatenate([graph.links, graph.links])
    moves = (fresh + size + np.arange(len(links))).astype(np.int32)
    move_clauses = stack(
        columns(-moves, links),
        columns(-moves, reached[start]),
        columns(moves, -links, -reached[start]),
    )
    owner = np.concatenate([np.arange(size), end])
    reasons = np.concatenate([reached, moves])
    return reached_next, np.concatenate([move_clauses, any_of(reached_next, owner, reasons)])
