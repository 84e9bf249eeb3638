"""Displayed answers: boards, descriptions of models, JSON data, and entries of puzzles."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from helpers.answer_text import COINS_SPEC, answer_lines, solve_formula, write_formula
from helpers.solver_runs import boardsat

from boardsat.adapters.boards import Grid
from boardsat.adapters.rendering._cell_text import Borders
from boardsat.adapters.rendering.text import TextPage, page_text, solution_to_text
from boardsat.adapters.views import Marks, Solution, Strokes
from boardsat.generators import InputError, build, find, parse, write
from boardsat.generators.sections import tables
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.solve.request import SolveRequest
from boardsat.workflows.solve.result import answer_to_json


def write_answer(problem: FormulaFile, folder: Path) -> Path:
    """Write the model of a formula file as a solver prints it."""
    model = solve_formula(problem).answer.model
    assert model is not None
    literals = [v if model[v] > 0 else -v for v in range(1, len(model))]
    path = folder / "answer"
    path.write_text("s SATISFIABLE\nv " + " ".join(map(str, literals)) + " 0\n")
    return path


# Without a board.


def test_model_without_a_view_is_described_by_the_spec(tmp_path: Path) -> None:
    problem = write_formula(tmp_path, COINS_SPEC)
    descriptions = ["Coin[0]: coin 1 of 2 shows heads", "Lamp: the lamp is on", "Bare[1]"]
    assert answer_lines(problem) == [
        "SATISFIABLE: me 1, native, 0.25 s",
        *descriptions,
        "checked: model",
    ]
    result = boardsat("decode", problem.path, write_answer(problem, tmp_path))
    assert (result.code, result.out.splitlines(), result.err) == (0, descriptions, "")


def test_model_of_a_foreign_file_is_displayed_as_literals(tmp_path: Path) -> None:
    path = tmp_path / "foreign.cnf"
    clauses = [[v if v % 3 else -v] for v in range(1, 41)]
    path.write_text("p cnf 40 40\n" + "".join(f"{v} 0\n" for (v,) in clauses))
    problem = open_formula(str(path))
    lines = answer_lines(problem)[1:-1]
    assert all(line.startswith("v ") and len(line) < 80 for line in lines) and len(lines) > 1
    assert " ".join(line[2:] for line in lines) == " ".join(str(v) for (v,) in clauses) + " 0"
    result = boardsat("decode", path, write_answer(problem, tmp_path), "--svg", tmp_path / "x.svg")
    assert (result.code, result.out.splitlines()) == (0, lines)
    assert "x.svg: no picture is written: the file has no view" in result.err
    assert not (tmp_path / "x.svg").exists()


def test_decode_without_a_view_reports_why_no_picture_is_written(tmp_path: Path) -> None:
    problem = write_formula(tmp_path, COINS_SPEC)
    answer = write_answer(problem, tmp_path)
    result = boardsat("decode", problem.path, answer, "--svg", tmp_path / "x.svg")
    assert (
        result.code == 0
        and "the spec defines no view" in result.err
        and "boardsat?" not in result.err
    )


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
def test_label_displays_the_value_of_its_expression(value: str, total: int, tmp_path: Path) -> None:
    problem = write_formula(tmp_path, MAGIC.replace("VALUE", value))
    rows = [[int(entry) for entry in line.split()] for line in answer_lines(problem)[1:4]]
    assert [sum(row) for row in (*rows, *zip(*rows, strict=True))] == [total] * 6
    assert rows_of_json(problem) == rows


def rows_of_json(problem: FormulaFile) -> Any:
    return answer_to_json(solve_formula(problem), problem, SolveRequest("me"), "")["board"]


def test_label_of_an_old_file_without_plus_adds_one(tmp_path: Path) -> None:
    path = Path(write_formula(tmp_path, MAGIC.replace("VALUE", "v")).path)
    old = path.read_text()
    assert old.count(', "plus": 0') == 1
    path.write_text(old.replace(', "plus": 0', ""))
    rows = rows_of_json(open_formula(str(path)))
    assert sum(rows[0]) == 18


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("w", "`X[i, v]` has no index 'w'"),
        ("v + w", "unknown name 'w' in `v + w`"),
        ("v == 1", "a number is needed"),
    ],
)
def test_label_with_an_invalid_value_is_rejected(value: str, fault: str) -> None:
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


def test_marks_of_two_views_have_different_letters(tmp_path: Path) -> None:
    problem = write_formula(tmp_path, MARKS)
    assert answer_lines(problem)[1] == "B . R"
    answer = answer_to_json(solve_formula(problem), problem, SolveRequest("me"), "")
    assert (answer["board"], answer["views"]) == ([[1, 0, 0]], [[[1, 0, 0]], [[0, 0, 1]]])
    overlapping_spec = MARKS.replace("clause: not Bright[0]", "clause: Bright[0]")
    assert answer_lines(write_formula(tmp_path, overlapping_spec))[1] == "BR  .  R"
    spec_with_sign = overlapping_spec.replace(
        "    cell: i\n  - mark", "    cell: i\n    sign: knight\n  - mark"
    )
    assert answer_lines(write_formula(tmp_path, spec_with_sign))[1] == "NB  .  B"


def test_decision_variables_are_those_of_all_views(tmp_path: Path) -> None:
    """Boards that differ in a view other than the first are different solutions."""
    problem = write_formula(tmp_path, MARKS)
    assert problem.decision_variables().tolist() == [1, 2, 3, 4, 5, 6]


def test_views_share_a_board_unless_one_is_apart(tmp_path: Path) -> None:
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


def test_sudoku_has_lines_and_emphasized_givens(tmp_path: Path) -> None:
    path = str(tmp_path / "sudoku.cnf")
    write(build(find("sudoku/direct"), {"n": "2", "givens": "12.. .... .... ..21"}), path)
    problem = open_formula(path)
    lines = answer_lines(problem)[1:6]
    assert [len(line) for line in lines] == [9] * 5
    assert lines[2] == "----+----" and all(line[4] == "|" for line in lines if line != lines[2])
    solution = solve_formula(problem).solution
    assert solution is not None
    bold = solution_to_text(solution, emphasis=lambda text: f"<{text}>").splitlines()
    assert [line.count("<") for line in bold] == [2, 0, 0, 0, 2] and bold[0].startswith("<1> <2> |")


def test_page_has_lines_between_regions_of_any_shape() -> None:
    arguments = [["1", "22", "3"], ["4", "5", "6"], ["7", "8", "9"]]
    regions = (0, 0, 1, 2, 0, 1, 2, 2, 2)
    board = Grid(3, 3, frozenset())
    borders = Borders(Solution(board, Marks(frozenset()), regions=regions), board)
    page = TextPage(arguments, [[False] * 3] * 3, borders.vertical, borders.horizontal)
    assert page_text(page).splitlines() == [
        " 1   22 |  3",
        "---+    |",
        " 4 |  5 |  6",
        "   +----+---",
        " 7    8    9",
    ]


# Entries of puzzles.


@pytest.mark.parametrize(
    "entries",
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
def test_entries_are_read_in_common_layouts(entries: str) -> None:
    cells = tables.read_cells(entries, tables.Signs(), "").tolist()
    assert cells == [*(1, 2, 3, 4), *(3, 4, 0, 0), *(2, 1, 0, 0), *(4, 0, 0, 0)]


def test_entries_of_two_digits_are_separated() -> None:
    rows = [[10, 0, 3], [0, 11, 0], [1, 2, 12]]
    text = "\n".join(" | ".join(str(n or ".") for n in row) for row in rows)
    assert tables.read_cells(text, tables.Signs(), "").tolist() == [n for row in rows for n in row]
    letters = tables.read_cells("1 2 a\n. b .\n9 z 1", tables.Signs(), "").tolist()
    assert letters == [1, 2, 10, 0, 11, 0, 9, 35, 1]


@pytest.mark.parametrize(
    ("entries", "fault"),
    [
        ("1234\n3?..\n21..\n4...", "givens: '?' in row 2, column 2 is not an entry; write a digit"),
        ("12343-..21..4...", "'-' in entry 6 (row 2, column 2 of a square) is not an entry"),
        ("12343-..21..4..", "'-' in entry 6 is not an entry"),
        ("1234\n34..\n21.\n4...", "givens: row 3 must have 4 entries like most rows (got 3)"),
        (
            "1234\n34..\n25..\n4...",
            "givens must be at most 4 (got 5 in row 3, column 2); give 4 or less",
        ),
        (
            "1234\n34..\n21..",
            "givens must have an entry for each cell, or none (got 12 entries for 16 cells)",
        ),
    ],
)
def test_invalid_entry_is_reported_in_one_line_with_its_position(entries: str, fault: str) -> None:
    with pytest.raises(InputError, match=re.escape(fault)) as raised:
        build(find("sudoku/direct"), {"n": "2", "givens": entries})
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
def test_lines_of_a_single_path_are_displayed_as_step_numbers(
    pairs: list[tuple[int, int]], lines: list[str]
) -> None:
    board = Grid(3, 3, frozenset())
    assert solution_to_text(Solution(board, Strokes(tuple(pairs)))).splitlines() == lines


@pytest.mark.parametrize("pairs", [[(0, 5), (2, 7)], [(0, 5), (0, 7), (0, 8)], []])
def test_lines_that_are_not_a_single_path_are_listed(pairs: list[tuple[int, int]]) -> None:
    lines = solution_to_text(Solution(Grid(3, 3, frozenset()), Strokes(tuple(pairs)))).splitlines()
    assert lines[:3] == [". . ."] * 3 and lines[3].count(" - ") == len(pairs)
