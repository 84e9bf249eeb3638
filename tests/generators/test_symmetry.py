"""Symmetries of boards: which there are, that one solution of every class is left, and all counts.

The oracle turns boards by arithmetic on rows and columns, and knows the variables by their indices.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product

import numpy as np
import pytest
from helpers import instances
from helpers.formulas import make, members, shipped, solutions

from boardsat.base.errors import InputError
from boardsat.generators import Formula, find, transform
from boardsat.generators.language.layout import OWN, Integer
from boardsat.generators.randomness.splitmix64 import hash_rows
from boardsat.generators.transforms.group_action import CLAUSE
from boardsat.generators.transforms.symmetry import group_of

Place = tuple[int, int]
Cells = list[int]
"""The cell that every cell comes to."""
Solution = frozenset[int]

BETWEEN = {"tour": "EH", "longest_tour": "E", "masyu": "E", "slitherlink": "E"} | {
    "dominoes": "D",
    "chessboard": "E",
}
"""Variables between two cells, by problem; in all other views the first index is a cell."""


def rectangle_symmetries(rows: int, cols: int) -> list[Cells]:
    """Return the symmetries of a rectangle as permutations of its cells."""
    maps: list[Callable[[int, int], Place]] = [
        lambda r, c: (r, c),
        lambda r, c: (rows - 1 - r, c),
        lambda r, c: (r, cols - 1 - c),
        lambda r, c: (rows - 1 - r, cols - 1 - c),
    ]
    if rows == cols:
        maps += [
            lambda r, c: (c, r),
            lambda r, c: (cols - 1 - c, r),
            lambda r, c: (c, rows - 1 - r),
            lambda r, c: (cols - 1 - c, rows - 1 - r),
        ]
    images = []
    for transformation in maps:
        moved = [transformation(r, c) for r, c in product(range(rows), range(cols))]
        images.append([r * cols + c for r, c in moved])
    return [list(image) for image in dict.fromkeys(map(tuple, images))]


def image_of_literals(formula: Formula, cells: Cells, reverses: bool = False) -> dict[int, int]:
    """Return the image of every variable of a view under a permutation of cells."""
    image_of: dict[int, int] = {}
    for name in {view["variable"] for view in formula.header.views.model_views}:
        number_of = literals(formula, name)
        for indices, number in number_of.items():
            if name in BETWEEN.get(formula.header.spec.partition("/")[0], ""):
                i, j = (cells[index] for index in indices[:2])
                target = (j, i) if reverses else (i, j)
                image_of[number] = number_of.get(target) or number_of[target[::-1]]
            else:
                first, *last = indices
                image_of[number] = number_of[cells[first], *last]
    return image_of


def literals(formula: Formula, name: str) -> dict[tuple[int, ...], int]:
    """The numbers of a variable by its indices; of an integer also by the place of the literal."""
    variable = next(candidate for candidate in formula.header.variables if candidate.name == name)
    if not isinstance(variable, Integer):
        return members(formula, name)
    starts = variable.starts[OWN].tolist()
    return {
        (cell, index): variable.first + starts[cell] + index
        for cell, width in enumerate(variable.widths.tolist())
        for index in range(width)
    }


def orbits(all_: set[Solution], maps: list[dict[int, int]]) -> set[frozenset[Solution]]:
    """Return the orbits; fail if a map leads out of the set."""
    classes = set()
    for solution in all_:
        images = {frozenset(literal_map[v] for v in solution) for literal_map in maps}
        assert images <= all_, "not a symmetry of the solutions"
        classes.add(frozenset(images))
    return classes


def maps_of(formula: Formula) -> list[dict[int, int]]:
    """Return the action of the broken symmetry group, by the oracle."""
    group = group_of(formula)
    return [
        image_of_literals(formula, element.image.tolist(), element.is_reversing)
        for element in group.elements
    ]


def check(formula: Formula, maps: list[dict[int, int]]) -> tuple[int, int]:
    """Check that one solution of each orbit is left; return the numbers of orbits and solutions."""
    broken = transform(formula, symmetry=True)
    over = sorted(maps[0])
    all_solutions = set(solutions(formula, over))
    classes = orbits(all_solutions, maps)
    representatives = list(solutions(broken, over))
    assert len(set(representatives)) == len(representatives)
    assert sorted(len(orbit & set(representatives)) for orbit in classes) == [1] * len(classes)
    assert len(representatives) == len(classes)
    if formula.header.count_preserving:
        assert broken.header.count_preserving
        assert sum(1 for _ in solutions(broken)) == len(representatives), (
            "auxiliary variables are determined"
        )
    assert broken.fixed_point_formulas is not None
    kinds = broken.fixed_point_formulas()
    assert 1 + sum(kind.elements for kind in kinds) == len(maps)
    unchanged = sum(kind.elements * sum(1 for _ in solutions(kind.formula, over)) for kind in kinds)
    assert len(maps) * len(classes) - unchanged == len(all_solutions), "Burnside's lemma"
    return len(classes), len(all_solutions)


def queens(n: int) -> list[tuple[int, ...]]:
    """All placements: the column of the queen of every row."""
    return [
        columns
        for columns in permutations(range(n))
        if len({columns[r] + r for r in range(n)}) == n == len({columns[r] - r for r in range(n)})
    ]


def classes_of_queens(n: int) -> int:
    classes = set()
    for columns in queens(n):
        squares = {r * n + c for r, c in enumerate(columns)}
        classes.add(frozenset(frozenset(m[s] for s in squares) for m in rectangle_symmetries(n, n)))
    return len(classes)


@pytest.mark.parametrize("n", range(2, 8))
def test_queens_are_counted_up_to_symmetry(n):
    formula = shipped("queens/squares", n=n)
    maps = [image_of_literals(formula, cell_map) for cell_map in rectangle_symmetries(n, n)]
    assert check(formula, maps) == (classes_of_queens(n), len(queens(n)))


def with_turns() -> list[str]:
    """Return every spec with a board that may have symmetries."""
    boards = {spec: find(spec).board_entry.options for spec in instances.specs()}
    return [spec for spec, board in boards.items() if board and board["shape"].text != "graph"]


SLOW_SPECS = ("tour/binary", "tour/direct", "tour/lfsr", "tour/unary")
"""Specs whose check takes long."""


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param(spec, marks=[pytest.mark.slow] if spec.startswith(SLOW_SPECS) else [])
        for spec in with_turns()
    ],
)
def test_of_every_problem_one_solution_of_each_class_is_left(spec):
    """If --break-symmetry is accepted, the declaration or the proof of symmetry is correct."""
    # A larger board would have tens of thousands of ways to attack it.
    for settings in instances.small_instances(spec)[: 1 if spec.startswith("fewest") else None]:
        formula = shipped(spec, **settings)
        try:
            maps = maps_of(formula)
        except InputError as error:
            assert "--break-symmetry" in str(error) and "\n" not in str(error)
            continue
        check(formula, maps)


@pytest.mark.parametrize(
    ("board", "elements", "classes"),
    [
        ({"rows": 4, "cols": 4}, 8, 3),
        ({"rows": 4, "cols": 5}, 4, 6),
        ({"rows": 1, "cols": 5}, 2, 3),
        ({"rows": 3, "cols": 3, "holes": "4"}, 8, 2),
        ({"rows": 3, "cols": 3, "holes": "0"}, 2, 5),
        ({"rows": 3, "cols": 3, "holes": "0", "friends": "rook@8"}, 2, 4),
        ({"shape": "cylinder", "rows": 4, "cols": 5}, 20, 2),
        ({"shape": "moebius", "rows": 4, "cols": 5}, 20, 2),
        ({"shape": "klein", "rows": 4, "cols": 5}, 40, 1),
        ({"shape": "klein", "rows": 5, "cols": 5}, 20, 3),
        ({"shape": "torus", "rows": 4, "cols": 4}, 128, 1),
        ({"shape": "torus", "rows": 3, "cols": 5, "holes": "0"}, 4, 5),
        ({"shape": "hexagon", "side": 3}, 12, 4),
        ({"shape": "cube", "side": 3}, 48, 3),
        ({"shape": "box", "layers": 3, "rows": 3, "cols": 3}, 48, 4),
        ({"shape": "box", "layers": 2, "rows": 2, "cols": 3}, 16, 2),
    ],
    ids=str,
)
def test_every_shape_has_its_symmetry_group(board, elements, classes):
    formula = make(
        board={"shape": "grid", **board},
        variables={"M": {"for": "i in cells"}},
        constraints=[{"exactly_one": "M[i] for i in cells"}],
        decode=[{"mark": "M[i]", "cell": "i"}],
    )
    assert len(group_of(formula).elements) == elements
    assert check(formula, maps_of(formula)) == (classes, formula.num_spec_variables)


@pytest.mark.parametrize(
    ("spec", "settings", "elements", "counts"),
    [
        ("tour/undirected", {"rows": 3, "cols": 4, "closed": False, "start": "any"}, 4, (4, 16)),
        ("tour/hve", {"rows": 3, "cols": 4, "closed": False, "start": "any"}, 4, (4, 16)),
        ("tour/unary", {"rows": 3, "cols": 4, "closed": False, "start": 3}, 1, None),
        ("tour/undirected", {"shape": "torus", "n": 3, "moves": "wazir"}, 72, None),
        ("tour/uve", {"shape": "cylinder", "rows": 3, "cols": 4, "moves": "wazir"}, 16, None),
        ("tour/uve", {"shape": "hexagon", "n": 2, "moves": "wazir"}, 12, (1, 6)),
        ("tour/uve", {"shape": "cube", "n": 1, "moves": "wazir"}, 48, (2, 16)),
        ("tour/uve", {"rows": 4, "cols": 5, "moves": "wazir", "holes": "0,19"}, 2, None),
        ("tour/uve", {"rows": 4, "cols": 4, "moves": "wazir", "fix": "a1-b1, d4-d3"}, 2, None),
        ("tour/unary", {"n": 3, "moves": "king", "enemies": "king@b2", "start": "a1"}, 2, None),
        ("latin/direct", {"n": 3}, 8, None),
        ("sudoku/minimal", {"n": 2, "givens": "1234" + "." * 12}, 1, None),
        ("sudoku/direct", {"n": 2, "givens": "1..2" + "." * 8 + "2..1"}, 4, None),
        ("dominoes/edges", {"n": 4}, 8, (9, 36)),
        ("costas/differences", {"n": 5}, 8, (6, 40)),
        ("magic/integers", {"n": 3}, 8, (1, 8)),
    ],
    ids=str,
)
def test_boards_settings_and_givens_decide_which_symmetries_there_are(
    spec, settings, elements, counts
):
    formula = shipped(spec, **settings)
    if elements == 1:
        with pytest.raises(InputError, match="no symmetry of the board"):
            group_of(formula)
        return
    maps = maps_of(formula)
    assert len(maps) == elements
    counted_orbits = check(formula, maps)
    assert counts is None or counted_orbits == counts


def test_weights_and_symmetries_do_not_go_together() -> None:
    formula = make(
        board={"shape": "grid", "rows": 2, "cols": 2},
        variables={"X": {"for": "i in cells", "weight_true": "1 / 2"}},
        constraints=[{"at_least_one": "X[i] for i in cells"}],
        decode=[{"mark": "X[i]", "cell": "i"}],
    )
    with pytest.raises(
        InputError, match=r"^--break-symmetry: symmetry breaking does not support literal weights"
    ):
        transform(formula, symmetry=True)


# What must not pass for a proof.


def row_of_squares(size: int, **sections: object) -> Formula:
    marks = {"decode": [{"mark": "Q[i]", "cell": "i"}], "count_preserving": True}
    board = {"shape": "grid", "rows": 1, "cols": size}
    return make(board=board, variables={"Q": {"for": "i in cells"}}, **marks, **sections)


def test_every_literal_of_a_clause_counts() -> None:
    clauses = ["not Q[0] or Q[2]", "not Q[3] or Q[2]", "Q[1]", "not Q[1] or not Q[2]"]
    all_clauses = [*clauses, "Q[1] or not Q[0] or not Q[3]"]
    formula = row_of_squares(4, constraints=[{"clause": clause} for clause in all_clauses])
    assert any(solutions(formula))
    with pytest.raises(InputError, match=r"^--break-symmetry: no symmetry of the board preserves"):
        transform(formula, symmetry=True)


def test_hashes_of_literals_are_distinct_and_nonzero() -> None:
    literals = np.arange(-100_000, 100_001)
    row_hashes = hash_rows(CLAUSE, literals)
    assert len(np.unique(row_hashes)) == len(literals) and row_hashes.all()


def test_repeated_soft_clause_costs_twice() -> None:
    paid = [{"for": "i in cells", "soft": 1, "clause": "not Q[i]"}]
    hard = {"exactly_one": "Q[i] for i in cells"}
    alike = row_of_squares(2, constraints=[hard, *paid])
    assert transform(alike, symmetry=True).header.transforms
    repeated = {"soft": 1, "clause": "not Q[1]"}
    with pytest.raises(InputError, match=r"^--break-symmetry: no symmetry of the board preserves"):
        transform(row_of_squares(2, constraints=[hard, *paid, repeated]), symmetry=True)
