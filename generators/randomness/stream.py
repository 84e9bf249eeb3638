"""The generator of random numbers: SplitMix64, written out, so that a seed means the same for ever.

Word number i of a seed s is mix(s + (i + 1) * GOLDEN) modulo 2^64 (Steele, Lea and Flood, OOPSLA
2014). Words depend on their number alone, so that a column of them is made at once.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boardsat.generators.arrays import Ints

Randoms = npt.NDArray[np.uint64]

GOLDEN = 0x9E3779B97F4A7C15
FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_MODULUS = 2**64
_HALF = np.uint64(2**32 - 1)


class Stream:
    """The words of a seed, one after the other."""

    def __init__(self, seed: int) -> None:
        self.seed = seed % _MODULUS
        self.taken = 0

    def words(self, number: int) -> Randoms:
        """The next words of 64 bits."""
        start = (self.seed + (self.taken + 1) * GOLDEN) % _MODULUS
        self.taken += number
        # Products and sums of unsigned numbers are taken modulo 2^64.
        state = np.uint64(start) + np.arange(number, dtype=np.uint64) * np.uint64(GOLDEN)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(FIRST)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(SECOND)
        mixed: Randoms = state ^ (state >> np.uint64(31))
        return mixed

    def below(self, limit: int, number: int) -> Ints:
        """Numbers from 0 to limit - 1, all equally likely (Lemire, TOMACS 2019).

        Of a word times the limit, the upper 64 bits are the number. The lower ones tell whether it
        is one of the few words too many, which are left out.
        """
        assert 1 <= limit <= 2**62
        excess = (_MODULUS - limit) % limit
        found: list[Ints] = []
        missing = number
        while missing:
            word = self.words(missing)
            upper, lower = _product(word, limit)
            kept = upper[lower >= np.uint64(excess)].astype(np.int64)
            found.append(kept)
            missing -= len(kept)
        return np.concatenate([np.zeros(0, np.int64), *found])

    def order(self, number: int) -> Ints:
        """A random permutation: the order of as many words."""
        return np.argsort(self.words(number), kind="stable")


def _product(word: Randoms, limit: int) -> tuple[Randoms, Randoms]:
    """Words times a number, as the upper and the lower 64 bits."""
    shift = np.uint64(32)
    low, high = np.uint64(limit & 2**32 - 1), np.uint64(limit >> 32)
    word_low, word_high = word & _HALF, word >> shift
    middle = word_high * low + (word_low * low >> shift)
    other = word_low * high + (middle & _HALF)
    upper = word_high * high + (middle >> shift) + (other >> shift)
    return upper, word * np.uint64(limit)
