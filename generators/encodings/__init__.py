"""Encodings of cardinality constraints, one file each, in a folder for each kind.

A folder has the name of the parameter that chooses from it (`--set amo=NAME`).
docs/adding-an-encoding.md tells what a file offers.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType

import numpy as np

from boardsat.generators.clauses.patterns import Pattern
from boardsat.generators.limits import STEP, WorkBudget

KEPT_TOKENS = 2**22
"""Patterns of this size together are kept for the next group of the same kind (16 MB)."""

TOKEN_BYTES, TOKEN_WORK = 64, 40
"""What a token of a pattern takes until the clauses of a group are made."""

MAKING = 2**9 * STEP
"""The work of making a pattern, however small."""

USUAL = 64
"""Tokens for every literal, at most, of an encoding that does not tell its `tokens`."""


@cache
def kinds() -> tuple[str, ...]:
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if m.ispkg))


def folder(kind: str) -> ModuleType:
    """With DEFAULT, the choice where nobody makes one, and MEANS, what is chosen."""
    return importlib.import_module(f"{__name__}.{kind}")


@cache
def names(kind: str) -> tuple[str, ...]:
    """The choices for `--set amo=` or `--set card=`."""
    found = (module.name for module in pkgutil.iter_modules(folder(kind).__path__))
    return tuple(sorted(name for name in found if not name.startswith("_")))


def module(kind: str, name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{kind}.{name}")


def choose(kind: str, name: str, n: int, low: int, high: int) -> str:
    """The encoding that is taken for a group, where one name stands for several."""
    choice = getattr(module(kind, name), "choose", None)
    taken: str = choice(n, low, high) if choice else name
    return taken


def smallest(kind: str, n: int, low: int, high: int) -> str:
    """The one that the size chooses, where there is such a choice."""
    default = folder(kind).DEFAULT
    taken = choose(kind, default, n, low, high)
    return "" if taken == default else taken


_kept: dict[tuple[str, str, int, int, int], Pattern] = {}


def pattern(kind: str, name: str, n: int, low: int, high: int, budget: WorkBudget) -> Pattern:
    """Clauses that hold when between `low` and `high` of n inputs are true."""
    key = kind, name, n, low, high
    if key not in _kept:
        size = tokens(*key)
        budget.room(TOKEN_BYTES * size)
        budget.spend(TOKEN_WORK * size + MAKING)
        made = _make(*key)
        if len(made.tokens) + sum(len(other.tokens) for other in _kept.values()) > KEPT_TOKENS:
            _kept.clear()
        _kept[key] = made
    return _kept[key]


def tokens(kind: str, name: str, n: int, low: int, high: int) -> int:
    """About how many tokens those clauses have, known before they are made."""
    encoding = module(kind, name)
    if hasattr(encoding, "tokens"):
        about: int = encoding.tokens(n, low, high)
        return about
    return n * USUAL


def _make(kind: str, name: str, n: int, low: int, high: int) -> Pattern:
    x = np.arange(1, n + 1)
    if kind == "amo":
        tokens, used = module(kind, name).clauses(x, n + 1)
    else:
        tokens, used = module(kind, name).clauses(x, low, high, n + 1)
    return Pattern(n, used, tokens)
