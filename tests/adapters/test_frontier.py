"""Frontier counter compared with published counts and with brute-force search."""

from __future__ import annotations

import random
from math import factorial

import numpy as np
import pytest
from helpers.formulas import mostly_slow, one_in
from helpers.frontier_counts import count_cycles, count_paths
from helpers.small_graphs import (
    Steps,
    bipartite,
    complete,
    generalized_petersen,
    knights,
    leapers,
    necklace,
    ring,
)

from boardsat.adapters.counters import frontier
from boardsat.adapters.counters.frontier import Layer, Step
from boardsat.base.errors import BoardsatError


def searched_paths(vertices: int, edges: list[tuple[int, int]], start: int) -> list[int]:
    """Return the last vertex of every Hamiltonian path from a vertex, by brute force."""
    linked = {pair for u, v in edges for pair in ((u, v), (v, u))}
    path_ends = []

    def extend(path: list[int]) -> None:
        if len(path) == vertices:
            path_ends.append(path[-1])
        for vertex in range(vertices):
            if vertex not in path and (path[-1], vertex) in linked:
                extend([*path, vertex])

    extend([start])
    return path_ends


def searched_cycles(vertices: int, edges: list[tuple[int, int]]) -> int:
    if vertices < 3:
        return 0
    linked = {pair for u, v in edges for pair in ((u, v), (v, u))}
    return sum((end, 0) in linked for end in searched_paths(vertices, edges, 0)) // 2


@pytest.mark.parametrize(
    ("rows", "cols", "tours"),
    [
        (3, 3, 0),
        (4, 4, 0),
        (5, 5, 0),
        (5, 6, 8),
        (3, 10, 16),
        (3, 12, 176),
        (4, 10, 0),
        (6, 6, 9_862),
        pytest.param(6, 7, 1_067_638, marks=pytest.mark.slow),
        pytest.param(6, 8, 55_488_142, marks=pytest.mark.slow),
        pytest.param(6, 9, 3_374_967_940, marks=pytest.mark.slow),
        pytest.param(6, 10, 239_187_240_144, marks=pytest.mark.slow),
        pytest.param(7, 8, 34_524_432_316, marks=pytest.mark.slow),
    ],
)
def test_closed_knights_tours_equal_published_counts(rows: int, cols: int, tours: int) -> None:
    assert count_cycles(*knights(rows, cols)) == tours
    assert count_cycles(*knights(cols, rows)) == tours


@pytest.mark.parametrize(
    ("steps", "side", "cycles"),
    [
        # King (OEIS A140519), then wazir (A003763).
        (((0, 1), (1, 0), (1, 1), (1, -1)), 4, 2_830),
        pytest.param(((0, 1), (1, 0), (1, 1), (1, -1)), 5, 2_462_064, marks=pytest.mark.slow),
        pytest.param(((0, 1), (1, 0), (1, 1), (1, -1)), 6, 22_853_860_116, marks=pytest.mark.slow),
        (((0, 1), (1, 0)), 6, 1_072),
        (((0, 1), (1, 0)), 8, 4_638_576),
        pytest.param(((0, 1), (1, 0)), 10, 467_260_456_608, marks=pytest.mark.slow),
    ],
)
def test_cycles_of_king_and_wazir_equal_published_counts(
    steps: Steps, side: int, cycles: int
) -> None:
    assert count_cycles(*leapers(side, side, steps)) == cycles


def test_count_arrays_use_narrow_integers_for_one_step_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Most states have small counts; only the states of one step are stored."""
    layer_sizes: list[tuple[int, set[int]]] = []

    def eliminate(layers: dict[int, Layer], step: Step) -> dict[int, Layer]:
        next_layers = original_eliminate(layers, step)
        layer_sizes.append((len(layers), {layer.counts.itemsize for layer in next_layers.values()}))
        return next_layers

    original_eliminate = frontier.eliminate
    monkeypatch.setattr(frontier, "eliminate", eliminate)
    assert count_cycles(*knights(6, 7)) == 1_067_638
    num_layers, sizes = zip(*layer_sizes, strict=True)
    assert max(num_layers) <= 2
    assert sizes[0] == {2}
    assert set.union(*sizes) == {2, 4}


@pytest.mark.parametrize(("bits", "size"), [(14, 2), (15, 4), (30, 4), (31, 8), (62, 8)])
def test_narrowest_dtype_holds_bound(bits: int, size: int) -> None:
    assert frontier._narrowest_dtype(float(2**bits)).itemsize == size


def test_narrowest_dtype_above_64_bits_raises_overflow_error() -> None:
    with pytest.raises(OverflowError):
        frontier._narrowest_dtype(float(2**63))


@pytest.mark.parametrize(
    ("rows", "cols", "start", "tours"),
    [(3, 4, 0, 2), (5, 5, 0, 304), (5, 5, 12, 64), (5, 5, 1, 0), (6, 6, 0, 524_486)],
)
def test_open_knights_tours_equal_published_counts(
    rows: int, cols: int, start: int, tours: int
) -> None:
    assert count_paths(*knights(rows, cols), start) == tours


@pytest.mark.parametrize("seed", one_in(10, range(150)))
def test_random_graphs_equal_search(seed: int) -> None:
    dice = random.Random(seed)
    vertices = dice.randint(1, 8)
    density = dice.choice([0.3, 0.5, 0.7, 0.9])
    edges = [pair for pair in complete(vertices)[1] if dice.random() < density]
    dice.shuffle(edges)
    start = dice.randrange(vertices)
    assert count_cycles(vertices, edges) == searched_cycles(vertices, edges)
    assert count_paths(vertices, edges, start) == len(searched_paths(vertices, edges, start))


def test_classic_graphs_equal_known_counts() -> None:
    petersen = generalized_petersen(5, 2)
    assert count_cycles(*petersen) == 0
    assert count_paths(*petersen, 0) == 24
    assert count_cycles(*generalized_petersen(3, 1)) == 3  # a prism
    assert count_cycles(*generalized_petersen(4, 1)) == 6  # the cube
    assert count_cycles(*generalized_petersen(10, 2)) == 30  # the dodecahedron
    assert count_cycles(9, ring(9)) == 1
    assert count_paths(9, ring(9), 4) == 2


@pytest.mark.parametrize("vertices", range(3, 10))
def test_complete_graph_equals_formula(vertices: int) -> None:
    assert count_cycles(*complete(vertices)) == factorial(vertices - 1) // 2
    assert count_paths(*complete(vertices), 1) == factorial(vertices - 1)


@pytest.mark.parametrize("side", range(2, 7))
def test_complete_bipartite_graph_equals_formula(side: int) -> None:
    assert count_cycles(*bipartite(side)) == factorial(side) * factorial(side - 1) // 2
    assert count_paths(*bipartite(side), 0) == factorial(side) * factorial(side - 1)


@pytest.mark.parametrize(
    ("beads", "size"), mostly_slow([(13, 6), (14, 6), (25, 5), (10, 7)], [(25, 5)])
)
def test_cycle_count_above_64_bits_is_exact(beads: int, size: int) -> None:
    assert count_cycles(*necklace(beads, size)) == factorial(size - 2) ** beads


@pytest.mark.slow
def test_path_count_above_64_bits_is_exact() -> None:
    # A string of complete graphs, entered at its first vertex: the last one ends anywhere.
    vertices, edges = necklace(24, 5)
    edges.remove((vertices - 1, 0))
    assert count_paths(vertices, edges, 0) == factorial(3) ** 23 * factorial(4)


def test_tiny_graphs_equal_known_counts() -> None:
    for vertices in range(3):
        assert count_cycles(*complete(vertices)) == 0
    assert count_paths(1, [], 0) == 1
    assert count_paths(2, [], 0) == 0
    assert count_paths(2, [(0, 1)], 1) == 1
    assert count_paths(3, [(0, 1), (1, 2)], 1) == 0
    assert count_cycles(3, np.array([[0, 1], [1, 2], [2, 0]])) == 1


def test_loops_and_parallel_edges_are_ignored() -> None:
    vertices, edges = complete(5)
    assert count_cycles(vertices, [*edges, (2, 2), *((v, u) for u, v in edges)]) == 12


def test_wide_graph_without_cycles_is_counted_quickly() -> None:
    # Neither of these may reach the frontier, which would be far too wide.
    vertices, edges = complete(60)
    assert count_cycles(vertices + 1, [*edges, (0, vertices)]) == 0
    assert count_cycles(2 * vertices, [*edges, *((u + 60, v + 60) for u, v in edges)]) == 0


def test_invalid_or_too_wide_graph_is_rejected() -> None:
    with pytest.raises(BoardsatError, match="must have fewer than"):
        count_cycles(*complete(60))
    with pytest.raises(ValueError, match="start"):
        count_paths(*complete(3), 3)
    with pytest.raises(ValueError, match="edge"):
        count_cycles(3, [(0, 3)])
