"""Pseudo-random numbers, the same on every machine, one for each index (SplitMix64)."""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Words

_GOLDEN = 0x9E3779B97F4A7C15
_MASK = 2**64 - 1


def mix(seed: int, stream: int, indices: Ints) -> Words:
    """A well-mixed word for each index; other streams of the same seed are independent."""
    offset = (seed * 0xD1342543DE82EF95 + stream * 0xA0761D6478BD642F) & _MASK
    word: Words = (indices.astype(np.uint64) + np.uint64(1)) * np.uint64(_GOLDEN)
    word ^= np.uint64(offset)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        word ^= word >> np.uint64(shift)
        word *= np.uint64(factor)
    word ^= word >> np.uint64(31)
    return word
