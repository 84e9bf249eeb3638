"""Weighted formulas for tests: random ones, brute-force counts, and an independent reader."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import product


@dataclass(frozen=True)
class Weighed:
    """Clauses over variables 1 to n, weights of literals, and the projection."""

    variables: int
    clauses: list[list[int]]
    weights: dict[int, Fraction]
    projection: list[int] | None

    @staticmethod
    def of(seed: int) -> Weighed:
        chance = random.Random(seed)
        n = chance.randint(1, 7)

        def clause() -> list[int]:
            chosen = chance.sample(range(1, n + 1), chance.randint(1, min(n, 3)))
            return [chance.choice([-1, 1]) * variable for variable in chosen]

        def weight() -> Fraction:
            return Fraction(chance.choice([0, 1, 1, 2, 3, 7, 100]), chance.choice([1, 2, 3, 10, 7]))

        projection = sorted(chance.sample(range(1, n + 1), chance.randint(0, n)))
        over = projection if chance.random() < 0.5 else None
        named = [v for v in (over or range(1, n + 1)) if chance.random() < 0.8 and over != []]
        return Weighed(
            n,
            [clause() for _ in range(chance.randint(0, n + 1))],
            {sign * v: weight() for v in named for sign in (1, -1)},
            over,
        )

    @property
    def text(self) -> str:
        """Text in the format of the Model Counting Competition, weights in several notations."""
        over = self.projection
        show = "" if over is None else f"c p show {''.join(f'{v} ' for v in over)}0\n"
        lines = "".join(f"c p weight {lit} {_said(w)} 0\n" for lit, w in self.weights.items())
        rows = "".join(f"{' '.join(map(str, clause))} 0\n" for clause in self.clauses)
        kind = "wmc" if over is None else "pwmc"
        return f"c t {kind}\np cnf {self.variables} {len(self.clauses)}\n{show}{lines}{rows}"

    @property
    def total(self) -> Fraction:
        """Weighted count, by brute force."""
        over = range(1, self.variables + 1) if self.projection is None else self.projection
        models = {tuple(model[v - 1] for v in over) for model in self._models()}
        return sum((self._product(literals) for literals in models), Fraction(0))

    def _models(self) -> Iterator[tuple[int, ...]]:
        for signs in product((1, -1), repeat=self.variables):
            model = tuple(sign * v for v, sign in enumerate(signs, 1))
            if all(set(clause) & set(model) for clause in self.clauses):
                yield model

    def _product(self, literals: tuple[int, ...]) -> Fraction:
        weight = Fraction(1)
        for literal in literals:
            weight *= self.weights.get(literal, 1)
        return weight


def _said(weight: Fraction) -> str:
    numerator, denominator = weight.as_integer_ratio()
    if denominator in (1, 2, 10):
        decimal = Decimal(numerator) / denominator
        return f"{decimal:E}" if denominator == 10 else str(decimal)
    return f"{numerator}/{denominator}"


def read_back(text: str) -> Weighed:
    """Read a file by a reader that shares no code with the project."""
    weights: dict[int, Fraction] = {}
    projection: list[int] | None = None
    clauses: list[list[int]] = []
    variables = 0
    for line in text.splitlines():
        match line.split():
            case ["p", "cnf", number, _]:
                variables = int(number)
            case ["c", "p", "weight", literal, weight, "0"]:
                weights[int(literal)] = Fraction(weight)
            case ["c", "p", "show", *numbers]:
                projection = [int(number) for number in numbers[:-1]]
            case ["c", "ind", *numbers]:
                projection = [*(projection or []), *(int(number) for number in numbers[:-1])]
            case ["c", *_]:
                pass
            case words:
                clauses.append([int(token) for token in words[:-1]])
    return Weighed(variables, clauses, weights, projection)
