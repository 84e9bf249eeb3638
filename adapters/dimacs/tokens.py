"""Decimal integers from DIMACS text, all tokens of a block at once."""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from boardsat.base.dataclass import dataclass

LARGEST = 2**31 - 1
LARGEST_WIDE = 10**18 - 1
"""Largest weight or coefficient: the sum of a few still fits 64 bits."""

Integer = TypeVar("Integer", np.int32, np.int64)

_DIGITS = len(str(LARGEST_WIDE))
_SPACE, _NEWLINE, _MINUS, _ZERO = b" \n-0"

# The eight bytes before a token's end hold its last eight digits; these keep only its own bytes,
# and of each the digit. A longer token keeps all eight and its front is added apart.
_KEEP = np.array(
    [(0x0F0F0F0F0F0F0F0F << 8 * max(8 - k, 0)) % 2**64 for k in range(_DIGITS + 1)], dtype=np.uint64
)
# The least number of k digits: anything less has a leading zero.
_LEAST = np.array([0, 0, *(10**k for k in range(1, _DIGITS))], dtype=np.uint64)
# One token may end at the first byte, so the eight bytes before it must exist.
_PAD = b" " * 8

# Freeing one large block raises the size above which glibc hands freed memory back to the kernel
# (mallopt(3), M_MMAP_THRESHOLD). Otherwise page faults on scan's arrays cost twice what scan does.
np.empty(24 << 20, dtype=np.uint8)


@dataclass(frozen=True)
class Tokens(Generic[Integer]):
    """The numbers of a block of whole lines, and where on those lines they stand."""

    literals: NDArray[Integer]
    largest: int  # magnitude, 0 when there is no literal
    lines: int
    _text: NDArray[np.uint8]
    _ends: NDArray[np.int64]

    def one_clause_a_line(self) -> bool:
        """Every 0 stands just before a line end, and nothing else does (extra spaces aside)."""
        ended = self.line_ends()
        if np.count_nonzero(ended) == self.lines and np.array_equal(ended, self.literals == 0):
            return True
        return not any(self.layout())

    def line_ends(self) -> NDArray[np.bool_]:
        """Which tokens stand just before the end of their line."""
        ended: NDArray[np.bool_] = self._text.take(self._ends) == _NEWLINE
        return ended

    def layout(self) -> tuple[bool, bool, bool]:
        """Is there a clause over a line's end, a second clause on a line, a blank line?"""
        if not len(self.literals):
            return False, False, self.lines > 0
        line = np.searchsorted(np.flatnonzero(self._text == _NEWLINE), self._ends)
        last = np.append(line[1:] != line[:-1], True)
        zero = self.literals == 0
        return (
            bool((last & ~zero).any()),
            bool((zero & ~last).any()),
            np.count_nonzero(last) != self.lines,
        )


def scan(block: bytes) -> Tokens[np.int32] | None:
    """The numbers of a block that ends in a line end, or None if any byte is out of place.

    Only digits, '-', spaces and line feeds pass, and of numbers only those written the shortest way
    that fit 32 bits. What is wrong, and where, is for a slower reader to say.
    """
    return _scan(block, LARGEST, np.int32)


def scan_wide(block: bytes) -> Tokens[np.int64] | None:
    """Return the integers of a block in 64 bits, up to LARGEST_WIDE; None at any other byte.

    Integers must be in canonical decimal form, as for `scan`. The block may end inside a line, with
    a space.
    """
    return _scan(block, LARGEST_WIDE, np.int64)


def _scan(block: bytes, largest: int, dtype: type[Integer]) -> Tokens[Integer] | None:
    # A multiple of eight bytes, and eight more, so that the rows below stay inside.
    padded = _PAD + block + b" " * (8 + -len(block) % 8)
    text = np.frombuffer(padded, dtype=np.uint8)[: len(_PAD) + len(block)]
    body = text[len(_PAD) :]
    spaces, lines, minuses = (
        int(np.count_nonzero(body == byte)) for byte in (_SPACE, _NEWLINE, _MINUS)
    )
    digits = int(np.count_nonzero((body - np.uint8(_ZERO)) < 10))
    if spaces + lines + minuses + digits != len(body):
        return None

    cuts = np.flatnonzero(text[len(_PAD) - 1 :] <= _SPACE)
    cuts += len(_PAD) - 1
    ends, starts = cuts[1:], cuts[:-1] + 1
    negative = text.take(starts) == _MINUS
    if np.count_nonzero(negative) != minuses:
        return None
    width = ends - starts
    width -= negative
    if not width.all():
        kept = width > 0
        if negative[~kept].any():
            return None
        ends, negative, width = ends[kept], negative[kept], width[kept]
    if len(width) == 0:
        return Tokens(np.empty(0, dtype), 0, lines, text, ends)
    if width.max() > _DIGITS:
        return None

    value = _words_before(padded, ends)
    value &= _KEEP.take(width)
    _fold(value)
    if width.max() > 8:
        _add_front(value, text, ends, width)
    if (value < _LEAST.take(width)).any() or value.max() > largest:
        return None
    literals = value.astype(dtype)
    magnitude = int(literals.max())
    sign = negative.astype(dtype)
    if (literals < sign).any():  # "-0"
        return None
    np.negative(sign, out=sign)
    literals ^= sign
    literals -= sign
    return Tokens(literals, magnitude, lines, text, ends)


def _words_before(padded: bytes, ends: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The eight bytes before each end, as little-endian words.

    Indexing an array of overlapping words costs 8 ns a token, for its words are not aligned;
    copying it out as eight rows of aligned words and taking from those costs half of that.
    """
    count = len(padded) // 8 - 1
    rows = np.ascontiguousarray(np.ndarray((8, count), "<u8", padded, 0, (1, 8)))
    at = ends - 8
    row = at & 7
    at >>= 3
    row *= count
    row += at
    return rows.ravel().take(row).astype(np.uint64, copy=False)


def _fold(word: NDArray[np.uint64]) -> None:
    """Eight digits in eight bytes, first digit lowest, to their number: pairs, fours, all eight."""
    word *= np.uint64(10 * 2**8 + 1)
    word >>= np.uint64(8)
    word &= np.uint64(0x00FF00FF00FF00FF)
    word *= np.uint64(100 * 2**16 + 1)
    word >>= np.uint64(16)
    word &= np.uint64(0x0000FFFF0000FFFF)
    word *= np.uint64(10000 * 2**32 + 1)
    word >>= np.uint64(32)


def _add_front(
    value: NDArray[np.uint64],
    text: NDArray[np.uint8],
    ends: NDArray[np.int64],
    width: NDArray[np.int64],
) -> None:
    """Add the ninth digit from the end and those before it, where a number has them."""
    for place in range(9, int(width.max()) + 1):
        long = np.flatnonzero(width >= place)
        digit = text[ends[long] - place].astype(np.uint64) - np.uint64(_ZERO)
        value[long] += digit * np.uint64(10 ** (place - 1))
