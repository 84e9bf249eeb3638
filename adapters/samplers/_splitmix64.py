"""Portable uniform random numbers: SplitMix64 with rejection sampling.

Word number i of a seed s is mix(s + (i + 1) * GOLDEN) modulo 2^64 (Steele, Lea and Flood, OOPSLA
2014). To draw below a limit n whose predecessor n - 1 has b bits, ceil(b / 64) words are joined,
highest first, and their lowest b bits are the number; numbers from n on are rejected.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

GOLDEN = 0x9E3779B97F4A7C15
FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
MASK = 2**64 - 1


def random_words(seed: int) -> Iterator[int]:
    """Yield the 64-bit words of a seed."""
    for index in count(1):
        mixed = seed + index * GOLDEN & MASK
        mixed = (mixed ^ mixed >> 30) * FIRST & MASK
        mixed = (mixed ^ mixed >> 27) * SECOND & MASK
        yield mixed ^ mixed >> 31


def numbers_below(limit: int, size: int, seed: int) -> list[int]:
    """Return `size` independent uniform numbers from 0 to limit - 1."""
    return list(islice(_below(limit, random_words(seed)), size))


def _below(limit: int, source: Iterator[int]) -> Iterator[int]:
    """Yield uniform numbers below a limit, by rejection sampling."""
    bits = (limit - 1).bit_length()
    mask, length = (1 << bits) - 1, max(1, -(-bits // 64))
    while True:
        number = 0
        for random_word in islice(source, length):
            number = number << 64 | random_word
        if number & mask < limit:
            yield number & mask
