"""Literal text: DIMACS literals as eight-byte words, looked up for a whole array at once.

A word holds up to eight bytes, padded with zero bytes that are removed at the end. Numbers below a
million fit one word with sign and space. Larger ones take two: a head for the millions, and a tail
of six digits with leading zeros. If many consecutive literals are of one million, a table of the
two words of all its literals is made.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, Words

ONE_WORD = 10**6
"""Numbers below this bound fit one word."""

MILLION_TABLE_THRESHOLD = 64
"""Consecutive texts of one million after which its table is made: that takes as long as they."""

END = int.from_bytes(b"0\n", "little")


def digits(numbers: Ints, width: int = 0) -> Words:
    """Return the decimal digits of numbers below 10**8, the first digit in the lowest byte.

    Numbers are padded with leading zeros to the width; 0: they are not padded.
    """
    text: Words = np.zeros(len(numbers), np.uint64)
    dividend = numbers.astype(np.uint64)
    for position in range(width or len(str(dividend.max(initial=0)))):
        # NumPy divides by a constant far faster than it divides and takes the remainder.
        quotient = dividend // np.uint64(10)
        digit = dividend - quotient * np.uint64(10)
        longer = (text << np.uint64(8)) | (digit + np.uint64(48))
        text = longer if width or position == 0 else np.where(dividend > 0, longer, text)
        dividend = quotient
    return text


def length_of(words: Words) -> Words:
    """Return the number of bytes used in each word."""
    used: Words = np.zeros(len(words), np.uint64)
    for position in range(8):
        used += words >= np.uint64(1 << 8 * position)
    return used


def append(words: Words, text: bytes) -> Words:
    """Return each word followed by the text."""
    suffix = np.uint64(int.from_bytes(text, "little"))
    return words | (suffix << (np.uint64(8) * length_of(words)))


def prepend(text: bytes, words: Words) -> Words:
    """Return each word preceded by the text."""
    prefix = np.uint64(int.from_bytes(text, "little"))
    return prefix | (words << np.uint64(8 * len(text)))


class LiteralTable:
    """Table of the words of all literals, `1 `, `-1 `, ..., and of the clause end `0\\n`."""

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.two_words = variables >= ONE_WORD
        positive = digits(np.arange(min(variables + 1, ONE_WORD)))
        self._table = self._signed(positive)
        if self.two_words:
            self._tail = append(digits(np.arange(ONE_WORD), width=6), b" ")
            self._head = digits(np.arange(variables // ONE_WORD + 1))
        self._million, self._num_consecutive = -1, 0
        self._of_million: Words | None = None

    def _signed(self, positive: Words) -> Words:
        """Return a table whose entry k is the word of literal k; negative k count from the end."""
        spaced = append(positive, b" ")
        spaced[0] = END
        return np.concatenate([spaced, prepend(b"-", spaced[:0:-1])])

    def words(self, literals: Tokens) -> Words:
        """Return the words of literals below a million."""
        return self._table[literals]

    def text(self, tokens: Tokens) -> bytes:
        """Return clauses as DIMACS lines."""
        if not self.two_words:
            words = self._table.take(tokens)
        elif (table := self._table_for(tokens)) is not None:
            words = table.take(self._within(tokens), axis=0)
        else:
            words = self._pairs(tokens)
        return words.tobytes().translate(None, b"\0")

    def _within(self, tokens: Tokens) -> Tokens:
        """Return literals of the current million, counted from its beginning."""
        offset: Tokens = np.sign(tokens) * np.int32(self._million * ONE_WORD)
        return tokens - offset

    def _table_for(self, tokens: Tokens) -> Words | None:
        """Return the table of the tokens' million; None if there are several, or few texts yet."""
        size = np.abs(tokens)
        # The end of a clause, 0, becomes the largest number.
        lowest = int((size.view(np.uint32) - np.uint32(1)).min(initial=2**32 - 1)) // ONE_WORD
        highest = (int(size.max(initial=0)) - 1) // ONE_WORD
        if lowest != highest:
            return None
        if highest != self._million:
            self._million, self._num_consecutive, self._of_million = highest, 0, None
        self._num_consecutive += 1
        if self._num_consecutive == MILLION_TABLE_THRESHOLD:
            self._of_million = self._million_table()
        return self._of_million

    def _million_table(self) -> Words:
        """Return the pairs of words of the current million; entry 0 is the end of a clause."""
        offset = self._million * ONE_WORD
        last = min(offset + ONE_WORD, self.variables)
        positive = np.arange(offset + 1, last + 1, dtype=np.int32)
        return self._pairs(np.concatenate([[0], positive, -positive[::-1]], dtype=np.int32))

    def _pairs(self, tokens: Tokens) -> Words:
        """Return two words for each token."""
        size = np.abs(tokens)
        millions, remainder = np.divmod(size, ONE_WORD)
        head = self._head[millions]
        head = np.where(tokens < 0, prepend(b"-", head), head)
        small = millions == 0
        pair = np.empty((len(tokens), 2), np.uint64)
        pair[:, 0] = np.where(small, 0, head)
        pair[:, 1] = self._tail[remainder]
        pair[small, 1] = self._table[tokens[small]]
        return pair


def widths(tokens: Tokens) -> Ints:
    """Return the number of bytes of each token, with the space or line end after it."""
    size = np.abs(tokens)
    width = np.full(len(tokens), 2, np.int64) + (tokens < 0)
    for power in range(1, 10):
        width += size >= 10**power
    return width
