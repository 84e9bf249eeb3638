"""Counts of Hamiltonian cycles and paths of a graph by the frontier method."""

from __future__ import annotations

from boardsat.adapters.counters.frontier import count_tours
from boardsat.adapters.counters.tour_problem import Edges, TourProblem


def count_cycles(vertices: int, edges: Edges) -> int:
    return count_tours(TourProblem(vertices, edges, None, True))


def count_paths(vertices: int, edges: Edges, start: int) -> int:
    return count_tours(TourProblem(vertices, edges, start, False))


def count_all_paths(vertices: int, edges: Edges) -> int:
    """Return the number of directed Hamiltonian paths from any vertex."""
    return count_tours(TourProblem(vertices, edges, None, False))
