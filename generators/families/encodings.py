"""Finds the encodings that exist as files, and the pattern one of them gives for a bound."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType

import numpy as np

from generators.families import at_most_one, cardinality
from generators.patterns import Pattern

FOLDERS = {"amo": at_most_one, "card": cardinality}
KEPT_TOKENS = 2**22
"""Patterns of this size together are kept for the next group of the same kind (16 MB)."""

DEFAULTS = {"amo": "pairwise", "card": "totalizer"}


@cache
def names(kind: str) -> tuple[str, ...]:
    """The choices for `--set amo=` or `--set card=`."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(FOLDERS[kind].__path__)))


def module(kind: str, name: str) -> ModuleType:
    return importlib.import_module(f"{FOLDERS[kind].__name__}.{name}")


_kept: dict[tuple[str, str, int, int, int], Pattern] = {}


def pattern(kind: str, name: str, n: int, low: int, high: int) -> Pattern:
    """Clauses that hold when between `low` and `high` of n inputs are true."""
    key = kind, name, n, low, high
    if key not in _kept:
        made = _make(*key)
        if len(made.tokens) + sum(len(other.tokens) for other in _kept.values()) > KEPT_TOKENS:
            _kept.clear()
        _kept[key] = made
    return _kept[key]


def _make(kind: str, name: str, n: int, low: int, high: int) -> Pattern:
    x = np.arange(1, n + 1)
    if kind == "amo":
        tokens, used = module(kind, name).clauses(x, n + 1)
    else:
        tokens, used = module(kind, name).clauses(x, low, high, n + 1)
    return Pattern(n, used, tokens)
