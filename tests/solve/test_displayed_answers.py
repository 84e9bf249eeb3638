"""What people and programs are told of an answer: boards, words, plain data, and why not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from helpers.answer_text import COINS_SPEC, answer_lines, solve_formula, write_formula
from helpers.solver_runs import boardsat

from boardsat.adapters.boards import Grid
from boardsat.adapters.rendering._borders import Borders, TextPage, page_text
from boardsat.adapters.rendering.text import text
from boardsat.adapters.views.solution import Marks, Solution, Strokes
from boardsat.generators import InputError, build, find, parse, write
from boardsat.generators.sections import tables
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.solve.request import SolveRequest
from boardsat.workflows.solve.result import answer_to_json


def answer_file(problem: FormulaFile, folder: Path) -> Path:
    model = solve_formula(problem).answer.model
    assert model is not None
    literals = [v if model[v] > 0 else -v for v in range(1, len(model))]
    path = folder / "answer"
    path.write_text("s SATISFIABLE\nv " + " ".join(map(str, literals)) + " 0\n")
    return path


# Without a board.


def test_without_a_view_what_holds_is_shown_in_the_words_of_the_spec(tmp_path: Path) -> None:
    problem = write_formula(tmp_path, COINS_SPEC)
    held = ["Coin[0]: coin 1 of 2 shows heads", "Lamp: the lamp is on", "Bare[1]"]
    assert answer_lines(problem) == ["SATISFIABLE: me 1, native, 0.25 s", *held, "checked: model"]
    said = boardsat("decode", problem.path, answer_file(problem, tmp_path))
    assert (said.code, said.out.splitlines(), said.err) == (0, held, "")


def test_a_foreign_file_shows_its_literals(tmp_path: Path) -> None:
    path = tmp_path / "foreign.cnf"
    clauses = [[v if v % 3 else -v] for v in range(1, 41)]
    path.write_text("p cnf 40 40\n" + "".join(f"{v} 0\n" for (v,) in clauses))
    problem = open_formula(str(path))
    lines = answer_lines(problem)[1:-1]
    assert all(line.startswith("v ") and len(line) < 80 for line in lines) and len(lines) > 1
    assert " ".join(line[2:] for line in lines) == " ".join(str(v) for (v,) in clauses) + " 0"
    said = boardsat("decode", path, answer_file(problem, tmp_path), "--svg", tmp_path / "x.svg")
    assert (said.code, said.out.splitlines()) == (0, lines)
    assert "x.svg: no picture is written: the file has no view" in said.err
    assert not (tmp_path / "x.svg").exists()


def test_a_spec_without_a_view_says_why_there_is_no_picture(tmp_path: Path) -> None:
    problem = write_formula(tmp_path, COINS_SPEC)
    answer = answer_file(problem, tmp_path)
    said = boardsat("decode", problem.path, answer, "--svg", tmp_path / "x.svg")
    assert said.code == 0 and "the spec defines no view" in said.err and "boardsat?" not in said.err


# Values, marks and regions.

MAGIC = """
title: A magic square, whose values are from 1 to 9
board: {shape: grid, rows: 3, cols: 3}
variables:
  X:
    for: i in cells, v in range(1, 10)
constraints:
  - for: i in cells
    exactly_one: X[i, v] for v in range(1, 10)
  - for: v in range(1, 10)
    exactly_one: X[i, v] for i in cells
  - for: i in cells, j in cells, k in cells, a in range(1, 10), b in range(1, 10)
    if: >-
      i < j and j < k and (row[i] == row[j] and row[j] == row[k] or column[i] == column[j] and
      column[j] == column[k] or i + k == 8 and j == 4 and (i == 0 or i == 2))
    clause:
      - not X[i, a]
      - not X[j, b]
      - X[k, c] for c in range(1, 10) if a + b + c == 15
decode:
  - label: X[i, v]
    cell: i
    value: VALUE
"""


@pytest.mark.parametrize(
    ("value", "total"), [("v", 15), ("v + 1", 18), ("v - (2 + 1)", 6), ("2 * v - 9", 3)]
)
def test_a_label_shows_the_value_that_the_spec_says(value: str, total: int, tmp_path: Path) -> None:
    problem = write_formula(tmp_path, MAGIC.replace("VALUE", value))
    rows = [[int(word) for word in line.split()] for line in answer_lines(problem)[1:4]]
    assert [sum(row) for row in (*rows, *zip(*rows, strict=True))] == [total] * 6
    assert rows_of_json(problem) == rows


def rows_of_json(problem: FormulaFile) -> Any:
    return answer_to_json(solve_formula(problem), problem, SolveRequest("me"), "")["board"]


def test_a_file_that_does_not_say_what_a_label_adds_is_old_and_adds_one(tmp_path: Path) -> None:
    path = Path(write_formula(tmp_path, MAGIC.replace("VALUE", "v")).path)
    old = path.read_text()
    assert old.count(', "plus": 0') == 1
    path.write_text(old.replace(', "plus": 0', ""))
    rows = rows_of_json(open_formula(str(path)))
    assert sum(rows[0]) == 18


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("w", "no index 'w' in `X[i, v]`"),
        ("v + w", "unknown name 'w' in `v + w`"),
        ("v == 1", "a number is needed"),
    ],
)
def test_a_label_of_something_else(value: str, fault: str) -> None:
    with pytest.raises(InputError, match=re.escape(fault)):
        build(parse(MAGIC.replace("VALUE", value)), {})


MARKS = """
title: Two squares of three, one black and one white
board: {shape: grid, rows: 1, cols: 3}
variables:
  Black:
    for: i in cells
  Bright:
    for: i in cells
constraints:
  - clause: Black[0]
  - clause: not Black[1]
  - clause: not Black[2]
  - clause: not Bright[0]
  - clause: not Bright[1]
  - clause: Bright[2]
decode:
  - mark: Black[i]
    cell: i
  - mark: Bright[i]
    cell: i
"""


def test_marks_of_two_views_stay_apart(tmp_path: Path) -> None:
    problem = write_formula(tmp_path, MARKS)
    assert answer_lines(problem)[1] == "B . R"
    told = answer_to_json(solve_formula(problem), problem, SolveRequest("me"), "")
    assert (told["board"], told["views"]) == ([[1, 0, 0]], [[[1, 0, 0]], [[0, 0, 1]]])
    both = MARKS.replace("clause: not Bright[0]", "clause: Bright[0]")
    assert answer_lines(write_formula(tmp_path, both))[1] == "BR  .  R"
    signed = both.replace("    cell: i\n  - mark", "    cell: i\n    sign: knight\n  - mark")
    assert answer_lines(write_formula(tmp_path, signed))[1] == "NB  .  B"


def test_several_models_differ_in_any_of_the_views(tmp_path: Path) -> None:
    """A view that is not the first tells boards apart too."""
    problem = write_formula(tmp_path, MARKS)
    assert problem.decision_variables().tolist() == [1, 2, 3, 4, 5, 6]


def test_labels_and_a_mark_share_a_board_unless_one_is_to_stand_apart(tmp_path: Path) -> None:
    spec = MARKS.replace("  - mark: Black[i]\n    cell: i\n", "").replace("decode:", DOUBLE)
    assert answer_lines(write_formula(tmp_path, spec))[1:-2] == ["8,1   .   B"]
    apart = spec.replace("value: i + 1", "value: i + 1\n    apart: true")
    assert answer_lines(write_formula(tmp_path, apart))[1:-2] == ["8 . .", "", "1 . B"]


DOUBLE = """decode:
  - label: Black[i]
    cell: i
    value: i + 8
  - label: Black[i]
    cell: i
    value: i + 1"""


def test_a_sudoku_has_lines_and_what_is_given_is_bold(tmp_path: Path) -> None:
    path = str(tmp_path / "sudoku.cnf")
    write(build(find("sudoku/direct"), {"n": "2", "givens": "12.. .... .... ..21"}), path)
    problem = open_formula(path)
    lines = answer_lines(problem)[1:6]
    assert [len(line) for line in lines] == [9] * 5
    assert lines[2] == "----+----" and all(line[4] == "|" for line in lines if line != lines[2])
    solution = solve_formula(problem).solution
    assert solution is not None
    bold = text(solution, emphasis=lambda word: f"<{word}>").splitlines()
    assert [line.count("<") for line in bold] == [2, 0, 0, 0, 2] and bold[0].startswith("<1> <2> |")


def test_lines_between_regions_of_any_form() -> None:
    words = [["1", "22", "3"], ["4", "5", "6"], ["7", "8", "9"]]
    regions = (0, 0, 1, 2, 0, 1, 2, 2, 2)
    board = Grid(3, 3, frozenset())
    borders = Borders(Solution(board, Marks(frozenset()), regions=regions), board)
    page = TextPage(words, [[False] * 3] * 3, borders.vertical, borders.horizontal)
    assert page_text(page).splitlines() == [
        " 1   22 |  3",
        "---+    |",
        " 4 |  5 |  6",
        "   +----+---",
        " 7    8    9",
    ]


# Entries as people write them.


@pytest.mark.parametrize(
    "form",
    [
        "1234\n34..\n21..\n4...",
        "123434..21..4...",
        "1 2 3 4 3 4 0 0 2 1 0 0 4 0 0 0",
        "12|34\n34|__\n--+--\n21|**\n4.|..",
        "+---+---+\n|1 2|3 4|\n|3 4|. .|\n+===+===+\n|2 1|. .|\n|4 .|. .|\n+---+---+",
        "┌──┬──┐\n│12│34│\n│34│..│\n├──┼──┤\n│21│..│\n│4.│..│\n└──┴──┘",
        "# a puzzle\n1234\r\n34..\r\n\r\n21..\r\n4...\r\n",
        "1,2,3,4,3,4,,,2,1,0,0,4,,,",
        "1,2,3,4,\n3,4,.,.,\n2,1,0,0,\n4,0,0,0",
        "1,2,3,4\n3,4,,\n2,1,,\n4,,,",
        "12 34\n34 ..\n21 ..\n4. ..",
    ],
)
def test_entries_as_newspapers_and_files_have_them(form: str) -> None:
    assert tables.read_cells(form, tables.Signs(), "").tolist() == [
        1,
        2,
        3,
        4,
        3,
        4,
        0,
        0,
        2,
        1,
        0,
        0,
        4,
        0,
        0,
        0,
    ]


def test_entries_of_two_digits_are_words() -> None:
    rows = [[10, 0, 3], [0, 11, 0], [1, 2, 12]]
    form = "\n".join(" | ".join(str(n or ".") for n in row) for row in rows)
    assert tables.read_cells(form, tables.Signs(), "").tolist() == [n for row in rows for n in row]
    assert tables.read_cells("1 2 a\n. b .\n9 z 1", tables.Signs(), "").tolist() == [
        1,
        2,
        10,
        0,
        11,
        0,
        9,
        35,
        1,
    ]


@pytest.mark.parametrize(
    ("form", "fault"),
    [
        ("1234\n3?..\n21..\n4...", "givens: '?' in row 2, column 2 is not an entry; write a digit"),
        ("12343-..21..4...", "'-' in entry 6 (row 2, column 2 of a square) is not an entry"),
        ("12343-..21..4..", "'-' in entry 6 is not an entry"),
        ("1234\n34..\n21.\n4...", "givens: row 3 has 3 entries; the other rows have 4"),
        (
            "1234\n34..\n25..\n4...",
            "givens must be at most 4 (got 5 in row 3, column 2); give 4 or less",
        ),
        ("1234\n34..\n21..", "givens has 12 entries, and the board has 16 cells"),
    ],
)
def test_a_bad_entry_is_one_line_with_its_row_and_column(form: str, fault: str) -> None:
    with pytest.raises(InputError, match=re.escape(fault)) as raised:
        build(find("sudoku/direct"), {"n": "2", "givens": form})
    assert "\n" not in str(raised.value)


# Lines that text cannot draw.


@pytest.mark.parametrize(
    ("pairs", "lines"),
    [
        (
            [(0, 5), (5, 6), (6, 1), (1, 8), (8, 3), (3, 2), (2, 7), (7, 0)],
            ["1 4 7", "6 . 2", "3 8 5"],
        ),
        ([(5, 0), (7, 2), (0, 7)], ["3 . 1", ". . 4", ". 2 ."]),
    ],
    ids=["a cycle", "a path"],
)
def test_a_knight_s_way_is_shown_by_its_steps(
    pairs: list[tuple[int, int]], lines: list[str]
) -> None:
    board = Grid(3, 3, frozenset())
    assert text(Solution(board, Strokes(tuple(pairs)))).splitlines() == lines


@pytest.mark.parametrize("pairs", [[(0, 5), (2, 7)], [(0, 5), (0, 7), (0, 8)], []])
def test_lines_that_are_no_single_way_are_listed(pairs: list[tuple[int, int]]) -> None:
    shown = text(Solution(Grid(3, 3, frozenset()), Strokes(tuple(pairs)))).splitlines()
    assert shown[:3] == [". . ."] * 3 and shown[3].count(" - ") == len(pairs)
