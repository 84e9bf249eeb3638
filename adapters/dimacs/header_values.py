"""Typed values in the header of a file: entries of JSON objects, and lists of numbers."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import numpy.typing as npt

from boardsat.base.json_data import MalformedError, parse_object

MATERIALISED = 2**24
"""Limit on the cells, edges or members of a variable, for their memory."""

MODEST = 2**18
"""Number of cells or edges that every file may have, also with few clauses."""

_LETTERS = 2**22
"""Limit on the letters of JSON in a header, which takes 20 times as much memory."""

LARGEST = 2**31 - 1
"""Largest number in a file."""

_MAX_DEPTH = 6

Ints = npt.NDArray[np.int64]

_RUN = re.compile(r"(?<!\S)([0-9]+)\+([0-9]+)(?:\*(-?[0-9]+))?(?!\S)")

_NUMBERS = re.compile(r"[0-9 \t]*")

_LONG = re.compile(r"[0-9]{19}")


class Room:
    """What a header may stand for, all lines together: numbers written out, letters of JSON.

    A few bytes can stand for billions of numbers, so the room is as large as the clauses are many.
    """

    def __init__(self, numbers: int) -> None:
        self.numbers = self._numbers = numbers
        self._letters = _LETTERS

    def take(self, numbers: int) -> None:
        self._numbers -= numbers
        if self._numbers < 0:
            raise MalformedError(f"the header stands for more than {self.numbers:,} numbers")

    def mapping(self, text: str) -> dict[str, Any]:
        self._letters -= len(text)
        if self._letters < 0:
            raise MalformedError(f"the header has more than {_LETTERS >> 20} MB of JSON")
        return parse_object(text, _MAX_DEPTH)


def number(about: dict[str, Any], key: str, least: int, most: int) -> int:
    """Return a required integer entry."""
    if key not in about:
        raise MalformedError(f"`{key}` is missing")
    return whole(about[key], least, most, key)


def whole(value: object, least: int, most: int, what: str = "") -> int:
    if type(value) is not int or not least <= value <= most:
        shown = f"`{what}`" if what else repr(value)[:40]
        raise MalformedError(f"{shown} is not a number from {least} to {most}")
    return value


def numbers(about: dict[str, Any], key: str, least: int, most: int) -> list[int]:
    """Return a list of integers; empty if the key is missing."""
    return [whole(value, least, most, key) for value in listed(about, key)]


def listed(about: dict[str, Any], key: str) -> list[Any]:
    """Return a list; empty if the key is missing."""
    value = about.get(key, [])
    if type(value) is not list:
        raise MalformedError(f"`{key}` is not a list")
    return value


def text(about: dict[str, Any], key: str) -> str:
    """Return a text; empty if the key is missing."""
    value = about.get(key) or ""
    if type(value) is not str:
        raise MalformedError(f"`{key}` is not a text")
    return value


def line(about: dict[str, Any], key: str) -> str:
    """Return a text as one line of printable characters."""
    words = " ".join(text(about, key).split())
    return "".join(mark if mark.isprintable() else "?" for mark in words)


def extents(about: dict[str, Any], most: int, *keys: str) -> tuple[int, ...]:
    """Return the sides of a board; raise MalformedError if it has too many cells."""
    sides = tuple(number(about, key, 1, LARGEST) for key in keys)
    if math.prod(sides) > most:
        raise MalformedError(f"a board of more than {most:,} cells, and few clauses")
    return sides


def ended(lines: list[str]) -> Ints:
    """Return the numbers of lines that each end with 0."""
    if not all(map(str.strip, lines)):
        raise MalformedError("an empty line")
    words = _alone(" ".join(lines))
    return words[words > 0]


def runs(lines: list[str], room: Room) -> Ints:
    """Expand a list of `first`, `first+count` and `first+count*step`."""
    text = " ".join(lines)
    pieces, passed = [np.zeros(0, np.int64)], 0
    # Most numbers stand alone, and are read together.
    for run in _RUN.finditer(text):
        first, count, step = (_whole(word or "1") for word in run.groups())
        room.take(max(1, count))
        pieces.append(_alone(text[passed : run.start()]))
        room.take(len(pieces[-1]))
        pieces.append(first + step * np.arange(count))
        passed = run.end()
    rest = _alone(text[passed:])
    room.take(len(rest))
    return np.concatenate([*pieces, rest])


def _whole(word: str) -> int:
    if len(word) > 18:
        raise MalformedError(f"{word[:20]}... is too large")
    return int(word)


def _alone(text: str) -> Ints:
    if not text.strip():
        return np.zeros(0, np.int64)
    if not _NUMBERS.fullmatch(text):
        raise MalformedError(f"no numbers: {text.strip()[:30]!r}")
    if _LONG.search(text):
        raise MalformedError("a number is too large")
    return np.fromstring(text, np.int64, sep=" ")
