"""Models checked against every clause of the file, with a reader of its own."""

from __future__ import annotations

import numpy as np

from boardsat.adapters.answer import Model
from boardsat.adapters.dimacs.reader import open_cnf


def first_false_clause(path: str, model: Model) -> tuple[int, list[int]] | None:
    """The number (from 1) and literals of the first clause that the model does not satisfy."""
    # One table for both signs: a negative literal counts from the end.
    holds = np.concatenate([model > 0, model[:0:-1] < 0])
    holds[0] = False
    passed = 0
    with open_cnf(path, strict=False) as cnf:
        for tokens in cnf.chunks():
            ends = np.flatnonzero(tokens == 0)
            true = holds[tokens]
            # How many true literals there are up to each end tells how many each clause has.
            upto = np.cumsum(true)[ends]
            satisfied = np.diff(upto, prepend=0) > 0
            if not satisfied.all():
                number = int(np.argmin(satisfied))
                start = int(ends[number - 1]) + 1 if number else 0
                return passed + number + 1, tokens[start : ends[number]].tolist()
            passed += len(ends)
    return None


def has_empty_clause(path: str) -> bool:
    """Whether a clause has no literal, so that no model can satisfy it."""
    with open_cnf(path, strict=False) as cnf:
        # Every chunk ends with the end of a clause.
        ends = (np.flatnonzero(tokens == 0) for tokens in cnf.chunks())
        return any((np.diff(places, prepend=-1) == 1).any() for places in ends)
