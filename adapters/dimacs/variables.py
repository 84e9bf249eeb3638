"""Families of variables in the comments of a file: their members, and the number of each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boardsat.adapters.dimacs import number_lists, values
from boardsat.adapters.dimacs.integers import Integers, read_integers
from boardsat.adapters.dimacs.values import LARGEST, MATERIALISED, Room
from boardsat.adapters.dimacs.views import MOST_INDICES
from boardsat.base.json_data import MalformedError
from boardsat.base.text import pluralize

Ints = npt.NDArray[np.int64]

Lists = Mapping[str, list[str]]
"""Lines of numbers, by the name of the variable that they are of."""


@dataclass(frozen=True)
class Variable:
    """A family of variables: the indices of each member, and its number in the file."""

    name: str
    shape: tuple[int, ...]
    keys: Ints
    ids: Ints
    """Of integers those of all literals, member after member."""
    index: tuple[str, ...] = ()
    """What the indices are called."""
    means: str = ""
    """What a member stands for, with `{i}` where an index shall stand."""
    integers: Integers | None = None
    """The values of members, where these are integers."""

    def members(self, true: npt.NDArray[np.bool_]) -> tuple[Ints, ...]:
        """The indices of the members that hold, one array an index; an integer always does."""
        keys = self.keys[true[self.ids]] if self.integers is None else self.keys
        return tuple(np.unravel_index(keys, self.shape))


def read_variable(
    about: dict[str, Any], lists: Mapping[str, Lists], variables: int, room: Room
) -> Variable:
    """From its line, and those of its keys, numbers and ends, in a file of so many variables."""
    name = values.text(about, "name")
    if not name.isidentifier():
        raise MalformedError("`name` is not a name")
    shape = tuple(values.numbers(about, "shape", 0, LARGEST))
    count = values.number(about, "count", 0, min(variables, MATERIALISED))
    first = values.number(about, "first", 1, LARGEST)
    if len(shape) > MOST_INDICES or math.prod(shape) > 2**62:
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
    known = number_lists.runs(keys[name], Room(members)) if name in keys else np.arange(members)
    numbers = number_lists.ended(ids[name]) if name in ids else first + np.arange(count)
    if (len(known), len(numbers)) != (members, count):
        raise MalformedError(f"{name!r} does not have {pluralize(count, 'member')}, as declared")
    if members and not 0 <= known.min() <= known.max() < math.prod(shape):
        raise MalformedError(f"{name!r} has a member outside its shape")
    if count and not 0 < numbers.min() <= numbers.max() <= variables:
        raise MalformedError(f"{name!r} has a member that is not a variable of the formula")
    index = tuple(map(str, values.listed(about, "index")))
    return Variable(name, shape, known, numbers, index, values.line(about, "description"), integers)
