"""The image of a pattern: different vertices, adjacent where those of the pattern are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.views.solution import Labels, PairsView, Solution


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, labels, (pattern,) = solution.board, solution.view, solution.static_views
    assert isinstance(board, GraphBoard)
    assert isinstance(labels, Labels) and isinstance(pattern, PairsView)
    images: dict[int, int] = {}
    for vertex, values in enumerate(labels.values):
        for value in values:
            if value in images or len(values) > 1:
                yield f"vertex {value} of the pattern has no image of its own"
            images[value] = vertex
    edges = {frozenset(edge) for edge in board.edges()}
    wanted = {frozenset(edge) for edge in pattern.pairs}
    if missing := {vertex for edge in wanted for vertex in edge} - images.keys():
        yield f"vertex {min(missing)} of the pattern has no image"
        return
    for i, j in combinations(sorted(images), 2):
        there = {images[i], images[j]} in edges
        if {i, j} in wanted and not there:
            yield f"the images of {i} and {j} are not adjacent"
        if parameters.get("induced") and there and {i, j} not in wanted:
            yield f"the images of {i} and {j} are adjacent"
