"""Tables of a declared shape as text: lists, grids, rows of different lengths, grids of pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import ascii_letters
from typing import NamedTuple

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.values import Table
from boardsat.generators.sections.entries import Rows, Signs, no_entry

ANY, RAGGED = "any", "ragged"
MOST_INDICES = 3
PARTS = "\\"
"""Between the numbers of an entry that has several, as kakuro prints them."""


class Shape(NamedTuple):
    """How many entries a table has along each index; None where the text says it."""

    extents: tuple[int | None, ...]
    ragged: bool = False
    """Whether each row has as many as it has."""

    def __str__(self) -> str:
        return " x ".join("any" if extent is None else str(extent) for extent in self.extents)


def shape_of(source: ExpressionText, number: Callable[[ExpressionText], int]) -> Shape:
    """`rows, 5`, `any, any` or `rows, ragged`; `number` works out what is an expression."""
    parts = [ExpressionText(part.strip(), source.location) for part in _split(source.text)]
    words = [part.text for part in parts]
    if len(parts) > MOST_INDICES:
        raise source.error(f"{len(parts)} as the number of indices", f"give {MOST_INDICES} at most")
    if RAGGED in words and (len(words) != 2 or words.index(RAGGED) != 1):
        raise source.error(f"`{RAGGED}` is the second of two", "write for example `rows, ragged`")
    if words[2:] == [ANY]:
        raise source.error("entries of any number of parts", "write how many an entry has")
    extents: list[int | None] = []
    for part in parts:
        extents.append(None if part.text in (ANY, RAGGED) else number(part))
        if (extents[-1] or 0) < 0:
            raise source.error(f"{extents[-1]} as a size", "write an expression that is 0 or more")
    return Shape(tuple(extents), RAGGED in words)


def _split(text: str) -> list[str]:
    """At commas that are not in brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def read(text: str, shape: Shape, signs: Signs, place: str) -> Table:
    checkpoint()
    return _Reader(shape, signs, place).table(signs.lines(text))


@dataclass
class _Reader:
    shape: Shape
    signs: Signs
    place: str
    between_commas: bool = False

    def table(self, lines: list[str]) -> Table:
        extents = self.shape.extents
        self.between_commas = any("," in line for line in lines) and "," not in self.signs.named
        if not lines:
            return self._filled([], [extent or 0 for extent in extents])
        if len(extents) > 1:
            rows = self._rows(lines)
            width = max(map(len, rows))
            return self._filled(rows, [len(rows), width, *(n or 0 for n in extents[2:])])
        words = self._words(lines)
        if any("=" in word for word in words) and "=" not in self.signs.named:
            return self._keyed(words)
        entries = self._entries(words, extents[0])
        if extents[0] not in (None, len(entries)):
            # Words that are too few are told as words, not by their signs.
            found = len(words) if len(words) > 1 else len(entries)
            remedy = f"{extents[0]} are needed, or some by their names: a=3 b=15"
            raise self._error(f"the list has {pluralize(found, 'entry', 'entries')}", remedy)
        return self._filled([entries], [len(entries)])

    # The text by rows.

    def _words(self, lines: Sequence[str]) -> list[str]:
        if self.shape.ragged:
            # A number is a word there, so that commas may be left out.
            return [word for line in lines for word in line.replace(",", " ").split()]
        if not self.between_commas:
            return [word for line in lines for word in line.split()]
        # A comma at the end of a line belongs to the next one.
        return [word.strip() for line in lines for word in line.removesuffix(",").split(",")]

    def _rows(self, lines: list[str]) -> Rows:
        expected, width = self.shape.extents[:2]
        if len(lines) == 1 and expected and expected > 1 and width:
            entries = self._entries(self._words(lines), expected * width)
            self._check(len(entries), expected * width, "the line")
            return [entries[start : start + width] for start in range(0, len(entries), width)]
        if expected is not None and len(lines) != expected:
            raise self._error(f"{pluralize(len(lines), 'row')}", f"{expected} are needed")
        rows = [self._words([line]) for line in lines]
        if self.shape.ragged or self.between_commas:
            glued = False
        elif width is None:
            glued = all(len(row) == 1 for row in rows) or not all(
                self._is_entry(word) for row in rows for word in row
            )
        else:
            glued = any(len(row) != width for row in rows)
        if glued and len(self.shape.extents) == 2:
            rows = self._by_signs(rows)
        if not self.shape.ragged:
            needed = width if width is not None else max(map(len, rows))
            for number, row in enumerate(rows, 1):
                self._check(len(row), needed, f"row {number}")
        return rows

    def _by_signs(self, rows: Rows) -> Rows:
        """Rows of signs, unless one word alone is in the way of rows of words."""
        signs = [list("".join(row)) for row in rows]
        if len(set(map(len, signs))) > 1 == len(set(map(len, rows))) < len(rows[0]):
            for number, row in enumerate(rows):
                for column, word in enumerate(row):
                    self._number(word, number, column)
        return signs

    def _entries(self, words: list[str], needed: int | None) -> list[str]:
        """Words are whole entries, or a sign each."""
        apart = needed == len(words) or (needed is None and len(words) > 1)
        return words if apart or self.between_commas else list("".join(words))

    def _check(self, found: int, needed: int | None, what: str) -> None:
        if needed is not None and found != needed:
            entries = pluralize(found, "entry", "entries")
            raise self._error(f"{what} has {entries}", f"{needed} are needed")

    # Words to numbers.

    def _is_entry(self, word: str) -> bool:
        parts = word.split(PARTS) if len(self.shape.extents) > 2 else [word]
        return all(self.signs.value(part) is not None for part in parts)

    def _filled(self, rows: Rows, shape: list[int]) -> Table:
        checkpoint(8 * int(np.prod(shape, dtype=object)))
        values = np.full(shape, self.signs.missing, np.int64)
        for number, row in enumerate(rows):
            at = (number,) if len(shape) > 1 else ()
            for column, word in enumerate(row):
                values[(*at, column)] = self._number(word, number, column)
        lengths = np.array([*map(len, rows)] or [0] * shape[0], np.int64)
        return Table(values, self.signs.missing, lengths if self.shape.ragged else None)

    def _number(self, word: str, row: int, column: int) -> int | list[int]:
        where = f"row {row + 1}, column {column + 1}"
        if len(self.shape.extents) == 1:
            where = f"entry {column + 1}"
        if len(self.shape.extents) < 3:
            return self._value(word, word, where)
        parts = word.split(PARTS)
        size = self.shape.extents[2] or 0
        if len(parts) == 1 and self.signs.value(word) == self.signs.missing:
            return [self.signs.missing] * size
        if len(parts) != size:
            remedy = f"write {size} with {PARTS} between them, or . where there is none"
            raise self._error(f"{word[:10]!r} in {where} is not {size} numbers", remedy)
        return [self._value(part, word, where) if part else 0 for part in parts]

    def _value(self, part: str, word: str, where: str) -> int:
        value = self.signs.value(part, self.between_commas)
        if value is None:
            raise no_entry(word, where, self.signs, self.place)
        return value

    def _keyed(self, words: list[str]) -> Table:
        """`a=3 b=15`: entries by their index, a number or a letter; the others are missing."""
        found: dict[int, int] = {}
        for word in words:
            key, _, part = word.partition("=")
            index = ascii_letters.find(key) if len(key) == 1 and key.isalpha() else -1
            if key.isascii() and key.isdecimal() and len(key) < 10:
                index = int(key)
            if index < 0 or "=" not in word:
                raise self._error(f"{word[:10]!r} is not KEY=NUMBER", "write for example a=3 b=15")
            if index in found:
                raise self._error(f"{key!r} has two numbers", "give it one")
            found[index] = self._value(part, word, f"the entry of {key!r}")
        extent = self.shape.extents[0]
        size = max(found) + 1 if extent is None else extent
        if wrong := [index for index in found if index >= size]:
            raise self._error(f"an entry for index {wrong[0]}", f"the last is {size - 1}")
        checkpoint(8 * size)
        values = np.full(size, self.signs.missing, np.int64)
        values[[*found]] = [*found.values()]
        return Table(values, self.signs.missing)

    def _error(self, fault: str, remedy: str) -> InputError:
        return InputError(fault, remedy, self.place)
