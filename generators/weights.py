"""Weights: soft clauses with the objective of optimization, and literal weights for counting.

The objective is to minimize the total weight of the falsified soft clauses. A weighted sum of
literals is a special case: a literal of cost 3 is its negation as a soft clause of weight 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import gcd
from typing import NamedTuple

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.generators.arrays import TRUE, Ints, Tokens, clause_starts, clean, take_rows

MAX_DECIMAL_PLACES = 18
"""Decimal places up to which a weight is written as a decimal, otherwise as a fraction."""


@dataclass(frozen=True)
class SoftClauses:
    """Soft clauses with their weights."""

    tokens: Tokens
    """Clauses, each ended by 0."""
    weights: Ints
    """Positive weight of each clause."""

    @property
    def literals(self) -> int:
        """Number of literals of all clauses."""
        return len(self.tokens) - len(self.weights)

    @property
    def total_weight(self) -> int:
        return int(self.weights.sum(dtype=object))

    def weighted_clauses(self) -> Iterator[tuple[int, list[int]]]:
        """Yield the weight and the literals of each clause."""
        starts, tokens = clause_starts(self.tokens).tolist(), self.tokens.tolist()
        for index, weight in enumerate(self.weights.tolist()):
            yield weight, tokens[starts[index] : starts[index + 1] - 1]


def clean_soft_clauses(tokens: Tokens, weights: Ints) -> SoftClauses:
    """Return soft clauses without constant literals and satisfied clauses."""
    lengths = np.diff(clause_starts(tokens))
    clause = np.repeat(np.arange(len(lengths)), lengths)
    is_satisfied = np.zeros(len(lengths), np.bool_)
    is_satisfied[clause[tokens == TRUE]] = True
    return SoftClauses(clean(tokens), weights[~is_satisfied])


def unit_soft_clauses(literals: Tokens, weights: Ints) -> SoftClauses:
    """Return a soft clause for each literal, which costs its weight if the literal is true."""
    tokens = np.zeros((len(literals), 2), np.int32)
    tokens[:, 0] = -literals
    return SoftClauses(tokens.reshape(-1), weights)


@dataclass(frozen=True)
class Objective:
    """Objective function: direction, soft clauses, and the value at cost 0."""

    goal: str
    """`minimize` or `maximize`."""
    text: str
    """Expression of the spec; empty if the spec has soft constraints only."""
    soft: SoftClauses
    offset: int
    """Value of a model that satisfies all soft clauses."""

    def to_json(self) -> dict[str, str | int]:
        """Return the entry of the header.

        The value of a model is offset + cost, or offset - cost if it is maximized.
        """
        expression = {"of": self.text} if self.text else {}
        return {"goal": self.goal, **expression, "offset": self.offset}

    def renamed(self, literals: Tokens) -> Objective:
        """Return the objective with renamed literals.

        `literals` has the new literal at the index of the old one; negative indices count from the
        end.
        """
        return replace(self, soft=replace(self.soft, tokens=literals[self.soft.tokens]))


def build_objective(goal: str, text: str, offset: int, pieces: Sequence[SoftClauses]) -> Objective:
    """Return the objective of all soft clauses; empty clauses are removed and change the offset."""
    tokens = np.concatenate([np.zeros(0, np.int32), *(piece.tokens for piece in pieces)])
    weights = np.concatenate([np.zeros(0, np.int64), *(piece.weights for piece in pieces)])
    starts = clause_starts(tokens)
    is_empty = np.diff(starts) == 1
    cost = int(weights[is_empty].sum(dtype=object))
    nonempty = np.flatnonzero(~is_empty)
    soft = SoftClauses(take_rows(tokens, starts, nonempty), weights[nonempty])
    return Objective(goal, text, soft, offset + (cost if goal == "minimize" else -cost))


class WeightedLiterals(NamedTuple):
    """Weights of both literals of some variables, as fractions; other literals have weight 1."""

    literals: Tokens
    numerators: Ints
    """Nonnegative numerators."""
    denominators: Ints
    """Positive denominators."""

    def renamed(self, literals: Tokens) -> WeightedLiterals:
        """Return the weights of renamed literals.

        `literals` has the new literal at the index of the old one; negative indices count from the
        end.
        """
        return self._replace(literals=literals[self.literals])

    def lines(self) -> Iterator[str]:
        """Yield the `c p weight` lines of a file, in the order of the variables."""
        order = np.lexsort((-self.literals, np.abs(self.literals)))
        texts: dict[tuple[int, int], str] = {}
        for literal, *weight in zip(*(column[order].tolist() for column in self), strict=True):
            fraction = (weight[0], weight[1])
            if fraction not in texts:
                texts[fraction] = _weight_text(*fraction)
            yield f"c p weight {literal} {texts[fraction]} 0"


def concatenate_weights(pieces: Sequence[WeightedLiterals]) -> WeightedLiterals:
    """Return the weights of several pieces as one."""
    return WeightedLiterals(*map(np.concatenate, zip(*pieces, strict=True)))


def _weight_text(numerator: int, denominator: int) -> str:
    """Return a weight as a decimal if that is exact, because some counters reject fractions."""
    divisor = gcd(numerator, denominator)
    numerator, denominator = numerator // divisor, denominator // divisor
    for places in range(MAX_DECIMAL_PLACES + 1):
        scaled, remainder = divmod(numerator * 10**places, denominator)
        if not remainder:
            padded = str(scaled).zfill(places + 1)
            return f"{padded[:-places]}.{padded[-places:]}" if places else padded
    return f"{numerator}/{denominator}"
