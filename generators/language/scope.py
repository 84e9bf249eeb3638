"""The names known while a spec is compiled, and expressions ready to run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from boardsat.generators.language.functions import FUNCTIONS
from boardsat.generators.language.integers import Integer
from boardsat.generators.language.layout import Variable
from boardsat.generators.language.values import Column, Frame, Value

Run = Callable[[Frame], Column]

Width = int | None
"""What a bound name stands for: a number (None), or a tuple of so many."""

Bound = Mapping[str, Width]
"""The names that a `for` has bound."""

NOTHING: Bound = MappingProxyType({})

ASKING = ("len", "exists")
"""Functions that ask about a set or a variable."""


class Data(NamedTuple):
    """A compiled expression: what it gives, how to run it, and which bound names it needs."""

    kind: str
    run: Run
    names: frozenset[str] = frozenset()
    fallible: bool = False
    """Whether running it on rows it was not meant for could fail (an index, a division)."""


def data_of(kind: str, run: Run, parts: Sequence[Data], fallible: bool = False) -> Data:
    """An expression made of parts: it needs their names, and fails where they can."""
    names = frozenset[str]().union(*(part.names for part in parts))
    return Data(kind, run, names, fallible or any(part.fallible for part in parts))


def constant_data(kind: str, value: Column) -> Data:
    return Data(kind, lambda frame: value)


@dataclass
class Scope:
    """The names a spec has given so far."""

    values: dict[str, Value] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    integers: dict[str, Integer] = field(default_factory=dict)
    algorithms: dict[str, Callable[..., Value]] = field(default_factory=dict)
    """Those that give a table or a set: `distance(s)` of a board, `random_numbers(n, b, seed)`."""

    @property
    def members(self) -> dict[str, Variable]:
        """What can be asked whether it exists: of integers, the members that have a value."""
        return self.variables | {name: each.members for name, each in self.integers.items()}

    def known(self) -> set[str]:
        return {*self.values, *self.members, *self.algorithms, *FUNCTIONS, *ASKING}

    def is_known(self, name: str) -> bool:
        """The same, without gathering all of them."""
        offered = (self.values, self.variables, self.integers, self.algorithms, FUNCTIONS, ASKING)
        return any(name in names for names in offered)
