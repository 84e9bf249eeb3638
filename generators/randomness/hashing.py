"""SplitMix64 as a hash function: of numbers, of rows, and of multisets of hashes.

Hashes have 64 bits and behave as random: two different rows have the same hash with probability
2^-64, unless somebody has searched for them. They are the same on every machine.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Words

_GOLDEN = 0x9E3779B97F4A7C15
_MASK = 2**64 - 1


def mix(seed: int, stream: int, indices: Ints) -> Words:
    """Return a hash of each index; the streams of one seed are independent of each other."""
    offset = (seed * 0xD1342543DE82EF95 + stream * 0xA0761D6478BD642F) & _MASK
    word: Words = (indices.astype(np.uint64) + np.uint64(1)) * np.uint64(_GOLDEN)
    word ^= np.uint64(offset)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        word ^= word >> np.uint64(shift)
        word *= np.uint64(factor)
    word ^= word >> np.uint64(31)
    return word


# Far from small numbers, one of which is mixed to 0: that would not change a sum of hashes.
_INITIAL_HASH = np.uint64(0x243F6A8885A308D3)


def hash_rows(kind: int, *columns: Ints | Words) -> Words:
    """Return a hash of every row of a table given by its columns; each kind has its own hashes."""
    hashes = np.full(len(columns[0]), _INITIAL_HASH)
    for stream, column in enumerate(columns):
        hashes = mix(kind, stream, (hashes ^ column.astype(np.uint64)).view(np.int64))
    return hashes


def hash_multisets(hashes: Words, starts: Ints) -> Words:
    """Return a hash of the hashes from each start to the next, in any order; none is empty."""
    if len(starts) < 2:
        return np.zeros(0, np.uint64)
    return np.add.reduceat(hashes, starts[:-1])
