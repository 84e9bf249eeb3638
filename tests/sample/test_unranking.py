"""Unranking of tours against search: a bijection of numbers and tours."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, islice, pairwise, permutations
from math import factorial

import numpy as np
import pytest
from helpers import splitmix
from helpers.frontier_counts import count_all_paths, count_cycles, count_paths
from helpers.small_graphs import Graph, complete, generalized_petersen, knights, necklace

from boardsat.adapters import samplers
from boardsat.adapters.counters import tour_index
from boardsat.adapters.counters.tour_index import TableStore, index_tours
from boardsat.adapters.counters.tour_problem import TourProblem
from boardsat.base.errors import BoardsatError

Order = tuple[int, ...]


def orders(problem: TourProblem, numbers: list[int] | None = None) -> list[Order]:
    """Return the tours of some numbers, or of all numbers."""
    tours = index_tours(problem)
    rows = tours.orders(list(range(tours.total)) if numbers is None else numbers)
    return [tuple(row) for row in rows.tolist()]


def searched(vertices: int, edges: list[tuple[int, int]]) -> list[Order]:
    """All Hamiltonian paths, by trying every order."""
    linked = {pair for u, v in edges for pair in ((u, v), (v, u))}
    return [o for o in permutations(range(vertices)) if all(s in linked for s in pairwise(o))]


def searched_cycles(vertices: int, edges: list[tuple[int, int]], start: int) -> set[Order]:
    """From the start, to the smaller of the two next to it."""
    linked = {pair for u, v in edges for pair in ((u, v), (v, u))}
    return {
        order
        for order in searched(vertices, edges)
        if order[0] == start and (order[-1], start) in linked and order[1] < order[-1]
    }


def small_graphs() -> list[Graph]:
    chance = random.Random(17)
    graphs: list[Graph] = [complete(3), complete(4), complete(6), generalized_petersen(3, 1)]
    graphs += [(2, [(0, 1)]), (3, [(0, 1), (1, 2)]), (4, []), (1, []), knights(3, 2)]
    for _ in range(12):
        vertices = chance.randint(3, 7)
        pairs = list(combinations(range(vertices), 2))
        graphs.append((vertices, [pair for pair in pairs if chance.random() < 0.7]))
    return graphs


@pytest.mark.parametrize("graph", small_graphs())
def test_unranking_of_all_numbers_gives_all_tours(graph: Graph) -> None:
    vertices, edges = graph
    paths = searched(vertices, edges)
    for start in (0, vertices - 1):
        closed = orders(TourProblem(vertices, edges, start, True))
        assert len(closed) == len(set(closed)) == count_cycles(vertices, edges)
        if vertices > 2:
            assert set(closed) == searched_cycles(vertices, edges, start)
        opened = orders(TourProblem(vertices, edges, start, False))
        assert len(opened) == len(set(opened)) == count_paths(vertices, edges, start)
        assert set(opened) == {order for order in paths if order[0] == start}
    anywhere = orders(TourProblem(vertices, edges, None, False))
    assert len(anywhere) == len(set(anywhere)) == count_all_paths(vertices, edges)
    assert set(anywhere) == set(paths)


@pytest.mark.parametrize(
    ("rows", "cols", "tours"), [(5, 6, 8), (3, 10, 16), (3, 12, 176), (6, 6, 9_862), (5, 5, 0)]
)
def test_unranking_of_6x6_gives_different_closed_tours(rows: int, cols: int, tours: int) -> None:
    """Compare their number with the published one, and check each tour."""
    result = orders(TourProblem(*knights(rows, cols), 0, True))
    assert len(result) == len(set(result)) == tours
    squares = np.array(result).reshape(tours, rows * cols)
    assert (np.sort(squares, axis=1) == np.arange(rows * cols)).all()
    following = np.roll(squares, -1, axis=1)
    steps = abs(squares // cols - following // cols) * abs(squares % cols - following % cols)
    assert (steps == 2).all()


@pytest.mark.parametrize(
    ("beads", "size"),
    # A word holds the first, the second fits none, and the last is larger than any float.
    [(12, 5), (30, 5), pytest.param(230, 6, marks=pytest.mark.slow)],
)
def test_unranking_supports_numbers_above_64_bits(beads: int, size: int) -> None:
    """A cycle passes each bead from its first vertex to its last, in any order of the others."""
    graph = necklace(beads, size)
    request = TourProblem(*graph, 0, True)
    total = factorial(size - 2) ** beads
    tours = index_tours(request)
    assert tours.total == total
    numbers = [0, total - 1, total // 3, total // 3 + 1]
    linked = {frozenset(edge) for edge in graph[1]}
    result = orders(request, numbers)
    assert len(set(result)) == len(numbers)
    for order in result:
        assert sorted(order) == list(range(graph[0]))
        assert all(frozenset(step) in linked for step in pairwise((*order, order[0])))


def chi_squared(draws: Counter[Order], cells: int) -> float:
    expected = draws.total() / cells
    missing = cells - len(draws)
    return sum((n - expected) ** 2 / expected for n in draws.values()) + missing * expected


@pytest.mark.parametrize(
    ("rows", "cols", "tours", "draws", "low", "high"),
    [
        # Between the quantiles 0.001 and 0.999 of as many degrees of freedom.
        (5, 6, 8, 4_000, 0.60, 24.3),
        (6, 6, 9_862, 19_724, 9_433, 10_300),
    ],
)
def test_draws_of_a_seed_are_uniform(
    rows: int, cols: int, tours: int, draws: int, low: float, high: float
) -> None:
    numbers = samplers.numbers_below(tours, draws, 1)
    result = Counter(orders(TourProblem(*knights(rows, cols), 0, True), numbers))
    assert low < chi_squared(result, tours) < high


def test_tables_are_stored_in_file_or_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    request = TourProblem(*knights(6, 6), 0, True)
    apart = orders(request, [0, 1, 9_861])
    monkeypatch.setattr(tour_index, "SPILL_THRESHOLD_BYTES", 0)
    assert orders(request, [0, 1, 9_861]) == apart


def test_too_large_tables_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BoardsatError, match="exceed the memory limit"):
        TableStore(100).put(np.zeros(101, np.int8))

    def full(_: bytes) -> int:
        raise OSError(28, "No space left on device")

    store = TableStore(100)
    monkeypatch.setattr(store._file, "write", full)
    with pytest.raises(BoardsatError, match="do not fit on the disk: No space left on device"):
        store.put(np.zeros(tour_index.SPILL_THRESHOLD_BYTES, np.int8))


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_splitmix64_agrees_with_published_values(seed: int) -> None:
    assert list(islice(samplers.random_words(seed), 50)) == list(islice(splitmix.words(seed), 50))


@pytest.mark.parametrize("limit", [2, 3 * 2**40, 2**63, 2**64, 2**64 + 2, 3**100 + 1])
def test_random_numbers_are_below_the_limit(limit: int) -> None:
    result = samplers.numbers_below(limit, 200, 5)
    assert len(result) == 200 and all(0 <= number < limit for number in result)
    # Half of them in the upper half, but for five deviations.
    assert abs(sum(number >= limit // 2 for number in result) - 100) < 36
    assert result == samplers.numbers_below(limit, 200, 5)
    assert result != samplers.numbers_below(limit, 200, 6)


def test_random_number_below_one_is_zero() -> None:
    assert samplers.numbers_below(1, 3, 5) == [0, 0, 0]


def test_random_number_of_128_bits() -> None:
    """The first word is the higher one, of which the lowest bits are kept."""
    high, low, *_ = islice(splitmix.words(7), 2)
    assert samplers.numbers_below(2**70, 1, 7) == [high % 2**6 << 64 | low]
