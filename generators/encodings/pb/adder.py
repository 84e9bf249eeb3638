"""Adder network (Warners 1998): bits of equal value are added three by three, then compared.

Every sum bit and carry is defined by an equivalence. About n log2(largest weight) full
adders of 14 clauses: the smallest for large weights, but it propagates least.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from boardsat.generators.arrays import FALSE, Ints, Tokens, clean, columns, stack
from boardsat.generators.encodings import Weights

COUNT_PRESERVING = True

FULL_TOKENS, HALF_TOKENS = 8 * 5 + 6 * 4, 4 * 4 + 4 + 3 + 3
"""Number of tokens of a full and of a half adder."""


def tokens(weights: Weights, low: int, high: int) -> int:
    max_sum = sum(weights.values)
    total, carried = 0, 0
    bits: list[int] = []
    for index in range(max_sum.bit_length()):
        inputs = carried + sum(weight >> index & 1 for weight in weights.values)
        full, half = max(0, inputs - 1) // 2, int(inputs > 0 and inputs % 2 == 0)
        total += FULL_TOKENS * full + HALF_TOKENS * half
        bits.append(1 if inputs else FALSE)
        carried = full + half
    return total + sum(len(clean(np.array([*c, 0]))) for c in _bounds(bits, low, high, max_sum))


def clauses(x: Ints, weights: Weights, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    adders: dict[int, list[tuple[int, ...]]] = {3: [], 2: []}
    max_sum, values = sum(weights.values), np.array(weights.values)
    first, carried = fresh, list[int]()
    bits: list[int] = []
    for index in range(max_sum.bit_length()):
        # Carries come last, so that the network is as shallow as possible.
        queue = [*x[values >> index & 1 == 1].tolist(), *carried]
        carried = []
        while len(queue) > 1:
            inputs, queue = queue[:3], queue[3:]
            adders[len(inputs)].append((*inputs, first, first + 1))
            queue.append(first)
            carried.append(first + 1)
            first += 2
        bits += queue or [FALSE]
    bounds = [np.array([*clause, 0], np.int32) for clause in _bounds(bits, low, high, max_sum)]
    pieces = [_full(adders[3]), _half(adders[2]), *bounds]
    return clean(np.concatenate(pieces)), first - fresh


def _full(adders: list[tuple[int, ...]]) -> Tokens:
    a, b, c, total, carry = np.array(adders, np.int64).reshape(-1, 5).T
    odd = [
        columns(p * a, q * b, r * c, -p * q * r * total) for p, q, r in product((1, -1), repeat=3)
    ]
    pairs = ((a, b), (a, c), (b, c))
    two = [columns(-sign * u, -sign * v, sign * carry) for u, v in pairs for sign in (1, -1)]
    return stack(*odd, *two)


def _half(adders: list[tuple[int, ...]]) -> Tokens:
    a, b, total, carry = np.array(adders, np.int64).reshape(-1, 4).T
    odd = [columns(p * a, q * b, -p * q * total) for p, q in product((1, -1), repeat=2)]
    return stack(*odd, columns(-a, -b, carry), columns(a, -carry), columns(b, -carry))


def _bounds(bits: list[int], low: int, high: int, max_sum: int) -> Iterator[list[int]]:
    """Yield the clauses of both bounds: a number is at most h if its complement is at least ~h."""
    if high < max_sum:
        yield from _compared([-bit for bit in bits], ~high)
    if low > 0:
        yield from _compared(bits, low)


def _compared(bits: list[int], bound: int) -> Iterator[list[int]]:
    """Yield clauses of "the number is at least the bound".

    For each 1 of the bound, the number has a 1 there, or it has a 1 at a higher bit where the bound
    has a 0.
    """
    higher_bits: list[int] = []
    for index in reversed(range(len(bits))):
        if bound >> index & 1:
            yield [*higher_bits, bits[index]]
        else:
            higher_bits.append(bits[index])
