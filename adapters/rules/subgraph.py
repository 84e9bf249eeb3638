"""Subgraph isomorphism: an injective map of a pattern that preserves adjacency."""

from __future__ import annotations

from itertools import combinations

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.rules import Parameters, Violations
from boardsat.adapters.views import Labels, PairsView, Solution


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, labels, (pattern,) = solution.board, solution.view, solution.static_views
    assert isinstance(board, GraphBoard)
    assert isinstance(labels, Labels) and isinstance(pattern, PairsView)
    images: dict[int, int] = {}
    for vertex, values in enumerate(labels.values):
        for value in values:
            if value in images or len(values) > 1:
                yield f"vertex {value} of the pattern shares its image or has several"
            images[value] = vertex
    edges = {frozenset(edge) for edge in board.edges()}
    pattern_edges = {frozenset(edge) for edge in pattern.pairs}
    if missing := {vertex for edge in pattern_edges for vertex in edge} - images.keys():
        yield f"vertex {min(missing)} of the pattern has no image"
        return
    for i, j in combinations(sorted(images), 2):
        is_adjacent = {images[i], images[j]} in edges
        if {i, j} in pattern_edges and not is_adjacent:
            yield f"the images of {i} and {j} are not adjacent"
        if parameters.get("induced") and is_adjacent and {i, j} not in pattern_edges:
            yield f"the images of {i} and {j} are adjacent"
