"""Undirected tours: sizes, published counts, and models against plain search."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.formulas import (
    GRAPHS,
    clauses_of,
    count,
    is_satisfiable,
    members,
    mostly_slow,
    one_in,
    shipped,
    solutions,
)
from helpers.solver_runs import instance
from helpers.tour_search import (
    BOARDS,
    GRAPH_EDGES,
    Edges,
    Neighbours,
    adjacency_lists,
    flower_snark,
    leaper,
    searched_tour_edges,
)
from pysat.solvers import Solver

from boardsat.adapters.rules import violations
from boardsat.adapters.views import Tour
from boardsat.adapters.views.decoder import decode
from boardsat.generators import Formula
from boardsat.instance.formula_file import open_formula

TOURS = ["tour/uve", "tour/undirected"]
HAMILTON = ["hamilton/uve", "hamilton/undirected"]


def model_edges(formula: Formula) -> list[Edges]:
    """Return the edges of every model, sorted; models that differ elsewhere appear twice."""
    edge_of = {number: edge for edge, number in members(formula, "E").items()}
    return sorted(
        (frozenset(edge_of[v] for v in model if v in edge_of) for model in solutions(formula)),
        key=sorted,
    )


# Sizes.


@pytest.mark.parametrize(
    ("settings", "size", "num_extra_clauses"),
    [
        ({"n": 6}, (459, 2331), 111),
        ({"n": 8}, (2703, 13679), 387),
        ({"n": 12}, (19527, 97735), 1659),
        ({"rows": 5, "cols": 6}, (265, 1323), 79),
        ({"rows": 3, "cols": 10}, (236, 996), 72),
        ({"n": 5, "closed": False}, (284, 1722), 62),
    ],
    ids=str,
)
def test_sizes_and_projections_equal_closed_forms(
    settings: dict[str, Any], size: tuple[int, int], num_extra_clauses: int
) -> None:
    solving, counting = (shipped(name, **settings) for name in TOURS)
    assert (solving.variables, solving.clauses) == size
    assert (counting.variables, counting.clauses - num_extra_clauses) == size
    edges, projected = (len(f.header.projection) for f in (solving, counting))
    # The projection lacks a spanning tree; it has the ends of an open tour.
    squares = settings.get("n", 0) ** 2 or settings["rows"] * settings["cols"]
    assert edges == len(members(solving, "E"))
    assert projected == edges - squares + 1 + len(members(solving, "D"))
    assert solving.header.count_preserving and counting.header.count_preserving


# Published counts.


@pytest.mark.parametrize(
    ("rows", "cols", "number"), one_in(3, [(5, 6, 8), (6, 5, 8), (3, 10, 16), (3, 12, 176)])
)
@pytest.mark.parametrize("name", TOURS)
def test_closed_tours_equal_published_count(name: str, rows: int, cols: int, number: int) -> None:
    """Counting over all variables gives the same: the edges determine the other variables."""
    formula = shipped(name, rows=rows, cols=cols)
    assert count(formula) == count(formula, formula.header.projection.tolist()) == number
    assert count(shipped(name, rows=rows, cols=cols, start=13)) == number


@pytest.mark.parametrize(
    ("start", "number"), one_in(4, [(0, 304), (12, 64), (6, 56), (2, 56), (1, 0)])
)
@pytest.mark.parametrize("name", TOURS)
def test_open_tours_on_5x5_equal_published_count(name: str, start: int, number: int) -> None:
    formula = shipped(name, n=5, closed=False, start=start)
    assert count(formula) == count(formula, formula.header.projection.tolist()) == number


@pytest.mark.slow
@pytest.mark.parametrize("name", TOURS)
def test_closed_tours_on_6x6_are_9862(name: str) -> None:
    formula = shipped(name, n=6)
    edges = set(members(formula, "E").values())
    tours = 0
    with Solver("cadical153", bootstrap_with=clauses_of(formula)) as solver:
        while solver.solve():
            tours += 1
            # All tours have the same number of edges, so this excludes only one tour.
            solver.add_clause([-v for v in solver.get_model() if v in edges])
    assert tours == 9862


@pytest.mark.parametrize("card", ["sequential", "totalizer"])
@pytest.mark.parametrize("name", TOURS)
def test_cardinality_encodings_preserve_count(name: str, card: str) -> None:
    formula = shipped(name, rows=5, cols=6, card=card)
    assert count(formula, formula.header.projection.tolist()) == 8
    assert formula.header.count_preserving == (card == "totalizer")


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (3, 5), (5, 5), (3, 7), (5, 7), (4, 4), (4, 6)])
@pytest.mark.parametrize("name", TOURS)
def test_board_without_closed_tour_is_unsatisfiable(name: str, rows: int, cols: int) -> None:
    assert not is_satisfiable(shipped(name, rows=rows, cols=cols))


@pytest.mark.parametrize(
    "settings",
    [{"rows": 5, "cols": 6, "start": 7}, {"n": 5, "closed": False, "start": 12}],
    ids=str,
)
@pytest.mark.parametrize("name", TOURS)
def test_every_model_decodes_to_valid_tour(
    name: str, settings: dict[str, Any], tmp_path: Path
) -> None:
    file = open_formula(instance(tmp_path, name, **settings))
    for true in solutions(shipped(name, **settings)):
        model = np.full(file.variables + 1, -1, np.int8)
        model[list(true)] = 1
        solution = decode(file.header, model)
        assert solution is not None and isinstance(solution.view, Tour)
        assert not list(violations("tour", solution, file.header.parameters) or ["no rules"])


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(("rows", "cols", "moves", "steps"), one_in(4, BOARDS))
@pytest.mark.parametrize("name", TOURS)
def test_tours_of_leaper_equal_search(
    name: str, rows: int, cols: int, moves: str, steps: Sequence[tuple[int, int]], closed: bool
) -> None:
    neighbours = leaper(rows, cols, *steps)
    for start in (0, rows * cols // 2):
        settings = {"rows": rows, "cols": cols, "moves": moves, "start": start, "closed": closed}
        formula = shipped(name, **settings)
        assert model_edges(formula) == searched_tour_edges(neighbours, start, closed)


def check_graph(neighbours: Neighbours, folder: Path) -> int:
    """Check the cycles and paths of a graph against search; return the number of cycles."""
    edges = [(u, v) for u, near in enumerate(neighbours) for v in near if u < v]
    path = folder / "graph.col"
    lines = [f"p edge {len(neighbours)} {len(edges)}", *(f"e {u + 1} {v + 1}" for u, v in edges)]
    path.write_text("\n".join(lines) + "\n")
    for closed, start in [(True, 0), (False, 0), (False, len(neighbours) - 1)]:
        for name in HAMILTON:
            formula = shipped(name, graph=path, closed=closed, start=start + 1)
            assert model_edges(formula) == searched_tour_edges(neighbours, start, closed), (
                name,
                closed,
                start,
            )
    return len(searched_tour_edges(neighbours))


@pytest.mark.parametrize("name", [name for name in GRAPH_EDGES if name != "one"])
def test_tours_on_small_graph_equal_search(name: str, tmp_path: Path) -> None:
    edges = GRAPH_EDGES[name]
    check_graph(adjacency_lists(1 + max(v for edge in edges for v in edge), edges), tmp_path)


@pytest.mark.slow
def test_tours_on_random_graphs_equal_search(tmp_path: Path) -> None:
    chance = random.Random(1)
    cycles = 0
    for _ in range(40):
        n = chance.randint(3, 7)
        pairs = list(combinations(range(n), 2))
        edges = chance.sample(pairs, chance.randint(min(n, len(pairs)), len(pairs)))
        cycles += check_graph(adjacency_lists(n, edges), tmp_path) > 0
    assert cycles > 20


HOLES: list[tuple[int, int, tuple[int, int], set[int], int]] = [
    (4, 5, (1, 2), {0, 19}, 10),
    (4, 5, (1, 2), {5, 14}, 0),
    (5, 5, (1, 2), {12}, 0),
    (5, 5, (0, 1), {0}, 20),
    (5, 5, (0, 1), {12}, 10),
    (5, 6, (0, 1), {14, 15}, 12),
]


@pytest.mark.parametrize(
    ("rows", "cols", "step", "holes", "number"), mostly_slow(HOLES, [*HOLES[:2], HOLES[4]])
)
def test_tours_on_board_with_holes_equal_search(
    rows: int, cols: int, step: tuple[int, int], holes: set[int], number: int, tmp_path: Path
) -> None:
    cells = [cell for cell in range(rows * cols) if cell not in holes]
    neighbours = leaper(rows, cols, step)
    assert (
        check_graph(
            [[cells.index(j) for j in neighbours[i] if j in cells] for i in cells], tmp_path
        )
        == number
    )


@pytest.mark.parametrize("name", HAMILTON)
def test_tours_on_named_graphs_equal_known_counts(name: str, tmp_path: Path) -> None:
    """Flower snarks have exponentially many 2-factors, but no Hamiltonian cycle."""
    cube = shipped(name, graph=GRAPHS / "cube.hcp")
    assert count(cube) == 6
    assert not is_satisfiable(shipped(name, graph=GRAPHS / "petersen.col"))
    path = tmp_path / "flower.txt"
    path.write_text("".join(f"{u} {v}\n" for u, v in flower_snark(15)))
    assert not is_satisfiable(shipped(name, graph=path))
