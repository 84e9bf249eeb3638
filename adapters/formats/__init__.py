"""Formats beside CNF, one file each, named like their ending: linear constraints, an objective.

A file has `read`, text to constraints, and `text`, back to what every solver reads alike.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType

PACKED = (".gz", ".xz", ".zst")
"""Endings of files that are compressed."""


@cache
def names() -> tuple[str, ...]:
    """Found by their files: none of them is imported."""
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in found if not name.startswith("_")))


def load(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{name}")


def ending_of(path: str) -> str:
    """The format of a file by its name; empty for one that is none of these."""
    for packed in PACKED:
        path = path.removesuffix(packed)
    return next((name for name in names() if path.endswith(f".{name}")), "")
