"""Variables in the header of a file: indices, numbers and, for integers, values of their members.

The value of an integer is its least value plus what its true literals count: one each for `order`,
their position for `direct`, a power of two for `binary`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header_values import LARGEST, MATERIALISED, Room
from boardsat.base.dataclass import dataclass
from boardsat.base.json_data import MalformedError
from boardsat.base.text import pluralize

Ints = npt.NDArray[np.int64]

Lists = Mapping[str, list[str]]
"""Lines of numbers by the name of their variable."""

Bools = npt.NDArray[np.bool_]

ENCODINGS = ("order", "direct", "binary")

MAX_INDICES = 20


@dataclass(frozen=True)
class Variable:
    """Indexed variable of a spec: the indices of each member, and its number in the file."""

    name: str
    shape: tuple[int, ...]
    keys: Ints
    ids: Ints
    """Numbers of the members; of an integer, of all literals of each member."""
    index: tuple[str, ...] = ()
    """Names of the indices."""
    means: str = ""
    """Description of a member, with placeholders `{i}` for indices."""
    integers: Integers | None = None
    """Encoding of the values, if the members are integers."""

    def members(self, true: npt.NDArray[np.bool_]) -> tuple[Ints, ...]:
        """Return the indices of the true members, one array for each index."""
        keys = self.keys[true[self.ids]] if self.integers is None else self.keys
        return tuple(np.unravel_index(keys, self.shape))


def read_variable(
    about: dict[str, Any], lists: Mapping[str, Lists], variables: int, room: Room
) -> Variable:
    """Parse a variable from its line and its lists of keys, numbers and bounds."""
    name = header_values.text(about, "name")
    if not name.isidentifier():
        raise MalformedError("`name` is not a name")
    shape = tuple(header_values.numbers(about, "shape", 0, LARGEST))
    count = header_values.number(about, "count", 0, min(variables, MATERIALISED))
    first = header_values.number(about, "first", 1, LARGEST)
    if len(shape) > MAX_INDICES or math.prod(shape) > 2**62:
        raise MalformedError("`shape` is too large")
    room.take(count)
    integers, members = None, count
    if "values" in about:
        lows, highs = (lists[word].get(name, []) for word in ("lows", "highs"))
        integers = read_integers(about, lows, highs, MATERIALISED, room)
        members = len(integers.low)
        if int(integers.widths.sum()) != count:
            raise MalformedError(f"{name!r} does not have the literals of its values")
    keys, ids = lists["keys"], lists["ids"]
    known = header_values.runs(keys[name], Room(members)) if name in keys else np.arange(members)
    numbers = header_values.ended(ids[name]) if name in ids else first + np.arange(count)
    if (len(known), len(numbers)) != (members, count):
        raise MalformedError(f"{name!r} does not have {pluralize(count, 'member')}, as declared")
    if members and not 0 <= known.min() <= known.max() < math.prod(shape):
        raise MalformedError(f"{name!r} has a member outside its shape")
    if count and not 0 < numbers.min() <= numbers.max() <= variables:
        raise MalformedError(f"{name!r} has a member that is not a variable of the formula")
    index = tuple(map(str, header_values.listed(about, "index")))
    return Variable(
        name, shape, known, numbers, index, header_values.line(about, "description"), integers
    )


class Integers(NamedTuple):
    """Integer encoding of the members of a variable: bounds and literals."""

    encoding: str
    low: Ints
    high: Ints

    @property
    def widths(self) -> Ints:
        """Number of literals of each member."""
        above = self.high - self.low
        if self.encoding != "binary":
            return above + (self.encoding == "direct")
        bits = np.zeros(len(above), np.int64)
        for place in range(int(above.max(initial=0)).bit_length()):
            bits += above >= 1 << place
        return bits

    def values(self, true: Bools) -> Ints:
        """Return the values of all members, from the values of all literals."""
        member, counts = self._counted()
        total = np.zeros(len(self.low), np.int64)
        np.add.at(total, member[true], counts[true])
        return self.low + total

    def true(self, told: Ints) -> Bools:
        """Return the values of all literals, from the values of all members."""
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
        """Return the member and the weight of every literal."""
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
    """Parse the encoding of an integer variable, with common or individual bounds."""
    told = about["values"]
    if type(told) is not dict:
        raise MalformedError("`values` is not a mapping")
    encoding = header_values.text(told, "encoding")
    if encoding not in ENCODINGS:
        raise MalformedError(f"no encoding {encoding[:30]!r} of integers")
    members = header_values.number(told, "members", 0, most)
    low = header_values.number(told, "low", -LARGEST, LARGEST)
    room.take(2 * members)
    if lows or highs:
        least, largest = (low + header_values.runs(lines, Room(members)) for lines in (lows, highs))
    else:
        high = header_values.number(told, "high", -LARGEST, LARGEST)
        least, largest = (np.full(members, end, np.int64) for end in (low, high))
    if not len(least) == len(largest) == members:
        raise MalformedError("not as many ends as members")
    if (least > largest).any() or (largest > LARGEST).any():
        raise MalformedError("integers without a value")
    return Integers(encoding, least, largest)
