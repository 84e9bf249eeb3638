"""Lazy connectivity of chosen edges or cells: commands, and false header entries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.lazy_tours import solve_json
from helpers.solutions import USE_EMBEDDED
from helpers.solver_runs import boardsat

CYCLE = """\
title: One cycle on the lines of a board
params: {middle: true}
board: {shape: grid, rows: 4, cols: 5, moves: wazir}
variables:
  E:
    for: (i, j) in edges
    description: the cycle goes between {i} and {j}
constraints:
  - one_cycle: E[i, j]
    lazy: true
  - name: corners
    for: (i, j) in edges
    if: (i == 0 and j == 1) or (i == 18 and j == 19)
    clause: E[i, j]
  - name: no way between them
    for: (i, j) in edges
    if: not middle and column[i] == 2 and column[j] == 3
    clause: not E[i, j]
"""
CELLS = """\
title: Connected squares
params: {middle: true}
board: {shape: grid, rows: 3, cols: 5, moves: wazir}
variables:
  B:
    for: i in cells
    description: square {i} is black
constraints:
  - connected: not B[i]
    lazy: true
  - name: corners are white
    for: i in cells
    if: i == 0 or i == 14
    clause: not B[i]
  - clause: B[1] or B[5]
  - name: a column is black
    for: i in cells
    if: not middle and column[i] == 2
    clause: B[i]
"""
SPECS = {"cycle": CYCLE, "cells": CELLS}


@pytest.fixture(params=SPECS)
def spec(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"{request.param}.yaml"
    path.write_text(SPECS[request.param])
    return path


def round_by_round(folder: Path) -> tuple[object, ...]:
    """A solver that knows nothing of cuts."""
    path = folder / "plain.yaml"
    path.write_text(
        "title: for a test\ndialect: competition\ncan: decide\npackage: python-sat\n"
        'embedded: "pysat glucose4 {{ file }}"\n'
    )
    return ("--solver", path, "--runtime", "embedded")


@pytest.mark.parametrize("at_once", [True, False])
def test_solution_satisfies_connectivity(spec: Path, at_once: bool, tmp_path: Path) -> None:
    options = USE_EMBEDDED if at_once else round_by_round(tmp_path)
    code, result = solve_json(spec, *options)
    assert code == 10 and result["checked"] == ["model"] and result["rounds"] > 0


def test_refutation_has_cuts_that_follow(spec: Path, tmp_path: Path) -> None:
    code, result = solve_json(spec, "--set", "middle=false", *USE_EMBEDDED)
    assert code == 20 and result["cuts"] > 0
    assert result["checked"] == [f"cuts ({result['cuts']})"]


def test_disconnected_model_is_rejected(spec: Path, tmp_path: Path) -> None:
    """The squares at two corners, or two white squares far apart."""
    file, answer = tmp_path / "x.cnf", tmp_path / "answer"
    boardsat("cnf", spec, "-o", file)
    variables = int(next(x for x in file.read_text().splitlines() if x[0] == "p").split()[2])
    if spec.stem == "cycle":
        pairs = sorted(
            (u, v) for u in range(20) for v in (u + 1, u + 5) if v < 20 and (v % 5 or v > u + 1)
        )
        chosen = [(0, 1), (0, 5), (1, 6), (5, 6), (13, 14), (13, 18), (14, 19), (18, 19)]
        true = {pairs.index(pair) + 1 for pair in chosen}
    else:
        true = {cell + 1 for cell in range(1, 14)}
    literals = [v if v in true else -v for v in range(1, variables + 1)]
    answer.write_text("s SATISFIABLE\nv " + " ".join(map(str, literals)) + " 0\n")
    for command in ("check", "decode"):
        output = boardsat(command, file, answer)
        assert output.code == 1, output
        assert "its edges or cells are not connected" in output.err and "is lazy" in output.err


def test_lazy_choice_formula_is_not_counted(spec: Path) -> None:
    output = boardsat("count", spec)
    assert output.code == 2 and "cannot be counted" in output.one_line()


def test_shuffled_lazy_choices_are_solved(spec: Path, tmp_path: Path) -> None:
    file = tmp_path / "x.cnf"
    for middle, code in (("true", 10), ("false", 20)):
        boardsat("cnf", spec, "--shuffle", 3, "--set", f"middle={middle}", "-o", file)
        assert solve_json(file, *USE_EMBEDDED)[0] == code


WRONG = [
    {"cells": {"variable": "B"}},
    {"cells": {"variable": "B", "negated": 1}},
    {"cells": {"variable": "C", "negated": True}},
    {"cells": {"variable": "E", "negated": True}},
    {"cells": ["B"]},
    {"cells": []},
    {"touched": []},
    {"touched": {"variable": "E"}},
    {"touched": [{"variable": "B", "from": {"index": 0}, "to": {"index": 1}}]},
    {"untouched": [{"variable": "B", "from": {"index": 0}, "to": {"vertex": 0}}]},
    {
        "cells": {"variable": "B", "negated": True},
        "touched": [{"variable": "B", "from": {"index": 0}, "to": {"vertex": 0}}],
    },
]


@pytest.mark.parametrize("line", WRONG, ids=json.dumps)
def test_invalid_lazy_entry_is_one_line(line: dict[str, object], tmp_path: Path) -> None:
    file, spec = tmp_path / "x.cnf", tmp_path / "x.yaml"
    spec.write_text(CELLS)
    boardsat("cnf", spec, "-o", file)
    answer = [
        f"c lazy {json.dumps(line | {'rounds': 5, 'clauses': 2})}" if "c lazy" in text else text
        for text in file.read_text().splitlines()
    ]
    file.write_text("\n".join([*answer, ""]))
    output = boardsat("solve", file)
    assert output.code == 2
    assert "the `c lazy` line is malformed" in output.one_line()


def test_lazy_cells_of_another_board_are_rejected(tmp_path: Path) -> None:
    file, spec = tmp_path / "x.cnf", tmp_path / "x.yaml"
    spec.write_text(CELLS)
    boardsat("cnf", spec, "-o", file)
    text = file.read_text()
    for board in ('"rows": 3, "cols": 4', '"rows": 400, "cols": 500'):
        changed = text.replace('"rows": 3, "cols": 5', board)
        moves = '"moves": ' + json.dumps([[0, k] for k in range(1, 900)])
        changed = changed.replace('"moves": [[0, 1]]', moves if "400" in board else '"moves": []')
        assert changed != text
        file.write_text(changed)
        output = boardsat("solve", file)
        assert output.code == 2 and "c lazy" in output.one_line()
