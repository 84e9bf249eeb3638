"""Problems other than tours: published numbers of solutions, in every shipped encoding."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from helpers.formulas import (
    GRAPHS,
    count,
    is_satisfiable,
    members,
    non_lazy_specs,
    shipped,
    solutions,
    tiny,
    truth_table,
)
from helpers.problem_settings import is_never

from boardsat.generators import Formula
from boardsat.generators.spec.catalogue import problems


def names(problem: str) -> list[str]:
    return [name for name in non_lazy_specs() if name.startswith(f"{problem}/")]


# What every spec promises.


@pytest.mark.parametrize("name", non_lazy_specs())
def test_models_equal_counted_objects_if_the_spec_declares_it(name: str) -> None:
    formula = tiny(name)
    counted = count(formula, projected(formula))
    assert (counted > 0) != is_never(name.partition("/")[0])
    assert count(formula) == counted or not formula.header.count_preserving


@pytest.mark.parametrize("problem", problems())
def test_all_encodings_of_a_problem_count_the_same(problem: str) -> None:
    formulas = [tiny(name) for name in names(problem)]
    assert len({directions(f) * count(f, projected(f)) for f in formulas}) == 1


def projected(formula: Formula) -> list[int] | None:
    """The variables that are counted; None for all."""
    projection = formula.header.projection
    return None if projection is None else projection.tolist()


def directions(formula: Formula) -> int:
    """In how many directions a model shows a tour: by its edges, in both."""
    return 2 if any(view["view"] == "edges" for view in formula.header.views.model_views) else 1


# Queens.


@pytest.mark.parametrize("name", names("queens"))
def test_queens(name: str) -> None:
    """https://oeis.org/A000170"""
    assert [count(shipped(name, n=n)) for n in range(1, 9)] == [1, 0, 0, 2, 10, 4, 40, 92]


# Latin squares and sudoku.


@pytest.mark.parametrize("name", names("latin"))
def test_latin_squares(name: str) -> None:
    """https://oeis.org/A002860"""
    assert [count(shipped(name, n=n)) for n in range(1, 5)] == [1, 2, 12, 576]


@pytest.mark.parametrize("name", names("latin"))
def test_partial_latin_square_is_completed(name: str) -> None:
    assert count(shipped(name, n=4, givens="1234............")) == 576 / 24
    assert count(shipped(name, n=4, givens="1234" + "2143" + "." * 8)) == 4
    assert count(shipped(name, n=3, givens="12.2.1...")) == 1
    assert not is_satisfiable(shipped(name, n=3, givens="11......."))


@pytest.mark.parametrize("name", names("sudoku"))
def test_sudoku_of_four_by_four(name: str) -> None:
    """https://oeis.org/A107739"""
    assert count(shipped(name, n=2)) == 288


PUZZLE = """
    53..7.... 6..195... .98....6.
    8...6...3 4..8.3..1 7...2...6
    .6....28. ...419..5 ....8..79
"""
SOLVED = """
    534678912 672195348 198342567
    859761423 426853791 713924856
    961537284 287419635 345286179
"""


@pytest.mark.parametrize("name", names("sudoku"))
def test_sudoku_has_a_unique_solution(name: str) -> None:
    formula = shipped(name, givens=PUZZLE)
    digit = {number: index for index, number in members(formula, "X").items()}
    (solution,) = solutions(formula)
    square = sorted(digit[v] for v in solution)
    assert [cell for cell, _ in square] == list(range(81))
    assert "".join(str(v + 1) for _, v in square) == "".join(SOLVED.split())


# Colouring.


@pytest.mark.parametrize("name", names("colouring"))
@pytest.mark.parametrize(("colours", "number"), [(1, 0), (2, 0), (3, 120)])
def test_the_petersen_graph(name: str, colours: int, number: int) -> None:
    assert count(shipped(name, graph=GRAPHS / "petersen.col", colours=colours)) == number


def graph_file(folder: Path, edges: list[tuple[int, int]]) -> Path:
    path = folder / "graph.txt"
    path.write_text("".join(f"{u} {v}\n" for u, v in edges))
    return path


@pytest.mark.parametrize("name", names("colouring"))
@pytest.mark.parametrize("colours", range(1, 6))
def test_chromatic_polynomials(name: str, colours: int, tmp_path: Path) -> None:
    k = colours
    for n in (3, 4, 5):
        cycle = [(v, (v + 1) % n) for v in range(n)]
        formula = shipped(name, graph=graph_file(tmp_path, cycle), colours=k)
        assert count(formula) == (k - 1) ** n + (-1) ** n * (k - 1)
    complete = list(combinations(range(4), 2))
    formula = shipped(name, graph=graph_file(tmp_path, complete), colours=k)
    assert count(formula) == k * (k - 1) * (k - 2) * (k - 3)


# Pigeons.


@pytest.mark.parametrize("name", names("pigeonhole"))
def test_one_pigeon_too_many(name: str) -> None:
    for n in range(1, 7):
        for functional in (False, True):
            assert not is_satisfiable(shipped(name, n=n, functional=functional))


@pytest.mark.parametrize("name", names("pigeonhole"))
@pytest.mark.parametrize(("pigeons", "holes"), [(1, 1), (2, 3), (3, 3), (3, 4), (2, 5)])
def test_pigeons_with_room(name: str, pigeons: int, holes: int) -> None:
    board = truth_table(pigeons * holes).reshape(-1, pigeons, holes)
    housed = board.any(axis=2).all(axis=1) & (board.sum(axis=1) <= 1).all(axis=1)
    once = housed & (board.sum(axis=2) == 1).all(axis=1)
    assert count(shipped(name, pigeons=pigeons, holes=holes)) == np.count_nonzero(housed)
    placed = shipped(name, pigeons=pigeons, holes=holes, functional=True)
    assert count(placed) == np.count_nonzero(once)


def test_three_pigeons_in_four_holes() -> None:
    assert count(shipped("pigeonhole/direct", pigeons=3, holes=4, functional=True)) == 4 * 3 * 2
