"""Slitherlink, masyu and hitori: published puzzles, and all pictures of tiny boards by rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from helpers.formulas import count, members, mostly_slow, solutions
from helpers.lazy_tours import models_and_cuts, solve_json
from helpers.problem_settings import none_settings
from helpers.solutions import USE_EMBEDDED

import boardsat
from boardsat.adapters import rules
from boardsat.adapters.boards import Grid
from boardsat.adapters.views import Fills, Solution, Strokes, View
from boardsat.generators import Formula

EXAMPLES = Path(__file__).parents[2] / "examples/puzzles"
WAZIR = frozenset([(0, 1)])

SLITHERLINK = """
+---+---+---+   +   +   +
|           |     0
+   +---+   +   +   +---+
| 3 | 3 |   |     1 |   |
+---+   +   +---+   +   +
        | 1   2 |   |   |
+   +   +   +   +---+   +
        | 2   0         |
+   +   +---+   +   +   +
      1     |     1   1 |
+---+---+---+   +---+   +
|     2         |   |   |
+---+---+---+---+   +---+
"""
"""The example of Wikipedia, Slitherlink, which is the default, with its solution there."""

MASYU = (
    "01 05 15 13 43 44 24 27 37 35 65 67 47 48 18 16 06 09 59 58 68 69 99 95 85 88 78 74 94 92 62"
    " 64 54 51 81 80 40 42 22 20 10 11"
)
"""The corners of the loop that was published with the puzzle, by row and column."""

HITORI = "#8#632#7 36721#54 #34#2861 41#57#3# 7#3#8512 #567#18# 6#235478 8714#3#6"


def build_formula(problem: str | Path, **settings: Any) -> Formula:
    return boardsat.build(problem, "complete", **settings)._formula


def only_solution(problem: str | Path, name: str) -> set[tuple[int, ...]]:
    """Return the indices of the true variables in the only solution."""
    formula = build_formula(problem)
    numbers = members(formula, name)
    (model,) = solutions(formula, list(numbers.values()))
    return {indices for indices, number in numbers.items() if number in model}


def test_the_slitherlink_of_wikipedia() -> None:
    lines = SLITHERLINK.strip("\n").splitlines()
    drawn = set()
    for r, c in product(range(7), range(7)):
        if lines[2 * r][4 * c + 1 : 4 * c + 4] == "---":
            drawn.add((r * 7 + c, r * 7 + c + 1))
        if r < 6 and lines[2 * r + 1].ljust(30)[4 * c] == "|":
            drawn.add((r * 7 + c, r * 7 + c + 7))
    assert only_solution("slitherlink", "E") == drawn
    _, result = solve_json("slitherlink", *USE_EMBEDDED)
    assert result["checked"] == ["model", "board"] and result["rounds"] > 0


def test_the_masyu_of_wikipedia() -> None:
    corners = [(int(token[0]), int(token[1])) for token in MASYU.split()]
    steps = set()
    for (a, b), (c, d) in pairwise([*corners, corners[0]]):
        rows, cols = range(min(a, c), max(a, c) + 1), range(min(b, d), max(b, d) + 1)
        path = [10 * r + k for r in rows for k in cols]
        steps |= set(pairwise(path))
    assert only_solution(EXAMPLES / "masyu.yaml", "E") == steps


def test_the_hitori_of_wikipedia() -> None:
    black = {(index,) for index, sign in enumerate(HITORI.replace(" ", "")) if sign == "#"}
    assert only_solution(EXAMPLES / "hitori.yaml", "B") == black


@pytest.mark.slow
def test_the_slitherlink_that_ships_has_one_solution() -> None:
    assert len(only_solution(EXAMPLES / "slitherlink.yaml", "E")) > 40


@pytest.mark.parametrize("side", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_without_numbers_every_cycle_is_a_loop(side: int) -> None:
    """OEIS A140517, the number of cycles in a grid graph."""
    formula = build_formula("slitherlink", clues=";".join(["." * side] * side))
    number = [1, 13, 213, 9349][side - 1]
    assert count(formula, formula.header.projection.tolist()) == number
    assert formula.header.objects["published"] == number
    if side < 4:
        assert (
            count(build_formula("masyu", pearls=";".join(["." * (side + 1)] * (side + 1))))
            == number
        )


# Every picture of a tiny board.


def strokes(rows: int, cols: int) -> Iterator[View]:
    across = [(r * cols + c, r * cols + c + 1) for r in range(rows) for c in range(cols - 1)]
    down = [(r * cols + c, r * cols + cols + c) for r in range(rows - 1) for c in range(cols)]
    pairs = across + down
    for chosen in product((False, True), repeat=len(pairs)):
        yield Strokes(tuple(pair for pair, drawn in zip(pairs, chosen, strict=True) if drawn))


def fills(rows: int, cols: int) -> Iterator[View]:
    for chosen in product(((), (0,)), repeat=rows * cols):
        yield Fills(chosen, has_values=False)


TINY = [
    ("slitherlink", {"clues": "3."}, (2, 3), strokes),
    ("slitherlink", {"clues": "..;2."}, (3, 3), strokes),
    ("slitherlink", {"clues": "3.;1."}, (3, 3), strokes),
    ("masyu", {"pearls": "b..;...;..."}, (3, 3), strokes),
    ("masyu", {"pearls": ".w.;...;..."}, (3, 3), strokes),
    ("masyu", {"pearls": "..b;...;bw."}, (3, 3), strokes),
    ("hitori", {"numbers": "122;313;231"}, (3, 3), fills),
    ("hitori", {"numbers": "123;231;312"}, (3, 3), fills),
    ("hitori", {"numbers": "1223;3135"}, (2, 4), fills),
]


@pytest.mark.parametrize(
    ("problem", "settings", "size", "pictures"),
    mostly_slow(TINY, [TINY[k] for k in (0, 2, 5, 6, 8)]),
)
def test_rules_accept_exactly_the_models(
    problem: str, settings: dict[str, str], size: tuple[int, int], pictures: Any
) -> None:
    formula = build_formula(problem, **settings)
    header, board = formula.header, Grid(*size, WAZIR)
    accepted = 0
    for picture in pictures(*size):
        faults = rules.violations(problem, Solution(board, picture), header.parameters)
        assert faults is not None
        accepted += next(faults, None) is None
    assert header.projection is not None
    assert accepted == count(formula, header.projection.tolist()) > 0


FAULTS = [
    ("slitherlink", {"clues": [[4, -1]]}, (2, 3), [], "there is no loop"),
    ("slitherlink", {"clues": [[4, -1]]}, (2, 3), [(0, 4)], "does not lead to a neighbour"),
    ("slitherlink", {"clues": [[4, -1]]}, (2, 3), [(0, 1)], "1 lines meet at (0, 0)"),
    ("slitherlink", {"clues": [[4, -1]]}, (3, 3), [(0, 1)], "the board must be 2x3 (got 3x3)"),
    (
        "slitherlink",
        {"clues": [[-1, -1, 4]]},
        (2, 4),
        [(0, 1), (0, 4), (1, 5), (4, 5), (2, 3), (2, 6), (3, 7), (6, 7)],
        "the loop at (0, 0) has 4 of 8 lines",
    ),
    (
        "slitherlink",
        {"clues": [[3, -1]]},
        (2, 3),
        [(0, 1), (0, 3), (1, 4), (3, 4)],
        "the loop takes 4 sides of square (0, 0), not 3",
    ),
    (
        "masyu",
        {"pearls": [[0, 0, 1], [0, 0, 0]]},
        (2, 3),
        [(0, 1), (0, 3), (1, 4), (3, 4)],
        "does not visit the pearl at (0, 2)",
    ),
    (
        "masyu",
        {"pearls": [[1, 0], [0, 0]]},
        (2, 2),
        [(0, 1), (0, 2), (1, 3), (2, 3)],
        "at the white pearl (0, 0)",
    ),
    (
        "masyu",
        {"pearls": [[0, 2], [0, 0]]},
        (2, 2),
        [(0, 1), (0, 2), (1, 3), (2, 3)],
        "at the black pearl (0, 1)",
    ),
]


@pytest.mark.parametrize(("problem", "parameters", "size", "pairs", "message"), FAULTS)
def test_faults_of_a_loop_are_reported(
    problem: str, parameters: Any, size: tuple[int, int], pairs: Any, message: str
) -> None:
    faults = rules.violations(
        problem, Solution(Grid(*size, WAZIR), Strokes(tuple(pairs))), parameters
    )
    assert faults is not None and any(message in fault for fault in faults)


@pytest.mark.parametrize(
    ("black", "message"),
    [
        ([], "1 is white twice between (0, 0) and (0, 2)"),
        ([0, 1], "the black squares (0, 0) and (0, 1) share a side"),
        ([1, 3], "the white square (0, 2) is cut off"),
        ([1, 3, 4], "the black squares (1, 0) and (1, 1) share a side"),
    ],
)
def test_faults_of_a_hitori_are_reported(black: list[int], message: str) -> None:
    values = tuple((0,) if cell in black else () for cell in range(9))
    numbers = [[1, 1, 2], [2, 3, 1], [3, 2, 3]]
    solution = Solution(Grid(3, 3, WAZIR), Fills(values, has_values=False))
    faults = rules.violations("hitori", solution, {"numbers": numbers})
    assert faults is not None and message in list(faults)


@pytest.mark.parametrize("problem", ["slitherlink", "masyu", "hitori"])
def test_both_encodings_and_all_ways_to_connect_agree(problem: str, tmp_path: Path) -> None:
    """On random puzzles of a few squares: whether there is a solution, and how many."""
    chance = random.Random(problem)
    key, signs = {
        "slitherlink": ("clues", ".........12"),
        "masyu": ("pearls", "....wb"),
        "hitori": ("numbers", "1234"),
    }[problem]
    outcomes = set()
    texts = [";".join("".join(chance.choices(signs, k=4)) for _ in range(3)) for _ in range(8)]
    empty = none_settings(problem)
    assert empty is not None
    for text in (*texts, empty[0][key]):
        counts = []
        for connected in ("elimination", "distance"):
            formula = build_formula(problem, **{key: text, "connected": connected})
            assert formula.header.count_preserving
            counts.append(count(formula, formula.header.projection.tolist()))
        assert counts[0] == counts[1]
        lazy = boardsat.build(problem, "cuts", **{key: text})._formula
        assert len(models_and_cuts(lazy, tmp_path)[0]) == counts[0]
        outcomes.add(counts[0] > 0)
    assert outcomes == {True, False}
