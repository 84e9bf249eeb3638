"""Encodings of cardinalities, sums and parities, one file each, in a folder for each kind.

A folder has the name of the parameter that chooses from it (`--set amo=NAME`).
docs/adding-an-encoding.md tells what a file offers.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType
from typing import NamedTuple

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
    """The choices for `--set amo=`, `--set card=` and so on."""
    found = (module.name for module in pkgutil.iter_modules(folder(kind).__path__))
    return tuple(sorted(name for name in found if not name.startswith("_")))


def module(kind: str, name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{kind}.{name}")


class Weights(NamedTuple):
    """Of the inputs of a sum: how much each counts, and which imply others."""

    each: tuple[int, ...]
    chains: tuple[int, ...]
    """Inputs side by side of which each implies the one before: how many are in every such chain.
    One that implies no other and is implied by none is a chain by itself."""


Group = int | Weights
"""How many inputs there are; or what each of them counts."""


def choose(kind: str, name: str, group: Group, low: int, high: int) -> str:
    """The encoding that is taken for a group, where one name stands for several."""
    choice = getattr(module(kind, name), "choose", None)
    taken: str = choice(group, low, high) if choice else name
    return taken


def smallest(kind: str, group: Group, low: int, high: int) -> str:
    """The one that the size chooses, where there is such a choice."""
    default = folder(kind).DEFAULT
    taken = choose(kind, default, group, low, high)
    return "" if taken == default else taken


class _Kept:
    """The last patterns that were made."""

    def __init__(self) -> None:
        self.patterns: dict[tuple[str, str, Group, int, int], Pattern] = {}
        self.tokens = 0

    def add(self, key: tuple[str, str, Group, int, int], pattern: Pattern) -> None:
        if self.tokens + len(pattern.tokens) > KEPT_TOKENS:
            self.patterns.clear()
            self.tokens = 0
        self.patterns[key] = pattern
        self.tokens += len(pattern.tokens)


_kept = _Kept()


def pattern(kind: str, name: str, group: Group, low: int, high: int, budget: WorkBudget) -> Pattern:
    """Clauses that hold when between `low` and `high` of the inputs are true, by their weights."""
    key = kind, name, group, low, high
    if key not in _kept.patterns:
        size = tokens(*key)
        budget.room(TOKEN_BYTES * size)
        budget.spend(TOKEN_WORK * size + MAKING)
        _kept.add(key, _make(*key))
    return _kept.patterns[key]


def tokens(kind: str, name: str, group: Group, low: int, high: int) -> int:
    """About how many tokens those clauses have, known before they are made."""
    encoding = module(kind, name)
    if hasattr(encoding, "tokens"):
        about: int = encoding.tokens(group, low, high)
        return about
    return USUAL * _inputs(group)


def _inputs(group: Group) -> int:
    # Once the encodings of integers are imported, `int` is their folder here.
    return len(group.each) if isinstance(group, Weights) else group


def _make(kind: str, name: str, group: Group, low: int, high: int) -> Pattern:
    clauses = module(kind, name).clauses
    n = _inputs(group)
    x = np.arange(1, n + 1)
    if kind in ("amo", "xor"):
        tokens, used = clauses(x, n + 1)
    elif isinstance(group, Weights):
        tokens, used = clauses(x, group, low, high, n + 1)
    else:
        tokens, used = clauses(x, low, high, n + 1)
    return Pattern(n, used, tokens)
