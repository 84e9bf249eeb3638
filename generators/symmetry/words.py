"""Rows as words: two rows of the same content have the same one, whatever their order.

A word has 64 bits and is as good as random: two rows that differ have the same one by a chance of
one in 2^64, unless somebody has searched for them.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Words
from boardsat.generators.randomness.hashing import mix

# Far from small numbers: one of them is mixed to 0, which in a sum of words nobody would see.
_BEGIN = np.uint64(0x243F6A8885A308D3)


def ordered_words(kind: int, *columns: Ints | Words) -> Words:
    """A word for every row of columns; rows of another kind have others."""
    word = np.full(len(columns[0]), _BEGIN)
    for stream, column in enumerate(columns):
        word = mix(kind, stream, (word ^ column.astype(np.uint64)).view(np.int64))
    return word


def unordered_words(words: Words, starts: Ints) -> Words:
    """A word for the words of every row, from each start to the next; none of them is empty."""
    if len(starts) < 2:
        return np.zeros(0, np.uint64)
    return np.add.reduceat(words, starts[:-1])
