"""Literals as text: DIMACS numbers in eight-byte words, made for a whole array at once.

A word holds up to eight bytes, padded with zero bytes that are dropped at the end. Numbers below a
million fit one word with sign and space. Larger ones take two: a head for the millions, and a tail
of six digits with leading zeros. Where many literals in a row are of the same million, there is a
table of the two words of all its literals.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, Words

ONE_WORD = 10**6
"""Numbers below this fit one word."""

LARGEST = 2**32 - 1

IN_A_ROW = 64
"""Texts of one million after which its table is made: to make it takes as long as they did."""

END = int.from_bytes(b"0\n", "little")


def digits(numbers: Ints, width: int = 0) -> Words:
    """The decimal digits of numbers below 10**8, the first in the lowest byte.

    With a width, leading zeros fill up to it; without, each number has its own length.
    """
    text: Words = np.zeros(len(numbers), np.uint64)
    left = numbers.astype(np.uint64)
    for place in range(width or len(str(left.max(initial=0)))):
        # NumPy divides by a constant far faster than it divides and takes the remainder.
        rest = left // np.uint64(10)
        digit = left - rest * np.uint64(10)
        grown = (text << np.uint64(8)) | (digit + np.uint64(48))
        text = grown if width or place == 0 else np.where(left > 0, grown, text)
        left = rest
    return text


def length_of(words: Words) -> Words:
    """How many bytes of each word are used."""
    used: Words = np.zeros(len(words), np.uint64)
    for place in range(8):
        used += words >= np.uint64(1 << 8 * place)
    return used


def append(words: Words, text: bytes) -> Words:
    """Each word with more bytes after its own."""
    more = np.uint64(int.from_bytes(text, "little"))
    return words | (more << (np.uint64(8) * length_of(words)))


def prepend(text: bytes, words: Words) -> Words:
    more = np.uint64(int.from_bytes(text, "little"))
    return more | (words << np.uint64(8 * len(text)))


class Lexicon:
    """The words of all literals up to a number: `1 `, `-1 `, ..., and of the clause end `0\\n`."""

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.two_words = variables >= ONE_WORD
        positive = digits(np.arange(min(variables + 1, ONE_WORD)))
        self._table = self._signed(positive)
        if self.two_words:
            self._tail = append(digits(np.arange(ONE_WORD), width=6), b" ")
            self._head = digits(np.arange(variables // ONE_WORD + 1))
        self._million, self._in_a_row = -1, 0
        self._of_million: Words | None = None

    def _signed(self, positive: Words) -> Words:
        """A table whose entry k is the word of literal k, negative ones counted from the end."""
        spaced = append(positive, b" ")
        spaced[0] = END
        return np.concatenate([spaced, prepend(b"-", spaced[:0:-1])])

    def words(self, literals: Tokens) -> Words:
        """The words of literals below a million."""
        return self._table[literals]

    def text(self, tokens: Tokens) -> bytes:
        """Clauses as DIMACS lines."""
        if not self.two_words:
            words = self._table.take(tokens)
        elif (table := self._table_for(tokens)) is not None:
            words = table.take(self._within(tokens), axis=0)
        else:
            words = self._pairs(tokens)
        return words.tobytes().translate(None, b"\0")

    def _within(self, tokens: Tokens) -> Tokens:
        """Literals of the present million counted from its beginning."""
        before: Tokens = np.sign(tokens) * np.int32(self._million * ONE_WORD)
        return tokens - before

    def _table_for(self, tokens: Tokens) -> Words | None:
        """The words of all literals of the million that these are of, once that is worth it."""
        size = np.abs(tokens)
        # A 0 becomes the largest number.
        lowest = int((size.view(np.uint32) - np.uint32(1)).min(initial=LARGEST)) // ONE_WORD
        highest = (int(size.max(initial=0)) - 1) // ONE_WORD
        if lowest != highest:
            return None
        if highest != self._million:
            self._million, self._in_a_row, self._of_million = highest, 0, None
        self._in_a_row += 1
        if self._in_a_row == IN_A_ROW:
            self._of_million = self._whole_million()
        return self._of_million

    def _whole_million(self) -> Words:
        """As in a table of single words, entry k is for the k-th literal, and 0 ends a clause."""
        before = self._million * ONE_WORD
        last = min(before + ONE_WORD, self.variables)
        positive = np.arange(before + 1, last + 1, dtype=np.int32)
        return self._pairs(np.concatenate([[0], positive, -positive[::-1]], dtype=np.int32))

    def _pairs(self, tokens: Tokens) -> Words:
        """Two words for each."""
        size = np.abs(tokens)
        millions, rest = np.divmod(size, ONE_WORD)
        head = self._head[millions]
        head = np.where(tokens < 0, prepend(b"-", head), head)
        small = millions == 0
        pair = np.empty((len(tokens), 2), np.uint64)
        pair[:, 0] = np.where(small, 0, head)
        pair[:, 1] = self._tail[rest]
        pair[small, 1] = self._table[tokens[small]]
        return pair


def widths(tokens: Tokens) -> Ints:
    """How many bytes each token takes, with the space or line end after it."""
    size = np.abs(tokens)
    width = np.full(len(tokens), 2, np.int64) + (tokens < 0)
    for power in range(1, 10):
        width += size >= 10**power
    return width
