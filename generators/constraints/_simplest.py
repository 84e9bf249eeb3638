"""One sum in its simplest form: no literal that the bounds decide, no weight beyond need."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from math import gcd

import numpy as np

from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.clauses.patterns import Pattern
from boardsat.generators.encodings import Weights

PASSES = 64
"""What is decided may decide more; it is right to stop at any time."""

Chain = list[tuple[int, int]]
"""Inputs, numbered from 1, of which each implies the one before, and what each counts."""


@dataclass(frozen=True)
class Simplest:
    """What is left of a sum, and what is known of its other inputs."""

    inputs: int
    units: tuple[int, ...]
    """Inputs that are true, and with a sign those that are false."""
    chains: tuple[Chain, ...]
    """What is left: nothing where all is known."""
    low: int
    high: int

    @property
    def is_known(self) -> bool:
        """Nothing that is left can change whether the bounds are met."""
        return not self.chains

    @property
    def weights(self) -> Weights:
        each = tuple(weight for chain in self.chains for _, weight in chain)
        return Weights(each, tuple(map(len, self.chains)))

    @property
    def is_count(self) -> bool:
        """Whether it is the number of true inputs that is bounded."""
        return all(len(chain) == 1 and chain[0][1] == 1 for chain in self.chains)

    def around(self, pattern: Pattern | None = None) -> Pattern:
        """The clauses of all inputs, where the pattern says what holds for those that are left."""
        known = [token for unit in self.units for token in (unit, 0)]
        if pattern is None:
            possible = self.low <= 0 <= self.high
            return Pattern(self.inputs, 0, np.array(known if possible else [0], np.int32))
        slots = [slot for chain in self.chains for slot, _ in chain]
        fresh = self.inputs + 1 + np.arange(pattern.auxiliaries)
        numbers = np.concatenate([[0], slots, fresh]).astype(np.int32)
        tokens = numbers[np.abs(pattern.tokens)] * np.sign(pattern.tokens)
        whole = np.concatenate([np.array(known, np.int32), tokens])
        return Pattern(self.inputs, pattern.auxiliaries, whole)


def simplest(weights: Ints, heads: Bools, low: int, high: int) -> Simplest:
    chains: list[Chain] = []
    for slot, (weight, head) in enumerate(zip(weights.tolist(), heads.tolist(), strict=True), 1):
        if head:
            chains.append([])
        chains[-1].append((slot, weight))
    sum_ = _Sum(chains, low, high)
    for _ in range(PASSES):
        before = sum_.low, sum_.high, len(sum_.units), sum_.total
        sum_.decide()
        sum_.saturate()
        sum_.divide()
        if before == (sum_.low, sum_.high, len(sum_.units), sum_.total):
            break
    left = () if sum_.is_known else tuple(sum_.chains)
    return Simplest(len(weights), tuple(sum_.units), left, sum_.low, sum_.high)


class _Sum:
    def __init__(self, chains: list[Chain], low: int, high: int) -> None:
        self.chains, self.low, self.high = chains, low, high
        self.units: list[int] = []
        self._clip()

    @property
    def total(self) -> int:
        return sum(weight for chain in self.chains for _, weight in chain)

    @property
    def is_known(self) -> bool:
        return self.low > self.high or (self.low == 0 and self.high == self.total)

    def _clip(self) -> None:
        self.low, self.high = max(self.low, 0), min(self.high, self.total)

    def decide(self) -> None:
        """Inputs that alone are too much are false; without which it is not enough, true."""
        if self.is_known:
            return
        total, low, high = self.total, self.low, self.high
        left = []
        for chain in self.chains:
            sums = [*accumulate((weight for _, weight in chain), initial=0)]
            needed = sum(total - sums[-1] + before < low for before in sums[:-1])
            possible = sum(after <= high for after in sums[1:])
            self.units += [slot for slot, _ in chain[:needed]]
            self.units += [-slot for slot, _ in chain[possible:]]
            self.low -= sums[needed]
            self.high -= sums[needed]
            left.append(chain[needed:possible])
        self.chains = [chain for chain in left if chain]
        self._clip()

    def saturate(self) -> None:
        """Where more does not matter once the lower bound is reached, none counts more than it."""
        if self.is_known or self.high < self.total:
            return
        for place, chain in enumerate(self.chains):
            sums = accumulate((weight for _, weight in chain), initial=0)
            capped = np.diff([min(reached, self.low) for reached in sums]).tolist()
            slots = [slot for slot, _ in chain]
            self.chains[place] = [(s, w) for s, w in zip(slots, capped, strict=True) if w]
        self.high = self.total

    def divide(self) -> None:
        """By what all weights have in common."""
        common = gcd(*(weight for chain in self.chains for _, weight in chain))
        if common > 1:
            self.chains = [[(s, w // common) for s, w in chain] for chain in self.chains]
            self.low, self.high = -(-self.low // common), self.high // common
