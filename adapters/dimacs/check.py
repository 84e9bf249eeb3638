"""Models checked against every clause and xor line of the file, with a reader of its own."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boardsat.adapters.answer import Model
from boardsat.adapters.dimacs.kept import pieces_of


class FalseClause(NamedTuple):
    """A clause or an xor line that a model does not satisfy."""

    number: int
    """From 1, among those of its kind."""
    literals: list[int]
    is_xor: bool = False

    def __str__(self) -> str:
        shown = " ".join(map(str, self.literals[:12])) + (" ..." if len(self.literals) > 12 else "")
        return f"{'xor line' if self.is_xor else 'clause'} {self.number} ({shown})"


def first_false_clause(path: str, model: Model) -> FalseClause | None:
    """The first clause or xor line that the model does not satisfy."""
    # One table for both signs: a negative literal counts from the end.
    holds = np.concatenate([model > 0, model[:0:-1] < 0])
    holds[0] = False
    passed = [0, 0]
    for tokens, is_xor in pieces_of(path):
        ends = np.flatnonzero(tokens == 0)
        true = holds[tokens]
        # How many true literals there are up to each end tells how many each clause has.
        upto = np.cumsum(true)[ends]
        number_true = np.diff(upto, prepend=0)
        satisfied = number_true % 2 == 1 if is_xor else number_true > 0
        if not satisfied.all():
            number = int(np.argmin(satisfied))
            start = int(ends[number - 1]) + 1 if number else 0
            literals = tokens[start : ends[number]].tolist()
            return FalseClause(passed[is_xor] + number + 1, literals, is_xor)
        passed[is_xor] += len(ends)
    return None


def has_empty_clause(path: str) -> bool:
    """Whether a clause has no literal, so that no model can satisfy it."""
    # Every piece ends with the end of a clause.
    ends = (np.flatnonzero(tokens == 0) for tokens, _ in pieces_of(path))
    return any((np.diff(places, prepend=-1) == 1).any() for places in ends)
