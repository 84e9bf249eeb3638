"""Tours of every board: all of them against exhaustive search, with enemies, and counts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from helpers.board_geometry import (
    CASES,
    SMALL,
    build_board,
    guard_pairs,
    move_pairs,
    oracle,
    rebuild_board,
    settings_for,
)
from helpers.formulas import (
    clauses_of,
    counted_variables,
    mostly_slow,
    non_lazy_specs,
    one_in,
    shipped,
    text_of,
)
from helpers.frontier_counts import count_cycles, count_paths
from pysat.solvers import Solver

from boardsat.adapters import rules
from boardsat.adapters.dimacs.header import Header, read_header
from boardsat.adapters.views import Solution, Tour
from boardsat.adapters.views.decoder import decode
from boardsat.generators import Formula, InputError, build, find
from boardsat.generators.algorithms import colour, distance
from boardsat.generators.boards import Board

TOURS = [name for name in non_lazy_specs() if name.startswith("tour/")]
GUARDED = [
    name
    for name in TOURS
    if any("guards" in str(constraint) for constraint in find(name).constraints)
]


# Tours.


def search(neighbours: list[list[int]], start: int, closed: bool) -> Iterator[tuple[int, ...]]:
    stack: list[tuple[int, ...]] = [(start,)]
    while stack:
        path = stack.pop()
        if len(path) == len(neighbours):
            if not closed or start in neighbours[path[-1]]:
                yield path
            continue
        stack += [(*path, cell) for cell in neighbours[path[-1]] if cell not in path]


def checked_solutions(formula: Formula) -> Iterator[tuple[Header, Solution]]:
    """Yield every solution, decoded from the text of the file alone, and checked by the rules."""
    comments = [line[2:] for line in text_of(formula).decode().splitlines() if line[:2] == "c "]
    header = read_header(comments)
    with Solver("minisat22", bootstrap_with=clauses_of(formula)) as solver:
        while solver.solve():
            # A variable that occurs in no clause is missing from the model.
            model = np.zeros(formula.variables + 1, np.int64)
            for literal in solver.get_model():
                model[abs(literal)] = literal
            solution = decode(header, model)
            assert solution is not None
            assert not list(rules.violations("tour", solution, header.parameters) or ["no rules"])
            yield header, solution
            solver.add_clause([-int(model[k]) or k for k in counted_variables(formula)])


def orders(formula: Formula) -> list[tuple[int, ...]]:
    orders = []
    for _, solution in checked_solutions(formula):
        assert isinstance(solution.view, Tour)
        orders.append(solution.view.order)
    assert len(set(orders)) == len(orders)
    return sorted(orders)


def expected_orders(board: Board, start: int, closed: bool) -> list[tuple[int, ...]]:
    neighbours: list[list[int]] = [[] for _ in range(board.cells)]
    for i, j in move_pairs(board):
        neighbours[i].append(j)
    return sorted(
        order
        for order in search(neighbours, start, closed)
        if all(order.index(enemy) < order.index(cell) for enemy, cell in guard_pairs(board))
    )


@pytest.mark.parametrize("closed", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("shape", "options"), one_in(8, SMALL), ids=str)
def test_models_are_all_tours_of_a_small_board(
    shape: str, options: dict[str, Any], closed: bool
) -> None:
    board = build_board(shape, **options)
    start = max(tile for tile in range(board.places) if board.cell(tile) >= 0)
    expected = expected_orders(board, board.cell(start), closed)
    settings = {**settings_for(shape, options), "closed": closed, "start": start, "distance": True}
    for name in TOURS:
        parameters = {parameter.name for parameter in find(name).parameters}
        formula = shipped(name, **{k: v for k, v in settings.items() if k in parameters})
        if formula.header.views.model_views[0]["view"] == "edges":
            # Models are undirected: one for both directions of a closed tour, none on two cells.
            undirected = {min(order, (order[0], *order[:0:-1])) for order in orders(formula)}
            expected_undirected = {min(order, (order[0], *order[:0:-1])) for order in expected}
            tours = expected_undirected if board.cells > 2 else set()
            assert not closed or undirected == tours, name
            assert closed or orders(formula) == expected, name
        else:
            assert orders(formula) == expected, name
    edges = rebuild_board(board).edges()
    if closed:
        assert len(expected) == 2 * count_cycles(board.cells, edges)
    else:
        assert len(expected) == count_paths(board.cells, edges, board.cell(start))


def test_most_small_boards_have_tours() -> None:
    """Otherwise the comparison of all tours would be vacuous."""
    counts = [
        len(expected_orders(build_board(shape, **options), 0, closed))
        for shape, options in SMALL
        for closed in (True, False)
    ]
    assert sum(count > 0 for count in counts) > len(counts) * 2 // 3


ENEMIES: list[tuple[str, dict[str, Any], int]] = [
    ("grid", {"rows": 3, "cols": 3, "moves": "king", "enemies": "bishop@2"}, 0),
    ("grid", {"rows": 3, "cols": 3, "moves": "king", "enemies": "knight@5"}, 0),
    ("grid", {"rows": 3, "cols": 3, "moves": "king", "enemies": "rook@8", "friends": "rook@5"}, 0),
    ("grid", {"rows": 3, "cols": 3, "moves": "king", "enemies": "rook@0"}, 0),
    ("grid", {"rows": 3, "cols": 3, "moves": "king", "enemies": "rook@2,bishop@0"}, 4),
    (
        "grid",
        {"rows": 3, "cols": 4, "moves": "king", "enemies": "rook@6,knight@3", "holes": "5"},
        0,
    ),
    ("torus", {"rows": 3, "cols": 3, "moves": "knight", "enemies": "wazir@4", "holes": "8"}, 0),
    ("klein", {"rows": 3, "cols": 3, "moves": "knight", "enemies": "dabbaba@5", "holes": "8"}, 0),
    ("hexagon", {"side": 2, "moves": "king", "enemies": "knight@6,wazir@5"}, 0),
    ("box", {"layers": 2, "rows": 2, "cols": 2, "moves": "wazir", "enemies": "bishop@1"}, 0),
    ("cube", {"side": 1, "moves": "wazir", "enemies": "dabbaba@4"}, 0),
]


@pytest.mark.parametrize("closed", mostly_slow([True, False], [False]))
@pytest.mark.parametrize(
    ("shape", "options", "start"), mostly_slow(ENEMIES, ENEMIES[1::3]), ids=str
)
def test_models_are_all_tours_of_a_board_with_enemies(
    shape: str, options: dict[str, Any], start: int, closed: bool
) -> None:
    board = build_board(shape, **options)
    expected = expected_orders(board, board.cell(start), closed)
    assert GUARDED
    for name, prune_distance in product(GUARDED, (True, False)):
        formula = shipped(
            name,
            **settings_for(shape, options),
            closed=closed,
            start=start,
            one_direction=True,
            distance=prune_distance,
        )
        assert orders(formula) == expected, name
        assert formula.header.objects is not None
        if board.guards.size:
            assert formula.header.objects["models_per_solution"] == 1


def test_boards_with_enemies_have_tours_in_most_cases() -> None:
    counts = [
        len(expected_orders(board, board.cell(start), False))
        for shape, options, start in ENEMIES
        for board in (build_board(shape, **options),)
    ]
    assert sum(count == 0 for count in counts) >= 2
    assert sum(count > 0 for count in counts) >= 6


def test_rules_report_a_guarded_cell_visited_before_its_enemy() -> None:
    board = rebuild_board(build_board("grid", rows=2, cols=2, moves="king", enemies="wazir@3"))
    parameters = {"start": 0, "closed": True}
    assert not list(rules.violations("tour", Solution(board, Tour((0, 3, 1, 2))), parameters) or [])
    violations = list(
        rules.violations("tour", Solution(board, Tour((0, 1, 3, 2))), parameters) or []
    )
    assert violations == ["b2 is visited before the enemy on b1"]


def test_encoding_without_positions_does_not_support_enemies() -> None:
    spec = find("tour/unary")
    constraints = tuple(c for c in spec.constraints if "guards" not in str(c.bindings))
    spec_without_guards = spec._replace(constraints=constraints, name="tour/blind")
    build(spec_without_guards, {"n": 5})
    with pytest.raises(InputError, match="tour/blind does not support enemies"):
        build(spec_without_guards, {"n": 5, "enemies": "rook@12"})


# Algorithms, names and published counts.


@pytest.mark.parametrize(("shape", "size"), CASES, ids=str)
def test_distance_and_colour_agree_with_breadth_first_search(
    shape: str, size: dict[str, int]
) -> None:
    for moves in ("wazir", "knight", "king"):
        pairs = oracle(shape, size, moves)
        if not pairs:
            continue
        board = build_board(shape, **size, moves=moves)
        neighbours: dict[int, list[int]] = {cell: [] for cell in range(board.cells)}
        for i, j in pairs:
            neighbours[i].append(j)
        distances, queue = {0: 0}, deque([0])
        while queue:
            i = queue.popleft()
            for j in neighbours[i]:
                if j not in distances:
                    distances[j] = distances[i] + 1
                    queue.append(j)
        expected = [distances.get(cell, board.cells) for cell in range(board.cells)]
        assert distance.compute(board, 0).values.tolist() == expected
        try:
            colours = colour.compute(board).values.tolist()
        except InputError as error:
            assert "the board must be bipartite" in str(error)
            # An odd cycle: two neighbours that are equally far from some cell.
            assert any(
                a % 2 == b % 2
                for start in range(board.cells)
                for table in (distance.compute(board, start).values.tolist(),)
                for a, b in ((table[i], table[j]) for i, j in pairs)
                if max(a, b) < board.cells
            )
        else:
            assert all(colours[i] != colours[j] for i, j in pairs)


@pytest.mark.parametrize(
    ("settings", "stem", "published"),
    [
        ({"n": 6}, "tour-6x6-closed-binary", 9862),
        ({"rows": 10, "cols": 3}, "tour-10x3-closed-binary", 16),
        ({"n": 6, "holes": "1,2"}, "tour-6x6-hole1-hole2-closed-binary", None),
        ({"n": 6, "enemies": "rook@35"}, "tour-6x6-enemy-rook35-closed-binary", None),
        ({"n": 6, "shape": "torus"}, "tour-torus-6x6-closed-binary", None),
        ({"n": 4, "shape": "cube"}, "tour-cube-4-closed-binary", None),
        ({"n": 3, "shape": "box"}, "tour-box-3x3x3-closed-binary", None),
    ],
    ids=str,
)
def test_header_has_the_stem_and_the_published_count(
    settings: dict[str, Any], stem: str, published: int | None
) -> None:
    header = shipped("tour/binary", **settings).header
    assert header.stem == stem
    assert header.objects is not None
    assert header.objects.get("published") == published
