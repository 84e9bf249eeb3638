"""Random regular graphs: ends are joined at random, and what is no simple graph then is switched.

Every vertex has as many ends as neighbours; the ends are put in a random order and joined. An edge
that is a loop, or is there already, and a random other edge exchange an end, if both become new
edges by that. All graphs can come out, though not all of them equally likely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Ints
from boardsat.generators.randomness.splitmix64 import Stream

TRIES = 200
"""Exchanges that an edge tries before all begins anew with other words."""

BEGINNINGS = 100

EDGE_BYTES = 300

Ends = tuple[int, int]


def regular(stream: Stream, n: int, d: int) -> Ints:
    """Edges of a graph in which every vertex has d neighbours; d is less than half of n."""

    def join() -> list[Ends]:
        checkpoint(EDGE_BYTES * (n * d // 2))
        ends = (stream.order(n * d) // max(d, 1)).reshape(-1, 2)
        return [(min(u, v), max(u, v)) for u, v in ends.tolist()]

    def exchanged(first: Ends, second: Ends) -> tuple[Ends, Ends]:
        (a, b), (c, e) = first, second
        if stream.below(2, 1)[0]:
            c, e = e, c
        return (min(a, e), max(a, e)), (min(c, b), max(c, b))

    return _simple(stream, join, exchanged, lambda edge: edge[0] == edge[1])


def bipartite(stream: Stream, left: int, right: int, d: int) -> Ints:
    """Edges in which every left vertex has d neighbours, and all right ones equally many."""

    def join() -> list[Ends]:
        checkpoint(EDGE_BYTES * left * d)
        u = np.repeat(np.arange(left), d)
        v = stream.order(left * d) % max(right, 1)
        return [*zip(u.tolist(), v.tolist(), strict=True)]

    def exchanged(first: Ends, second: Ends) -> tuple[Ends, Ends]:
        return (first[0], second[1]), (second[0], first[1])

    return _simple(stream, join, exchanged, lambda edge: False)


def _simple(
    stream: Stream,
    join: Callable[[], list[Ends]],
    exchanged: Callable[[Ends, Ends], tuple[Ends, Ends]],
    is_loop: Callable[[Ends], bool],
) -> Ints:
    for _ in range(BEGINNINGS):
        edges = join()
        times = Counter(edges)
        if all(
            _mended(place, edges, times, stream, exchanged, is_loop) for place in range(len(edges))
        ):
            return np.array(edges, np.int64).reshape(-1, 2)
    raise InputError("no such graph was found", "give fewer neighbours, or another seed")


def _mended(
    place: int,
    edges: list[Ends],
    times: Counter[Ends],
    stream: Stream,
    exchanged: Callable[[Ends, Ends], tuple[Ends, Ends]],
    is_loop: Callable[[Ends], bool],
) -> bool:
    """Whether the edge is a proper one, at once or after an exchange."""
    edge = edges[place]
    if times[edge] == 1 and not is_loop(edge):
        return True
    for _ in range(TRIES):
        checkpoint()
        other = int(stream.below(len(edges), 1)[0])
        first, second = exchanged(edge, edges[other])
        if first == second or times[first] or times[second] or is_loop(first) or is_loop(second):
            continue
        times.subtract([edge, edges[other]])
        times.update([first, second])
        edges[place], edges[other] = first, second
        return True
    return False
