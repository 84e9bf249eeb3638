"""Drawings of every board as text and SVG, and errors in board settings."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from helpers.board_geometry import ORACLES, SIZES, build_board, grid, rebuild_board
from helpers.formulas import shipped

from boardsat.adapters import rules
from boardsat.adapters.rendering.svg import solution_to_svg
from boardsat.adapters.rendering.text import solution_to_json, solution_to_text
from boardsat.adapters.views import Solution, Tour
from boardsat.generators import InputError

# Drawings.

DRAWN = [
    *((shape, {**SIZES[shape][-1], "moves": "knight"}) for shape in ORACLES),
    ("grid", {"rows": 4, "cols": 5, "moves": "knight", "holes": "0,7", "friends": "queen@9"}),
    ("cube", {"side": 2, "moves": "knight", "enemies": "queen@5", "holes": "3"}),
    ("torus", {"rows": 4, "cols": 4, "moves": "knight", "enemies": "knight@5", "holes": "0"}),
]


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(("shape", "options"), DRAWN, ids=str)
def test_drawing_has_every_number_and_tile(
    shape: str, options: dict[str, Any], closed: bool
) -> None:
    board = rebuild_board(build_board(shape, **options))
    # A drawing needs no valid tour; a random order has moves of all kinds.
    order = tuple(np.random.default_rng(1).permutation(board.cells).tolist())
    solution = Solution(board, Tour(order))
    drawing = solution_to_text(solution, closed)
    numbers = [int(number) for number in re.findall(r"\d+", drawing)]
    assert sorted(numbers) == list(range(1, board.cells + 1))
    assert not any(line != line.rstrip() for line in drawing.splitlines())
    letters = re.findall("[A-Z]", drawing)
    assert letters == [piece[0].upper() for piece in board.pieces.friends.values()]

    json_numbers = np.array(re.findall(r"\d+", json.dumps(solution_to_json(solution))), np.int64)
    assert sorted(json_numbers[json_numbers > 0].tolist()) == sorted(numbers)
    assert len(json_numbers) == board.num_tiles

    root = ElementTree.fromstring(solution_to_svg(solution, closed))
    elements = {tag: [e for e in root if e.tag.endswith(tag)] for tag in ("rect", "polygon")}
    tiles = [(e.get("x"), e.get("y")) for e in elements["rect"] if e.get("width") == "40"]
    tiles += [(e.get("points"), "") for e in elements["polygon"]]
    assert len(tiles) == len(set(tiles)) == board.cells + len(board.pieces.friends)
    box = [float(number) for number in root.get("viewBox", "").split()]
    for element in root:
        for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", element.get("d", "")):
            assert -20 <= float(x) <= box[2] + 20 and -20 <= float(y) <= box[3] + 20


@pytest.mark.parametrize("shape", list(ORACLES))
def test_seams_are_pairs_of_glued_sides(shape: str) -> None:
    board = rebuild_board(build_board(shape, **SIZES[shape][-1], moves="king"))
    names = [seam.name for seam in board.seams()]
    assert all(names.count(name) == 2 for name in names)
    assert bool(names) == (shape in ("cylinder", "torus", "moebius", "klein", "cube"))


@pytest.mark.parametrize("shape", ["cylinder", "torus", "moebius", "klein"])
def test_move_across_a_seam_is_drawn_as_a_stub_from_each_end(shape: str) -> None:
    """Each stub leaves the board in the direction of a knight's move."""
    size = {"rows": 5, "cols": 6}
    board = rebuild_board(build_board(shape, **size, moves="knight"))
    plain = grid((1, 2), 5, 6)
    for a, b in board.edges():
        strokes = board.strokes(a, b)
        if (a, b) in plain:
            assert strokes == [[board.middle(a), board.middle(b)]]
            continue
        assert [stroke[0] for stroke in strokes] == [board.middle(a), board.middle(b)]
        for (x, y), (u, v) in strokes:
            assert not (0 < u < 6 and 0 < v < 5), "the stub leaves the board"
            slope = sorted((abs(u - x), abs(v - y)))
            assert abs(slope[1] - 2 * slope[0]) < 1e-9, "the stub has the slope of a knight's move"


def test_text_of_small_boards_is_exact() -> None:
    for shape, options, expected in (
        ("grid", {"rows": 2, "cols": 3, "holes": "1", "friends": "pawn@5"}, "1   2\n3 4 P"),
        ("torus", {"rows": 2, "cols": 2}, "  > >\n^ 1 2 ^\n^ 3 4 ^\n  > >"),
        ("moebius", {"rows": 2, "cols": 2}, "^ 1 2 v\n^ 3 4 v"),
        ("box", {"layers": 2, "rows": 2, "cols": 2}, "1 2   5 6\n3 4   7 8"),
        ("hexagon", {"side": 2}, " 1 2\n3 4 5\n 6 7"),
        ("cube", {"side": 1}, "    a\n  b 1 c a\ne 2 3 4 5 e\n  d 6 f g\n    g"),
    ):
        board = rebuild_board(build_board(shape, **options, moves="king"))
        assert solution_to_text(Solution(board, Tour(tuple(range(board.cells))))) == expected, shape


PAGE = (Path(__file__).parents[2] / "docs" / "boards.md").read_text()
DOCUMENTED = re.findall(r"```tour shape=(\w+) ([^\n]*)\n(.*?)\n```", PAGE, re.S)


@pytest.mark.parametrize(("shape", "options", "drawing"), DOCUMENTED)
def test_documented_drawing_is_a_tour_and_up_to_date(
    shape: str, options: str, drawing: str
) -> None:
    """Each drawing of boards.md is a closed tour of the board that its header describes."""
    settings = dict(setting.split("=") for setting in options.split())
    board = rebuild_board(
        build_board(
            shape,
            **{k: int(v) if v.isdecimal() and k != "holes" else v for k, v in settings.items()},
        )
    )
    cells = range(board.cells)
    # The text of the identity tour shows where the number of each cell is.
    cell_numbers = re.findall(r"\d+", solution_to_text(Solution(board, Tour(tuple(cells)))))
    moves = dict(zip(map(int, cell_numbers), map(int, re.findall(r"\d+", drawing)), strict=True))
    order = tuple(sorted(cells, key=lambda cell: moves[cell + 1]))
    solution = Solution(board, Tour(order))
    violations = rules.violations(
        "tour", solution, {"start": board.tile_of(order[0]), "closed": True}
    )
    assert not list(violations or ["no rules"])
    assert solution_to_text(solution) == drawing


def test_documentation_has_a_drawing_of_every_shape() -> None:
    assert {shape for shape, _, _ in DOCUMENTED} == set(ORACLES)


# Errors in board settings.

MANY_LEAPS = "king+knight+camel+zebra+giraffe+antelope+alfil+dabbaba+threeleaper"

FAULTS = {
    "shape=tours": "shape=tours: shape has no choice 'tours'; did you mean 'torus'?",
    "shape=graph": "shape=graph: shape has no choice 'graph'; choose from: ",
    "layers=2": "layers=2: a grid board has no `layers`; its parameters are: ",
    "shape=cube rows=3": "rows=3: a cube board has no `rows`; its parameters are: ",
    "shape=hexagon cols=3": "cols=3: a hexagon board has no `cols`; its parameters are: ",
    "holes=64": "holes=64: no place '64' on the board; places are 0 to 63, or a square from a1",
    "holes=x": "no place 'x' on the board; places are 0 to 63, or a square",
    "holes=1,1": "holes=1,1: b8 is listed twice; remove one of the two (declared in ",
    "holes=1 friends=rook@1": "friends=rook@1: b8 is listed twice; remove one of the two",
    "friends=rook@2,pawn@2": "friends=rook@2,pawn@2: c8 is listed twice; remove one of the two",
    "holes=0 closed=false": ": start = a8 is a hole; set start to a free place",
    "holes=0 start=0": "start=0: start = a8 is a hole; set start to a free place",
    "friends=rook@0 closed=false": ": start = a8 is occupied by a friend (rook); set start to a ",
    "enemies=rook@9 start=any": "start=any: start cannot be `any` here; set start to one",
    "start=64": "start=64: start = 64 is not on the board; give a number from 0 to 63, or a square",
    "start=-1": "start = -1 is not on the board; give a number from 0 to 63",
    "enemies=rook": "enemies=rook: 'rook' has no place; write rook@e7",
    "enemies=rock@5": "no piece 'rock' in `enemies`; did you mean 'rook'?",
    "enemies=pawn@5": "no piece 'pawn' in `enemies`; choose from: ",
    "enemies=rook@5x": "no place '5x' on the board; places are 0 to 63",
    "shape=hexagon n=3 holes=19": "no place '19' on the board; places are 0 to 18 (",
    "shape=hexagon n=3 holes=2,2": "place 2 is listed twice",
    "shape=torus moves=1,1,1": "no leaper '1,1,1'; write offsets like 1,2, or choose from: ",
    f"shape=cube n=1000 moves={MANY_LEAPS}": "the board needs too much memory: ",
    "n=2 holes=0,1 friends=rook@2,rook@3": "holes and friends must leave at least one cell free "
    "(got 0 cells); remove one of them",
    "shape=torus n=3 parity=true": "colour: the board must be bipartite; ",
}


@pytest.mark.parametrize("settings", FAULTS)
def test_wrong_board_setting_is_reported_in_one_line(settings: str) -> None:
    with pytest.raises(InputError) as caught:
        shipped("tour/unary", **dict(setting.split("=", 1) for setting in settings.split()))
    assert FAULTS[settings] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_parameter_that_is_the_default_of_others_is_accepted() -> None:
    """`n` is the side of a cube, and on a grid the default of rows and cols."""
    assert shipped("tour/direct", n=3, moves="king").variables == 81
    assert shipped("tour/direct", n=2, shape="cube").variables == 24 * 24
