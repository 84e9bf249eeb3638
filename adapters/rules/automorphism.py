"""Automorphism: a permutation of the vertices, not the identity, that preserves adjacency."""

from __future__ import annotations

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Labels, Solution


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, labels = board_and_view(solution, GraphBoard, Labels)
    images = [value - 1 for values in labels.values for value in values]
    if sorted(images) != list(range(board.cells)) or any(len(v) != 1 for v in labels.values):
        yield "the images of the vertices are not a permutation of the vertices"
        return
    joined = {frozenset(edge) for edge in board.edges()}
    # The map of edges is injective, so if all images are edges, non-edges are mapped to non-edges.
    for u, v in board.edges():
        if {images[u], images[v]} not in joined:
            yield f"the images of {board.name(u)} and {board.name(v)} are not adjacent"
    if images == list(range(board.cells)):
        yield "the automorphism is the identity"
