"""Tables as text: an entry for each cell of a board, or lists and grids of a declared shape.

Newspapers and puzzle files draw lines of `|`, `-`, `+` and `=` between the boxes; these are
skipped, and so are comments, which begin with `#`. An entry is a sign (`.`, `_` or `*` for a
missing entry, 0 to 9, a to z for 10 to 35, or the signs that the spec declares), or a number if
rows have commas or as many tokens as there are rows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from math import isqrt
from string import ascii_letters
from typing import NamedTuple

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.values import Table

Rows = list[list[str]]

LETTERS = "letters"
"""Name of an alphabet that is long to write: a to z, then A to Z."""

ANY, RAGGED = "any", "ragged"
MAX_INDICES = 3
SEPARATOR = "\\"
"""Separator of the numbers of an entry that has several, as kakuro prints them."""

_RULE = r"[-+=|\s\u2500-\u257f]*[-+=\u2500-\u257f][-+=|\s\u2500-\u257f]*"
_UPRIGHT = r"[|\u2500-\u257f]"
_MISSING = (".", "_", "*", "")
_NUMBER = r"-?[0-9]{1,9}"

MIN_SQUARE_ENTRIES = 16
"""Number of entries from which a text without known rows is assumed to be a square."""

MAX_DIGITS = 3
"""Digits of a number in rows of tokens; a longer token is read as one sign after the other."""


class Signs(NamedTuple):
    """Alphabet of a table: declared signs in the order of their numbers, or digits and letters."""

    declared: str = ""
    missing: int = 0
    """Value of a missing entry."""

    @staticmethod
    def of(text: str, missing: int) -> Signs:
        return Signs(ascii_letters if text == LETTERS else "".join(text.split()), missing)

    def value(self, token: str, between_commas: bool = False) -> int | None:
        """Return the number of an entry; None if the token is not an entry."""
        if self.declared and not between_commas:
            if token in self.declared and len(token) == 1:
                return self.declared.index(token)
            return self.missing if token in _MISSING else None
        if token in _MISSING:
            return self.missing
        if re.fullmatch(_NUMBER, token):
            return int(token)
        if token.isascii() and token.isalpha() and len(token) == 1:
            return ord(token.lower()) - ord("a") + 10
        return None

    def error(self, token: str, position: str, location: str) -> InputError:
        """Return the error of a token that is not an entry."""
        if not self.declared:
            remedy = "write a digit, or one of . 0 _ * for an open square"
        else:
            is_alphabet = self.declared == ascii_letters
            signs = "a letter" if is_alphabet else f"one of {' '.join(self.declared)}"
            remedy = f"write {signs}, or . for a missing entry"
        return InputError(f"{token.strip()[:10]!r} in {position} is not an entry", remedy, location)

    def lines(self, text: str) -> list[str]:
        """Return the lines that have entries, without comments and drawn lines."""
        lines = [
            line
            for line in text.replace(";", "\n").splitlines()
            if "#" in self.declared or not line.lstrip().startswith("#")
        ]
        if not set("-+=|") & set(self.declared):
            lines = [re.sub(_UPRIGHT, " ", line) for line in lines if not re.fullmatch(_RULE, line)]
        return [line.strip() for line in lines if line.strip()]

    def has_commas(self, lines: Sequence[str]) -> bool:
        """Return True if commas separate the entries of these lines."""
        return "," not in self.declared and any("," in line for line in lines)


# Entries of all cells.


def read_cells(text: str, signs: Signs, location: str) -> Ints:
    """Return the entries in order, one for each cell."""
    rows, between_commas = _cell_rows(text, signs)
    _check_lengths(rows, location)
    numbers = []
    for row, tokens in enumerate(rows):
        for column, token in enumerate(tokens):
            value = signs.value(token.strip(), between_commas)
            if value is None:
                raise signs.error(token, _position(rows, row, column), location)
            numbers.append(value)
    return np.array(numbers, np.int64)


def _cell_rows(text: str, signs: Signs) -> tuple[Rows, bool]:
    """Return the entries of each line, and True if commas separate them."""
    lines = signs.lines(text)
    if signs.has_commas(lines):
        rows = [line.split(",") for line in lines]
        if len(set(map(len, rows))) > 1:
            # A comma at the end of a line belongs to the next one.
            rows = [row[:-1] if not row[-1].strip() else row for row in rows]
        return rows, True
    rows = [line.split() for line in lines]
    if not signs.declared and _are_numbers(rows):
        return rows, False
    return [list("".join(row)) for row in rows], False


def _are_numbers(rows: Rows) -> bool:
    """Return True if each token is an entry, and not a sequence of signs.

    That is assumed if every row has as many tokens as there are rows, and all tokens are short.
    """
    return all(len(row) == len(rows) > 1 for row in rows) and all(
        token in _MISSING or (token.isdecimal() and len(token) <= MAX_DIGITS) or len(token) == 1
        for row in rows
        for token in row
    )


def _check_lengths(rows: Rows, location: str) -> None:
    """Raise InputError for a row of a square that has another length than most rows."""
    usual, _ = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
    if usual != len(rows):
        return
    for number, row in enumerate(rows, 1):
        if len(row) != usual:
            raise InputError(
                f"row {number} must have {pluralize(usual, 'entry', 'entries')} like most rows "
                f"(got {len(row)})",
                "write an entry, or . if it is missing, for each column",
                location,
            )


def _position(rows: Rows, row: int, column: int) -> str:
    """Return the row and column of an entry; its number if it is unknown where rows end."""
    if len(rows) > 1 and len(set(map(len, rows))) == 1:
        return f"row {row + 1}, column {column + 1}"
    entry, total = sum(map(len, rows[:row])) + column, sum(map(len, rows))
    side = isqrt(total)
    is_square = side * side == total >= MIN_SQUARE_ENTRIES
    return f"entry {entry + 1}{f' ({row_and_column(entry, side)} of a square)' * is_square}"


def row_and_column(entry: int, cols: int) -> str:
    """Return the row and column of an entry, counted from 1."""
    return f"row {entry // cols + 1}, column {entry % cols + 1}"


# Tables of a declared shape.


class Shape(NamedTuple):
    """Declared shape of a table: the extent of each index, None if the text determines it."""

    extents: tuple[int | None, ...]
    is_ragged: bool = False
    """True if rows may differ in length."""


def parse_shape(source: ExpressionText, number: Callable[[ExpressionText], int]) -> Shape:
    """Return the shape of a text such as `rows, 5`, `any, any` or `rows, ragged`.

    `number` evaluates an extent that is an expression.
    """
    sizes = [ExpressionText(size.strip(), source.location) for size in _split(source.text)]
    tokens = [size.text for size in sizes]
    if len(sizes) > MAX_INDICES:
        raise source.error(
            f"a table has at most {MAX_INDICES} indices (got {len(sizes)})",
            "write for example `rows, cols`",
        )
    if RAGGED in tokens and (len(tokens) != 2 or tokens.index(RAGGED) != 1):
        raise source.error(
            f"`{RAGGED}` must be the second of two indices", "write for example `rows, ragged`"
        )
    if tokens[2:] == [ANY]:
        raise source.error(
            f"the third index cannot be `{ANY}`", "write the number of numbers in an entry"
        )
    extents: list[int | None] = []
    for size in sizes:
        extent = None if size.text in (ANY, RAGGED) else number(size)
        if extent is not None and extent < 0:
            raise source.error(
                f"the size of an index must be at least 0 (got {extent})",
                "write an expression that is at least 0",
            )
        extents.append(extent)
    return Shape(tuple(extents), RAGGED in tokens)


def _split(text: str) -> list[str]:
    """Split a text at commas outside of brackets."""
    pieces, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and not depth:
            pieces.append("")
        else:
            pieces[-1] += sign
    return pieces


def read_table(text: str, shape: Shape, signs: Signs, location: str) -> Table:
    """Return the table of a text; raise InputError if it does not have the declared shape."""
    checkpoint()
    lines = signs.lines(text)
    return _TableReader(shape, signs, location, signs.has_commas(lines)).table(lines)


@dataclass(frozen=True)
class _TableReader:
    shape: Shape
    signs: Signs
    location: str
    between_commas: bool

    def table(self, lines: list[str]) -> Table:
        extents = self.shape.extents
        if not lines:
            return self._fill([], [extent or 0 for extent in extents])
        if len(extents) > 1:
            rows = self._rows(lines)
            width = max(map(len, rows))
            return self._fill(rows, [len(rows), width, *(extent or 0 for extent in extents[2:])])
        tokens = self._words(lines)
        if any("=" in token for token in tokens) and "=" not in self.signs.declared:
            return self._keyed(tokens)
        entries = self._entries(tokens, extents[0])
        if extents[0] not in (None, len(entries)):
            # If there are several tokens, the user means tokens, not signs.
            count = len(tokens) if len(tokens) > 1 else len(entries)
            fault = (
                f"the list must have {pluralize(extents[0] or 0, 'entry', 'entries')} (got {count})"
            )
            raise self._error(fault, "write all, or some by their names: a=3 b=15")
        return self._fill([entries], [len(entries)])

    # The text by rows.

    def _words(self, lines: Sequence[str]) -> list[str]:
        if self.shape.is_ragged:
            # A token of a ragged row is a number, so commas may be omitted.
            return [token for line in lines for token in line.replace(",", " ").split()]
        if not self.between_commas:
            return [token for line in lines for token in line.split()]
        # A comma at the end of a line belongs to the next one.
        return [token.strip() for line in lines for token in line.removesuffix(",").split(",")]

    def _rows(self, lines: list[str]) -> Rows:
        height, width = self.shape.extents[:2]
        if len(lines) == 1 and height and height > 1 and width:
            entries = self._entries(self._words(lines), height * width)
            self._check_count(len(entries), height * width, "the line")
            return [entries[start : start + width] for start in range(0, len(entries), width)]
        if height is not None and len(lines) != height:
            fault = f"the table must have {pluralize(height, 'row')} (got {len(lines)})"
            raise self._error(fault, "write a line for each row")
        rows = [self._words([line]) for line in lines]
        if len(self.shape.extents) == 2 and self._is_row_of_signs(rows, width):
            rows = self._by_signs(rows)
        if not self.shape.is_ragged:
            count = width if width is not None else max(map(len, rows))
            for number, row in enumerate(rows, 1):
                self._check_count(len(row), count, f"row {number}")
        return rows

    def _is_row_of_signs(self, rows: Rows, width: int | None) -> bool:
        """Return True if tokens are read sign by sign, and not as one entry each."""
        if self.shape.is_ragged or self.between_commas:
            return False
        if width is not None:
            return any(len(row) != width for row in rows)
        return all(len(row) == 1 for row in rows) or any(
            self.signs.value(token) is None for row in rows for token in row
        )

    def _by_signs(self, rows: Rows) -> Rows:
        """Return rows of signs; raise InputError if they are rows of tokens with an invalid one."""
        signs = [list("".join(row)) for row in rows]
        if len(set(map(len, signs))) > 1 == len(set(map(len, rows))) < len(rows[0]):
            for number, row in enumerate(rows):
                for column, token in enumerate(row):
                    self._number(token, number, column)
        return signs

    def _entries(self, tokens: list[str], count: int | None) -> list[str]:
        """Return the tokens if each is an entry, and otherwise their signs."""
        are_entries = count == len(tokens) or (count is None and len(tokens) > 1)
        return tokens if are_entries or self.between_commas else list("".join(tokens))

    def _check_count(self, count: int, expected: int, subject: str) -> None:
        if count != expected:
            entries = pluralize(expected, "entry", "entries")
            remedy = "write an entry, or . if it is missing, for each column"
            raise self._error(f"{subject} must have {entries} (got {count})", remedy)

    # Words to numbers.

    def _fill(self, rows: Rows, shape: list[int]) -> Table:
        checkpoint(8 * int(np.prod(shape, dtype=object)))
        values = np.full(shape, self.signs.missing, np.int64)
        for number, row in enumerate(rows):
            index = (number,) if len(shape) > 1 else ()
            for column, token in enumerate(row):
                values[(*index, column)] = self._number(token, number, column)
        lengths = np.array([*map(len, rows)] or [0] * shape[0], np.int64)
        return Table(values, self.signs.missing, lengths if self.shape.is_ragged else None)

    def _number(self, token: str, row: int, column: int) -> int | list[int]:
        is_list = len(self.shape.extents) == 1
        position = f"entry {column + 1}" if is_list else f"row {row + 1}, column {column + 1}"
        if len(self.shape.extents) < 3:
            return self._value(token, token, position)
        numbers = token.split(SEPARATOR)
        size = self.shape.extents[2] or 0
        if len(numbers) == 1 and self.signs.value(token) == self.signs.missing:
            return [self.signs.missing] * size
        if len(numbers) != size:
            remedy = f"write {size} with {SEPARATOR} between them, or . for a missing entry"
            raise self._error(f"{token[:10]!r} in {position} is not {size} numbers", remedy)
        return [self._value(number, token, position) if number else 0 for number in numbers]

    def _value(self, number: str, token: str, position: str) -> int:
        value = self.signs.value(number, self.between_commas)
        if value is None:
            raise self.signs.error(token, position, self.location)
        return value

    def _keyed(self, tokens: list[str]) -> Table:
        """Parse a list such as `a=3 b=15`: keys are numbers or letters; the rest is missing."""
        numbers: dict[int, int] = {}
        for token in tokens:
            key, _, number = token.partition("=")
            index = ascii_letters.find(key) if len(key) == 1 and key.isalpha() else -1
            if key.isascii() and key.isdecimal() and len(key) < 10:
                index = int(key)
            if index < 0 or "=" not in token:
                raise self._error(f"{token[:10]!r} is not KEY=NUMBER", "write for example a=3 b=15")
            if index in numbers:
                raise self._error(f"{key!r} must have one number (got two)", "remove one of them")
            numbers[index] = self._value(number, token, f"the entry of {key!r}")
        extent = self.shape.extents[0]
        size = max(numbers) + 1 if extent is None else extent
        if outside := [index for index in numbers if index >= size]:
            fault = f"indices must be between 0 and {size - 1} (got {outside[0]})"
            raise self._error(fault, "remove the entry")
        checkpoint(8 * size)
        values = np.full(size, self.signs.missing, np.int64)
        values[[*numbers]] = [*numbers.values()]
        return Table(values, self.signs.missing)

    def _error(self, fault: str, remedy: str) -> InputError:
        return InputError(fault, remedy, self.location)
