"""OPB, the format of pseudo-Boolean competitions: linear constraints, with clauses as `>= 1`.

The files use variables without negation, and only `>=` and `=`, which all solvers read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, clause_starts, starts_of
from boardsat.generators.blocks import LinearConstraints
from boardsat.generators.formula import Formula
from boardsat.generators.weights import SoftClauses

if TYPE_CHECKING:
    from boardsat.base.compression import Buffer

NATIVE_CONSTRAINTS, HAS_OBJECTIVE, HAS_PROJECTION = "linear", True, False


def num_extra_variables(formula: Formula) -> int:
    """Return the number of soft clauses of two or more literals: each gets a variable."""
    soft = formula.objective.soft if formula.objective else None
    return sum(len(literals) > 1 for _, literals in soft.weighted_clauses()) if soft else 0


def document(formula: Formula, projection: str | None = None) -> Iterator[Buffer]:
    """Yield the file in pieces."""
    from boardsat.generators.dimacs import document

    program = _Program(formula)
    yield program.size_line()
    comments = document.comments(program.formula_for_comments(), variables=program.num_variables)
    yield "".join(f"*{line[1:]}\n" for line in comments.splitlines()).encode("ascii")
    if program.cost is not None:
        yield f"min: {program.cost.left_sides()[0]};\n".encode("ascii")
    for constraints in program.constraints():
        yield constraints.text()


@dataclass(frozen=True)
class _Lines:
    """Linear constraints over variables, one for each line; the terms are concatenated."""

    variables: Ints
    coefficients: Ints
    starts: Ints
    """Index of the first term of each line, and the number of terms."""
    bounds: Ints
    """Right-hand side of each line."""
    is_equation: bool = False
    """True if the relation of all lines is `=`, false if it is `>=`."""

    def max_sum(self) -> int:
        """Return the largest sum of the absolute values of a line's coefficients and bound."""
        sums = np.concatenate([[0], np.cumsum(np.abs(self.coefficients))])[self.starts]
        return int((np.diff(sums) + np.abs(self.bounds)).max(initial=0))

    def left_sides(self) -> list[str]:
        """Return the left-hand side of each line."""
        pairs = zip(self.coefficients.tolist(), self.variables.tolist(), strict=True)
        terms = [f"{coefficient:+d} x{variable} " for coefficient, variable in pairs]
        return ["".join(terms[begin:end]) for begin, end in pairwise(self.starts.tolist())]

    def text(self) -> bytes:
        """Return the lines as text."""
        relation = "=" if self.is_equation else ">="
        sides = zip(self.left_sides(), self.bounds.tolist(), strict=True)
        return "".join(f"{side}{relation} {bound} ;\n" for side, bound in sides).encode("ascii")


class _Program:
    """Pseudo-Boolean program: linear constraints, and the cost to minimize if there is one."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.cost: _Lines | None = None
        self.relaxed_clauses: Tokens | None = None
        self.num_variables = max(1, formula.variables)
        if formula.objective is not None:
            self.cost, self.relaxed_clauses = _cost_of(
                formula.objective.soft, formula.variables + 1
            )
            self.num_variables = max(1, formula.variables, int(self.cost.variables.max(initial=0)))

    def size_line(self) -> bytes:
        """Return the first line of the file: the numbers of variables and constraints."""
        num_constraints = num_equations = 0
        max_sum = self.cost.max_sum() if self.cost is not None else 0
        for lines in self.constraints():
            num_constraints += len(lines.bounds)
            num_equations += len(lines.bounds) if lines.is_equation else 0
            max_sum = max(max_sum, lines.max_sum())
        return (
            f"* #variable= {self.num_variables} #constraint= {num_constraints} "
            f"#equal= {num_equations} intsize= {max(1, max_sum.bit_length())}\n"
        ).encode("ascii")

    def formula_for_comments(self) -> Formula:
        """Return the formula for the header: the offset of its objective has the constant term.

        The `min:` line cannot express a constant.
        """
        objective = self.formula.objective
        if objective is None or self.cost is None:
            return self.formula
        constant = -int(self.cost.bounds[0])
        sign = 1 if objective.goal == "minimize" else -1
        shifted = replace(objective, offset=objective.offset + sign * constant)
        return replace(self.formula, objective=shifted)

    def constraints(self) -> Iterator[_Lines]:
        """Yield the linear constraints and clauses of all sections."""
        for section in self.formula.sections:
            for constraints in section.linear() if section.linear else ():
                yield from _lines_of_linear(constraints)
            for chunk in section.chunks():
                for rows in chunk.rows():
                    yield _lines_of_clauses(rows.tokens)
        if self.relaxed_clauses is not None:
            yield _lines_of_clauses(self.relaxed_clauses)


def _lines_of_clauses(tokens: Tokens) -> _Lines:
    sizes = np.diff(clause_starts(tokens)) - 1
    literals = tokens[tokens != 0].astype(np.int64)
    ones = np.ones(len(sizes), np.int64)
    return _lines(literals, np.ones(len(literals), np.int64), starts_of(sizes), ones)


def _lines_of_linear(c: LinearConstraints) -> Iterator[_Lines]:
    """Yield a line for each constraint with equal bounds, else one for each bound that matters."""
    literals = c.literals.astype(np.int64)
    weights = np.ones(len(literals), np.int64) if c.weights is None else c.weights
    is_exact = (c.low == c.high) & c.is_falsifiable
    # At most `high` is at least `total - high` of the negations.
    high_of_negations = c.total_weights - c.high
    cases = (
        (is_exact, c.low, 1, True),
        (~is_exact & (c.low > 0), c.low, 1, False),
        (~is_exact & (high_of_negations > 0), high_of_negations, -1, False),
    )
    for is_selected, bounds, sign, is_equation in cases:
        if is_selected.any():
            terms = np.repeat(is_selected, c.sizes)
            starts = starts_of(c.sizes[is_selected])
            yield _lines(
                sign * literals[terms], weights[terms], starts, bounds[is_selected], is_equation
            )


def _lines(
    literals: Ints, weights: Ints, starts: Ints, bounds: Ints, is_equation: bool = False
) -> _Lines:
    """Return lines with each variable once; a negated one is 1 minus the variable."""
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
    return _Lines(variables, coefficients, starts_of(sizes), bounds, is_equation)


def _cost_of(soft: SoftClauses, first: int) -> tuple[_Lines, Tokens]:
    """Return the cost, and clauses that relax each soft clause of two or more literals.

    The relaxation variables, numbered from `first` on, are true if their soft clause is false.
    """
    starts = clause_starts(soft.tokens)
    is_unit = np.diff(starts) == 2
    literals = np.zeros(len(soft.weights), np.int64)
    literals[is_unit] = -soft.tokens[starts[:-1][is_unit]]
    relaxation = first + np.arange(int((~is_unit).sum()))
    literals[~is_unit] = relaxation
    clauses = soft.tokens[np.repeat(~is_unit, np.diff(starts))]
    clauses = np.insert(clauses, np.flatnonzero(clauses == 0), relaxation).astype(np.int32)
    bounds = np.array([0, len(literals)])
    return _lines(literals, soft.weights, bounds, np.zeros(1, np.int64)), clauses
