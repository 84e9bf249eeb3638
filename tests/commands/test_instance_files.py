"""Instance files (a problem with settings) in commands, from Python and in campaigns."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.error_lines import one_line
from helpers.formulas import mostly_slow

import boardsat as library
from boardsat.campaign.parser import read_campaign

ROOT = Path(__file__).parents[2]
PUZZLE = "1 . . .\n    . . 3 .\n    . 3 . .\n    . . . 4"
SUDOKU = f"""
title: A sudoku of four by four
problem: sudoku
encoding: minimal
set:
  n: 2
  givens: |
    {PUZZLE}
shuffle: 7
"""


@pytest.fixture
def file(tmp_path):
    def write(text: str, name: str = "puzzle.yaml") -> Path:
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


def test_instance_file_equals_options(boardsat, file):
    givens = PUZZLE.replace("\n", "").replace(" ", "")
    arguments = ("--enc", "minimal", "-n", 2, "--set", f"givens={givens}", "--shuffle", 7)
    expected = boardsat("cnf", "sudoku", *arguments)
    assert expected.code == 0
    assert boardsat("cnf", file(SUDOKU)).out == expected.out
    library.build(path := file(SUDOKU)).write(path.with_suffix(".cnf"))
    assert path.with_suffix(".cnf").read_bytes() == expected.out


def test_option_overrides_instance_file(boardsat, file):
    output = boardsat("cnf", file(SUDOKU), "--enc", "direct", "--set", "givens=", "--shuffle", "8")
    assert output.out == boardsat("cnf", "sudoku", "--enc", "direct", "-n", 2, "--shuffle", "8").out
    header = library.build(file(SUDOKU), "direct", givens="")._formula.header
    assert header.parameters["givens"] == [] and header.spec == "sudoku/direct"


EXAMPLE_FILES = sorted((ROOT / "examples/puzzles").glob("*.yaml"), key=lambda path: path.stem)


@pytest.mark.parametrize(
    "path", mostly_slow(EXAMPLE_FILES, EXAMPLE_FILES[:2]), ids=lambda path: path.stem
)
def test_example_file_is_solved_and_checked(path, boardsat):
    output = boardsat("solve", path, "--runtime", "embedded")
    assert output.code == 10 and b"checked: model, board" in output.out


def test_example_file_has_name_of_its_problem():
    for path in EXAMPLE_FILES:
        formula = library.build(path)
        assert formula.name.partition("/")[0] == path.stem


def test_campaign_accepts_instance_file(file):
    file(SUDOKU)
    path = file("instances:\n  - {problem: puzzle.yaml, encoding: [direct, minimal]}", "all.yaml")
    recipes = [instance.recipe for instance in read_campaign(path).instances(path.parent)]
    assert [recipe.spec.name for recipe in recipes] == ["sudoku/direct", "sudoku/minimal"]
    assert [recipe.shuffle for recipe in recipes] == [7, 7]
    assert recipes[1].formula().header.parameters["givens"][:5] == [1, 0, 0, 0, 0]


def test_instance_file_names_spec_and_graph_of_its_folder(boardsat, file):
    file("title: One\nvariables:\n  X: {}\nconstraints:\n  - clause: X", "one.yaml")
    assert boardsat("solve", file("problem: one.yaml")).code == 10
    file("0 1\n1 2\n2 0\n", "triangle.txt")
    coloured = "problem: colouring\nset: {graph: triangle.txt, colours: 3}"
    assert boardsat("count", file(coloured)).out.startswith(b"6 ")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("problem: sudoko", ":1: no problem 'sudoko'; did you mean 'sudoku'?"),
        ("problem: sudoku\nsettings: {n: 2}", ":2: unknown key 'settings'; choose from:"),
        (
            "problem: sudoku\nset: {n: [2, 3]}",
            ":2: the value must be a text, not a list",
        ),
        (
            "problem: sudoku\nset:\n  n: 0",
            ":3: n must be at least 1 (got 0); give 1 or more (declared in",
        ),
        ("problem: sudoku\nset: {m: 2}", ":2: sudoku/direct has no parameter 'm';"),
        (
            "problem: sudoku\nshuffle: x",
            ":2: a seed must be an integer from 0 to 2**64 - 1 (got 'x');",
        ),
        (
            "problem: puzzle.yaml",
            ":1: `problem` must be a problem or a spec (got the instance file ",
        ),
        ("problem: ../one.yaml", ":1: the spec is outside the folder of the instance;"),
        ("problem: none.yaml", ":1: cannot read the spec: no such file;"),
        ("problem: colouring\nset: {graph: /etc/passwd}", ":2: the graph is outside the folder of"),
    ],
)
def test_fault_in_instance_file_is_located_by_line(text, line, boardsat, file):
    file("problem: sudoku")
    path = file(text, "faulty.yaml")
    output = boardsat("cnf", path, "-o", path.parent / "x.cnf")
    assert output.code == 2 and not (path.parent / "x.cnf").exists()
    assert one_line(output.err).startswith(f"boardsat: {path}{line}"), output.err


def test_asp_rejects_shuffle_in_instance_file(boardsat, file):
    output = boardsat("asp", file("problem: tour\nshuffle: 3"))
    assert output.code == 2 and "this command does not support the key `shuffle`" in one_line(
        output.err
    )
