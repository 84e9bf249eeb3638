"""Random numbers from a seed, the same in every version; and random functions for `define:`.

Each function `random_NAME` is a module of that name, with this attribute:

compute(*arguments) -> Table or KeyedSet
    Draw numbers. Arguments are integers, of which the last one is the seed, or tables. Raise
    InputError if an argument is invalid; call `checkpoint(nbytes)` before large allocations.

Examples
--------
>>> functions()["random_numbers"](4, 10, 1).values.tolist()
[5, 7, 9, 4]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from boardsat.base.errors import prefix_faults
from boardsat.base.registry import Registry
from boardsat.generators.language.values import Value

_registry = Registry(__name__, "random function")


@cache
def functions() -> Mapping[str, Callable[..., Value]]:
    """Return every random function by its name; the first call imports its module."""
    names = (name for name in _registry.names() if name.startswith("random_"))
    return {name: partial(_compute, name) for name in names}


def _compute(name: str, *arguments: Any) -> Value:
    with prefix_faults(name):
        drawn: Value = _registry.load(name).compute(*arguments)
    return drawn
