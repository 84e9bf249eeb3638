"""Heuristics on the board: tours, refutations, and the parts of each method."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from helpers.formulas import mostly_slow, one_in
from helpers.frontier_counts import count_cycles, count_paths
from helpers.heuristics import (
    HEURISTICS,
    PETERSEN,
    Pairs,
    assert_tour,
    knight_edges,
    run_heuristic,
    search_for,
)

from boardsat.adapters import heuristics
from boardsat.adapters.boards import GraphBoard, Grid
from boardsat.adapters.heuristics import (
    NoTourError,
    Search,
    circuits,
    neural,
    parberry,
    two_colouring,
    warnsdorff,
)
from boardsat.adapters.heuristics.neighbours import (
    Neighbours,
    Rectangle,
    neighbours_from_edges,
    neighbours_of,
)

METHODS = [solver.embedded_line(file="x", seed=0)[3:] for solver in HEURISTICS]
COMPLETE = ("backtracking",)
"""Methods that find a tour or refute that there is one, given enough time."""


def torus(rows: int, cols: int) -> Pairs:
    edges = set()
    for cell in range(rows * cols):
        for down, right in ((1, 2), (2, 1), (1, -2), (2, -1)):
            row, col = (cell // cols + down) % rows, (cell % cols + right) % cols
            edges.add((min(cell, row * cols + col), max(cell, row * cols + col)))
    return sorted(edges)


@pytest.fixture
def _few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warnsdorff, "MAX_ATTEMPTS", 20)
    monkeypatch.setattr(neural, "MAX_TRIALS", 20)
    monkeypatch.setattr(neural, "MAX_UPDATES", 100)


SMALL = [(3, cols) for cols in range(4, 8)] + [(4, 4), (4, 5), (5, 5)]


@cache
def num_tours(rows: int, cols: int, start: int, closed: bool) -> int:
    cells, edges = rows * cols, knight_edges(rows, cols)
    return count_cycles(cells, edges) if closed else count_paths(cells, edges, start)


@pytest.mark.usefixtures("_few_trials")
@pytest.mark.parametrize("method", METHODS, ids=" ".join)
@pytest.mark.parametrize(("rows", "cols"), mostly_slow(SMALL, [(4, 5)]))
def test_heuristic_agrees_with_the_count_of_tours(
    rows: int, cols: int, method: tuple[str, ...]
) -> None:
    """Tours are counted by the frontier method."""
    cells, edges = rows * cols, knight_edges(rows, cols)
    starts = range(cells) if cells == 12 else (0, 1, 2, cells // 2)
    for start, closed in [(0, True), *((start, False) for start in starts)]:
        count = num_tours(rows, cols, start, closed)
        search = search_for(cells, edges, start, closed, rectangle=Rectangle(rows, cols))
        tour = run_heuristic(search, method)
        if tour is False:
            assert count == 0
        elif tour is None:
            assert method[0] not in COMPLETE
        else:
            assert count > 0
            assert_tour(tour, edges, cells, start, closed)


def test_warnsdorff_finds_a_tour_from_every_possible_start_on_5x5() -> None:
    """There are tours from each of the 13 squares of the corners' colour; 304 from a corner."""
    edges = knight_edges(5, 5)
    for ties in warnsdorff.TIES:
        for start in range(0, 25, 2):
            tour = warnsdorff.find(search_for(25, edges, start, False), ties)
            assert tour is not None
            assert_tour(tour, edges, 25, start, False)


@pytest.mark.parametrize("ties", warnsdorff.TIES)
@pytest.mark.parametrize(
    ("rows", "cols"), one_in(3, [(5, 6), (3, 10), (6, 6), (8, 8), (7, 20), (30, 30)])
)
def test_warnsdorff_closes_tours_by_rotations(rows: int, cols: int, ties: str) -> None:
    edges = knight_edges(rows, cols)
    for seed in range(3):
        start = seed * 5
        search = search_for(rows * cols, edges, start, True, seed, Rectangle(rows, cols))
        tour = warnsdorff.find(search, ties)
        assert tour is not None
        assert_tour(tour, edges, rows * cols, start, True)


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("ties", warnsdorff.TIES)
def test_warnsdorff_finds_tours_on_a_torus(ties: str, closed: bool) -> None:
    edges = torus(5, 7)
    tour = warnsdorff.find(search_for(35, edges, 3, closed), ties)
    assert tour is not None
    assert_tour(tour, edges, 35, 3, closed)


@pytest.mark.usefixtures("_few_trials")
@pytest.mark.parametrize("method", METHODS, ids=" ".join)
def test_petersen_graph_has_hamiltonian_paths_and_no_cycle(method: tuple[str, ...]) -> None:
    path = run_heuristic(search_for(10, PETERSEN, 4, False), method)
    if method[0] == "parberry":
        assert path is None
    else:
        assert path
        assert_tour(path, PETERSEN, 10, 4, False)
    cycle = run_heuristic(search_for(10, PETERSEN, 4, True), method)
    assert cycle is (False if method[0] in COMPLETE else None)


@pytest.mark.parametrize("side", range(6, 41, 2))
def test_parberry_finds_tours_on_even_squares_and_next_rectangles(side: int) -> None:
    for cols in (side, side + 2):
        search = search_for(
            side * cols, knight_edges(side, cols), side, True, side, Rectangle(side, cols)
        )
        assert_tour(parberry.find(search), knight_edges(side, cols), side * cols, side, True)


@pytest.mark.parametrize(("rows", "cols"), [(6, 7), (7, 6), (6, 40), (41, 8), (13, 24), (22, 37)])
def test_parberry_finds_tours_on_other_rectangles(rows: int, cols: int) -> None:
    search = search_for(rows * cols, knight_edges(rows, cols), 1, True, 3, Rectangle(rows, cols))
    assert_tour(parberry.find(search), knight_edges(rows, cols), rows * cols, 1, True)


@pytest.mark.parametrize(
    ("rows", "cols"),
    [(rows, cols) for rows in range(6, 12) for cols in range(6, 12) if rows * cols % 2 == 0],
)
def test_parberry_part_has_a_tour_with_the_moves_for_joins(rows: int, cols: int) -> None:
    for seed in range(5):
        tour = parberry._part_tour(rows, cols, Random(seed))
        assert_tour(tour, knight_edges(rows, cols), rows * cols, 0, True)
        lower_corner, upper_corner = (rows - 1) * cols, cols - 1
        moves = {frozenset(move) for move in pairwise([*tour, tour[0]])}
        assert {lower_corner - cols, lower_corner + 2} in moves
        assert {upper_corner + cols, upper_corner - 2} in moves
        assert {lower_corner - 3 * cols, lower_corner - cols + 1} in moves
        assert {upper_corner - 3, upper_corner + cols - 1} in moves


@pytest.mark.parametrize(
    "side", mostly_slow([112, 113, 114, 115, 116, 117, 118, 119, 125], [112, 117])
)
def test_squirrel_cull_orderings_find_tours_from_side_112_on(side: int) -> None:
    search = heuristics.search_on(Grid(side, side, frozenset([(1, 2)])), 0, False, 0)
    stages = warnsdorff.TIES["squirrel-cull"](search, 0)
    assert len(stages) > 3
    path = warnsdorff.walk_from_start(search, search.neighbours.lists(), stages)
    assert_tour(path, knight_edges(side, side), side * side, 0, False)


def test_neural_network_converges_to_circuits() -> None:
    neighbours = Rectangle(8, 8).neighbours()
    results = [neural.settle(neighbours, Random(seed)) for seed in range(20)]
    converged = [result for result in results if result is not None]
    assert len(converged) > 10
    moves = {pair for u, v in knight_edges(8, 8) for pair in ((u, v), (v, u))}
    for result in converged:
        cycles = result.circuits()
        assert sorted(cell for cycle in cycles for cell in cycle) == list(range(64))
        for cycle in cycles:
            assert all(step in moves for step in pairwise([*cycle, cycle[0]]))


def test_join_all_joins_circuits_with_two_adjacent_pairs_of_ends() -> None:
    ladder = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (0, 3), (1, 4)]
    u, v = np.array(ladder).T
    triangles = circuits.Circuits([[1, 2], [0, 2], [0, 1], [4, 5], [3, 5], [3, 4]])
    assert neural.join_all(triangles, neighbours_from_edges(6, u, v))
    assert_tour(triangles.circuit(0), ladder, 6, 0, True)
    triangles = circuits.Circuits([[1, 2], [0, 2], [0, 1], [4, 5], [3, 5], [3, 4]])
    assert not neural.join_all(triangles, neighbours_from_edges(6, u[:-1], v[:-1]))


@pytest.mark.parametrize(
    ("rows", "cols", "start", "closed", "refuted"),
    [
        (7, 7, 0, True, True),
        (7, 7, 0, False, False),
        (7, 7, 1, False, True),
        (6, 6, 1, False, False),
        (3, 3, 0, False, True),
    ],
)
def test_two_colouring_refutes_exactly_unbalanced_boards(
    rows: int, cols: int, start: int, closed: bool, refuted: bool
) -> None:
    search = search_for(rows * cols, knight_edges(rows, cols), start, closed)
    if refuted:
        with pytest.raises(NoTourError):
            two_colouring.refute(search)
    else:
        two_colouring.refute(search)


def test_two_colouring_does_not_refute_a_board_that_is_not_bipartite() -> None:
    two_colouring.refute(search_for(25, torus(5, 5), 0, True))


def test_rotation_of_a_path_is_a_path_of_the_same_cells() -> None:
    neighbours = Rectangle(6, 6).neighbours()
    search = Search(neighbours, 0, False, Random(1))
    stages = warnsdorff.TIES["random"](search, 0)
    cells = warnsdorff.walk_from_start(search, neighbours.lists(), stages)
    path = warnsdorff.Path(neighbours, cells)
    moves = {pair for u, v in knight_edges(6, 6) for pair in ((u, v), (v, u))}
    for pivot in path.pivots().tolist():
        rotated_path = warnsdorff.Path(neighbours, cells)
        rotated_path.rotate(pivot)
        order = rotated_path.order.tolist()
        assert sorted(order) == sorted(cells) and order != cells
        assert all(step in moves for step in pairwise(order))


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 9), (3, 3), (5, 8), (8, 2)])
def test_neighbours_of_a_grid_and_a_graph_are_equal(rows: int, cols: int) -> None:
    expected: list[set[int]] = [set() for _ in range(rows * cols)]
    for u, v in knight_edges(rows, cols):
        expected[u].add(v)
        expected[v].add(u)
    grid = Grid(rows, cols, frozenset([(1, 2)]))
    graph = GraphBoard(rows * cols, 0, frozenset(knight_edges(rows, cols)))
    for neighbours in (neighbours_of(grid), neighbours_of(graph)):
        assert isinstance(neighbours, Neighbours)
        assert neighbours.lists() == [sorted(cells) for cells in expected]
        assert sorted(zip(*(end.tolist() for end in neighbours.edges()), strict=True)) == sorted(
            (min(pair), max(pair)) for pair in knight_edges(rows, cols)
        )
