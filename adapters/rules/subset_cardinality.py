"""Subset cardinality: at least half of a left vertex's edges, at most half of a right one's."""

from __future__ import annotations

from collections import Counter

from boardsat.adapters.rules import Parameters, Violations
from boardsat.adapters.views import PairsView, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    chosen, (edges,) = solution.view, solution.static_views
    assert isinstance(chosen, PairsView) and isinstance(edges, PairsView)
    if not set(chosen.pairs) <= set(edges.pairs):
        yield "the chosen pairs are not a set of edges"
    for side, name in enumerate(("left", "right")):
        degrees = Counter(edge[side] for edge in edges.pairs)
        chosen_degrees = Counter(edge[side] for edge in chosen.pairs)
        for vertex, degree in degrees.items():
            # With `equal`, chosen edges exceed the half by less than one.
            excess = 2 * chosen_degrees[vertex] - degree
            excess = excess if side == 0 else -excess
            if excess < 0 or (parameters.get("equal") and excess > 1):
                chosen_edges = pluralize(chosen_degrees[vertex], "chosen edge")
                yield f"vertex {vertex} on the {name} has {chosen_edges} of {degree}"
