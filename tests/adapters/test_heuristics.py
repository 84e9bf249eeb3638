"""Heuristics on the board: what they find is a tour, what they refute has none, and they repeat."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from helpers.formulas import mostly_slow, one_in
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
from boardsat.adapters.counters.frontier import count_cycles, count_paths
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
"""Those that find a tour wherever there is one, if they are given the time."""


def torus(rows: int, cols: int) -> Pairs:
    found = set()
    for cell in range(rows * cols):
        for down, right in ((1, 2), (2, 1), (1, -2), (2, -1)):
            row, col = (cell // cols + down) % rows, (cell % cols + right) % cols
            found.add((min(cell, row * cols + col), max(cell, row * cols + col)))
    return sorted(found)


@pytest.fixture
def _few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warnsdorff, "MAX_ATTEMPTS", 20)
    monkeypatch.setattr(neural, "MAX_TRIALS", 20)
    monkeypatch.setattr(neural, "MAX_UPDATES", 100)


SMALL = [(3, cols) for cols in range(4, 8)] + [(4, 4), (4, 5), (5, 5)]


@cache
def counted(rows: int, cols: int, start: int, closed: bool) -> int:
    cells, edges = rows * cols, knight_edges(rows, cols)
    return count_cycles(cells, edges) if closed else count_paths(cells, edges, start)


@pytest.mark.usefixtures("_few_trials")
@pytest.mark.parametrize("method", METHODS, ids=" ".join)
@pytest.mark.parametrize(("rows", "cols"), mostly_slow(SMALL, [(4, 5)]))
def test_small_boards_against_a_count(rows: int, cols: int, method: tuple[str, ...]) -> None:
    """Never a wrong tour, never a refutation of what there is: counted by the frontier method."""
    cells, edges = rows * cols, knight_edges(rows, cols)
    starts = range(cells) if cells == 12 else (0, 1, 2, cells // 2)
    for start, closed in [(0, True), *((start, False) for start in starts)]:
        tours = counted(rows, cols, start, closed)
        search = search_for(cells, edges, start, closed, rectangle=Rectangle(rows, cols))
        found = run_heuristic(search, method)
        if found is False:
            assert tours == 0
        elif found is None:
            assert method[0] not in COMPLETE
        else:
            assert tours > 0
            assert_tour(found, edges, cells, start, closed)


def test_the_rules_find_what_there_is_on_five_by_five() -> None:
    """304 tours from a corner, and from each of the 13 squares of its colour there are some."""
    edges = knight_edges(5, 5)
    for ties in warnsdorff.TIES:
        for start in range(0, 25, 2):
            found = warnsdorff.find(search_for(25, edges, start, False), ties)
            assert found is not None
            assert_tour(found, edges, 25, start, False)


@pytest.mark.parametrize("ties", warnsdorff.TIES)
@pytest.mark.parametrize(
    ("rows", "cols"), one_in(3, [(5, 6), (3, 10), (6, 6), (8, 8), (7, 20), (30, 30)])
)
def test_closed_tours_by_rotations(rows: int, cols: int, ties: str) -> None:
    edges = knight_edges(rows, cols)
    for seed in range(3):
        start = seed * 5
        search = search_for(rows * cols, edges, start, True, seed, Rectangle(rows, cols))
        found = warnsdorff.find(search, ties)
        assert found is not None
        assert_tour(found, edges, rows * cols, start, True)


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("ties", warnsdorff.TIES)
def test_a_torus_and_a_graph(ties: str, closed: bool) -> None:
    edges = torus(5, 7)
    found = warnsdorff.find(search_for(35, edges, 3, closed), ties)
    assert found is not None
    assert_tour(found, edges, 35, 3, closed)


@pytest.mark.usefixtures("_few_trials")
@pytest.mark.parametrize("method", METHODS, ids=" ".join)
def test_the_petersen_graph_has_paths_and_no_cycle(method: tuple[str, ...]) -> None:
    path = run_heuristic(search_for(10, PETERSEN, 4, False), method)
    if method[0] == "parberry":
        assert path is None
    else:
        assert path
        assert_tour(path, PETERSEN, 10, 4, False)
    cycle = run_heuristic(search_for(10, PETERSEN, 4, True), method)
    assert cycle is (False if method[0] in COMPLETE else None)


@pytest.mark.parametrize("side", range(6, 41, 2))
def test_parberry_on_every_even_square(side: int) -> None:
    for cols in (side, side + 2):
        search = search_for(
            side * cols, knight_edges(side, cols), side, True, side, Rectangle(side, cols)
        )
        assert_tour(parberry.find(search), knight_edges(side, cols), side * cols, side, True)


@pytest.mark.parametrize(("rows", "cols"), [(6, 7), (7, 6), (6, 40), (41, 8), (13, 24), (22, 37)])
def test_parberry_on_other_rectangles(rows: int, cols: int) -> None:
    search = search_for(rows * cols, knight_edges(rows, cols), 1, True, 3, Rectangle(rows, cols))
    assert_tour(parberry.find(search), knight_edges(rows, cols), rows * cols, 1, True)


@pytest.mark.parametrize(
    ("rows", "cols"),
    [(rows, cols) for rows in range(6, 12) for cols in range(6, 12) if rows * cols % 2 == 0],
)
def test_every_small_board_of_parberry_has_its_tour(rows: int, cols: int) -> None:
    for seed in range(5):
        tour = parberry._part_tour(rows, cols, Random(seed))
        assert_tour(tour, knight_edges(rows, cols), rows * cols, 0, True)
        lower, upper = (rows - 1) * cols, cols - 1
        moves = {frozenset(move) for move in pairwise([*tour, tour[0]])}
        assert {lower - cols, lower + 2} in moves and {upper + cols, upper - 2} in moves
        assert {lower - 3 * cols, lower - cols + 1} in moves
        assert {upper - 3, upper + cols - 1} in moves


@pytest.mark.parametrize(
    "side", mostly_slow([112, 113, 114, 115, 116, 117, 118, 119, 125], [112, 117])
)
def test_the_orderings_of_squirrel_and_cull_never_fail_from_112_on(side: int) -> None:
    search = heuristics.search_on(Grid(side, side, frozenset([(1, 2)])), 0, False, 0)
    stages = warnsdorff.TIES["squirrel-cull"](search, 0)
    assert len(stages) > 3
    path = warnsdorff.walk_from_start(search, search.neighbours.lists(), stages)
    assert_tour(path, knight_edges(side, side), side * side, 0, False)


def test_the_network_settles_into_circuits() -> None:
    neighbours = Rectangle(8, 8).neighbours()
    settled = [each for seed in range(20) if (each := neural.settle(neighbours, Random(seed)))]
    assert len(settled) > 10
    joined = {pair for u, v in knight_edges(8, 8) for pair in ((u, v), (v, u))}
    for each in settled:
        circuits = each.circuits()
        assert sorted(cell for circuit in circuits for cell in circuit) == list(range(64))
        for circuit in circuits:
            assert all(step in joined for step in pairwise([*circuit, circuit[0]]))


def test_patching_joins_circuits_that_run_side_by_side() -> None:
    ladder = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (0, 3), (1, 4)]
    u, v = np.array(ladder).T
    two = circuits.Circuits([[1, 2], [0, 2], [0, 1], [4, 5], [3, 5], [3, 4]])
    assert neural.join_all(two, neighbours_from_edges(6, u, v))
    assert_tour(two.circuit(0), ladder, 6, 0, True)
    apart = circuits.Circuits([[1, 2], [0, 2], [0, 1], [4, 5], [3, 5], [3, 4]])
    assert not neural.join_all(apart, neighbours_from_edges(6, u[:-1], v[:-1]))


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
def test_the_colouring_rule(rows: int, cols: int, start: int, closed: bool, refuted: bool) -> None:
    search = search_for(rows * cols, knight_edges(rows, cols), start, closed)
    if refuted:
        with pytest.raises(NoTourError):
            two_colouring.refute(search)
    else:
        two_colouring.refute(search)


def test_a_board_of_one_colour_is_not_refuted_by_colours() -> None:
    two_colouring.refute(search_for(25, torus(5, 5), 0, True))


def test_a_rotation_gives_a_path_of_the_same_cells() -> None:
    neighbours = Rectangle(6, 6).neighbours()
    search = Search(neighbours, 0, False, Random(1))
    stages = warnsdorff.TIES["random"](search, 0)
    cells = warnsdorff.walk_from_start(search, neighbours.lists(), stages)
    path = warnsdorff.Path(neighbours, cells)
    joined = {pair for u, v in knight_edges(6, 6) for pair in ((u, v), (v, u))}
    for place in path.pivots().tolist():
        turned = warnsdorff.Path(neighbours, cells)
        turned.rotate(place)
        order = turned.order.tolist()
        assert sorted(order) == sorted(cells) and order != cells
        assert all(step in joined for step in pairwise(order))


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 9), (3, 3), (5, 8), (8, 2)])
def test_the_table_of_neighbours(rows: int, cols: int) -> None:
    expected: list[set[int]] = [set() for _ in range(rows * cols)]
    for u, v in knight_edges(rows, cols):
        expected[u].add(v)
        expected[v].add(u)
    grid = Grid(rows, cols, frozenset([(1, 2)]))
    graph = GraphBoard(rows * cols, 0, frozenset(knight_edges(rows, cols)))
    for table in (neighbours_of(grid), neighbours_of(graph)):
        assert isinstance(table, Neighbours)
        assert table.lists() == [sorted(cells) for cells in expected]
        assert sorted(zip(*(end.tolist() for end in table.edges()), strict=True)) == sorted(
            (min(pair), max(pair)) for pair in knight_edges(rows, cols)
        )
