"""Tours invariant under rotations of the board, against rotations of all tours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.formulas import clauses_of, is_satisfiable, members, mostly_slow, shipped, solutions
from helpers.solver_runs import instance
from helpers.tour_search import Tour, leaper, search_tours, switch_settings
from pysat.solvers import Solver

from boardsat.adapters.rules import violations
from boardsat.adapters.views import Solution
from boardsat.adapters.views import Tour as TourView
from boardsat.adapters.views.decoder import decode
from boardsat.instance.formula_file import open_formula

NAME = "symmetric/binary"


def turned(rows: int, cols: int, cell: int, turn: str) -> int:
    row, column = divmod(cell, cols)
    if turn == "90":
        return column * rows + rows - 1 - row
    return (rows - 1 - row) * cols + cols - 1 - column


def is_symmetric(tour: Sequence[int], rows: int, cols: int, turn: str) -> bool:
    """True if the rotation moves every square equally far along the tour."""
    position = {cell: p for p, cell in enumerate(tour)}
    shifts = {
        (position[turned(rows, cols, cell, turn)] - p) % len(tour) for cell, p in position.items()
    }
    return len(shifts) == 1


def checked_tours(folder: Path, **settings: Any) -> list[Tour]:
    """The tour of every model by the decoder, each of them checked by the rules."""
    opened = open_formula(instance(folder, NAME, **settings))
    tours = []
    for true in solutions(shipped(NAME, **settings)):
        model = np.full(opened.variables + 1, -1, np.int8)
        model[list(true)] = 1
        solution = decode(opened.header, model)
        assert solution is not None and isinstance(solution.view, TourView)
        assert not list(violations("symmetric", solution, opened.header.parameters) or [])
        tours.append(solution.view.order)
    return sorted(tours)


BOARDS: list[tuple[int, int, str, list[tuple[int, int]], str]] = [
    (2, 2, "wazir", [(0, 1)], "90"),
    (2, 2, "wazir", [(0, 1)], "180"),
    (2, 3, "wazir", [(0, 1)], "180"),
    (4, 4, "wazir", [(0, 1)], "180"),
    (2, 4, "king", [(0, 1), (1, 1)], "180"),
    (3, 4, "king", [(0, 1), (1, 1)], "180"),
    (2, 5, "1,3+wazir", [(1, 3), (0, 1)], "180"),
    (4, 3, "camel+wazir", [(1, 3), (0, 1)], "180"),
    (4, 4, "camel+wazir", [(1, 3), (0, 1)], "90"),
    (4, 4, "camel+wazir", [(1, 3), (0, 1)], "180"),
]


@pytest.mark.parametrize(
    ("rows", "cols", "moves", "steps", "turn"), mostly_slow(BOARDS, BOARDS[:5:4])
)
def test_against_search(
    rows: int, cols: int, moves: str, steps: list[tuple[int, int]], turn: str, tmp_path: Path
) -> None:
    neighbours = leaper(rows, cols, *steps)
    for start in (0, rows * cols // 2):
        expected = sorted(
            tour
            for tour in search_tours(neighbours, start, closed=True)
            if is_symmetric(tour, rows, cols, turn)
        )
        settings = {"rows": rows, "cols": cols, "moves": moves, "turn": turn, "start": start}
        assert checked_tours(tmp_path, **settings) == expected
        assert expected
        once = checked_tours(tmp_path, one_direction=True, **settings)
        assert sorted(once + [(tour[0], *tour[:0:-1]) for tour in once]) == expected


@pytest.mark.parametrize("options", switch_settings("distance", "parity", "no_two_cycles"), ids=str)
def test_quarter_turn_symmetric_tours_of_six_by_six(
    options: dict[str, bool], tmp_path: Path
) -> None:
    tours = checked_tours(tmp_path, n=6, turn="90", start=8, one_direction=True, **options)
    assert len(set(tours)) == len(tours) == 10


@pytest.mark.parametrize("parity", [False, True])
def test_half_turn_symmetric_tours_of_six_by_six(parity: bool, tmp_path: Path) -> None:
    """Those of all 9,862 tours, enumerated without rotations, that a half-turn rotation fixes."""
    assert len(set(checked_tours(tmp_path, n=6, parity=parity))) == 2 * 78


@pytest.mark.slow
def test_rotations_of_all_tours_of_six_by_six() -> None:
    formula = shipped("tour/uve", n=6)
    edge_of = {number: edge for edge, number in members(formula, "E").items()}
    num_kept = {"90": 0, "180": 0}
    with Solver("cadical153", bootstrap_with=clauses_of(formula)) as solver:
        while solver.solve():
            chosen = [v for v in solver.get_model() if v in edge_of]
            solver.add_clause([-v for v in chosen])
            edges = {frozenset(edge_of[v]) for v in chosen}
            for turn in num_kept:
                image = {frozenset(turned(6, 6, cell, turn) for cell in edge) for edge in edges}
                num_kept[turn] += image == edges
    assert num_kept == {"90": 10, "180": 78}


@pytest.mark.parametrize("options", switch_settings("distance", "parity"), ids=str)
def test_boards_without_such_a_tour(options: dict[str, bool]) -> None:
    """There is no tour on 4x4; on 3x10 a half turn preserves tours but reverses their direction."""
    assert not is_satisfiable(shipped(NAME, n=4, turn="90", **options))
    assert not is_satisfiable(shipped(NAME, n=4, **options))
    assert not is_satisfiable(shipped(NAME, rows=3, cols=10, **options))


def test_quarter_rotation_of_multiple_of_four_is_refuted_by_colour() -> None:
    assert not is_satisfiable(shipped(NAME, n=12, turn="90", parity=True))


def test_larger_boards_have_such_tours(tmp_path: Path) -> None:
    for n, turn in ((10, "90"), (14, "90"), (8, "180")):
        assert is_satisfiable(shipped(NAME, n=n, turn=turn))


def test_unsymmetric_tour_violates_the_rules(tmp_path: Path) -> None:
    header = open_formula(instance(tmp_path, NAME, rows=4, cols=3, moves="king")).header
    unsymmetric_tour = next(
        tour
        for tour in search_tours(leaper(4, 3, (0, 1), (1, 1)), 0, closed=True)
        if not is_symmetric(tour, 4, 3, "180")
    )
    solution = decode(header, np.full(1 + header.metadata["spec_variables"], -1, np.int8))
    assert solution is not None
    faults = list(
        violations(
            "symmetric", Solution(solution.board, TourView(unsymmetric_tour)), header.parameters
        )
        or []
    )
    assert faults and all(", rotated, is not that of " in line for line in faults)
