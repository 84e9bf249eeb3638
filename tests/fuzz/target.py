"""Fuzz target: seed inputs, mutations, and properties of every input."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from fuzz.mutation import mutated

FINDS = Path(__file__).parent / "finds"


@dataclass(frozen=True)
class Target:
    """One kind of input. `check` raises on a fault; a rejection in one line is not a fault."""

    seeds: Callable[[], Sequence[bytes]]
    check: Callable[[bytes], None]
    fresh: Callable[[Random], bytes] | None = None
    """A new input from a grammar, where mutations would give nonsense only."""
    forge: Callable[[Random], bytes] | None = None
    """Generator of inputs from a grammar for every second input; the others are mutations."""
    tokens: Sequence[str] = ()
    """Tokens with a meaning in this kind of input."""
    are_valid: bool = False
    """True if inputs are valid by construction, so that a rejection is a fault."""

    def changed(self, data: bytes, seeds: Sequence[bytes], chance: Random) -> bytes:
        """Another input: most of the time not far from this one."""
        if self.fresh is not None:
            return self.fresh(chance)
        if self.forge is not None and chance.random() < 0.5:
            return self.forge(chance)
        return mutated(data, seeds, self.tokens, chance)


def names() -> list[str]:
    return sorted(path.stem for path in (Path(__file__).parent / "targets").glob("[a-z]*.py"))


def load(name: str) -> Target:
    target: Target = importlib.import_module(f"fuzz.targets.{name}").TARGET
    return target


def finds(name: str) -> list[Path]:
    """Return the inputs that found faults of a target in the past."""
    return sorted((FINDS / name).glob("*"))
