"""Graph isomorphism: a bijection of the vertices that preserves edges and non-edges."""

from __future__ import annotations

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.rules import Parameters, Violations
from boardsat.adapters.views import Labels, PairsView, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, labels, (other_graph,) = solution.board, solution.view, solution.static_views
    assert isinstance(board, GraphBoard)
    assert isinstance(labels, Labels) and isinstance(other_graph, PairsView)
    images = [value for values in labels.values for value in values]
    if len(set(images)) < board.cells or any(len(v) != 1 for v in labels.values):
        yield "the images of the vertices are not one each, all different"
        return
    joined = {frozenset(edge) for edge in other_graph.pairs}
    for u, v in board.edges():
        if {images[u], images[v]} not in joined:
            yield f"the images of {board.name(u)} and {board.name(v)} are not adjacent"
    if len(board.edges()) != len(joined):
        edges = pluralize(len(joined), "edge")
        yield f"the other graph has {edges}, this one {len(board.edges())}"
