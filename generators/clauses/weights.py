"""Soft clauses with weights, and the objective: minimize the weight of the falsified ones.

A weighted sum of literals is a special case: a literal of cost 3 is its negation as a soft clause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import gcd
from typing import NamedTuple

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.generators.arrays import TRUE, Ints, Tokens, clause_starts, clean, take_rows


@dataclass(frozen=True)
class SoftClauses:
    """Soft clauses side by side."""

    tokens: Tokens
    """Clauses, each ended by 0."""
    weights: Ints
    """Positive weight of every clause."""

    @property
    def literals(self) -> int:
        return len(self.tokens) - len(self.weights)

    @property
    def total(self) -> int:
        return int(self.weights.sum(dtype=object))

    def each(self) -> Iterator[tuple[int, list[int]]]:
        """Yield the weight and the literals of every clause."""
        starts, tokens = clause_starts(self.tokens).tolist(), self.tokens.tolist()
        for number, weight in enumerate(self.weights.tolist()):
            yield weight, tokens[starts[number] : starts[number + 1] - 1]


def soft_clauses(tokens: Tokens, weights: Ints) -> SoftClauses:
    """Return soft clauses without constant literals, and without those that are satisfied."""
    lengths = np.diff(clause_starts(tokens))
    owner = np.repeat(np.arange(len(lengths)), lengths)
    satisfied = np.zeros(len(lengths), np.bool_)
    satisfied[owner[tokens == TRUE]] = True
    return SoftClauses(clean(tokens), weights[~satisfied])


def units(literals: Tokens, weights: Ints) -> SoftClauses:
    """Return soft clauses for literals with the cost of each if it is true."""
    tokens = np.zeros((len(literals), 2), np.int32)
    tokens[:, 0] = -literals
    return SoftClauses(tokens.reshape(-1), weights)


@dataclass(frozen=True)
class Objective:
    """Objective function: direction, soft clauses, and the value at cost 0."""

    goal: str
    """`minimize` or `maximize`."""
    text: str
    """Expression of the spec; empty if it has soft constraints only."""
    soft: SoftClauses
    offset: int
    """Value of a model that satisfies all soft clauses."""

    def told(self) -> dict[str, str | int]:
        """Return the entry of the header; a model's value is the offset plus or minus its cost."""
        of = {"of": self.text} if self.text else {}
        return {"goal": self.goal, **of, "offset": self.offset}

    def renamed(self, literals: Tokens) -> Objective:
        """Return the objective with renamed literals, given by a table with negative indices."""
        return replace(self, soft=replace(self.soft, tokens=literals[self.soft.tokens]))


def gathered(goal: str, text: str, offset: int, pieces: Sequence[SoftClauses]) -> Objective:
    """Return the objective of all soft clauses; the cost of empty ones is added to the offset."""
    tokens = np.concatenate([np.zeros(0, np.int32), *(piece.tokens for piece in pieces)])
    weights = np.concatenate([np.zeros(0, np.int64), *(piece.weights for piece in pieces)])
    starts = clause_starts(tokens)
    empty = np.diff(starts) == 1
    cost = int(weights[empty].sum(dtype=object))
    others = np.flatnonzero(~empty)
    soft = SoftClauses(take_rows(tokens, starts, others), weights[others])
    return Objective(goal, text, soft, offset + (cost if goal == "minimize" else -cost))


LONGEST_DECIMAL = 18
"""Digits after the point; what takes more is written as a fraction."""


class WeightedLiterals(NamedTuple):
    """Both literals of every variable that has weights; all others have 1."""

    literals: Tokens
    above: Ints
    below: Ints
    """Numerators, from 0 on, and denominators, from 1 on."""

    def renamed(self, literals: Tokens) -> WeightedLiterals:
        """Return the weights of renamed literals, given by a table with negative indices."""
        return self._replace(literals=literals[self.literals])

    def lines(self) -> Iterator[str]:
        """Yield the lines of a file, in the order of the variables."""
        order = np.lexsort((-self.literals, np.abs(self.literals)))
        columns = (self.literals, self.above, self.below)
        texts: dict[tuple[int, int], str] = {}
        for literal, *weight in zip(*(column[order].tolist() for column in columns), strict=True):
            key = (weight[0], weight[1])
            if key not in texts:
                texts[key] = _text(*key)
            yield f"c p weight {literal} {texts[key]} 0"


def joined_weights(pieces: Sequence[WeightedLiterals]) -> WeightedLiterals:
    """Return the weights of several pieces as one."""
    return WeightedLiterals(
        np.concatenate([piece.literals for piece in pieces]),
        np.concatenate([piece.above for piece in pieces]),
        np.concatenate([piece.below for piece in pieces]),
    )


def _text(above: int, below: int) -> str:
    """Return a decimal if it is exact, as some counters do not read fractions."""
    common = gcd(above, below)
    above, below = above // common, below // common
    for digits in range(LONGEST_DECIMAL + 1):
        scaled, rest = divmod(above * 10**digits, below)
        if not rest:
            padded = str(scaled).zfill(digits + 1)
            return f"{padded[:-digits]}.{padded[-digits:]}" if digits else padded
    return f"{above}/{below}"
