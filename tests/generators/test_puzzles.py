"""Puzzles: published counts and solutions, and on tiny boards every picture against the rules.

The rules of a puzzle share no code with its spec. If they accept as many of all the pictures that
there are as the formula has models, both are right, or wrong in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations, product
from math import factorial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from helpers.formulas import count, is_satisfiable, members, solutions

import boardsat
from boardsat.adapters import rules
from boardsat.adapters.boards import Grid
from boardsat.adapters.views import Fills, Labels, Marks, Solution
from boardsat.generators import Formula

EXAMPLES = Path(__file__).parents[2] / "examples/puzzles"
PLAIN: frozenset[tuple[int, int]] = frozenset()

COUNTS = [
    ("langford", {"n": 3}, 1),
    ("langford", {"n": 7}, 26),
    ("costas", {"n": 5}, 40),
    ("costas", {"n": 6}, 116),
    ("queen_domination", {"n": 5, "queens": 3}, 186),
    ("golfers", {"groups": 2, "size": 2, "weeks": 3}, 1),
    ("golfers", {"groups": 3, "size": 2, "weeks": 5}, 6),
    ("dominoes", {"n": 4}, 36),
    ("dominoes", {"rows": 3, "cols": 4}, 11),
]
LARGER = [
    ("langford", {"n": 8}, 150),
    ("costas", {"n": 9}, 760),
    ("queen_domination", {"n": 7, "queens": 4}, 86),
    ("golfers", {"groups": 3, "size": 3, "weeks": 4}, 840),
    ("golfers", {"groups": 4, "size": 2, "weeks": 7}, 6240),
    ("dominoes", {"n": 6}, 6728),
    ("polyominoes", {"rows": 3, "cols": 20}, 4 * 2),
    ("polyominoes", {"rows": 8, "cols": 8, "holes": "d4,d5,e4,e5"}, 8 * 65),
]


def build_formula(problem: str | Path, **settings: Any) -> Formula:
    return boardsat.build(problem, **settings)._formula


def objects_of(formula: Formula) -> int:
    """Return the number of objects, which must equal the published number if the spec has one."""
    entry = formula.header.objects
    assert entry is not None and formula.header.projection is not None
    models = count(formula, formula.header.projection.tolist())
    number, remainder = divmod(models, entry["models_per_solution"])
    assert remainder == 0 and entry.get("published", number) == number
    return number


@pytest.mark.parametrize(("problem", "settings", "number"), COUNTS, ids=str)
def test_counts_equal_published_ones(problem, settings, number):
    assert objects_of(build_formula(problem, **settings)) == number


@pytest.mark.slow
@pytest.mark.parametrize(("problem", "settings", "number"), LARGER, ids=str)
def test_larger_counts_equal_published_ones(problem, settings, number):
    counted = boardsat.count(problem, runtime="embedded", counter="enumeration", **settings)
    assert counted.count == number


def test_domino_tilings_of_the_chessboard_equal_published():
    counted = boardsat.count("dominoes", runtime="embedded", counter="ganak", n=8)
    assert counted.count == 12_988_816 and counted.verdict is not None
    assert not counted.verdict.contradicts


LARGEST_ARMIES = [0, 0, 1, 2, 4, 5, 7, 9]
"""OEIS A250000, from 1x1 on."""


@pytest.mark.parametrize("n", range(1, 6))
def test_peaceful_armies_are_as_large_as_published_and_no_larger(n):
    largest = LARGEST_ARMIES[n - 1]
    assert is_satisfiable(build_formula("queen_armies", n=n, queens=largest))
    assert not is_satisfiable(build_formula("queen_armies", n=n, queens=largest + 1))


@pytest.mark.slow
@pytest.mark.parametrize("n", [6, 7])
def test_so_are_larger_ones(n):
    test_peaceful_armies_are_as_large_as_published_and_no_larger(n)


@pytest.mark.parametrize(("n", "needed"), [(4, 2), (5, 3), (6, 3), (7, 4), (8, 5)])
def test_domination_number_of_queens_equals_published(n, needed):
    """OEIS A075458."""
    assert is_satisfiable(build_formula("queen_domination", n=n, queens=needed))
    assert not is_satisfiable(build_formula("queen_domination", n=n, queens=needed - 1))


SOLVED = {
    "kakuro": "97879 898957 68597 6126 46132 893114 31221",
    "killer": "215647398 368952174 794381652 586274931 142593867 973816425 821739546 659428713"
    " 437165289",
    "futoshiki": "54321 43152 21435 35214 12543",
    "skyscrapers": "561432 413265 236154 654321 125643 342516",
    "sudoku": "534678912 672195348 198342567 859761423 426853791 713924856 961537284 287419635"
    " 345286179",
}
"""Published solutions of external puzzles."""


@pytest.mark.parametrize("name", SOLVED)
def test_published_puzzle_has_a_unique_solution(name):
    path = EXAMPLES / f"{name}.yaml"
    formula = build_formula(path)
    assert formula.header.projection is not None
    (model,) = solutions(formula, formula.header.projection.tolist())
    values = {cell: value + 1 for (cell, value), x in members(formula, "X").items() if x in model}
    digits = "".join(str(values[cell]) for cell in sorted(values))
    assert digits == SOLVED[name].replace(" ", "")


HEN = """
.###....
##.#....
.###..##
..##..##
..######
#.#####.
######..
....#...
...##...
"""


def test_published_nonogram_has_a_unique_solution():
    formula = build_formula(EXAMPLES / "nonogram.yaml")
    assert formula.header.projection is not None
    (model,) = solutions(formula, formula.header.projection.tolist())
    black = {cell for (cell,), number in members(formula, "B").items() if number in model}
    assert black == {cell for cell, sign in enumerate(HEN.replace("\n", "")) if sign == "#"}


# Every picture of a tiny board.


class Tiny(NamedTuple):
    problem: str
    settings: dict[str, Any]
    rows: int
    cols: int
    pictures: Callable[[int], Iterator[tuple[Any, ...]]]
    models_per_picture: int = 1
    """Number of pictures that differ only in the order of groups, which the spec fixes."""


def marks(cells: int) -> Iterator[tuple[Marks, ...]]:
    for chosen in product((False, True), repeat=cells):
        yield (Marks(frozenset(cell for cell in range(cells) if chosen[cell])),)


def two_marks(cells: int) -> Iterator[tuple[Marks, ...]]:
    for first, second in product(marks(cells), repeat=2):
        yield (*first, *second)


def fills(num_values: int, has_values: bool = True) -> Callable[[int], Iterator[tuple[Fills, ...]]]:
    """Every value in every cell; without values, every set of cells."""

    def of(cells: int) -> Iterator[tuple[Fills, ...]]:
        for values in product(range(num_values), repeat=cells):
            counts = (((value,) if has_values else (0,) * value) for value in values)
            yield (Fills(tuple(counts), has_values),)

    return of


def dominoes(cells: int) -> Iterator[tuple[Fills, ...]]:
    """Pairs of cells, named for their first one; whether they are neighbours is to be found."""
    for order in set(permutations([number for number in range(cells // 2) for _ in range(2)])):
        named = tuple((order.index(number),) for number in order)
        if [number for cell, number in enumerate(order) if order.index(number) == cell] == sorted(
            {*order}
        ):
            yield (Fills(named, True),)


def digits(white: list[int], max_digit: int) -> Callable[[int], Iterator[tuple[Labels, ...]]]:
    """Every digit in every white square."""

    def of(cells: int) -> Iterator[tuple[Labels, ...]]:
        for values in product(range(1, max_digit + 1), repeat=len(white)):
            counts = dict(zip(white, values, strict=True))
            yield (Labels(tuple((counts[c],) if c in counts else () for c in range(cells))),)

    return of


def labels(max_label: int) -> Callable[[int], Iterator[tuple[Labels, ...]]]:
    def of(cells: int) -> Iterator[tuple[Labels, ...]]:
        for values in product(range(1, max_label + 1), repeat=cells):
            yield (Labels(tuple((value,) for value in values)),)

    return of


def latin_rows(n: int) -> Callable[[int], Iterator[tuple[Labels, ...]]]:
    def of(cells: int) -> Iterator[tuple[Labels, ...]]:
        for rows in product(permutations(range(1, n + 1)), repeat=cells // n):
            yield (Labels(tuple((value,) for row in rows for value in row)),)

    return of


def latin_squares(cells: int) -> Iterator[tuple[Labels, ...]]:
    """Yield all Latin squares of order 4; some of them are sudokus."""
    rows = [*permutations(range(1, 5))]

    def more(square: list[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
        if len(square) == 4:
            yield square
            return
        for row in rows:
            if all(a != b for upper in square for a, b in zip(upper, row, strict=True)):
                yield from more([*square, row])

    for square in more([]):
        yield (Labels(tuple((value,) for row in square for value in row)),)


KAKURO = r"\ 12\ \; \ . .;\9 . ."

TINY = [
    Tiny("langford", {"n": 3}, 1, 6, labels(3)),
    Tiny("costas", {"n": 3}, 3, 3, marks),
    Tiny("queen_domination", {"n": 3, "queens": 2}, 3, 3, marks),
    Tiny("queen_armies", {"n": 2, "queens": 0}, 2, 2, two_marks),
    Tiny("golfers", {"groups": 2, "size": 2, "weeks": 2}, 2, 4, labels(2), 2 * factorial(2) ** 2),
    Tiny("futoshiki", {"n": 3, "across": "<.;..;..", "down": "...;.^."}, 3, 3, latin_rows(3)),
    Tiny("killer", {"n": 2, "cages": "aab...b.........", "sums": "a=4 b=5"}, 4, 4, latin_squares),
    Tiny("nonogram", {"across": "1 1;0;1", "down": "1;1;1"}, 3, 3, fills(2, has_values=False)),
    Tiny("nonogram", {"across": "1;2;1", "down": "1;2;1"}, 3, 3, fills(2, has_values=False)),
    Tiny("dominoes", {"rows": 2, "cols": 4}, 2, 4, dominoes),
    Tiny("polyominoes", {"rows": 2, "cols": 3, "pieces": "aab;acb"}, 2, 3, fills(3)),
    Tiny("kakuro", {"clues": KAKURO}, 3, 3, digits([4, 5, 7, 8], 9)),
    Tiny("skyscrapers", {"n": 3, "top": ".2.", "right": "2.."}, 3, 3, latin_rows(3)),
]


@pytest.mark.parametrize("tiny", TINY, ids=lambda tiny: tiny.problem)
def test_rules_accept_exactly_the_models(tiny):
    header = (formula := build_formula(tiny.problem, **tiny.settings)).header
    board = Grid(tiny.rows, tiny.cols, PLAIN)
    accepted = 0
    for first, *following in tiny.pictures(board.cells):
        solution = Solution(board, first, tuple(following))
        faults = rules.violations(tiny.problem, solution, header.parameters)
        assert faults is not None
        accepted += next(faults, None) is None
    assert header.projection is not None
    assert accepted == count(formula, header.projection.tolist()) * tiny.models_per_picture > 0


@pytest.mark.parametrize(
    ("problem", "settings", "argument"),
    [
        ("polyominoes", {"holes": "a1"}, "the pieces have as many squares as the board"),
        (
            "killer",
            {"n": 2, "cages": "aabbaabbccddccdd", "sums": "a=10 b=10 c=10 d=9"},
            "cages on all squares have the sum of all digits",
        ),
        (
            "kakuro",
            {"clues": r"\ 7\ 6\;\4 . .;\3 . .;\5 . ."},
            "sums on all white squares have the same total to the right and below",
        ),
    ],
)
def test_explain_names_the_violated_sum(problem, settings, argument):
    explanation = boardsat.explain(problem, **settings)
    assert [argument_part.constraint for argument_part in explanation.core] == [
        argument
    ] and explanation.is_minimal


def test_kakuro_sums_may_differ_if_some_squares_have_one_entry():
    """The last row has no sum, and the digits below the board's edge are in no entry."""
    assert (
        boardsat.solve("kakuro", clues=r"\ 7\ 6\;\4 . .;\3 . .;\ . .").status.name == "SATISFIABLE"
    )
    assert boardsat.solve("kakuro", clues=r"\3 . .;\3 . .").status.name == "SATISFIABLE"
