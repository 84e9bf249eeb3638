"""Entries of a puzzle as text: rows of digits and dots, with or without lines.

Newspapers and puzzle files draw lines of `|`, `-`, `+` and `=` between the boxes; they are left
out, and so are comments that begin with `#`. An entry is a sign (`.`, `0`, `_` or `*` for none, 1
to 9, a to z for 10 to 35), or a number where rows have commas or as many words as there are rows.
"""

from __future__ import annotations

import re
from collections import Counter
from math import isqrt

import numpy as np

from boardsat.generators.arrays import Ints
from boardsat.generators.counts import counted
from boardsat.generators.errors import InputError

Rows = list[list[str]]

_RULE = re.compile(r"[-+=|\s\u2500-\u257f]*[-+=\u2500-\u257f][-+=|\s\u2500-\u257f]*")
_UPRIGHT = re.compile(r"[|\u2500-\u257f]")
_NONE = (".", "_", "*", "")
SQUARE = 16
"""Entries that might well be a square, where nothing else tells their rows."""
_LONGEST_WORD = 3
"""Digits of a number among words: more are signs, one after the other."""


def read(text: str, place: str) -> Ints:
    """The entries in order, 0 for none."""
    rows = _rows(text)
    _check_lengths(rows, place)
    numbers = []
    for number, row in enumerate(rows):
        for column, word in enumerate(row):
            value = _value(word.strip().lower())
            if value is None:
                where = _where(rows, number, column)
                raise InputError(
                    f"{word.strip()[:10]!r} in {where} is not an entry",
                    "write a digit, or one of . 0 _ * for an open square",
                    place,
                )
            numbers.append(value)
    return np.array(numbers, np.int64)


def _rows(text: str) -> Rows:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    plain = [_UPRIGHT.sub(" ", line).strip() for line in lines if not _RULE.fullmatch(line)]
    plain = [line for line in plain if line]
    if any("," in line for line in plain):
        return _between_commas(plain)
    words = [line.split() for line in plain]
    return words if _are_numbers(words) else [list("".join(row)) for row in words]


def _between_commas(lines: list[str]) -> Rows:
    rows = [line.split(",") for line in lines]
    if len(set(map(len, rows))) > 1:
        # A comma at the end of a line belongs to the next one.
        rows = [row[:-1] if not row[-1].strip() else row for row in rows]
    return rows


def _are_numbers(words: Rows) -> bool:
    """Whether words are whole entries: as many in each row as there are rows."""
    return all(len(row) == len(words) > 1 for row in words) and all(
        word in _NONE or (word.isdecimal() and len(word) <= _LONGEST_WORD) or len(word) == 1
        for row in words
        for word in row
    )


def _value(sign: str) -> int | None:
    if sign in _NONE:
        return 0
    if sign.isascii() and sign.isdecimal() and len(sign) < 10:
        return int(sign)
    if sign.isascii() and sign.isalpha() and len(sign) == 1:
        return ord(sign) - ord("a") + 10
    return None


def _check_lengths(rows: Rows, place: str) -> None:
    """In a square, a row of another length is where the mistake is."""
    usual, _ = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
    if usual != len(rows):
        return
    for number, row in enumerate(rows, 1):
        if len(row) != usual:
            raise InputError(
                f"row {number} has {counted(len(row), 'entry', 'entries')}",
                f"the other rows have {usual}",
                place,
            )


def _where(rows: Rows, row: int, column: int) -> str:
    """A row and a column, if it is known where rows end."""
    if len(rows) > 1 and len(set(map(len, rows))) == 1:
        return f"row {row + 1}, column {column + 1}"
    entry, total = sum(map(len, rows[:row])) + column, sum(map(len, rows))
    side = isqrt(total)
    square = f" ({whereabouts(entry, side)} of a square)" if side * side == total >= SQUARE else ""
    return f"entry {entry + 1}{square}"


def whereabouts(entry: int, cols: int) -> str:
    """As people count: from 1."""
    return f"row {entry // cols + 1}, column {entry % cols + 1}"
