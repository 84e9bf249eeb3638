"""Diverse subset of a sample: greedy farthest-point selection (Gonzalez 1985)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from boardsat.adapters.views import Tour
from boardsat.instance.formula_file import FormulaFile, Instance
from boardsat.workflows.solve.result import CheckedAnswer

EDGES, VARIABLES = "edge", "variable"


@dataclass(frozen=True)
class DiverseSubset:
    """Selected boards of a sample, and their minimum distance."""

    indices: tuple[int, ...]
    distance: int | None
    """Minimum number of edges or variables in which two boards differ. None for a single board."""
    unit: str


def diverse_subset(
    instance: Instance, results: Sequence[CheckedAnswer], size: int
) -> DiverseSubset:
    """Select the first board, then repeatedly the one farthest from all selected ones.

    Equal boards are selected once. The minimum distance is at least half of the optimum.
    """
    features, unit = _features(instance, results)
    indices, nearest = [0], _distances(features, 0)
    distance = None
    while len(indices) < size:
        farthest = int(nearest.argmax())
        if nearest[farthest] == 0:
            break
        distance = int(nearest[farthest])
        indices.append(farthest)
        nearest = np.minimum(nearest, _distances(features, farthest))
    if distance is not None and unit == EDGES:
        distance //= 2  # tours have equally many edges: count each exchanged edge once
    return DiverseSubset(tuple(indices), distance, unit)


def _distances(features: np.ndarray, index: int) -> np.ndarray:
    """Return the Hamming distances from one board to all boards."""
    distances: np.ndarray = (features != features[index]).sum(axis=1)
    return distances


def _features(instance: Instance, results: Sequence[CheckedAnswer]) -> tuple[np.ndarray, str]:
    """Return a Boolean vector for each board (edges of a tour, or variables), and the unit."""
    orders = [order for result in results if (order := _tour_order(result)) is not None]
    if len(orders) == len(results):
        return _edges(orders, instance.header.closed), EDGES
    assert isinstance(instance, FormulaFile)
    variables = instance.decision_variables()
    models = [
        result.answer.model[variables] > 0 for result in results if result.answer.model is not None
    ]
    return np.array(models), VARIABLES


def _tour_order(result: CheckedAnswer) -> tuple[int, ...] | None:
    view = result.solution.view if result.solution else None
    return view.order if isinstance(view, Tour) else None


def _edges(orders: Sequence[tuple[int, ...]], closed: bool) -> np.ndarray:
    """Return the incidence matrix of tours and undirected edges."""
    columns: dict[tuple[int, int], int] = {}
    rows = []
    for order in orders:
        steps = pairwise((*order, order[0]) if closed else order)
        edges = {(min(step), max(step)) for step in steps}
        rows.append([columns.setdefault(edge, len(columns)) for edge in edges])
    features = np.zeros((len(rows), len(columns)), np.bool_)
    for index, row in enumerate(rows):
        features[index, row] = True
    return features
