"""Pigeonhole principle on a graph: pigeons get different adjacent holes; onto: no hole is empty."""

from __future__ import annotations

from collections import Counter

from boardsat.adapters.rules import Parameters, Violations
from boardsat.adapters.views import PairsView, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    placed, (allowed,) = solution.view, solution.static_views
    assert isinstance(placed, PairsView) and isinstance(allowed, PairsView)
    for pigeon, hole in set(placed.pairs) - set(allowed.pairs):
        yield f"hole {hole} is not adjacent to pigeon {pigeon}"
    holes_of = Counter(pigeon for pigeon, _ in placed.pairs)
    pigeons_in = Counter(hole for _, hole in placed.pairs)
    for pigeon in allowed.left:
        holes = holes_of[pigeon]
        if holes == 0 or (holes > 1 and parameters.get("functional")):
            yield f"pigeon {pigeon} has {pluralize(holes, 'hole')}"
    for hole in allowed.right:
        pigeons = pigeons_in[hole]
        if pigeons > 1 or (pigeons == 0 and parameters.get("onto")):
            yield f"hole {hole} has {pluralize(pigeons, 'pigeon')}"
