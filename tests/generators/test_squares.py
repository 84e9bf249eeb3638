"""Chess names of squares in settings and messages."""

from __future__ import annotations

import shlex
from typing import Any

import pytest
from helpers.formulas import make, shipped, text_of
from helpers.solver_runs import boardsat

from boardsat.generators import InputError
from boardsat.generators.boards import _squares as squares

PLACES = {  # rank 8 is at the top, file a at the left
    "a8": 0, "b8": 1, "h8": 7, "a7": 8, "c3": 42, "d4": 35, "e4": 36, "a1": 56, "b1": 57, "h1": 63,
}  # fmt: skip


@pytest.mark.parametrize(("name", "index"), PLACES.items())
def test_place_of_name_equals_chess_board(name: str, index: int) -> None:
    assert squares.place_of(name, 8, 8) == squares.place_of(name.upper(), 8, 8) == index
    assert squares.name_of(index, 8, 8) == name


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (3, 10), (10, 3), (2, 26), (2, 60), (1, 1000)])
def test_every_place_has_a_unique_name(rows: int, cols: int) -> None:
    names = [squares.name_of(index, rows, cols) for index in range(rows * cols)]
    assert [squares.place_of(name, rows, cols) for name in names] == list(range(rows * cols))
    assert len(set(names)) == rows * cols and all(map(squares.is_name, names))


def test_columns_beyond_26_have_several_letters() -> None:
    names = [squares.name_of(column, 1, 1000) for column in (25, 26, 27, 51, 52, 701, 702)]
    assert names == ["z1", "aa1", "ab1", "az1", "ba1", "zz1", "aaa1"]


@pytest.mark.parametrize(
    ("names", "numbers"),
    [
        ({"n": 8, "start": "b2"}, {"n": 8, "start": 49}),
        ({"n": 8, "holes": "c3,d4, 7"}, {"n": 8, "holes": "42,35,7"}),
        ({"n": 6, "friends": "rook@c3,pawn@f6"}, {"n": 6, "friends": "rook@20,pawn@5"}),
        ({"n": 6, "enemies": "rook@a1", "start": "A6"}, {"n": 6, "enemies": "rook@30", "start": 0}),
        ({"rows": 5, "cols": 30, "holes": "aa5"}, {"rows": 5, "cols": 30, "holes": "26"}),
        ({"shape": "torus", "n": 5, "start": "c1"}, {"shape": "torus", "n": 5, "start": 22}),
    ],
)
def test_formula_by_names_equals_formula_by_numbers(
    names: dict[str, object], numbers: dict[str, object]
) -> None:
    assert text_of(shipped("tour/unary", **names)) == text_of(shipped("tour/unary", **numbers))


def test_board_line_of_spec_accepts_names() -> None:
    board = {"shape": "grid", "rows": "3", "cols": "3", "holes": "b2"}
    assert make(board=board).header.board["holes"] == [4]


def test_bound_of_parameter_uses_named_square() -> None:
    sections = {
        "params": {
            "s": {"type": "cell", "default": "0"},
            "k": {"default": "4", "max": "s"},
        },
        "board": {"shape": "grid", "rows": "3", "cols": "3"},
    }
    assert make({"s": "c1"}, **sections).header.parameters == {"s": 8, "k": 4}
    with pytest.raises(InputError, match=r"k must be at most 0 \(got 4\)"):
        make({"s": "a3"}, **sections)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            "-n 8 --set start=i1",
            "--set start=i1: no square 'i1' on a board of 8 x 8; squares are a1 to h8",
        ),
        (
            "-n 8 --set start=a0",
            "--set start=a0: no square 'a0' on a board of 8 x 8; squares are a1 to h8",
        ),
        (
            "--set rows=3 --set cols=30 --set holes=a1,ae1",
            "--set holes=a1,ae1: no square 'ae1' on a board of 3 x 30; squares are a1 to ad3",
        ),
        (
            "-n 8 --set start=2b",
            "--set start=2b: start must be a whole number; write digits alone, "
            "or a square such as b2",
        ),
        (
            "-n 3 --set shape=cube --set start=b2",
            "--set start=b2: the squares of a cube board have no names; give numbers",
        ),
        (
            "-n 3 --set shape=hexagon --set holes=b2",
            "--set holes=b2: the squares of a hexagon board have no names; give numbers",
        ),
    ],
)
def test_unknown_square_is_rejected(arguments: str, line: str) -> None:
    output = boardsat("cnf", "tour/unary", *shlex.split(arguments))
    assert output.code == 2 and output.one_line().startswith(f"boardsat: {line}")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "there is no closed tour of 4x4 by a knight"),
        ({"moves": "alfil"}, "there is no closed tour of 4x4 by an alfil"),
        ({"holes": "c3,d4"}, "there is no closed tour of 4x4 without d4 and c3 by a knight"),
        ({"closed": "false"}, "there is no open tour of 4x4 by a knight from a4"),
        ({"closed": "false", "start": "b1"}, "there is no open tour of 4x4 by a knight from b1"),
        ({"friends": "rook@a1"}, "there is no closed tour of 4x4 with a rook on a1 by a knight"),
        (
            {"holes": "b4", "friends": "pawn@a1", "enemies": "antelope@b2"},
            "there is no closed tour of 4x4 without b4 with a pawn on a1 and an enemy antelope on "
            "b2 by a knight",
        ),
        (
            {"n": 5, "holes": ",".join(map(str, range(5, 15)))},
            "there is no closed tour of 5x5 without a4, b4, c4, d4, e4, a3, b3 and 3 more by a "
            "knight",
        ),
        (
            {"shape": "hexagon", "n": "3", "holes": "0", "closed": "false", "start": "1"},
            "there is no open tour of hexagon-3 without place 0 by a knight from place 1",
        ),
    ],
)
def test_message_names_squares(settings: dict[str, str], message: str) -> None:
    """File names have numbers instead, which need no board."""
    header = shipped("tour/unary", **({"n": 4} | settings)).header
    assert header.unsat_message == message
    assert "without" not in header.stem


def test_vertex_of_graph_has_no_chess_name() -> None:
    output = boardsat(
        "cnf", "hamilton/unary", "--set", "graph=tests/graphs/cube.hcp", "--set", "start=b2"
    )
    assert output.code == 2 and "start=b2" in output.one_line()


@pytest.mark.parametrize("zeros", [1, 11, 5000])
def test_leading_zeros_of_numbers_are_ignored(zeros: int) -> None:
    def number(text: str) -> str:
        return "0" * zeros + text

    def board(**settings: str) -> dict[str, Any]:
        return shipped("tour/binary", n=6, **settings).header.board

    for name, entry in (("holes", "{}"), ("friends", "rook@{}"), ("enemies", "rook@{}")):
        if zeros < 1000:  # the maximum length of a setting
            assert board(**{name: entry.format(number("9"))}) == board(**{name: entry.format("9")})
            with pytest.raises(InputError, match="no place '0"):
                board(**{name: entry.format(number("99"))})
    assert board(rows=number("5")) == board(rows="5")
    assert shipped("tour/binary", start=number("7")).header.parameters["start"] == 7
    with pytest.raises(InputError, match="is not on the board"):
        shipped("tour/binary", start=number("99"))
    with pytest.raises(InputError, match="rows must be between -2147483646 and 2147483646"):
        board(rows=number("99999999999"))
