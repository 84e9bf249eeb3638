"""JSON in the comments of a file to values of a known type, size and depth.

A file may come from anybody. Whatever is not as boardsat writes it is one `MalformedError` here, so
that nobody who uses a value needs to look at it again.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from types import NoneType
from typing import Any

MATERIALISED = 2**24
"""Cells, edges or members of a variable, at most: more would not fit into a modest memory."""

MODEST = 2**18
"""Cells or edges that any file may have, however few clauses."""

_LETTERS = 2**22
"""Of JSON in one header, in all: it takes twenty times as much memory."""

LARGEST = 2**31 - 1
"""Of the numbers that files hold, the largest."""

_DEEPEST = 6

_HARMLESS = frozenset((bool, int, NoneType))


class MalformedError(ValueError):
    """What is wrong with a value, in a few words."""


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
        return mapping(text)


def mapping(text: str, deepest: int = _DEEPEST) -> dict[str, Any]:
    """A JSON object of moderate depth, with finite numbers and whole characters."""
    try:
        value = json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise MalformedError("it is nested too deeply") from None
    except ValueError as error:
        raise MalformedError(f"not JSON: {error}") from None
    if type(value) is not dict:
        raise MalformedError("it is not a JSON object")
    _check(value, deepest)
    return value


def _no_number(word: str) -> None:
    raise MalformedError(f"{word} is not a number")


def _check(value: object, deeper: int) -> None:
    """Results of campaigns have millions of values, so those that cannot be wrong cost nothing."""
    if not deeper:
        raise MalformedError("it is nested too deeply")
    if isinstance(value, dict):
        for name in value:
            if not name.isascii():
                _refuse_half(name)
        _check_parts(value.values(), deeper)
    elif isinstance(value, list):
        _check_parts(value, deeper)
    elif isinstance(value, str):
        _refuse_half(value)
    elif isinstance(value, float) and not math.isfinite(value):
        raise MalformedError("a number is too large")


def _check_parts(parts: Iterable[object], deeper: int) -> None:
    for part in parts:
        if deeper == 1 or not (type(part) in _HARMLESS or (type(part) is str and part.isascii())):
            _check(part, deeper - 1)


def _refuse_half(text: str) -> None:
    """Half a character can be written in JSON, and be printed nowhere."""
    if not text.isascii() and any("\ud800" <= mark <= "\udfff" for mark in text):
        raise MalformedError("a text has an incomplete character")


def number(about: dict[str, Any], key: str, least: int, most: int) -> int:
    """A whole number that must be there."""
    if key not in about:
        raise MalformedError(f"`{key}` is missing")
    return whole(about[key], least, most, key)


def whole(value: object, least: int, most: int, what: str = "") -> int:
    if type(value) is not int or not least <= value <= most:
        shown = f"`{what}`" if what else repr(value)[:40]
        raise MalformedError(f"{shown} is not a number from {least} to {most}")
    return value


def numbers(about: dict[str, Any], key: str, least: int, most: int) -> list[int]:
    """A list of whole numbers, empty where it is not there."""
    return [whole(value, least, most, key) for value in listed(about, key)]


def listed(about: dict[str, Any], key: str) -> list[Any]:
    """A list, empty where it is not there."""
    value = about.get(key, [])
    if type(value) is not list:
        raise MalformedError(f"`{key}` is not a list")
    return value


def text(about: dict[str, Any], key: str) -> str:
    """A text, empty where it is not there."""
    value = about.get(key) or ""
    if type(value) is not str:
        raise MalformedError(f"`{key}` is not a text")
    return value


def line(about: dict[str, Any], key: str) -> str:
    """A text as one line that may be shown: it cannot hide what stands around it."""
    words = " ".join(text(about, key).split())
    return "".join(mark if mark.isprintable() else "?" for mark in words)


def extents(about: dict[str, Any], most: int, *keys: str) -> tuple[int, ...]:
    """The sides of a board of so many cells at most."""
    sides = tuple(number(about, key, 1, LARGEST) for key in keys)
    if math.prod(sides) > most:
        raise MalformedError(f"a board of more than {most:,} cells, and few clauses")
    return sides
