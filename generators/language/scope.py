"""Names that are defined while a spec is compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from types import MappingProxyType

from boardsat.base.dataclass import dataclass
from boardsat.generators.language.compiled_expressions import FUNCTIONS
from boardsat.generators.language.layout import Integer, Variable
from boardsat.generators.language.values import Value

Width = int | None
"""Number of components of a bound tuple; None for a bound number."""

Bound = Mapping[str, Width]
"""Names that `for` binds, in their order, with the width of each."""

NOTHING: Bound = MappingProxyType({})
"""No bound names."""

QUERIES = ("len", "exists")
"""Functions whose argument is a set or a variable."""


@dataclass
class Scope:
    """Names defined so far, by kind; a name has one kind only."""

    values: dict[str, Value] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    integers: dict[str, Integer] = field(default_factory=dict)
    algorithms: dict[str, Callable[..., Value]] = field(default_factory=dict)
    """Functions that return a table or set: `distance(s)`, `random_numbers(n, b, seed)`."""

    @property
    def members(self) -> dict[str, Variable]:
        """Arguments of `exists`: Boolean variables, and the members of integers."""
        return self.variables | {name: integer.members for name, integer in self.integers.items()}

    def names(self) -> set[str]:
        """Return all defined names, those of functions included."""
        return {*self.values, *self.members, *self.algorithms, *FUNCTIONS, *QUERIES}

    def is_known(self, name: str) -> bool:
        """Return True if the name is defined, without gathering all names."""
        kinds = (self.values, self.variables, self.integers, self.algorithms, FUNCTIONS, QUERIES)
        return any(name in names for names in kinds)
