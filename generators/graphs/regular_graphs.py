"""Random regular graphs: configuration model with edge switching.

Each vertex has as many half-edges as neighbours; a random permutation of the half-edges pairs them.
A loop or parallel edge then exchanges an end with a random other edge, if both become new edges.
Every regular graph has a positive probability, but not all are equally likely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Ints
from boardsat.generators.randomness.splitmix64 import Stream

MAX_SWITCHES = 200  # tries to replace one edge, before all half-edges are paired again
MAX_PAIRINGS = 100
EDGE_BYTES = 300  # memory for each edge

Edge = tuple[int, int]


def random_regular_edges(stream: Stream, n: int, d: int) -> Ints:
    """Return the edges of a random d-regular graph of n vertices, for d less than n / 2."""

    def pair() -> list[Edge]:
        checkpoint(EDGE_BYTES * (n * d // 2))
        ends = (stream.order(n * d) // max(d, 1)).reshape(-1, 2)
        return [(min(u, v), max(u, v)) for u, v in ends.tolist()]

    def switch(first: Edge, second: Edge) -> tuple[Edge, Edge]:
        (a, b), (c, e) = first, second
        if stream.below(2, 1)[0]:
            c, e = e, c
        return (min(a, e), max(a, e)), (min(c, b), max(c, b))

    return _simple_edges(stream, pair, switch, lambda edge: edge[0] == edge[1])


def random_biregular_edges(stream: Stream, num_left: int, num_right: int, d: int) -> Ints:
    """Return edges with d at each left vertex, and equally many at all right vertices."""

    def pair() -> list[Edge]:
        checkpoint(EDGE_BYTES * num_left * d)
        u = np.repeat(np.arange(num_left), d)
        v = stream.order(num_left * d) % max(num_right, 1)
        return [*zip(u.tolist(), v.tolist(), strict=True)]

    def switch(first: Edge, second: Edge) -> tuple[Edge, Edge]:
        return (first[0], second[1]), (second[0], first[1])

    return _simple_edges(stream, pair, switch, lambda edge: False)


def _simple_edges(
    stream: Stream,
    pair: Callable[[], list[Edge]],
    switch: Callable[[Edge, Edge], tuple[Edge, Edge]],
    is_loop: Callable[[Edge], bool],
) -> Ints:
    """Pair half-edges until switching makes the graph simple; return its edges.

    `switch` exchanges ends of two edges.
    """

    def make_simple(index: int) -> bool:
        """Switch an edge if it is a loop or parallel; return False if no switch helps."""
        edge = edges[index]
        if multiplicity[edge] == 1 and not is_loop(edge):
            return True
        for _ in range(MAX_SWITCHES):
            checkpoint()
            partner = int(stream.below(len(edges), 1)[0])
            first, second = new = switch(edge, edges[partner])
            if first != second and not any(multiplicity[e] or is_loop(e) for e in new):
                multiplicity.subtract([edge, edges[partner]])
                multiplicity.update(new)
                edges[index], edges[partner] = new
                return True
        return False

    for _ in range(MAX_PAIRINGS):
        edges = pair()
        multiplicity = Counter(edges)
        if all(map(make_simple, range(len(edges)))):
            return np.array(edges, np.int64).reshape(-1, 2)
    raise InputError(
        f"no simple graph was found in {MAX_PAIRINGS} tries", "use a smaller d, or another seed"
    )
