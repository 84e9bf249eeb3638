"""Random numbers by a seed, the same in every version; and random functions for `define:`.

A module `random_NAME.py` is the function of that name: `compute(*numbers)` returns a table or a
set. The last number is the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from boardsat.base.registry import Registry
from boardsat.generators.language.values import Value

_registry = Registry(__name__, "random function")


@cache
def functions() -> Mapping[str, Callable[..., Value]]:
    """Return every function by its name; its module is imported when it is first called."""
    names = (name for name in _registry.names() if name.startswith("random_"))
    return {name: partial(_compute, name) for name in names}


def _compute(name: str, *numbers: Any) -> Value:
    value: Value = _registry.load(name).compute(*numbers)
    return value
