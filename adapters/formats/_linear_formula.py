"""Linear constraints over literals, and what a model pays: what a file of any format says.

Models are checked against it, with nothing of what wrote the file. A clause is a sum of at least 1;
what is paid are soft clauses, as a literal that costs is its negation as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.answer import Model
from boardsat.adapters.dimacs.text import DimacsError
from boardsat.base.text import pluralize

Literals = NDArray[np.int32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class AtLeast:
    """Sums of literals, one after the other: of those that are true the weights reach a bound."""

    literals: Literals
    starts: Numbers
    """Where each begins, and as a last entry the end of them all."""
    bounds: Numbers
    weights: Numbers | None = None
    """Of every literal, all positive; None: each counts one."""

    def __len__(self) -> int:
        return len(self.bounds)

    @property
    def are_clauses(self) -> NDArray[np.bool_]:
        """Of which one true literal is enough."""
        enough: NDArray[np.bool_] = self.bounds == 1
        if self.weights is not None:
            light = np.concatenate([[0], np.cumsum(self.weights < self._each(self.bounds))])
            enough = (self.bounds > 0) & (np.diff(light[self.starts]) == 0)
        return enough

    def reached(self, holds: NDArray[np.bool_]) -> Numbers:
        """What the true literals of each sum count together."""
        counted = holds[self.literals].astype(np.int64)
        if self.weights is not None:
            counted *= self.weights
        # Where the running sum leaves its range it comes back: only differences are looked at.
        running = np.concatenate([np.zeros(1, np.int64), np.cumsum(counted)])
        return np.diff(running[self.starts])

    def _each(self, of_sums: Numbers) -> Numbers:
        return np.repeat(of_sums, np.diff(self.starts))

    def rows(self, first: int = 0) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Yield the bound of each constraint, from `first` on, with its weights and literals."""
        starts, literals = self.starts.tolist(), self.literals.tolist()
        weights = [1] * len(literals) if self.weights is None else self.weights.tolist()
        for number, bound in enumerate(self.bounds[first:].tolist(), first):
            part = slice(starts[number], starts[number + 1])
            yield bound, [*zip(weights[part], literals[part], strict=True)]


@dataclass(frozen=True)
class Wishes:
    literals: Literals
    starts: Numbers
    weights: Numbers
    """Of every clause, all positive."""

    def __len__(self) -> int:
        return len(self.weights)


@dataclass(frozen=True)
class Linear:
    """All that a file says, in memory."""

    variables: int
    """Number of variables: as declared, or else the largest one."""
    hard: AtLeast
    soft: Wishes
    paid: int
    """By every model, beside what it pays for soft clauses; it may be negative."""
    optimises: bool
    """Whether the best model is asked for."""
    comments: tuple[str, ...]
    constraints: int
    """Lines that say something of a model, hard or soft; in OPB the objective is none of them."""
    declares_constraints: bool
    """Whether the file declares how many constraints it has, so that a truncated one is refused."""
    lines: int
    bytes: int

    def check_complete(self, about: Mapping[str, Any], name: str) -> None:
        """Where no header must tell how many constraints there are, a part of a file looks whole.

        `about` is what a file of ours says about itself.
        """
        found, declared = self.constraints, about.get("clauses")
        if type(declared) is int and declared != found:
            fault = f"{pluralize(found, 'clause')}, but its first comment tells of {declared:,}"
            raise DimacsError(fault, "get the whole file, or correct it", name)
        if not (found or self.optimises or about or self.declares_constraints):
            raise DimacsError("no constraint is in it", "get the whole file", name)

    def first_false(self, model: Model) -> str | None:
        """The number (from 1) and the literals of the first constraint that does not hold."""
        false = self.hard.reached(_holds(model)) < self.hard.bounds
        if not false.any():
            return None
        number = int(np.argmax(false))
        bound, pairs = next(self.hard.rows(number))
        words = [str(literal) for _, literal in pairs]
        if self.hard.weights is not None or bound != 1:
            terms = (f"{w}*({x})" if w != 1 else f"({x})" for w, x in pairs)
            words = [f"at least {bound} of", *terms]
        shown = " ".join(words[:12]) + (" ..." if len(words) > 12 else "")
        return f"constraint {number + 1} ({shown})"

    def cost(self, model: Model) -> int:
        """What a model pays."""
        soft = self.soft
        true = np.concatenate([[0], np.cumsum(_holds(model)[soft.literals])])
        failed = np.diff(true[soft.starts]) == 0
        return self.paid + int(soft.weights[failed].sum(dtype=object))

    def clauses(self) -> Iterator[tuple[int, list[int]]]:
        """The soft ones: weight and literals."""
        starts, literals = self.soft.starts.tolist(), self.soft.literals.tolist()
        for number, weight in enumerate(self.soft.weights.tolist()):
            yield weight, literals[starts[number] : starts[number + 1]]


def _holds(model: Model) -> NDArray[np.bool_]:
    """One table for both signs: a negative literal counts from the end."""
    holds = np.concatenate([model > 0, model[:0:-1] < 0])
    holds[0] = False
    return holds
