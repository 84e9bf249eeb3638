"""Variables in the header of a file: indices, numbers and, for integers, values of their members.

The value of an integer is its lower bound plus the weights of its true literals. The weight of a
literal is 1 for `order`, its position for `direct`, and a power of two for `binary`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header_values import MAX_HEADER_NUMBERS, MAX_NUMBER, HeaderLimits
from boardsat.base.dataclass import dataclass
from boardsat.base.json_data import MalformedError
from boardsat.base.text import pluralize

Ints = npt.NDArray[np.int64]

Lists = Mapping[str, list[str]]
"""Lines of numbers by the name of their variable."""

Bools = npt.NDArray[np.bool_]

ENCODINGS = ("order", "direct", "binary")

LIST_KEYWORDS = ("keys", "ids", "lows", "highs")
"""Keywords of lines with numbers of a variable."""

MAX_INDICES = 20


@dataclass(frozen=True)
class Variable:
    """Indexed variable of a spec: the indices of each member, and its number in the file."""

    name: str
    shape: tuple[int, ...]
    keys: Ints
    """Position of each member in the shape, row by row."""
    ids: Ints
    """Variable of the formula for each member; for integers, for each literal of each member."""
    index: tuple[str, ...] = ()
    """Names of the indices."""
    description: str = ""
    """Description of a member, with placeholders `{i}` for indices."""
    integers: Integers | None = None
    """Encoding of the values, if the members are integers."""

    def members(self, is_true: npt.NDArray[np.bool_]) -> tuple[Ints, ...]:
        """Return the indices of the true members, one array for each index."""
        keys = self.keys[is_true[self.ids]] if self.integers is None else self.keys
        return tuple(np.unravel_index(keys, self.shape))

    def member_indices(self) -> list[tuple[int, ...]]:
        """Return the indices of each member, in the order of `keys`."""
        if not self.shape:
            return [()] * len(self.keys)
        columns = np.unravel_index(self.keys, self.shape)
        return list(zip(*(column.tolist() for column in columns), strict=True))

    def numbers_by_indices(self) -> dict[tuple[int, ...], int]:
        """Return the variable of the formula for each member.

        A member of an integer variable has several, distinguished by a last index k: the literal
        means "at least k" (`order`), "equal to k" (`direct`), or is bit k of the difference from
        the lower bound (`binary`).
        """
        indices = self.member_indices()
        if self.integers is not None:
            members, last = self.integers.literal_places()
            indices = [
                (*indices[m], k) for m, k in zip(members.tolist(), last.tolist(), strict=True)
            ]
        return dict(zip(indices, self.ids.tolist(), strict=True))


def read_variable(
    entries: dict[str, Any], lists: Mapping[str, Lists], num_variables: int, limits: HeaderLimits
) -> Variable:
    """Parse a variable from the entries of its line and its lists of keys, numbers and bounds."""
    name = header_values.text(entries, "name")
    if not name.isidentifier():
        raise header_values.malformed("`name`", "be an identifier", name)
    shape = tuple(header_values.integers(entries, "shape", 0, MAX_NUMBER))
    max_count = min(num_variables, MAX_HEADER_NUMBERS)
    count = header_values.integer(entries, "count", 0, max_count)
    first = header_values.integer(entries, "first", 1, MAX_NUMBER)
    if len(shape) > MAX_INDICES or math.prod(shape) > 2**62:
        constraint = f"have at most {MAX_INDICES} numbers, and a product of at most 2**62"
        raise header_values.malformed("`shape`", constraint, shape)
    limits.count_numbers(count)
    integers, num_members = None, count
    if "values" in entries:
        lows, highs = (lists[keyword].get(name, []) for keyword in ("lows", "highs"))
        integers = read_integers(entries, lows, highs, limits)
        num_members = len(integers.low)
        if (num_literals := int(integers.widths.sum())) != count:
            constraint = f"be {num_literals}, the number of literals of its values"
            raise header_values.malformed(f"`count` of {name!r}", constraint, count)
    keys, ids = lists["keys"].get(name), lists["ids"].get(name)
    member_keys = (
        np.arange(num_members)
        if keys is None
        else header_values.expand_runs(keys, HeaderLimits(num_members))
    )
    numbers = first + np.arange(count) if ids is None else header_values.zero_terminated(ids)
    for keyword, column, size, low, high in (
        ("keys", member_keys, num_members, 0, math.prod(shape) - 1),
        ("ids", numbers, count, 1, num_variables),
    ):
        subject = f"the {keyword} of {name!r}"
        if len(column) != size:
            raise header_values.malformed(subject, f"be {pluralize(size, 'number')}", len(column))
        for number in column[(column < low) | (column > high)][:1].tolist():
            raise header_values.malformed(subject, f"be from {low:,} to {high:,}", number)
    index = tuple(map(str, header_values.json_list(entries, "index")))
    description = header_values.line(entries, "description")
    return Variable(name, shape, member_keys, numbers, index, description, integers)


class Integers(NamedTuple):
    """Integer encoding of the members of a variable: bounds and literals."""

    encoding: str
    low: Ints
    high: Ints

    @property
    def widths(self) -> Ints:
        """Number of literals of each member."""
        ranges = self.high - self.low
        if self.encoding != "binary":
            return ranges + (self.encoding == "direct")
        bits = np.zeros(len(ranges), np.int64)
        for bit in range(int(ranges.max(initial=0)).bit_length()):
            bits += ranges >= 1 << bit
        return bits

    def decode(self, is_true: Bools) -> Ints:
        """Return the values of all members, from the truth values of all literals."""
        member, weights = self._literal_weights()
        offsets = np.zeros(len(self.low), np.int64)
        np.add.at(offsets, member[is_true], weights[is_true])
        return self.low + offsets

    def encode(self, numbers: Ints) -> Bools:
        """Return the truth values of all literals, from the values of all members."""
        member, weights = self._literal_weights()
        offsets: Ints = (numbers - self.low)[member]
        is_true: Bools = offsets & weights > 0
        if self.encoding == "order":
            is_true = self._positions() < offsets
        elif self.encoding == "direct":
            is_true = weights == offsets
        return is_true

    def literal_places(self) -> tuple[Ints, Ints]:
        """Return the member of every literal, and its bound (order), value (direct) or bit."""
        member, position = np.repeat(np.arange(len(self.low)), self.widths), self._positions()
        if self.encoding == "binary":
            return member, position
        return member, self.low[member] + position + (self.encoding == "order")

    def in_bounds(self, numbers: Ints) -> bool:
        """Return whether all numbers are within the bounds of their members."""
        return bool(((self.low <= numbers) & (numbers <= self.high)).all())

    def _literal_weights(self) -> tuple[Ints, Ints]:
        """Return the member and the weight of every literal."""
        member = np.repeat(np.arange(len(self.low)), self.widths)
        position = self._positions()
        match self.encoding:
            case "order":
                return member, np.ones(len(position), np.int64)
            case "direct":
                return member, position
        return member, 1 << position

    def _positions(self) -> Ints:
        """Return the position of every literal among those of its member."""
        widths = self.widths
        ends = np.cumsum(widths)
        return np.arange(int(widths.sum())) - np.repeat(ends - widths, widths)


def read_integers(
    entries: dict[str, Any], lows: list[str], highs: list[str], limits: HeaderLimits
) -> Integers:
    """Parse the encoding of an integer variable, with common or individual bounds."""
    integers = entries["values"]
    if type(integers) is not dict:
        raise header_values.malformed("`values`", "be a mapping", integers)
    encoding = header_values.text(integers, "encoding")
    if encoding not in ENCODINGS:
        raise header_values.malformed("`encoding`", f"be one of {', '.join(ENCODINGS)}", encoding)
    members = header_values.integer(integers, "members", 0, MAX_HEADER_NUMBERS)
    base = header_values.integer(integers, "low", -MAX_NUMBER, MAX_NUMBER)
    limits.count_numbers(2 * members)
    if lows or highs:
        low, high = (
            base + header_values.expand_runs(lines, HeaderLimits(members))
            for lines in (lows, highs)
        )
    else:
        top = header_values.integer(integers, "high", -MAX_NUMBER, MAX_NUMBER)
        low, high = (np.full(members, bound, np.int64) for bound in (base, top))
    if not len(low) == len(high) == members:
        constraint = f"be {members:,} lower and {members:,} upper bounds"
        raise header_values.malformed("the bounds", constraint, (len(low), len(high)))
    if (low > high).any() or (high > MAX_NUMBER).any():
        raise MalformedError(f"bounds must leave a value, and be at most {MAX_NUMBER:,}")
    return Integers(encoding, low, high)
