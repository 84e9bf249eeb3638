"""At least half of the edges at a left vertex are chosen, at most half at a right one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from boardsat.adapters.views.solution import PairsView, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    chosen, (edges,) = solution.view, solution.static_views
    assert isinstance(chosen, PairsView) and isinstance(edges, PairsView)
    if not set(chosen.pairs) <= set(edges.pairs):
        yield "what is chosen is not a set of edges"
    for side, name in enumerate(("left", "right")):
        there = Counter(edge[side] for edge in edges.pairs)
        taken = Counter(edge[side] for edge in chosen.pairs)
        for vertex, degree in there.items():
            # Twice as many as the rest is at least as many, or at most; equal: but for the odd one.
            lead = 2 * taken[vertex] - degree
            lead = lead if side == 0 else -lead
            if lead < 0 or (parameters.get("equal") and lead > 1):
                told = f"{pluralize(taken[vertex], 'edge')} of {degree}"
                yield f"vertex {vertex} on the {name} has {told}"
