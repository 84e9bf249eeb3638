"""Directed tours: the sizes of the paper's Table 1, published counts, and valid models."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from helpers.formulas import (
    clauses_of,
    count,
    is_satisfiable,
    members,
    mostly_slow,
    one_in,
    shipped,
)
from helpers.tour_search import (
    TOURS,
    Neighbours,
    Tour,
    count_pairs,
    decoded_tours,
    has_parameter,
    leaper,
    shipped_lenient,
    switch_settings,
)
from pysat.solvers import Solver


def check_tours(models: list[Tour], neighbours: Neighbours, start: int, closed: bool) -> None:
    """Check that the models are distinct, valid tours."""
    for tour in models:
        assert sorted(tour) == list(range(len(neighbours)))
        assert tour[0] == start
        assert all(b in neighbours[a] for a, b in pairwise(tour))
        assert not closed or tour[0] in neighbours[tour[-1]]
    assert len(set(models)) == len(models)


# Sizes.

TABLE_1 = """
    6 | 1296 46692 | 1291 22784 | 370 5605
    8 | 4096 262208 | 4055 127236 | 714 12161
    10 | 10000 1000100 | 9855 482250 | 1269 24669
    12 | 20736 2986128 | 20375 1433980 | 2024 43385
    14 | 38416 7529732 | 37699 3610940 | 2808 62021
"""
PAPER = {
    (int(cells[0]), name): tuple(map(int, cell.split()))
    for cells in (line.split("|") for line in TABLE_1.strip().splitlines())
    for name, cell in zip(("direct", "unary", "binary"), cells[1:], strict=True)
}
NUM_UNIT_CLAUSES = {"direct": 2, "unary": 1, "binary": 0}
"""Unit clauses, which the table does not count."""


@pytest.mark.parametrize(("n", "encoding"), PAPER)
def test_sizes_equal_table_1_of_paper(n: int, encoding: str) -> None:
    formula = shipped(f"tour/{encoding}", n=n)
    assert (formula.variables, formula.clauses - formula.num_unit_clauses) == PAPER[n, encoding]
    assert formula.num_unit_clauses == NUM_UNIT_CLAUSES[encoding]


def distances(neighbours: Neighbours) -> list[int]:
    """Return the distance of each cell from cell 0."""
    distance, reached = {0: 0}, [0]
    for i in reached:
        for j in neighbours[i]:
            if j not in distance:
                distance[j] = distance[i] + 1
                reached.append(j)
    return [distance[i] for i in range(len(neighbours))]


@pytest.mark.parametrize("n", [4, 5, 6, 7, 9, 11])
def test_sizes_equal_closed_forms(n: int) -> None:
    neighbours = leaper(n, n, (1, 2))
    d, squares = distances(neighbours), n * n
    degrees = [len(near) for near in neighbours]
    moves, m = 8 * (n - 1) * (n - 2), (squares - 1).bit_length()
    assert sum(degrees) == moves
    one_move = 2 * sum(1 + count_pairs(degree) for degree in degrees)
    domains = [range(d[i], squares - d[i] + 1) if i else range(squares) for i in range(squares)]
    advances = sum(
        p in domains[i] and p + 1 in domains[j]
        for i in range(1, squares)
        for j in neighbours[i]
        if j
        for p in range(1, squares - 1)
    )
    expected = {
        "direct": (
            squares**2,
            2 * squares * (1 + count_pairs(squares)) + squares * (squares - 1),
        ),
        "unary": (
            moves + sum(map(len, domains)),
            one_move
            + sum(1 + count_pairs(len(dom)) for dom in domains)
            + 2 * degrees[0]
            + advances,
        ),
        "binary": (
            moves + (squares - 1) * m,
            one_move
            + 2 * degrees[0] * m
            + (moves - 2 * degrees[0]) * (6 * m - 6)
            + sum(2 * distance - 1 for distance in d[1:]),
        ),
    }
    for encoding, sizes in expected.items():
        formula = shipped(f"tour/{encoding}", n=n)
        assert (formula.variables, formula.clauses - NUM_UNIT_CLAUSES[encoding]) == sizes, encoding


@pytest.mark.parametrize("name", one_in(2, TOURS))
@pytest.mark.parametrize(
    "options", switch_settings("distance", "parity", "no_two_cycles", quick=(True,)), ids=str
)
def test_open_tours_on_5x5_are_304(name: str, options: dict[str, bool]) -> None:
    models = decoded_tours(shipped_lenient(name, n=5, closed=False, **options))
    assert len(models) == 304
    check_tours(models, leaper(5, 5, (1, 2)), 0, closed=False)


@pytest.mark.parametrize("name", TOURS)
@pytest.mark.parametrize(
    "options", switch_settings("distance", "parity", "no_two_cycles", "one_direction"), ids=str
)
def test_closed_tours_on_5x6_are_8(name: str, options: dict[str, bool]) -> None:
    models = decoded_tours(shipped_lenient(name, rows=5, cols=6, **options))
    assert len(models) == (8 if options["one_direction"] else 16)
    check_tours(models, leaper(5, 6, (1, 2)), 0, closed=True)
    if options["one_direction"]:
        assert not {tour[1:] for tour in models} & {tour[:0:-1] for tour in models}


@pytest.mark.parametrize("name", one_in(4, TOURS))
@pytest.mark.parametrize("one_direction", [False, True])
def test_closed_tours_on_3x10_are_16(name: str, one_direction: bool) -> None:
    models = decoded_tours(shipped_lenient(name, rows=3, cols=10, one_direction=one_direction))
    assert len(models) == (16 if one_direction else 32)
    check_tours(models, leaper(3, 10, (1, 2)), 0, closed=True)


STARTS = [(12, 64), (6, 56), (2, 56), (1, 0)]
BEGINNING = [(name, *start) for name in TOURS for start in STARTS]


@pytest.mark.parametrize(("name", "start", "number"), mostly_slow(BEGINNING, BEGINNING[::5]))
def test_open_tours_from_each_start_equal_published_count(
    name: str, start: int, number: int
) -> None:
    """There are 1728 open tours on 5x5; they begin on squares of the majority colour."""
    models = decoded_tours(
        shipped_lenient(name, n=5, closed=False, parity=True, start=start), start
    )
    assert len(models) == number
    check_tours(models, leaper(5, 5, (1, 2)), start, closed=False)


@pytest.mark.parametrize("name", mostly_slow(TOURS, TOURS[1::2]))
def test_closed_tours_from_another_start_are_8(name: str) -> None:
    models = decoded_tours(
        shipped_lenient(name, rows=5, cols=6, start=14, parity=True, one_direction=True), 14
    )
    assert len(models) == 8
    check_tours(models, leaper(5, 6, (1, 2)), 14, closed=True)


@pytest.mark.parametrize("name", mostly_slow(TOURS, TOURS[::4]))
def test_8x8_has_tour(name: str) -> None:
    assert is_satisfiable(
        shipped_lenient(name, n=8, distance=True, parity=True, no_two_cycles=True)
    )


@pytest.mark.parametrize("name", TOURS)
def test_count_preserving_equals_declaration(name: str) -> None:
    """Variables outside the projection are determined if and only if the spec declares it."""
    formula = shipped_lenient(name, rows=3, cols=4, moves="wazir", distance=False)
    num_tours = count(formula, formula.header.projection.tolist())
    assert num_tours == 2 * 2
    assert (count(formula) == num_tours) == formula.header.count_preserving


@pytest.mark.parametrize("name", mostly_slow(TOURS, TOURS[-1:]))
def test_closed_tours_on_3x12_are_176(name: str) -> None:
    models = decoded_tours(shipped_lenient(name, rows=3, cols=12, one_direction=True))
    assert len(models) == 176
    check_tours(models, leaper(3, 12, (1, 2)), 0, closed=True)


@pytest.mark.slow
def test_closed_tours_on_6x6_are_9862() -> None:
    formula = shipped("tour/binary", n=6, parity=True, one_direction=True)
    moves = set(members(formula, "H").values())
    num_tours = 0
    with Solver("cadical153", bootstrap_with=clauses_of(formula)) as solver:
        while solver.solve():
            num_tours += 1
            # All tours have the same number of moves, so this excludes only one tour.
            solver.add_clause([-v for v in solver.get_model() if v in moves])
    assert num_tours == 9862


@pytest.mark.parametrize("name", mostly_slow(TOURS, TOURS[1::2]))
@pytest.mark.parametrize("options", switch_settings("distance", "parity", quick=(False,)), ids=str)
def test_board_without_tour_is_unsatisfiable(name: str, options: dict[str, bool]) -> None:
    """Closed tours have even length by the colours; the centre of 3x3 has no moves."""
    assert not is_satisfiable(shipped_lenient(name, n=5, **options))
    for n, closed in product((3, 4), (True, False)):
        assert not is_satisfiable(shipped_lenient(name, n=n, closed=closed, **options))


@pytest.mark.parametrize(
    "name", one_in(2, (name for name in TOURS if has_parameter(name, "parity")))
)
def test_parity_refutes_odd_board_quickly(name: str) -> None:
    assert not is_satisfiable(shipped_lenient(name, n=9, parity=True))
