"""Small random questions with an optimum: as data, as a spec, and their best value by force."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from boardsat.generators import Formula
from helpers.formulas import make

Wish = tuple[int, list[int]]
"""Soft clause: its weight, and its literals."""


@dataclass(frozen=True)
class Random:
    """Clauses, a sum, wishes and an objective over seven variables, as plain data."""

    clauses: list[list[int]]
    wishes: list[Wish]
    weights: list[int]
    bounded: list[int]
    max_true: int

    @staticmethod
    def of(seed: int) -> Random:
        chance = random.Random(seed)

        def clause(size: int) -> list[int]:
            return [chance.choice([-1, 1]) * v for v in chance.sample(range(1, 8), size)]

        return Random(
            [clause(3) for _ in range(9)],
            [(chance.randint(1, 9), clause(size)) for size in (1, 2, 3, 3)],
            [chance.randint(-5, 9) for _ in range(7)],
            [chance.randint(-2, 4) for _ in range(7)],
            chance.randint(1, 5),
        )

    def formula(self, form: str = "") -> Formula:
        return make(
            form=form,
            variables={"X": {"for": "i in range(1, 8)"}},
            constraints=[
                *({"clause": _clause(clause)} for clause in self.clauses),
                *({"clause": _clause(c), "soft": str(weight)} for weight, c in self.wishes),
                {"sum": f"{_sum(self.bounded)} <= {self.max_true}"},
            ],
            minimize=_sum(self.weights),
        )

    def best(self) -> int | None:
        """The least value, of all that there are."""
        values = map(self._value, product([False, True], repeat=7))
        return min((value for value in values if value is not None), default=None)

    def _value(self, truth: Sequence[bool]) -> int | None:
        def holds(clause: list[int]) -> bool:
            return any(truth[abs(x) - 1] == (x > 0) for x in clause)

        def counted(weights: list[int]) -> int:
            return sum(w for w, true in zip(weights, truth, strict=True) if true)

        if not all(map(holds, self.clauses)) or counted(self.bounded) > self.max_true:
            return None
        return counted(self.weights) + sum(w for w, clause in self.wishes if not holds(clause))


def _clause(literals: list[int]) -> str:
    return " or ".join(f"{'not ' if x < 0 else ''}X[{abs(x)}]" for x in literals)


def _sum(weights: list[int]) -> str:
    terms = " + ".join(f"{w} * X[{v}]" for v, w in enumerate(weights, 1))
    return terms.replace("+ -", "- ")
