"""Linear formula: linear constraints over literals and soft clauses, as any format is parsed.

Models are checked against it, independently of the code that generated the file. A clause is a
linear constraint with bound 1. A literal with a cost is a soft clause: its negation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.answer import Model
from boardsat.adapters.dimacs.model_check import truth_table
from boardsat.adapters.dimacs.text import DimacsError
from boardsat.base.text import pluralize

Literals = NDArray[np.int32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class AtLeastConstraints:
    """Linear constraints: the weights of true literals sum to at least a bound."""

    literals: Literals
    """Literals of all constraints, one constraint after the other."""
    starts: Numbers
    """Index of the first literal of each constraint, and as last entry the number of literals."""
    bounds: Numbers
    weights: Numbers | None = None
    """Positive weight of each literal. None if all weights are 1."""

    def __len__(self) -> int:
        return len(self.bounds)

    @property
    def are_clauses(self) -> NDArray[np.bool_]:
        """Mask of the constraints that any single true literal satisfies."""
        is_clause: NDArray[np.bool_] = self.bounds == 1
        if self.weights is None:
            return is_clause
        is_light = self.weights < np.repeat(self.bounds, np.diff(self.starts))
        light_before = np.concatenate([[0], np.cumsum(is_light)])
        is_clause = (self.bounds > 0) & (np.diff(light_before[self.starts]) == 0)
        return is_clause

    def sums(self, is_true: NDArray[np.bool_]) -> Numbers:
        """Return the sum of the weights of true literals for each constraint."""
        terms = is_true[self.literals].astype(np.int64)
        if self.weights is not None:
            terms *= self.weights
        # An overflow of the running total cancels out in the differences.
        totals = np.concatenate([np.zeros(1, np.int64), np.cumsum(terms)])
        return np.diff(totals[self.starts])

    def rows(self, first: int = 0) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Yield the bound, and the pairs of weight and literal, of each constraint from `first`."""
        starts, literals = self.starts.tolist(), self.literals.tolist()
        weights = [1] * len(literals) if self.weights is None else self.weights.tolist()
        for number, bound in enumerate(self.bounds[first:].tolist(), first):
            span = slice(starts[number], starts[number + 1])
            yield bound, [*zip(weights[span], literals[span], strict=True)]


@dataclass(frozen=True)
class WeightedClauses:
    """Soft clauses with positive weights."""

    literals: Literals
    """Literals of all clauses, one clause after the other."""
    starts: Numbers
    """Index of the first literal of each clause, and as last entry the number of literals."""
    weights: Numbers
    """Weight of each clause: the cost of falsifying it."""

    def __len__(self) -> int:
        return len(self.weights)


NO_SOFT_CLAUSES = WeightedClauses(
    np.zeros(0, np.int32), np.zeros(1, np.int64), np.zeros(0, np.int64)
)


@dataclass(frozen=True)
class LinearFormula:
    """Formula of linear constraints and soft clauses, and metadata of its file."""

    variables: int
    """Number of variables that the file declares; the largest variable if it declares none."""
    hard: AtLeastConstraints
    comments: tuple[str, ...]
    lines: int
    bytes: int
    constraints: int
    """Number of hard and soft constraints in the file, without an OPB objective."""
    declares_constraints: bool = False
    """True if the file declares its number of constraints, so that truncation is detected."""
    soft: WeightedClauses = NO_SOFT_CLAUSES
    base_cost: int = 0
    """Cost of every model in addition to its falsified soft clauses; it may be negative."""
    has_objective: bool = False
    """True if the file requests an optimal model."""

    def check_complete(self, metadata: Mapping[str, Any], name: str) -> None:
        """Raise DimacsError if the file is truncated.

        `metadata` are the entries of the `c boardsat` line; empty for a foreign file.
        """
        actual, declared = self.constraints, metadata.get("clauses")
        if type(declared) is int and declared != actual:
            fault = (
                f"the header declares {pluralize(declared, 'clause')} but the file has {actual:,}"
            )
            raise DimacsError(fault, "fetch or generate the file again", name)
        if not (actual or self.has_objective or metadata or self.declares_constraints):
            raise DimacsError("the file has no constraints", "fetch the file again", name)

    def first_false(self, model: Model) -> str | None:
        """Return the first violated constraint, by number from 1 and terms; None if all hold."""
        is_false = self.hard.sums(truth_table(model)) < self.hard.bounds
        if not is_false.any():
            return None
        number = int(np.argmax(is_false))
        bound, pairs = next(self.hard.rows(number))
        terms = [str(literal) for _, literal in pairs]
        if self.hard.weights is not None or bound != 1:
            weighted = (f"{w}*({x})" if w != 1 else f"({x})" for w, x in pairs)
            terms = [f"at least {bound} of", *weighted]
        terms = [*terms[:12], *(["..."] if len(terms) > 12 else [])]
        return f"constraint {number + 1} ({' '.join(terms)})"

    def cost(self, model: Model) -> int:
        """Return the cost of a model: base cost, and the weights of falsified soft clauses."""
        soft = self.soft
        true_before = np.concatenate([[0], np.cumsum(truth_table(model)[soft.literals])])
        is_false = np.diff(true_before[soft.starts]) == 0
        return self.base_cost + int(soft.weights[is_false].sum(dtype=object))

    def soft_clauses(self) -> Iterator[tuple[int, list[int]]]:
        """Yield the weight and the literals of each soft clause."""
        starts, literals = self.soft.starts.tolist(), self.soft.literals.tolist()
        for number, weight in enumerate(self.soft.weights.tolist()):
            yield weight, literals[starts[number] : starts[number + 1]]
