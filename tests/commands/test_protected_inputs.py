"""Rejected command lines: outputs that would replace an input, repeated options, wrong files."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers.bad_commands import file, refused
from helpers.solver_runs import boardsat

SPEC = """\
title: A rook
params:
  n: 2
  givens: {type: numbers, default: ""}
board: {shape: grid, rows: n, cols: n}
variables:
  R: {for: i in cells}
constraints:
  - exactly_one: R[i] for i in cells
decode:
  - mark: R[i]
    cell: i
"""

COMMANDS = [
    ("cnf rook.yaml", "-o", "rook.yaml"),
    ("cnf rook.yaml", "-o", "./rook.yaml"),
    ("cnf rook.yaml", "-o", "linked.txt"),
    ("cnf one.yaml", "-o", "one.yaml"),
    ("cnf one.yaml", "-o", "rook.yaml"),
    ("cnf rook.yaml --set givens=@puzzle.txt", "-o", "puzzle.txt"),
    ("cnf domination --set graph=edges.txt", "-o", "edges.txt"),
    ("cnf domination --set graph=@edges.txt", "-o", "edges.txt"),
    ("cnf net.yaml", "-o", "edges.txt"),
    ("solve rook.yaml", "-o", "rook.yaml"),
    ("solve rook.yaml", "--svg", "rook.yaml"),
    ("solve rook.yaml", "--proof-file", "rook.yaml"),
    ("solve rook.cnf", "-o", "rook.cnf"),
    ("decode rook.cnf answer.txt", "--svg", "answer.txt"),
    ("validate rook.yaml", "--html", "rook.yaml"),
    ("asp rook.yaml", "-o", "rook.yaml"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file(tmp_path, SPEC, "rook.yaml")
    file(tmp_path, "problem: rook.yaml\nset: {n: 3}\n", "one.yaml")
    file(tmp_path, "problem: domination\nset: {graph: edges.txt}\n", "net.yaml")
    file(tmp_path, "1 2\n2 3\n", "edges.txt")
    file(tmp_path, "v 1 -2 -3 -4 0\n", "answer.txt")
    file(tmp_path, "....", "puzzle.txt")
    (tmp_path / "linked.txt").hardlink_to(tmp_path / "rook.yaml")
    assert boardsat("cnf", "rook.yaml", "-o", "rook.cnf").code == 0
    return tmp_path


@pytest.mark.parametrize(("arguments", "option", "target"), COMMANDS, ids=map(" ".join, COMMANDS))
def test_output_that_would_replace_input_is_rejected(
    arguments: str, option: str, target: str, folder: Path
) -> None:
    content = Path(target).read_bytes()
    fault = f"{target}: {option} would replace a file that the command reads; give another name"
    assert fault in refused(*arguments.split(), option, target)
    assert Path(target).read_bytes() == content


def test_output_with_name_of_problem_is_written(folder: Path) -> None:
    for _ in range(2):
        assert boardsat("cnf", "queens", "-n", 4, "-o", "queens").code == 0


REPEATED_OPTIONS = [
    ("-n", "solve", "queens", "-n", 4, "-n", 5),
    ("--timeout", "count", "queens", "-n", 4, "--timeout", 4, "--timeout=5"),
    ("-o/--output", "cnf", "queens", "-n", 4, "-o", "a.cnf", "--output", "b.cnf"),
]


@pytest.mark.parametrize("arguments", REPEATED_OPTIONS, ids=lambda arguments: arguments[0])
def test_repeated_option_is_rejected(arguments: Sequence[object]) -> None:
    option, *command = arguments
    assert f"{option} must be given at most once; see " in refused(*command)
    # `--set` may be repeated.
    assert boardsat("size", "tour", "--set", "rows=5", "--set", "cols=6").code == 0


@pytest.mark.parametrize("command", ["cnf", "size", "explain", "solve", "count"])
def test_file_that_is_not_a_spec_is_rejected_by_kind(command: str, folder: Path) -> None:
    (folder / "sub").mkdir()
    fault, remedy = "a spec is needed, not", "name a file that ends in .yaml"
    assert f"sub: {fault} a folder; {remedy}" in refused(command, "sub")
    assert f"{folder}: {fault} a folder; {remedy}" in refused(command, folder)
    assert f"answer.txt: {fault} another file; {remedy}" in refused(command, "answer.txt")
    if command in ("cnf", "size"):
        shutil.copy("rook.cnf", "sub/rook.cnf")
        expected = f"sub/rook.cnf: {fault} a file of format cnf; {remedy}"
        assert expected in refused(command, "sub/rook.cnf")


@pytest.mark.parametrize("command", ["count", "projection"])
def test_help_omits_formats_that_are_rejected(command: str, folder: Path) -> None:
    help_text = " ".join(boardsat(command, "--help").out.split())
    for format_name in ("wcnf", "opb", "knf"):
        assert boardsat("cnf", "rook.yaml", "-o", f"rook.{format_name}").code == 0
        assert "the format must be CNF here" in refused(command, f"rook.{format_name}")
        assert f".{format_name}" not in help_text
