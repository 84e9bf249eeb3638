"""The order in which vertices leave a graph, so that the frontier between them stays narrow."""

from __future__ import annotations

Neighbours = list[set[int]]
Chain = tuple[int, "Chain"] | None

MOST_SLOTS = 31  # two bits each in a signed word
_BEAM = 100  # orders that are followed at once


def narrow_order(neighbours: Neighbours, tied: frozenset[int]) -> list[int]:
    """An order of leaving with a narrow frontier, by a beam search on the sets of the gone."""
    masks = [sum(1 << other for other in them) for them in neighbours]
    everyone = (1 << len(masks)) - 1
    # Of each set: the cost so far, the frontier, and the order as a chain from the back.
    beam: dict[int, tuple[float, int, Chain]] = {0: (0.0, sum(1 << v for v in tied), None)}
    for _ in masks:
        following: dict[int, tuple[float, int, Chain]] = {}
        for gone, (cost, frontier, chain) in beam.items():
            ahead = frontier or everyone
            while ahead:
                bit = ahead & -ahead
                ahead ^= bit
                vertex, after = bit.bit_length() - 1, gone | bit
                rest = (frontier | masks[vertex]) & ~after
                price = cost + 4.0 ** min(rest.bit_count(), 2 * MOST_SLOTS)
                if after not in following or price < following[after][0]:
                    following[after] = (price, rest, (vertex, chain))
        best = sorted(following.items(), key=lambda item: item[1][0])
        beam = dict(best[:_BEAM])
    order: list[int] = []
    chain = beam[everyone][2]
    while chain is not None:
        vertex, chain = chain
        order.append(vertex)
    return order[::-1]
