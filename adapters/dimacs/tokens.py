"""Vectorized parsing of decimal integers in DIMACS text, a whole block at a time."""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from boardsat.base.dataclass import dataclass

MAX_INTEGER = 2**31 - 1
MAX_WIDE_INTEGER = 10**18 - 1
"""Largest weight or coefficient. The sum of a few still fits 64 bits."""

Integer = TypeVar("Integer", np.int32, np.int64)

_MAX_DIGITS = len(str(MAX_WIDE_INTEGER))
_SPACE, _NEWLINE, _MINUS, _ZERO = b" \n-0"

# Masks by width for the eight bytes before the end of a token: they keep the bytes of the token,
# and of each byte its digit. The first digits of a token of more than eight are added separately.
_DIGIT_MASKS = np.array(
    [(0x0F0F0F0F0F0F0F0F << 8 * max(8 - k, 0)) % 2**64 for k in range(_MAX_DIGITS + 1)],
    dtype=np.uint64,
)
# Smallest number of k digits: anything less has a leading zero.
_MIN_BY_WIDTH = np.array([0, 0, *(10**k for k in range(1, _MAX_DIGITS))], dtype=np.uint64)
# One token may end at the first byte, so the eight bytes before it must exist.
_PAD = b" " * 8

# Freeing one large block raises the size above which glibc hands freed memory back to the kernel
# (mallopt(3), M_MMAP_THRESHOLD). Otherwise page faults on scan's arrays cost twice what scan does.
np.empty(24 << 20, dtype=np.uint8)


@dataclass(frozen=True)
class Tokens(Generic[Integer]):
    """Integers of a block of whole lines, and their layout in lines."""

    literals: NDArray[Integer]
    max_magnitude: int
    """Largest magnitude of the literals; 0 without any."""
    lines: int
    """Number of lines of the block."""
    _text: NDArray[np.uint8]
    _ends: NDArray[np.int64]

    def has_one_clause_a_line(self) -> bool:
        """Return whether the zeros are exactly the last tokens of the lines."""
        at_line_end = self.line_ends()
        if np.count_nonzero(at_line_end) == self.lines and np.array_equal(
            at_line_end, self.literals == 0
        ):
            return True
        return not any(self.layout())

    def line_ends(self) -> NDArray[np.bool_]:
        """Return a mask of the tokens that are immediately followed by a line feed."""
        at_line_end: NDArray[np.bool_] = self._text.take(self._ends) == _NEWLINE
        return at_line_end

    def layout(self) -> tuple[bool, bool, bool]:
        """Return whether a clause spans lines, a line has two clauses, and a line is blank."""
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
    """Return the integers of a block of whole lines, or None if it has anything else.

    Integers must be in canonical decimal form, fit 32 bits, and be separated by spaces and line
    feeds. A slower reader finds the fault and its location.
    """
    return _scan(block, MAX_INTEGER, np.int32)


def scan_wide(block: bytes) -> Tokens[np.int64] | None:
    """Return the integers of a block, up to MAX_WIDE_INTEGER, or None if it has anything else.

    Integers must be in canonical decimal form, separated by spaces and line feeds. The block may
    end in the middle of a line, but only after a space.
    """
    return _scan(block, MAX_WIDE_INTEGER, np.int64)


def _scan(block: bytes, limit: int, dtype: type[Integer]) -> Tokens[Integer] | None:
    # Pad to a multiple of eight bytes, and by eight more, so that the rows below stay inside.
    padded = _PAD + block + b" " * (8 + -len(block) % 8)
    text = np.frombuffer(padded, dtype=np.uint8)[: len(_PAD) + len(block)]
    content = text[len(_PAD) :]
    spaces, lines, minuses = (
        int(np.count_nonzero(content == byte)) for byte in (_SPACE, _NEWLINE, _MINUS)
    )
    digits = int(np.count_nonzero((content - np.uint8(_ZERO)) < 10))
    if spaces + lines + minuses + digits != len(content):
        return None

    cuts = np.flatnonzero(text[len(_PAD) - 1 :] <= _SPACE)
    cuts += len(_PAD) - 1
    ends, starts = cuts[1:], cuts[:-1] + 1
    negative = text.take(starts) == _MINUS
    if np.count_nonzero(negative) != minuses:
        return None
    widths = ends - starts
    widths -= negative
    if not widths.all():
        is_nonempty = widths > 0
        if negative[~is_nonempty].any():
            return None
        ends, negative, widths = ends[is_nonempty], negative[is_nonempty], widths[is_nonempty]
    if len(widths) == 0:
        return Tokens(np.empty(0, dtype), 0, lines, text, ends)
    if widths.max() > _MAX_DIGITS:
        return None

    magnitudes = _words_before(padded, ends)
    magnitudes &= _DIGIT_MASKS.take(widths)
    _fold(magnitudes)
    if widths.max() > 8:
        _add_front(magnitudes, text, ends, widths)
    if (magnitudes < _MIN_BY_WIDTH.take(widths)).any() or magnitudes.max() > limit:
        return None
    literals = magnitudes.astype(dtype)
    max_magnitude = int(literals.max())
    sign = negative.astype(dtype)
    if (literals < sign).any():  # "-0"
        return None
    np.negative(sign, out=sign)
    literals ^= sign
    literals -= sign
    return Tokens(literals, max_magnitude, lines, text, ends)


def _words_before(padded: bytes, ends: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return the eight bytes before each end as little-endian words.

    Indexing an array of overlapping words costs 8 ns a token, as the words are not aligned; copying
    it to eight rows of aligned words and taking from those costs half of that.
    """
    count = len(padded) // 8 - 1
    rows = np.ascontiguousarray(np.ndarray((8, count), "<u8", padded, 0, (1, 8)))
    offset = ends - 8
    row = offset & 7
    offset >>= 3
    row *= count
    row += offset
    return rows.ravel().take(row).astype(np.uint64, copy=False)


def _fold(packed: NDArray[np.uint64]) -> None:
    """Replace eight digits in eight bytes, first digit lowest, by their number: SWAR, in place."""
    packed *= np.uint64(10 * 2**8 + 1)
    packed >>= np.uint64(8)
    packed &= np.uint64(0x00FF00FF00FF00FF)
    packed *= np.uint64(100 * 2**16 + 1)
    packed >>= np.uint64(16)
    packed &= np.uint64(0x0000FFFF0000FFFF)
    packed *= np.uint64(10000 * 2**32 + 1)
    packed >>= np.uint64(32)


def _add_front(
    magnitudes: NDArray[np.uint64],
    text: NDArray[np.uint8],
    ends: NDArray[np.int64],
    widths: NDArray[np.int64],
) -> None:
    """Add the digits before the last eight, for numbers that have them."""
    for position in range(9, int(widths.max()) + 1):
        indices = np.flatnonzero(widths >= position)
        digit = text[ends[indices] - position].astype(np.uint64) - np.uint64(_ZERO)
        magnitudes[indices] += digit * np.uint64(10 ** (position - 1))
