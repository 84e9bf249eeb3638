"""Lists of numbers in the comments of a file: each ended by 0, or with runs written short."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from boardsat.adapters.dimacs.values import Room
from boardsat.base.json_data import MalformedError

Ints = npt.NDArray[np.int64]

_RUN = re.compile(r"(?<!\S)([0-9]+)\+([0-9]+)(?:\*(-?[0-9]+))?(?!\S)")
_NUMBERS = re.compile(r"[0-9 \t]*")
_LONG = re.compile(r"[0-9]{19}")


def ended(lines: list[str]) -> Ints:
    """Numbers of lines that each end with 0."""
    if not all(map(str.strip, lines)):
        raise MalformedError("an empty line")
    words = _alone(" ".join(lines))
    return words[words > 0]


def runs(lines: list[str], room: Room) -> Ints:
    """`first`, `first+count` and `first+count*step`, written out, if there is room."""
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
