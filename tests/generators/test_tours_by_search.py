"""Directed tours against plain search, on boards and graphs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations, product
from pathlib import Path

import pytest
from helpers.formulas import (
    GRAPHS,
    is_satisfiable,
    mostly_slow,
    one_in,
)
from helpers.tour_search import (
    BOARDS,
    DIRECTED,
    GRAPH_EDGES,
    TOURS,
    Neighbours,
    decoded_tours,
    has_parameter,
    leaper,
    search_tours,
    shipped_lenient,
)

HAMILTON = [f"hamilton/{encoding}" for encoding in DIRECTED]


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(("rows", "cols", "moves", "steps"), mostly_slow(BOARDS, BOARDS[1:2]))
def test_tours_of_leaper_equal_search(
    rows: int, cols: int, moves: str, steps: Sequence[tuple[int, int]], closed: bool
) -> None:
    neighbours = leaper(rows, cols, *steps)
    for start in (0, rows * cols // 2):
        expected = sorted(search_tours(neighbours, start, closed))
        for name in TOURS:
            formula = shipped_lenient(
                name, rows=rows, cols=cols, moves=moves, start=start, closed=closed
            )
            assert sorted(decoded_tours(formula, start)) == expected, name


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("graph", mostly_slow(GRAPH_EDGES, ("wheel",)))
def test_tours_on_small_graph_equal_search(graph: str, closed: bool, tmp_path: Path) -> None:
    edges = GRAPH_EDGES[graph]
    check_graph(max((v for edge in edges for v in edge), default=0) + 1, edges, closed, tmp_path)


@pytest.mark.slow
def test_tours_on_random_graphs_equal_search(tmp_path: Path) -> None:
    chance = random.Random(2)
    cycles = 0
    for _ in range(6):
        n = chance.randint(3, 6)
        pairs = list(combinations(range(n), 2))
        edges = chance.sample(pairs, chance.randint(min(n, len(pairs)), len(pairs)))
        cycles += check_graph(n, edges, True, tmp_path) > 0
        check_graph(n, edges, False, tmp_path)
    assert cycles > 2


def check_graph(n: int, edges: Sequence[tuple[int, int]], closed: bool, folder: Path) -> int:
    """Check all encodings against search, from the first and last vertex; return the count."""
    lines = [f"p edge {n} {len(edges)}", *(f"e {u + 1} {v + 1}" for u, v in edges)]
    path = folder / "graph.col"
    path.write_text("\n".join(lines) + "\n")
    near: Neighbours = [[] for _ in range(n)]
    for u, v in edges:
        near[u].append(v)
        near[v].append(u)
    for start in {0, n - 1}:
        expected = sorted(search_tours(near, start, closed))
        for name, distance in product(HAMILTON, (True, False)):
            if distance and not has_parameter(name, "distance"):
                continue
            formula = shipped_lenient(
                name, graph=path, closed=closed, start=start + 1, distance=distance
            )
            assert sorted(decoded_tours(formula, start)) == expected, (name, start, distance)
    return len(expected)


@pytest.mark.parametrize("name", one_in(2, HAMILTON))
def test_tours_on_petersen_graph_and_cube_equal_known_counts(name: str) -> None:
    petersen, cube = GRAPHS / "petersen.col", GRAPHS / "cube.hcp"
    assert not is_satisfiable(shipped_lenient(name, graph=petersen))
    for number, settings in [
        (24, {"graph": petersen, "closed": False}),
        (12, {"graph": cube}),
        (6, {"graph": cube, "parity": True, "one_direction": True}),
        (18, {"graph": cube, "closed": False}),
    ]:
        assert len(decoded_tours(shipped_lenient(name, **settings))) == number
