"""SplitMix64: a stream of random numbers by a seed, and a hash function; the same on every machine.

Word number i of a seed s is mix(s + (i + 1) * GOLDEN) modulo 2^64 (Steele, Lea and Flood, OOPSLA
2014). A word depends only on the seed and its number, so that a whole column is computed at once.
Two different rows have the same hash with probability 2^-64; the hash is not cryptographic.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Words

GOLDEN = 0x9E3779B97F4A7C15
_MODULUS = 2**64
_HALF = np.uint64(2**32 - 1)

# Far from small numbers, one of which is mixed to 0: that would not change a sum of hashes.
_INITIAL_HASH = np.uint64(0x243F6A8885A308D3)


def _mix(states: Words) -> Words:
    """Mix words in place, and return them."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        states ^= states >> np.uint64(shift)
        states *= np.uint64(factor)
    states ^= states >> np.uint64(31)
    return states


class Stream:
    """Stream of random words and numbers, determined by a seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed % _MODULUS
        self.taken = 0

    def words(self, number: int) -> Words:
        """Return the next words of 64 bits."""
        start = (self.seed + (self.taken + 1) * GOLDEN) % _MODULUS
        self.taken += number
        # Products and sums of unsigned numbers are taken modulo 2^64.
        return _mix(np.uint64(start) + np.arange(number, dtype=np.uint64) * np.uint64(GOLDEN))

    def below(self, limit: int, number: int) -> Ints:
        """Return numbers from 0 to limit - 1, all equally likely (Lemire, TOMACS 2019).

        A number is the upper 64 bits of the product of a word and the limit. The lower 64 bits show
        whether the word is rejected, so that all numbers are equally likely.
        """
        assert 1 <= limit <= 2**62
        excess = (_MODULUS - limit) % limit
        pieces = [np.zeros(0, np.int64)]
        missing = number
        while missing:
            upper, lower = _product(self.words(missing), limit)
            pieces.append(upper[lower >= np.uint64(excess)].astype(np.int64))
            missing -= len(pieces[-1])
        return np.concatenate(pieces)

    def order(self, number: int) -> Ints:
        """Return a random permutation: the one that sorts the next words."""
        return np.argsort(self.words(number), kind="stable")


def _product(factors: Words, limit: int) -> tuple[Words, Words]:
    """Return the upper and the lower 64 bits of the product of each word and a number."""
    shift = np.uint64(32)
    low, high = np.uint64(limit & 2**32 - 1), np.uint64(limit >> 32)
    factors_low, factors_high = factors & _HALF, factors >> shift
    high_by_low = factors_high * low + (factors_low * low >> shift)
    low_by_high = factors_low * high + (high_by_low & _HALF)
    upper = factors_high * high + (high_by_low >> shift) + (low_by_high >> shift)
    return upper, factors * np.uint64(limit)


def mix(seed: int, stream: int, indices: Ints) -> Words:
    """Return a hash of each index; the streams of one seed are independent of each other."""
    offset = (seed * 0xD1342543DE82EF95 + stream * 0xA0761D6478BD642F) % _MODULUS
    states: Words = (indices.astype(np.uint64) + np.uint64(1)) * np.uint64(GOLDEN)
    states ^= np.uint64(offset)
    return _mix(states)


def hash_rows(kind: int, *columns: Ints | Words) -> Words:
    """Return a hash of every row of a table, given by columns; it also depends on the kind."""
    hashes = np.full(len(columns[0]), _INITIAL_HASH)
    for stream, column in enumerate(columns):
        hashes = mix(kind, stream, (hashes ^ column.astype(np.uint64)).view(np.int64))
    return hashes


def hash_multisets(hashes: Words, starts: Ints) -> Words:
    """Return a hash of each multiset: the hashes from one start to the next, in any order."""
    if len(starts) < 2:
        return np.zeros(0, np.uint64)
    return np.add.reduceat(hashes, starts[:-1])
