"""The constraints of a formula as lines of OPB, whole columns at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.clauses.objective import SoftClauses
from boardsat.generators.clauses.sums import Sums
from boardsat.generators.formula import Formula
from boardsat.generators.ragged import clause_starts, starts_of


@dataclass(frozen=True)
class Counts:
    variables: int
    constraints: int
    equal: int
    bits: int
    """Of the largest sum of a constraint or the objective."""


@dataclass(frozen=True)
class _Lines:
    """Sums of variables, one after the other, each with its numbers and what it reaches."""

    variables: Ints
    factors: Ints
    starts: Ints
    bounds: Ints
    equal: bool = False

    def largest(self) -> int:
        """The most that a line counts, with its bound."""
        sums = np.concatenate([[0], np.cumsum(np.abs(self.factors))])[self.starts]
        return int((np.diff(sums) + np.abs(self.bounds)).max(initial=0))

    def text(self) -> bytes:
        sign = "=" if self.equal else ">="
        starts, bounds = self.starts.tolist(), self.bounds.tolist()
        pairs = zip(self.factors.tolist(), self.variables.tolist(), strict=True)
        words = [f"{factor:+d} x{variable} " for factor, variable in pairs]
        lines = (
            f"{''.join(words[begin:end])}{sign} {bound} ;\n"
            for begin, end, bound in zip(starts[:-1], starts[1:], bounds, strict=True)
        )
        return "".join(lines).encode("ascii")


class LinearLines:
    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.paid: _Lines | None = None
        self.links: Tokens | None = None
        if formula.objective is not None:
            self.paid, self.links = _paid_for(formula.objective.soft, formula.variables + 1)

    def counts(self) -> Counts:
        constraints = equal = largest = 0
        for lines in self._all():
            constraints += len(lines.bounds)
            equal += len(lines.bounds) if lines.equal else 0
            largest = max(largest, lines.largest())
        variables = self.formula.variables
        if self.paid is not None:
            largest = max(largest, self.paid.largest())
            variables = max(variables, int(self.paid.variables.max(initial=0)))
        return Counts(max(1, variables), constraints, equal, max(1, largest.bit_length()))

    def told(self) -> Formula:
        """The formula as its comments describe it: a sum has no constant, so the offset has it."""
        objective = self.formula.objective
        if objective is None or self.paid is None:
            return self.formula
        constant = -int(self.paid.bounds[0])
        sign = 1 if objective.goal == "minimize" else -1
        moved = replace(objective, offset=objective.offset + sign * constant)
        return replace(self.formula, objective=moved)

    def objective(self) -> Iterator[bytes]:
        if self.paid is not None:
            pairs = zip(self.paid.factors.tolist(), self.paid.variables.tolist(), strict=True)
            words = "".join(f"{factor:+d} x{variable} " for factor, variable in pairs)
            yield f"min: {words};\n".encode("ascii")

    def constraints(self) -> Iterator[bytes]:
        for lines in self._all():
            yield lines.text()

    def _all(self) -> Iterator[_Lines]:
        for section in self.formula.sections:
            for sums in section.sums() if section.sums else ():
                yield from _of_sums(sums)
            for chunk in section.chunks():
                for rows in chunk.rows():
                    yield from _of_clauses(rows.tokens)
        if self.links is not None:
            yield from _of_clauses(self.links)


def _of_clauses(tokens: Tokens) -> Iterator[_Lines]:
    starts = clause_starts(tokens)
    sizes = np.diff(starts) - 1
    literals = tokens[tokens != 0].astype(np.int64)
    ones = np.ones(len(sizes), np.int64)
    yield _lines(literals, np.ones(len(literals), np.int64), starts_of(sizes), ones)


def _of_sums(sums: Sums) -> Iterator[_Lines]:
    """Of sums between two numbers: a line where these are equal, else one for each that matters."""
    literals = sums.literals.astype(np.int64)
    weights = np.ones(len(literals), np.int64) if sums.weights is None else sums.weights
    both = (sums.low == sums.high) & sums.demand
    rows = (
        (both, sums.low, 1, True),
        (~both & (sums.low > 0), sums.low, 1, False),
        # At most so much is, of the negations, at least all the rest.
        (~both & (sums.high < sums.most), sums.most - sums.high, -1, False),
    )
    for chosen, bounds, sign, equal in rows:
        if chosen.any():
            inside = np.repeat(chosen, sums.sizes)
            starts = starts_of(sums.sizes[chosen])
            yield _lines(sign * literals[inside], weights[inside], starts, bounds[chosen], equal)


def _lines(
    literals: Ints, weights: Ints, starts: Ints, bounds: Ints, equal: bool = False
) -> _Lines:
    """Variables alone, each once in its line: a negated one is 1 without it."""
    rows = np.repeat(np.arange(len(bounds)), np.diff(starts))
    negated = literals < 0
    bounds = bounds - np.bincount(rows[negated], weights[negated], len(bounds)).astype(np.int64)
    variables, factors = np.abs(literals), np.where(negated, -weights, weights)
    order = np.lexsort((variables, rows))
    rows, variables, factors = rows[order], variables[order], factors[order]
    new = np.ones(len(rows), np.bool_)
    new[1:] = (np.diff(rows) != 0) | (np.diff(variables) != 0)
    if not new.all():
        factors = np.add.reduceat(factors, np.flatnonzero(new))
        rows, variables = rows[new], variables[new]
    sizes = np.bincount(rows, minlength=len(bounds))
    if (sizes == 0).any():
        # A line must have a variable, even if it says that nothing reaches its bound.
        places = np.cumsum(sizes)[sizes == 0]
        variables, factors = np.insert(variables, places, 1), np.insert(factors, places, 0)
        sizes[sizes == 0] = 1
    return _Lines(variables, factors, starts_of(sizes), bounds, equal)


def _paid_for(soft: SoftClauses, fresh: int) -> tuple[_Lines, Tokens]:
    """What is minimised, and clauses that set a fresh variable where a longer one does not hold."""
    starts = clause_starts(soft.tokens)
    single = np.diff(starts) == 2
    paid = np.zeros(len(soft.weights), np.int64)
    paid[single] = -soft.tokens[starts[:-1][single]]
    numbers = fresh + np.arange(int((~single).sum()))
    paid[~single] = numbers
    inside = np.repeat(~single, np.diff(starts))
    links = soft.tokens[inside]
    links = np.insert(links, np.flatnonzero(links == 0), numbers).astype(np.int32)
    return _lines(paid, soft.weights, np.array([0, len(paid)]), np.zeros(1, np.int64)), links
