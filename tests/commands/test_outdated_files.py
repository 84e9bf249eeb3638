"""Files with headers of format 1: the error names the command that writes them again."""

from __future__ import annotations

import shlex

import pytest
from helpers.formulas import GRAPHS

COMMANDS = [
    ("cnf", "tour/unary", "-n", 6, "--break-symmetry", "--three-cnf", "--shuffle", 7),
    ("cnf", "tour/binary", "--set", "rows=3", "--set", "cols=4", "--set", "closed=false"),
    ("cnf", "hamilton/binary", "--set", f"graph={GRAPHS / 'cube.hcp'}", "--set", "start=3"),
    ("cnf", "sudoku", "-n", 2, "--set", "givens=12..............", "--propagate"),
    ("asp", "tour", "-n", 6, "--method", "reachability"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[1])
def test_regeneration_command_writes_same_file(command, boardsat, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cube.hcp").write_bytes((GRAPHS / "cube.hcp").read_bytes())
    path = tmp_path / f"x.{'lp' if command[0] == 'asp' else 'cnf'}"
    assert boardsat(*command, "-o", path).code == 0
    text = path.read_text()
    path.write_text(text.replace('"format": 2', '"format": 1', 1))
    solver = ("--solver", "clingo") if command[0] == "asp" else ()
    output = boardsat("solve", path, *solver)
    line, _, regeneration = output.err.rstrip("\n").partition("; write it again: boardsat ")
    assert output.code == 2
    assert line == f"boardsat: {path}: the header has format 1, but only format 2 is read"
    assert boardsat(*shlex.split(regeneration)).code == 0
    assert path.read_text() == text


@pytest.mark.parametrize("spec", ["mine", "tour/nothing", "../../x"])
def test_outdated_file_of_unknown_spec_has_no_regeneration_command(spec, boardsat, tmp_path):
    path = tmp_path / "x.cnf"
    path.write_text(f'c boardsat {{"format": 1, "spec": "{spec}"}}\np cnf 1 1\n1 0\n')
    output = boardsat("solve", path)
    assert (output.code, output.err.count("\n")) == (2, 1)
    assert output.err.endswith(
        "generate the file again from its spec, or remove its comments to use it as a plain "
        "formula\n"
    )
