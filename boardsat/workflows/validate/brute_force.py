"""Projected model counting by exhaustive search over all assignments, for small formulas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

MAX_VARIABLES = 20  # 2**20 assignments take some milliseconds for each literal


def count_models(clauses: Sequence[Iterable[int]], projection: Iterable[int]) -> int | None:
    """Return the number of models over the projection; None if too many variables occur."""
    projected = set(projection)
    occurring = sorted({abs(literal) for clause in clauses for literal in clause})
    if len(occurring) > MAX_VARIABLES:
        return None
    assignments = np.arange(2 ** len(occurring), dtype=np.int64)
    value = {variable: assignments >> k & 1 == 1 for k, variable in enumerate(occurring)}
    is_model = np.ones(len(assignments), bool)
    for clause in clauses:
        is_true = np.zeros(len(assignments), bool)
        for literal in clause:
            is_true |= value[abs(literal)] == (literal > 0)
        is_model &= is_true
    mask = sum(1 << k for k, variable in enumerate(occurring) if variable in projected)
    free = len(projected.difference(occurring))  # each doubles the count
    found: int = np.unique(assignments[is_model] & mask).size
    return found << free
