"""Entries of a puzzle as text: rows of digits and dots, with or without lines.

Newspapers and puzzle files draw lines of `|`, `-`, `+` and `=` between the boxes; they are left
out, and so are comments that begin with `#`. An entry is a sign (`.`, `_` or `*` where there is
none, 0 to 9, a to z for 10 to 35, or those that the spec names), or a number where rows have commas
or as many words as there are rows.
"""

from __future__ import annotations

import re
from collections import Counter
from math import isqrt
from string import ascii_letters
from typing import NamedTuple

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints

Rows = list[list[str]]

LETTERS = "letters"
"""The name of an alphabet that takes long to write: a to z, then A to Z."""
_RULE = re.compile(r"[-+=|\s\u2500-\u257f]*[-+=\u2500-\u257f][-+=|\s\u2500-\u257f]*")
_UPRIGHT = re.compile(r"[|\u2500-\u257f]")
_NONE = (".", "_", "*", "")
_NUMBER = re.compile(r"-?\d{1,9}", re.ASCII)
SQUARE = 16
"""Entries that might well be a square, where nothing else tells their rows."""
_LONGEST_WORD = 3
"""Digits of a number among words: more are signs, one after the other."""


class Signs(NamedTuple):
    """The numbers that signs stand for: their places among those named, or digits and letters."""

    named: str = ""
    missing: int = 0
    """What an entry is where there is none."""

    @staticmethod
    def of(text: str, missing: int) -> Signs:
        return Signs(ascii_letters if text == LETTERS else "".join(text.split()), missing)

    def value(self, word: str, between_commas: bool = False) -> int | None:
        """None for what is no entry."""
        if self.named and not between_commas:
            if word in self.named and len(word) == 1:
                return self.named.index(word)
            return self.missing if word in _NONE else None
        if word in _NONE:
            return self.missing
        if _NUMBER.fullmatch(word):
            return int(word)
        if word.isascii() and word.isalpha() and len(word) == 1:
            return ord(word.lower()) - ord("a") + 10
        return None

    @property
    def remedy(self) -> str:
        if not self.named:
            return "write a digit, or one of . 0 _ * for an open square"
        known = "a letter" if self.named == ascii_letters else f"one of {' '.join(self.named)}"
        return f"write {known}, or . where there is none"

    def lines(self, text: str) -> list[str]:
        """The lines that have entries, without what is drawn between them."""
        signs = self.named
        lines = [
            line
            for line in text.replace(";", "\n").splitlines()
            if "#" in signs or not line.lstrip().startswith("#")
        ]
        if not set("-+=|") & set(signs):
            lines = [_UPRIGHT.sub(" ", line) for line in lines if not _RULE.fullmatch(line)]
        return [line.strip() for line in lines if line.strip()]


def read(text: str, place: str, signs: Signs) -> Ints:
    """The entries in order, one for every cell."""
    rows, between_commas = _rows(text, signs)
    _check_lengths(rows, place)
    numbers = []
    for number, row in enumerate(rows):
        for column, word in enumerate(row):
            value = signs.value(word.strip(), between_commas)
            if value is None:
                raise no_entry(word, _where(rows, number, column), signs, place)
            numbers.append(value)
    return np.array(numbers, np.int64)


def no_entry(word: str, where: str, signs: Signs, place: str) -> InputError:
    return InputError(f"{word.strip()[:10]!r} in {where} is not an entry", signs.remedy, place)


def _rows(text: str, signs: Signs) -> tuple[Rows, bool]:
    """The entries by rows, as far as they are known, and whether commas are between them."""
    plain = signs.lines(text)
    if any("," in line for line in plain) and "," not in signs.named:
        return _between_commas(plain), True
    words = [line.split() for line in plain]
    if not signs.named and _are_numbers(words):
        return words, False
    return [list("".join(row)) for row in words], False


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


def _check_lengths(rows: Rows, place: str) -> None:
    """In a square, a row of another length is where the mistake is."""
    usual, _ = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
    if usual != len(rows):
        return
    for number, row in enumerate(rows, 1):
        if len(row) != usual:
            raise InputError(
                f"row {number} has {pluralize(len(row), 'entry', 'entries')}",
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
