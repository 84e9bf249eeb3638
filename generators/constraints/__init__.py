"""Constraint families, one file each: its name is the key that a spec writes.

docs/adding-a-family.md tells what a file offers; those with a leading underscore are what several
families share. Specs are read by commands that need no numpy, so a family imports what makes
clauses only where it makes them.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType


@cache
def names() -> tuple[str, ...]:
    """Found by their files: none of them is imported."""
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in found if not name.startswith("_")))


def load(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{name}")
