"""Tours: the numbers of the paper's Table 1, published counts, and every model a valid tour."""

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


def check_tours(found: list[Tour], neighbours: Neighbours, start: int, closed: bool) -> None:
    """Each is a tour, and none is there twice."""
    for tour in found:
        assert sorted(tour) == list(range(len(neighbours)))
        assert tour[0] == start
        assert all(b in neighbours[a] for a, b in pairwise(tour))
        assert not closed or tour[0] in neighbours[tour[-1]]
    assert len(set(found)) == len(found)


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
UNITS = {"direct": 2, "unary": 1, "binary": 0}
"""The table leaves unit clauses out."""


@pytest.mark.parametrize(("n", "encoding"), PAPER)
def test_the_numbers_of_the_paper(n: int, encoding: str) -> None:
    formula = shipped(f"tour/{encoding}", n=n)
    assert (formula.variables, formula.clauses - formula.num_unit_clauses) == PAPER[n, encoding]
    assert formula.num_unit_clauses == UNITS[encoding]


def distances(neighbours: Neighbours) -> list[int]:
    """Of every cell from cell 0."""
    found, reached = {0: 0}, [0]
    for i in reached:
        for j in neighbours[i]:
            if j not in found:
                found[j] = found[i] + 1
                reached.append(j)
    return [found[i] for i in range(len(neighbours))]


@pytest.mark.parametrize("n", [4, 5, 6, 7, 9, 11])
def test_closed_forms(n: int) -> None:
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
    for encoding, numbers in expected.items():
        formula = shipped(f"tour/{encoding}", n=n)
        assert (formula.variables, formula.clauses - UNITS[encoding]) == numbers, encoding


@pytest.mark.parametrize("name", one_in(2, TOURS))
@pytest.mark.parametrize(
    "options", switch_settings("distance", "parity", "no_two_cycles", quick=(True,)), ids=str
)
def test_open_tours_of_five_by_five(name: str, options: dict[str, bool]) -> None:
    found = decoded_tours(shipped_lenient(name, n=5, closed=False, **options))
    assert len(found) == 304
    check_tours(found, leaper(5, 5, (1, 2)), 0, closed=False)


@pytest.mark.parametrize("name", TOURS)
@pytest.mark.parametrize(
    "options", switch_settings("distance", "parity", "no_two_cycles", "one_direction"), ids=str
)
def test_closed_tours_of_five_by_six(name: str, options: dict[str, bool]) -> None:
    found = decoded_tours(shipped_lenient(name, rows=5, cols=6, **options))
    assert len(found) == (8 if options["one_direction"] else 16)
    check_tours(found, leaper(5, 6, (1, 2)), 0, closed=True)
    if options["one_direction"]:
        assert not {tour[1:] for tour in found} & {tour[:0:-1] for tour in found}


@pytest.mark.parametrize("name", one_in(4, TOURS))
@pytest.mark.parametrize("one_direction", [False, True])
def test_closed_tours_of_three_by_ten(name: str, one_direction: bool) -> None:
    found = decoded_tours(shipped_lenient(name, rows=3, cols=10, one_direction=one_direction))
    assert len(found) == (16 if one_direction else 32)
    check_tours(found, leaper(3, 10, (1, 2)), 0, closed=True)


STARTS = [(12, 64), (6, 56), (2, 56), (1, 0)]
BEGINNING = [(name, *start) for name in TOURS for start in STARTS]


@pytest.mark.parametrize(("name", "start", "number"), mostly_slow(BEGINNING, BEGINNING[::5]))
def test_open_tours_from_any_square(name: str, start: int, number: int) -> None:
    """Of the 1728 on 5x5; none begins on a square of the colour that has fewer."""
    found = decoded_tours(shipped_lenient(name, n=5, closed=False, parity=True, start=start), start)
    assert len(found) == number
    check_tours(found, leaper(5, 5, (1, 2)), start, closed=False)


@pytest.mark.parametrize("name", mostly_slow(TOURS, TOURS[1::2]))
def test_a_closed_tour_begins_anywhere(name: str) -> None:
    found = decoded_tours(
        shipped_lenient(name, rows=5, cols=6, start=14, parity=True, one_direction=True), 14
    )
    assert len(found) == 8
    check_tours(found, leaper(5, 6, (1, 2)), 14, closed=True)


@pytest.mark.parametrize("name", mostly_slow(TOURS, TOURS[::4]))
def test_eight_by_eight_has_a_tour(name: str) -> None:
    assert is_satisfiable(
        shipped_lenient(name, n=8, distance=True, parity=True, no_two_cycles=True)
    )


@pytest.mark.parametrize("name", TOURS)
def test_whether_counts_are_kept(name: str) -> None:
    """Other variables follow from the projection where a spec says so, and only there."""
    formula = shipped_lenient(name, rows=3, cols=4, moves="wazir", distance=False)
    tours = count(formula, formula.header.projection.tolist())
    assert tours == 2 * 2
    assert (count(formula) == tours) == formula.header.count_preserving


@pytest.mark.parametrize("name", mostly_slow(TOURS, TOURS[-1:]))
def test_closed_tours_of_three_by_twelve(name: str) -> None:
    found = decoded_tours(shipped_lenient(name, rows=3, cols=12, one_direction=True))
    assert len(found) == 176
    check_tours(found, leaper(3, 12, (1, 2)), 0, closed=True)


@pytest.mark.slow
def test_closed_tours_of_six_by_six() -> None:
    formula = shipped("tour/binary", n=6, parity=True, one_direction=True)
    moves = set(members(formula, "H").values())
    found = 0
    with Solver("cadical153", bootstrap_with=clauses_of(formula)) as solver:
        while solver.solve():
            found += 1
            # All tours have equally many moves, so that these exclude no other.
            solver.add_clause([-v for v in solver.get_model() if v in moves])
    assert found == 9862


@pytest.mark.parametrize("name", mostly_slow(TOURS, TOURS[1::2]))
@pytest.mark.parametrize("options", switch_settings("distance", "parity", quick=(False,)), ids=str)
def test_boards_without_a_tour(name: str, options: dict[str, bool]) -> None:
    """A closed tour changes the colour an even number of times; 3x3 has a centre without moves."""
    assert not is_satisfiable(shipped_lenient(name, n=5, **options))
    for n, closed in product((3, 4), (True, False)):
        assert not is_satisfiable(shipped_lenient(name, n=n, closed=closed, **options))


@pytest.mark.parametrize(
    "name", one_in(2, (name for name in TOURS if has_parameter(name, "parity")))
)
def test_parity_refutes_odd_boards_at_once(name: str) -> None:
    assert not is_satisfiable(shipped_lenient(name, n=9, parity=True))
