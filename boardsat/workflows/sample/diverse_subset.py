"""Boards that lie far apart, picked from many by going to the farthest one again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from boardsat.adapters.views.solution import Tour
from boardsat.instance.formula_file import FormulaFile, Instance
from boardsat.workflows.solve.checks import CheckedAnswer

EDGES, VARIABLES = "edge", "variable"


@dataclass(frozen=True)
class Picked:
    """Which of the boards, and how near the nearest two are."""

    places: tuple[int, ...]
    distance: int | None
    """In how many edges or variables any two differ at least; None for a lone board."""
    unit: str


def far_apart(instance: Instance, results: Sequence[CheckedAnswer], number: int) -> Picked:
    """The first board, then always the one that is farthest from the nearest that was picked.

    Two boards that are the same are picked once. The least distance is at least half of what the
    best choice from these boards has (Gonzalez 1985).
    """
    features, unit = _features(instance, results)
    places, nearest = [0], _distances(features, 0)
    distance = None
    while len(places) < number:
        farthest = int(nearest.argmax())
        if nearest[farthest] == 0:
            break
        distance = int(nearest[farthest])
        places.append(farthest)
        nearest = np.minimum(nearest, _distances(features, farthest))
    if distance is not None and unit == EDGES:
        distance //= 2  # each of two tours has as many that the other lacks
    return Picked(tuple(places), distance, unit)


def _distances(features: np.ndarray, place: int) -> np.ndarray:
    """From one board to all."""
    differing: np.ndarray = (features != features[place]).sum(axis=1)
    return differing


def _features(instance: Instance, results: Sequence[CheckedAnswer]) -> tuple[np.ndarray, str]:
    """A row of truth values for each board; a tour is its edges, whatever its direction."""
    orders = [tour for result in results if (tour := _order(result)) is not None]
    if len(orders) == len(results):
        return _edges(orders, instance.header.closed), EDGES
    assert isinstance(instance, FormulaFile)
    shown = instance.decision_variables()
    models = [
        result.answer.model[shown] > 0 for result in results if result.answer.model is not None
    ]
    return np.array(models), VARIABLES


def _order(result: CheckedAnswer) -> tuple[int, ...] | None:
    picture = result.solution.view if result.solution else None
    return picture.order if isinstance(picture, Tour) else None


def _edges(orders: Sequence[tuple[int, ...]], closed: bool) -> np.ndarray:
    numbers: dict[tuple[int, int], int] = {}
    rows = []
    for order in orders:
        steps = pairwise((*order, order[0]) if closed else order)
        pairs = {(min(step), max(step)) for step in steps}
        rows.append([numbers.setdefault(pair, len(numbers)) for pair in pairs])
    features = np.zeros((len(rows), len(numbers)), np.bool_)
    for place, row in enumerate(rows):
        features[place, row] = True
    return features
