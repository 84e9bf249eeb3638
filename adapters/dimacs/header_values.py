"""Typed values in the header of a file: entries of JSON objects, and lists of numbers.

Functions that take an object and a key raise MalformedError if the entry has another type.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import numpy.typing as npt

from boardsat.base.json_data import MalformedError, parse_object

MAX_HEADER_NUMBERS = 2**24
"""Maximum number of cells, edges or members in a header; all of them are stored in memory."""

MIN_HEADER_NUMBERS = 2**18
"""Number of cells or edges that is accepted in every header, even with few clauses."""

_MAX_JSON_CHARACTERS = 2**22
"""Maximum characters of JSON in a header; when parsed, they need 20 times as much memory."""

MAX_NUMBER = 2**31 - 1
"""Largest number in a header."""

_MAX_DEPTH = 6

Ints = npt.NDArray[np.int64]

_RUN = re.compile(r"(?<!\S)([0-9]+)\+([0-9]+)(?:\*(-?[0-9]+))?(?!\S)")

_NUMBERS = re.compile(r"[0-9 \t]*")

_TOO_LONG_NUMBER = re.compile(r"[0-9]{19}")


def malformed(name: str, constraint: str, value: object) -> MalformedError:
    """Return the error about a value. `constraint` completes the message `NAME must ...`."""
    return MalformedError(f"{name} must {constraint} (got {repr(value)[:40]})")


class HeaderLimits:
    """Limits on all lines of a header together: expanded numbers, and characters of JSON.

    A few bytes can describe billions of numbers, so callers derive the limit from the number of
    clauses.
    """

    def __init__(self, max_numbers: int) -> None:
        self.max_numbers = max_numbers
        self._numbers_left = max_numbers
        self._characters_left = _MAX_JSON_CHARACTERS

    def count_numbers(self, count: int) -> None:
        """Count expanded numbers; raise MalformedError if there are too many."""
        self._numbers_left -= count
        if self._numbers_left < 0:
            raise MalformedError(f"the header must describe at most {self.max_numbers:,} numbers")

    def parse_object(self, text: str) -> dict[str, Any]:
        """Parse a JSON object; raise MalformedError if the header has too much JSON."""
        self._characters_left -= len(text)
        if self._characters_left < 0:
            limit = _MAX_JSON_CHARACTERS >> 20
            raise MalformedError(f"the header must have at most {limit} MB of JSON")
        return parse_object(text, _MAX_DEPTH)


def integer(entries: dict[str, Any], key: str, low: int, high: int) -> int:
    """Return a required integer entry."""
    if key not in entries:
        raise MalformedError(f"`{key}` is missing")
    return check_integer(entries[key], low, high, key)


def check_integer(number: object, low: int, high: int, key: str = "") -> int:
    """Return the number; raise MalformedError if it is not an integer within the bounds."""
    if type(number) is not int or not low <= number <= high:
        name = f"`{key}`" if key else "a number"
        raise malformed(name, f"be an integer from {low:,} to {high:,}", number)
    return number


def integers(entries: dict[str, Any], key: str, low: int, high: int) -> list[int]:
    """Return a list of integers; empty if the key is missing."""
    return [check_integer(number, low, high, key) for number in json_list(entries, key)]


def json_list(entries: dict[str, Any], key: str) -> list[Any]:
    """Return a list; empty if the key is missing."""
    entry = entries.get(key, [])
    if type(entry) is not list:
        raise malformed(f"`{key}`", "be a list", entry)
    return entry


def text(entries: dict[str, Any], key: str) -> str:
    """Return a text; empty if the key is missing."""
    entry = entries.get(key) or ""
    if type(entry) is not str:
        raise malformed(f"`{key}`", "be a text", entry)
    return entry


def line(entries: dict[str, Any], key: str) -> str:
    """Return a text as one line of printable characters."""
    characters = " ".join(text(entries, key).split())
    return "".join(char if char.isprintable() else "?" for char in characters)


def side_lengths(entries: dict[str, Any], max_cells: int, *keys: str) -> tuple[int, ...]:
    """Return the side lengths of a board; raise MalformedError if it has too many cells."""
    sides = tuple(integer(entries, key, 1, MAX_NUMBER) for key in keys)
    if (cells := math.prod(sides)) > max_cells:
        raise malformed(
            "the board", f"have at most {max_cells:,} cells in a file this small", cells
        )
    return sides


def zero_terminated(lines: list[str]) -> Ints:
    """Return the numbers of lines that each end with 0."""
    if not all(map(str.strip, lines)):
        raise MalformedError("each line must have a number")
    numbers = _parse_numbers(" ".join(lines))
    return numbers[numbers > 0]


def expand_runs(lines: list[str], limits: HeaderLimits) -> Ints:
    """Return the numbers in lines of single numbers and runs: `first+count`, `first+count*step`."""
    text = " ".join(lines)
    pieces, parsed_to = [np.zeros(0, np.int64)], 0
    # Most numbers are not runs, and are parsed together.
    for run in _RUN.finditer(text):
        first, count, step = (_run_number(digits or "1") for digits in run.groups())
        limits.count_numbers(max(1, count))
        pieces.append(_parse_numbers(text[parsed_to : run.start()]))
        limits.count_numbers(len(pieces[-1]))
        pieces.append(first + step * np.arange(count))
        parsed_to = run.end()
    pieces.append(_parse_numbers(text[parsed_to:]))
    limits.count_numbers(len(pieces[-1]))
    return np.concatenate(pieces)


def _run_number(digits: str) -> int:
    if len(digits) > 18:
        raise malformed("numbers", "have at most 18 digits", digits)
    return int(digits)


def _parse_numbers(text: str) -> Ints:
    """Return numbers separated by blanks."""
    if not text.strip():
        return np.zeros(0, np.int64)
    if not _NUMBERS.fullmatch(text):
        raise malformed("a line", "be numbers and spaces", text.strip())
    if match := _TOO_LONG_NUMBER.search(text):
        raise malformed("numbers", "have at most 18 digits", match[0])
    return np.fromstring(text, np.int64, sep=" ")
