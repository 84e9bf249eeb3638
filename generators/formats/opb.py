"""OPB of pseudo-Boolean competitions: linear constraints, and a clause is a sum of at least 1.

Only variables occur, never their negations, and only `>=` and `=`: all solvers read that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, clause_starts, starts_of
from boardsat.generators.clauses.blocks import LinearConstraints
from boardsat.generators.clauses.weights import SoftClauses
from boardsat.generators.formula import Formula

if TYPE_CHECKING:
    from boardsat.base.compression import Buffer

NATIVE_CONSTRAINTS, HAS_OBJECTIVE, HAS_PROJECTION = "sums", True, False


def fresh(formula: Formula) -> int:
    """Return the number of extra variables: one for each soft clause that is not a literal."""
    soft = formula.objective.soft if formula.objective else None
    return sum(len(literals) > 1 for _, literals in soft.each()) if soft else 0


def document(formula: Formula, projection: str | None = None) -> Iterator[Buffer]:
    from boardsat.generators.dimacs import document

    lines = _Document(formula)
    yield lines.counts()
    comments = document.comments(lines.described(), variables=lines.num_variables)
    yield "".join(f"*{line[1:]}\n" for line in comments.splitlines()).encode("ascii")
    if lines.cost is not None:
        yield f"min: {lines.cost.terms()[0]};\n".encode("ascii")
    for constraints in lines.constraints():
        yield constraints.text()


@dataclass(frozen=True)
class _Lines:
    """Constraints over variables side by side: coefficients, and `>=` or `=` a bound."""

    variables: Ints
    coefficients: Ints
    starts: Ints
    bounds: Ints
    equal: bool = False

    def max_sum(self) -> int:
        """Return the largest sum of the absolute values of a line's coefficients and bound."""
        sums = np.concatenate([[0], np.cumsum(np.abs(self.coefficients))])[self.starts]
        return int((np.diff(sums) + np.abs(self.bounds)).max(initial=0))

    def terms(self) -> list[str]:
        """Return the left-hand side of every line."""
        pairs = zip(self.coefficients.tolist(), self.variables.tolist(), strict=True)
        terms = [f"{coefficient:+d} x{variable} " for coefficient, variable in pairs]
        return ["".join(terms[begin:end]) for begin, end in pairwise(self.starts.tolist())]

    def text(self) -> bytes:
        sign = "=" if self.equal else ">="
        rows = zip(self.terms(), self.bounds.tolist(), strict=True)
        return "".join(f"{terms}{sign} {bound} ;\n" for terms, bound in rows).encode("ascii")


class _Document:
    """Formula as linear constraints, with the cost to minimize if it has an objective."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.cost: _Lines | None = None
        self.links: Tokens | None = None
        self.num_variables = max(1, formula.variables)
        if formula.objective is not None:
            self.cost, self.links = _cost_of(formula.objective.soft, formula.variables + 1)
            self.num_variables = max(1, formula.variables, int(self.cost.variables.max(initial=0)))

    def counts(self) -> bytes:
        """Return the first line of the file: the numbers of variables and constraints."""
        constraints = equal = 0
        max_sum = self.cost.max_sum() if self.cost is not None else 0
        for lines in self.constraints():
            constraints += len(lines.bounds)
            equal += len(lines.bounds) if lines.equal else 0
            max_sum = max(max_sum, lines.max_sum())
        return (
            f"* #variable= {self.num_variables} #constraint= {constraints} "
            f"#equal= {equal} intsize= {max(1, max_sum.bit_length())}\n"
        ).encode("ascii")

    def described(self) -> Formula:
        """Return the formula for the comments: a cost has no constant, the offset includes it."""
        objective = self.formula.objective
        if objective is None or self.cost is None:
            return self.formula
        constant = -int(self.cost.bounds[0])
        sign = 1 if objective.goal == "minimize" else -1
        shifted = replace(objective, offset=objective.offset + sign * constant)
        return replace(self.formula, objective=shifted)

    def constraints(self) -> Iterator[_Lines]:
        for section in self.formula.sections:
            for sums in section.sums() if section.sums else ():
                yield from _lines_of_linear(sums)
            for chunk in section.chunks():
                for rows in chunk.rows():
                    yield _lines_of_clauses(rows.tokens)
        if self.links is not None:
            yield _lines_of_clauses(self.links)


def _lines_of_clauses(tokens: Tokens) -> _Lines:
    sizes = np.diff(clause_starts(tokens)) - 1
    literals = tokens[tokens != 0].astype(np.int64)
    ones = np.ones(len(sizes), np.int64)
    return _lines(literals, np.ones(len(literals), np.int64), starts_of(sizes), ones)


def _lines_of_linear(sums: LinearConstraints) -> Iterator[_Lines]:
    """Yield a line for each constraint with equal bounds, else one for each bound that matters."""
    literals = sums.literals.astype(np.int64)
    weights = np.ones(len(literals), np.int64) if sums.weights is None else sums.weights
    equal = (sums.low == sums.high) & sums.demand
    cases = (
        (equal, sums.low, 1, True),
        (~equal & (sums.low > 0), sums.low, 1, False),
        # At most `high` of the literals is at least `most - high` of their negations.
        (~equal & (sums.high < sums.most), sums.most - sums.high, -1, False),
    )
    for rows, bounds, sign, is_equation in cases:
        if rows.any():
            inside = np.repeat(rows, sums.sizes)
            starts = starts_of(sums.sizes[rows])
            yield _lines(
                sign * literals[inside], weights[inside], starts, bounds[rows], is_equation
            )


def _lines(
    literals: Ints, weights: Ints, starts: Ints, bounds: Ints, equal: bool = False
) -> _Lines:
    """Return lines with each variable once: a negated one is 1 minus the variable."""
    rows = np.repeat(np.arange(len(bounds)), np.diff(starts))
    negated = literals < 0
    bounds = bounds - np.bincount(rows[negated], weights[negated], len(bounds)).astype(np.int64)
    variables, coefficients = np.abs(literals), np.where(negated, -weights, weights)
    order = np.lexsort((variables, rows))
    rows, variables, coefficients = rows[order], variables[order], coefficients[order]
    is_new = np.ones(len(rows), np.bool_)
    is_new[1:] = (np.diff(rows) != 0) | (np.diff(variables) != 0)
    if not is_new.all():
        coefficients = np.add.reduceat(coefficients, np.flatnonzero(is_new))
        rows, variables = rows[is_new], variables[is_new]
    sizes = np.bincount(rows, minlength=len(bounds))
    if (sizes == 0).any():
        # A line must have a variable, even if the sum is 0.
        empty = np.cumsum(sizes)[sizes == 0]
        variables, coefficients = np.insert(variables, empty, 1), np.insert(coefficients, empty, 0)
        sizes[sizes == 0] = 1
    return _Lines(variables, coefficients, starts_of(sizes), bounds, equal)


def _cost_of(soft: SoftClauses, fresh: int) -> tuple[_Lines, Tokens]:
    """Return the cost, and clauses that set a fresh variable if a longer soft clause is false."""
    starts = clause_starts(soft.tokens)
    is_unit = np.diff(starts) == 2
    literals = np.zeros(len(soft.weights), np.int64)
    literals[is_unit] = -soft.tokens[starts[:-1][is_unit]]
    numbers = fresh + np.arange(int((~is_unit).sum()))
    literals[~is_unit] = numbers
    links = soft.tokens[np.repeat(~is_unit, np.diff(starts))]
    links = np.insert(links, np.flatnonzero(links == 0), numbers).astype(np.int32)
    bounds = np.array([0, len(literals)])
    return _lines(literals, soft.weights, bounds, np.zeros(1, np.int64)), links
