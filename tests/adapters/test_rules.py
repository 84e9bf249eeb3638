"""Rules of problems against independent oracles, on correct and mutated solutions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.formulas import catalogue, examples, non_lazy_specs
from helpers.instances import small_instances
from helpers.problem_settings import is_never
from helpers.solver_runs import instance, read_clauses
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver  # type: ignore[import-untyped, unused-ignore]

from boardsat.adapters import rules
from boardsat.adapters.boards import GraphBoard, Grid
from boardsat.adapters.views import Labels, Marks, Solution, Tour
from boardsat.adapters.views.decoder import decode
from boardsat.generators.spec.catalogue import find, problems
from boardsat.instance.formula_file import open_formula

KNIGHT = frozenset((a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a * b) == 2)
NOTHING: frozenset[tuple[int, int]] = frozenset()

# Correct solutions, to be mutated.
TOUR = [
    *(1, 22, 13, 24, 35, 4),
    *(12, 27, 36, 3, 14, 25),
    *(21, 2, 23, 26, 5, 34),
    *(28, 11, 30, 17, 8, 15),
    *(31, 20, 9, 6, 33, 18),
    *(10, 29, 32, 19, 16, 7),
]
ORDER = [TOUR.index(number) for number in range(1, 37)]
CUBE = frozenset((a, a | 1 << k) for a in range(8) for k in range(3) if not a >> k & 1)
CYCLE = [0, 1, 3, 2, 6, 7, 5, 4]
QUEENS = {1, 9, 17, 18, 26, 34}
LATIN = [(r + c) % 5 + 1 for r in range(5) for c in range(5)]
SUDOKU = [[(3 * (r % 3) + r // 3 + c) % 9 + 1 for c in range(9)] for r in range(9)]
PETERSEN = frozenset(
    [
        *((0, 1), (1, 2), (2, 3), (3, 4), (0, 4)),
        *((0, 5), (1, 6), (2, 7), (3, 8), (4, 9)),
        *((5, 7), (7, 9), (6, 9), (6, 8), (5, 8)),
    ]
)
COLOURS = [1, 2, 1, 2, 3, 2, 3, 3, 1, 1]
SEATS = {0, 6, 12}


def is_accepted(problem: str, solution: Solution, parameters: dict[str, Any]) -> bool:
    violations = rules.violations(problem, solution, parameters)
    assert violations is not None
    return not list(violations)


# Oracles.


def is_tour(
    order: list[int], cells: int, is_move: Callable[[int, int], bool], closed: bool
) -> bool:
    steps = [is_move(order[k - 1], order[k]) for k in range(0 if closed else 1, len(order))]
    return order[:1] == [0] and sorted(order) == list(range(cells)) and all(steps)


def is_knight_move(a: int, b: int) -> bool:
    return abs((a // 6 - b // 6) * (a % 6 - b % 6)) == 2


def is_queens(cells: set[int], n: int) -> bool:
    squares = [divmod(cell, n) for cell in cells]
    lines = [
        {r for r, _ in squares},
        {c for _, c in squares},
        {r + c for r, c in squares},
        {r - c for r, c in squares},
    ]
    return [len(line) for line in lines] == [n] * 4 and len(squares) == n


def is_latin(values: list[tuple[int, ...]], n: int, box: int, givens: list[int]) -> bool:
    if any(len(entry) != 1 for entry in values):
        return False
    square = np.array(values).reshape(n, n)
    units = [*square, *square.T]
    if box:
        units += [*square.reshape(box, box, box, box).swapaxes(1, 2).reshape(n, n)]
    has_givens = all(not symbol or values[cell] == (symbol,) for cell, symbol in enumerate(givens))
    return has_givens and all(sorted(unit) == list(range(1, n + 1)) for unit in units)


def is_colouring(values: list[tuple[int, ...]]) -> bool:
    single = all(len(entry) == 1 and entry[0] in (1, 2, 3) for entry in values)
    return single and all(values[u] != values[v] for u, v in PETERSEN)


def is_seating(cells: set[int], pigeons: int, holes: int, functional: bool) -> bool:
    rows = Counter(cell // holes for cell in cells)
    columns = Counter(cell % holes for cell in cells)
    is_injective = len(rows) == pigeons and set(columns.values()) == {1}
    return is_injective and not (functional and set(rows.values()) != {1})


# Mutations: up to three small changes.


@st.composite
def tours(draw: st.DrawFn, order: list[int]) -> list[int]:
    order = list(order)
    indices = st.integers(0, len(order) - 1)
    changes = st.sampled_from(["swap", "copy", "drop", "rotate", "reverse", "insert"])
    for change in draw(st.lists(changes, max_size=3)):
        a, b = draw(indices) % len(order), draw(indices) % len(order)
        if change == "swap":
            order[a], order[b] = order[b], order[a]
        elif change == "copy":
            order[a] = order[b]
        elif change == "drop":
            del order[a]
        elif change == "rotate":
            order = order[a:] + order[:a]
        elif change == "reverse":
            order[1:] = order[:0:-1]
        else:
            order.insert(a, order[b])
    return order


@st.composite
def marks(draw: st.DrawFn, cells: set[int], num_cells: int) -> set[int]:
    return cells ^ draw(st.sets(st.integers(0, num_cells - 1), max_size=3))


@st.composite
def labels(draw: st.DrawFn, values: list[int], max_value: int) -> list[tuple[int, ...]]:
    mutated: list[tuple[int, ...]] = [(value,) for value in values]
    indices = st.integers(0, len(values) - 1)
    for change in draw(st.lists(st.sampled_from(["set", "swap", "two", "none"]), max_size=3)):
        a, b = draw(indices), draw(indices)
        if change == "set":
            mutated[a] = (draw(st.integers(0, max_value + 1)),)
        elif change == "swap":
            mutated[a], mutated[b] = mutated[b], mutated[a]
        else:
            mutated[a] = (1, 2) if change == "two" else ()
    return mutated


@examples(200)
@given(order=tours(ORDER), closed=st.booleans())
def test_tour_accepts_exactly_tours(order: list[int], closed: bool) -> None:
    solution = Solution(Grid(6, 6, KNIGHT), Tour(tuple(order)))
    is_valid = is_tour(order, 36, is_knight_move, closed)
    assert is_accepted("tour", solution, {"start": 0, "closed": closed}) == is_valid


@examples(200)
@given(order=tours(CYCLE), closed=st.booleans())
def test_hamilton_accepts_exactly_hamiltonian_cycles_and_paths(
    order: list[int], closed: bool
) -> None:
    solution = Solution(GraphBoard(8, 1, CUBE), Tour(tuple(order)))
    is_valid = is_tour(order, 8, lambda a, b: (a ^ b).bit_count() == 1, closed)
    assert is_accepted("hamilton", solution, {"start": 0, "closed": closed}) == is_valid


@examples(200)
@given(cells=marks(QUEENS, 36))
def test_queens_accepts_exactly_non_attacking_queens(cells: set[int]) -> None:
    solution = Solution(Grid(6, 6, NOTHING), Marks(frozenset(cells)))
    assert is_accepted("queens", solution, {"n": 6}) == is_queens(cells, 6)


@examples(200)
@given(values=labels(LATIN, 5), given_cells=st.sets(st.integers(0, 24), max_size=3), data=st.data())
def test_latin_accepts_exactly_latin_squares_with_the_givens(
    values: list[tuple[int, ...]], given_cells: set[int], data: st.DataObject
) -> None:
    givens = [0] * 25
    for cell in sorted(given_cells):
        givens[cell] = data.draw(st.sampled_from([LATIN[cell], 1]))
    solution = Solution(Grid(5, 5, NOTHING), Labels(tuple(values)))
    is_valid = is_latin(values, 5, 0, givens)
    assert is_accepted("latin", solution, {"n": 5, "givens": givens}) == is_valid


@examples(200)
@given(data=st.data())
def test_sudoku_accepts_exactly_sudokus(data: st.DataObject) -> None:
    # Rows in another order are still a Latin square, but their boxes may be wrong.
    rows = data.draw(st.just(SUDOKU) | st.permutations(SUDOKU))
    values = data.draw(labels([value for row in rows for value in row], 9))
    solution = Solution(Grid(9, 9, NOTHING), Labels(tuple(values)))
    assert is_accepted("sudoku", solution, {"n": 3}) == is_latin(values, 9, 3, [])


@examples(200)
@given(values=labels(COLOURS, 3))
def test_colouring_accepts_exactly_proper_colourings(values: list[tuple[int, ...]]) -> None:
    solution = Solution(GraphBoard(10, 0, PETERSEN), Labels(tuple(values)))
    assert is_accepted("colouring", solution, {"colours": 3}) == is_colouring(values)


@examples(200)
@given(cells=marks(SEATS, 15), functional=st.booleans())
def test_pigeonhole_accepts_exactly_valid_assignments(cells: set[int], functional: bool) -> None:
    solution = Solution(Grid(3, 5, NOTHING), Marks(frozenset(cells)))
    is_valid = is_seating(cells, 3, 5, functional)
    assert is_accepted("pigeonhole", solution, {"functional": functional}) == is_valid


def test_oracles_accept_the_solutions_before_mutation() -> None:
    assert is_tour(ORDER, 36, is_knight_move, True)
    assert is_tour(CYCLE, 8, lambda a, b: (a ^ b).bit_count() == 1, True)
    assert is_queens(QUEENS, 6)
    assert is_latin([(value,) for value in LATIN], 5, 0, [])
    assert is_latin([(value,) for row in SUDOKU for value in row], 9, 3, [])
    assert is_colouring([(value,) for value in COLOURS])
    assert is_seating(SEATS, 3, 5, True)


# Problems of the catalogue.


def test_every_problem_with_a_view_has_rules() -> None:
    assert {*rules.names()} <= {*problems()}
    for name in catalogue():
        assert name.partition("/")[0] in rules.names() or not find(name).decode, name


def test_violations_of_an_unknown_problem_is_none() -> None:
    assert rules.violations("chess", Solution(Grid(1, 1, NOTHING), Marks(frozenset())), {}) is None


SPECS_WITH_RULES = [
    name for name in non_lazy_specs() if find(name).decode and not is_never(name.partition("/")[0])
]


@pytest.mark.parametrize("spec", SPECS_WITH_RULES)
def test_model_of_every_encoding_obeys_the_rules(spec: str, tmp_path: Path) -> None:
    problem = spec.partition("/")[0]
    path = instance(tmp_path, spec, **small_instances(spec)[0])
    opened = open_formula(path)
    with Solver("cadical195", bootstrap_with=read_clauses(path)) as solver:
        assert solver.solve()
        true = [literal for literal in solver.get_model() if literal > 0]
    model = np.full(opened.variables + 1, -1, np.int8)
    model[true] = 1
    solution = decode(opened.header, model)
    assert solution is not None
    assert opened.header.problem == problem
    assert is_accepted(problem, solution, opened.header.parameters)
