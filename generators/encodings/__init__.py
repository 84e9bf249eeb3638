"""Encodings of cardinalities, sums and parities, one file each, in a folder for each kind.

A folder has the name of the parameter that chooses from it (`--set amo=NAME`).
docs/adding-an-encoding.md tells what a file offers.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import NamedTuple

import numpy as np

from boardsat.base.limits import alternative, checkpoint
from boardsat.base.registry import Registry
from boardsat.generators.clauses.patterns import Pattern

KEPT_TOKENS = 2**22
"""Patterns of this size together are kept for the next group of the same kind (16 MB)."""

TOKEN_BYTES = 64
"""Memory that a token of a pattern takes until the clauses of a group are made."""

LARGE_TOKENS = 2**16
"""Size from which an encoding may be too large, so that a smaller one is looked for."""

USUAL = 64
"""Tokens for every literal, at most, of an encoding that does not tell its `tokens`."""


_registry = Registry(__name__, "kind of encoding")
kinds = _registry.names


def load_kind(kind: str) -> ModuleType:
    """Return the package of a kind: DEFAULT names an encoding, MEANS describes the choice."""
    return _registry.load(kind)


@cache
def _encodings_of(kind: str) -> Registry:
    return Registry(load_kind(kind).__name__, f"encoding of kind {kind}")


def names(kind: str) -> tuple[str, ...]:
    """Return the encodings of a kind: the choices for `--set amo=`, `--set card=` and so on."""
    return _encodings_of(kind).names()


def load(kind: str, name: str) -> ModuleType:
    """Return the module of an encoding."""
    return _encodings_of(kind).load(name)


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
    choice = getattr(load(kind, name), "choose", None)
    taken: str = choice(group, low, high) if choice else name
    return taken


def smallest(kind: str, group: Group, low: int, high: int) -> str:
    """The one that the size chooses, where there is such a choice."""
    default = load_kind(kind).DEFAULT
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


def pattern(
    kind: str, name: str, group: Group, low: int, high: int, is_named: bool = False
) -> Pattern:
    """Return clauses that hold when the weights of true inputs add up to `low` to `high`.

    `is_named`: the constraint names the encoding, for the remedy if it is too large.
    """
    key = kind, name, group, low, high
    if key not in _kept.patterns:
        size = tokens(*key)
        best = smallest(kind, group, low, high) if size > LARGE_TOKENS else ""
        shown = f"`encoding: {best}`" if is_named else f"--set {kind}={best}"
        with alternative(shown if best not in ("", name) else ""):
            checkpoint(TOKEN_BYTES * size)
        _kept.add(key, _make(*key))
    return _kept.patterns[key]


def tokens(kind: str, name: str, group: Group, low: int, high: int) -> int:
    """About how many tokens those clauses have, known before they are made."""
    encoding = load(kind, name)
    if hasattr(encoding, "tokens"):
        about: int = encoding.tokens(group, low, high)
        return about
    return USUAL * _inputs(group)


def _inputs(group: Group) -> int:
    # Once the encodings of integers are imported, `int` is their folder here.
    return len(group.each) if isinstance(group, Weights) else group


def _make(kind: str, name: str, group: Group, low: int, high: int) -> Pattern:
    clauses = load(kind, name).clauses
    n = _inputs(group)
    x = np.arange(1, n + 1)
    if kind in ("amo", "xor"):
        tokens, used = clauses(x, n + 1)
    elif isinstance(group, Weights):
        tokens, used = clauses(x, group, low, high, n + 1)
    else:
        tokens, used = clauses(x, low, high, n + 1)
    return Pattern(n, used, tokens)
