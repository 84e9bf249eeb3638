"""Integers in the comments of a file: how the literals of a member tell its value.

Above its least value a member is the sum of what its true literals count: one each for `order`,
their place for `direct`, a power of two for `binary`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boardsat.adapters.dimacs import number_lists, values
from boardsat.adapters.dimacs.values import LARGEST, Room
from boardsat.base.json_data import MalformedError

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

ENCODINGS = ("order", "direct", "binary")


@dataclass(frozen=True)
class Integers:
    """The values that the members of a family can have."""

    encoding: str
    low: Ints
    high: Ints

    @property
    def widths(self) -> Ints:
        """How many literals each member has."""
        above = self.high - self.low
        if self.encoding != "binary":
            return above + (self.encoding == "direct")
        bits = np.zeros(len(above), np.int64)
        for place in range(int(above.max(initial=0)).bit_length()):
            bits += above >= 1 << place
        return bits

    def values(self, true: Bools) -> Ints:
        """Of every member, from which of all literals hold."""
        member, counts = self._counted()
        total = np.zeros(len(self.low), np.int64)
        np.add.at(total, member[true], counts[true])
        return self.low + total

    def true(self, told: Ints) -> Bools:
        """Which of all literals hold if members have these values."""
        member, counts = self._counted()
        above: Ints = (told - self.low)[member]
        holds: Bools = above & counts > 0
        if self.encoding == "order":
            holds = self._places() < above
        elif self.encoding == "direct":
            holds = counts == above
        return holds

    def can_be(self, told: Ints) -> bool:
        return bool(((self.low <= told) & (told <= self.high)).all())

    def _counted(self) -> tuple[Ints, Ints]:
        """Of every literal its member, and what it counts."""
        member = np.repeat(np.arange(len(self.low)), self.widths)
        place = self._places()
        match self.encoding:
            case "order":
                return member, np.ones(len(place), np.int64)
            case "direct":
                return member, place
        return member, 1 << place

    def _places(self) -> Ints:
        widths = self.widths
        ends = np.cumsum(widths)
        return np.arange(int(widths.sum())) - np.repeat(ends - widths, widths)


def read_integers(
    about: dict[str, Any], lows: list[str], highs: list[str], most: int, room: Room
) -> Integers:
    """From the `values` of a variable, and lines of a number for every member, if there are any."""
    told = about["values"]
    if type(told) is not dict:
        raise MalformedError("`values` is not a mapping")
    encoding = values.text(told, "encoding")
    if encoding not in ENCODINGS:
        raise MalformedError(f"no encoding {encoding[:30]!r} of integers")
    members = values.number(told, "members", 0, most)
    low = values.number(told, "low", -LARGEST, LARGEST)
    room.take(2 * members)
    if lows or highs:
        least, largest = (low + number_lists.runs(lines, Room(members)) for lines in (lows, highs))
    else:
        high = values.number(told, "high", -LARGEST, LARGEST)
        least, largest = (np.full(members, end, np.int64) for end in (low, high))
    if not len(least) == len(largest) == members:
        raise MalformedError("not as many ends as members")
    if (least > largest).any() or (largest > LARGEST).any():
        raise MalformedError("integers without a value")
    return Integers(encoding, least, largest)
