"""Random choices by a seed, the same for ever; and functions for `define:`, one file each.

A file `random_NAME.py` is the function of that name: `compute(budget, *numbers)` gives a table or a
set, and what it takes is charged to the budget beforehand. The last number is the seed.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from boardsat.generators.language.values import Value
from boardsat.generators.limits import WorkBudget


@cache
def functions() -> Mapping[str, Callable[..., Value]]:
    """Every function; a file is imported when it is first called."""
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return {name: partial(_compute, name) for name in found if name.startswith("random_")}


def _compute(name: str, budget: WorkBudget, *numbers: Any) -> Value:
    value: Value = importlib.import_module(f"{__name__}.{name}").compute(budget, *numbers)
    return value
