"""Encodings of cardinality, linear and XOR constraints, integers and connectivity, one module each.

Each kind of encoding is a package. It has the name of the parameter by which the user selects one
of its modules (`--set amo=NAME`). Its docstring describes the functions that a module must have.
Each module has this attribute:

COUNT_PRESERVING : bool
    True if the inputs determine the auxiliary variables, so that the number of models is preserved.

Instead of `clauses` a module may have `choose`, which returns the name of another encoding. It may
also have `tokens`, which predicts the size of the clauses.

Examples
--------
>>> names("amo")
('bimander', 'commander', 'ladder', 'pairwise', 'product', 'sequential')
>>> pattern("amo", "pairwise", 3, 0, 1).tokens.tolist()
[-1, -2, 0, -1, -3, 0, -2, -3, 0]
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import NamedTuple

import numpy as np

from boardsat.base.limits import alternative, checkpoint
from boardsat.base.registry import Registry
from boardsat.generators.arrays import Pattern

MAX_CACHED_TOKENS = 2**22
"""Maximum size of the cached patterns together (16 MB)."""

TOKEN_BYTES = 64
"""Memory for each token of a pattern until the clauses of a group are made."""

LARGE_TOKENS = 2**16
"""Size from which an error about the memory suggests a smaller encoding."""

DEFAULT_TOKENS_PER_LITERAL = 64
"""Upper bound for an encoding without `tokens`."""


_registry = Registry(__name__, "kind of encoding")
kinds = _registry.names


def load_kind(kind: str) -> ModuleType:
    """Return the package of a kind; DEFAULT is its default encoding, MEANS its description."""
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
    """Weights of the inputs of a linear constraint, and implications between inputs."""

    values: tuple[int, ...]
    chains: tuple[int, ...]
    """Lengths of the chains of adjacent inputs: each input implies its predecessor in the chain. An
    input without implications is a chain by itself."""


Group = int | Weights
"""Inputs of a group: their number in a cardinality constraint, their weights in a linear one."""


def choose(kind: str, name: str, group: Group, low: int, high: int) -> str:
    """Return the encoding of a group: `name`, or the choice of an encoding such as `auto`."""
    selection = getattr(load(kind, name), "choose", None)
    selected: str = selection(group, low, high) if selection else name
    return selected


def smallest(kind: str, group: Group, low: int, high: int) -> str:
    """Return the choice of a default encoding such as `auto`; '' if the default has no choice."""
    default = load_kind(kind).DEFAULT
    selected = choose(kind, default, group, low, high)
    return "" if selected == default else selected


class _PatternCache:
    """Cache of patterns, emptied when it is full."""

    def __init__(self) -> None:
        self.patterns: dict[tuple[str, str, Group, int, int], Pattern] = {}
        self.tokens = 0

    def add(self, key: tuple[str, str, Group, int, int], pattern: Pattern) -> None:
        if self.tokens + len(pattern.tokens) > MAX_CACHED_TOKENS:
            self.patterns.clear()
            self.tokens = 0
        self.patterns[key] = pattern
        self.tokens += len(pattern.tokens)


_cache = _PatternCache()


def pattern(
    kind: str, name: str, group: Group, low: int, high: int, is_named: bool = False
) -> Pattern:
    """Return clauses that are satisfied if the total weight of true inputs is within the bounds.

    Parameters
    ----------
    kind, name : str
        Kind and name of the encoding.
    group : int or Weights
        Number of inputs, or their weights.
    low, high : int
        Lower and upper bound; both 1 for parity.
    is_named : bool
        True if the constraint itself names the encoding, for the remedy if it is too large.

    Raises
    ------
    InputError
        If the clauses do not fit in memory.
    """
    key = kind, choose(kind, name, group, low, high), group, low, high
    if key not in _cache.patterns:
        size = tokens(*key)
        best = smallest(kind, group, low, high) if size > LARGE_TOKENS else ""
        option = f"`encoding: {best}`" if is_named else f"--set {kind}={best}"
        with alternative(option if best not in ("", name) else ""):
            checkpoint(TOKEN_BYTES * size)
        _cache.add(key, _make(*key))
    return _cache.patterns[key]


def tokens(kind: str, name: str, group: Group, low: int, high: int) -> int:
    """Return an estimate of the number of tokens of a pattern, without making it."""
    encoding = load(kind, choose(kind, name, group, low, high))
    if hasattr(encoding, "tokens"):
        estimate: int = encoding.tokens(group, low, high)
        return estimate
    return DEFAULT_TOKENS_PER_LITERAL * _inputs(group)


def _inputs(group: Group) -> int:
    # `isinstance(group, int)` would test for the package of integer encodings once it is imported.
    return len(group.values) if isinstance(group, Weights) else group


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
