"""Commands solve, decode and check from end to end."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from helpers import processes
from helpers.formulas import is_lazy, mostly_slow
from helpers.requirements import outside
from helpers.solutions import HARD, SAT, UNSAT, USE_EMBEDDED, is_closed_tour, solver_output
from helpers.solver_runs import (
    DECIDING,
    LOCAL_RUNTIMES,
    RUNTIMES,
    SOLVER_RUNTIMES,
    boardsat,
    instance,
    require_solver,
    transformed_instance,
)

from boardsat.adapters import solvers
from boardsat.adapters.solvers import Solver
from boardsat.generators.spec.catalogue import encodings_of

COMPLETE_ENCODINGS = [e for e in encodings_of("tour") if not is_lazy(f"tour/{e}")]
QUICK_TOURS = {("cadical", "embedded"), ("kissat", "docker"), ("minisat", "native")}
TOURS = [
    pytest.param(
        encoding,
        *pair.values,
        id=f"{encoding}-{pair.id}",
        marks=[*pair.marks, *([] if quick else [pytest.mark.slow])],
    )
    for encoding in encodings_of("tour")
    for pair in SOLVER_RUNTIMES
    for solver, where in [pair.values]
    for quick in [encoding == "binary" and (solver.name, where) in QUICK_TOURS]
]


def solved(*arguments: object) -> tuple[int, dict[str, Any]]:
    output = boardsat("solve", *arguments, "--json")
    assert output.err == "", output.err
    return output.code, json.loads(output.out)


# Right answers.


@pytest.mark.parametrize(("encoding", "solver", "where"), TOURS)
def test_closed_tours_of_a_board(encoding: str, solver: Solver, where: str) -> None:
    require_solver(solver, where)
    # MiniSat as a library does without the preprocessing that it needs for more.
    side = 6 if (solver.name, where) == ("minisat", "embedded") else 8
    arguments = ("--solver", solver.name, "--runtime", where, "--timeout", 120)
    code, result = solved("tour", "--enc", encoding, "-n", side, *arguments)
    assert (code, result["status"]) == (10, "SATISFIABLE")
    assert result["checked"] == ["model", "board"] and result["unchecked"] == []
    assert is_closed_tour(result["board"])


@pytest.mark.parametrize(
    "solver", [s for s in DECIDING if "prove" in s.capabilities], ids=lambda s: s.name
)
@pytest.mark.parametrize("encoding", ["binary", pytest.param("unary", marks=pytest.mark.slow)])
def test_odd_board_without_closed_tour_has_verified_proof(
    solver: Solver, encoding: str, checker: None, tmp_path: Path
) -> None:
    require_solver(solver, "docker")
    file = instance(tmp_path, f"tour/{encoding}", rows=5, cols=5)
    proof = tmp_path / "proof.drat"
    code, result = solved(file, "--solver", solver.name, "--proof-file", proof, "--timeout", 120)
    assert (code, result["status"]) == (20, "UNSATISFIABLE")
    assert result["checked"] == ["proof"] and result["unchecked"] == []
    answer = tmp_path / "answer"
    answer.write_text("s UNSATISFIABLE\n")
    output = boardsat("check", file, answer, proof)
    assert (output.code, output.err) == (0, "") and "verified" in output.out


def test_unsat_without_proof_is_reported_as_unchecked() -> None:
    output = boardsat("solve", UNSAT, *USE_EMBEDDED)
    assert output.code == 20
    assert output.out.startswith("UNSATISFIABLE: cadical ") and "NOT checked: proof" in output.out


@pytest.mark.parametrize("where", RUNTIMES)
def test_json_answer_has_all_keys(where: str) -> None:
    require_solver(solvers.load("cadical"), where)
    code, result = solved("queens", "-n", 5, "--runtime", where)
    assert code == 10
    assert set(result) == {
        *("goal", "value"),
        *("status", "reason", "board", "checked", "unchecked", "solver", "runtime", "version"),
        *("proof", "command", "exit_code", "end", "statistics"),
        *("wall", "cpu", "memory", "solver_wall", "solver_cpu", "solver_memory"),
        *(
            "rounds",
            "cuts",
            "joined",
            "fallback_encoding",
            "method",
            "portfolio",
            "words",
            "instance",
            "holds",
            "model",
            "notes",
            "views",
        ),
        *("skipped_runtimes", "vertices", "symmetry"),
    }
    assert (result["runtime"], result["end"], result["exit_code"]) == (where, "finished", 10)
    assert (result["solver_wall"] is not None) == (where == "embedded")


@pytest.mark.parametrize("projection", mostly_slow(["ind", "show", "none"], ["show"]))
def test_models_option_yields_different_boards_until_unsat(projection: str) -> None:
    arguments = ("queens", "-n", 6, "--models", 9, "--projection", projection)
    output = boardsat("solve", *arguments, *USE_EMBEDDED, "--json")
    results = json.loads(output.out)
    assert output.code == 10
    assert [r["status"] for r in results] == ["SATISFIABLE"] * 4 + ["UNSATISFIABLE"]
    boards = {json.dumps(r["board"]) for r in results[:-1]}
    assert len(boards) == 4
    assert all(r["checked"] == ["model", "board"] for r in results[:-1])


@pytest.mark.parametrize("encoding", mostly_slow(encodings_of("tour"), ["binary", "cuts"]))
def test_models_option_blocks_boards_not_auxiliary_variables(encoding: str) -> None:
    # A 5 by 6 board has eight closed tours, each in two directions.
    arguments = ("tour", "--enc", encoding, "--set", "rows=5", "--set", "cols=6", "--models", 4)
    output = boardsat("solve", *arguments, *USE_EMBEDDED, "--json")
    boards = {json.dumps(r["board"]) for r in json.loads(output.out)}
    assert len(boards) == 4


def test_models_option_stops_at_requested_number() -> None:
    output = boardsat("solve", "queens", "-n", 6, "--models", 2, *USE_EMBEDDED)
    assert output.code == 10 and output.out.count("SATISFIABLE") == 2


@pytest.mark.parametrize("closed", [True, False])
def test_svg_of_tour_is_drawn(closed: bool, tmp_path: Path) -> None:
    picture = tmp_path / "tour.svg"
    size = ("--set", "rows=5", "--set", "cols=6", "--set", f"closed={str(closed).lower()}")
    output = boardsat("solve", "tour", "--enc", "binary", *size, "--svg", picture, *USE_EMBEDDED)
    assert output.code == 10
    root = ElementTree.parse(picture).getroot()
    (path,) = [e.get("d", "") for e in root if e.get("class") == "tour"]
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert path.count("M") + path.count("L") == 30
    assert path.endswith("Z") == closed


@pytest.mark.parametrize(
    ("problem", "arguments", "what", "number"),
    [
        ("queens", ["-n", 6], "text", 6 + 12),
        ("latin", ["-n", 4], "text", 16),
        ("sudoku", ["--enc", "direct", "-n", 2], "text", 16),
        ("colouring", ["--enc", "direct", "--set", "graph={graph}"], "circle", 4),
        ("hamilton", ["--enc", "direct", "--set", "graph={graph}"], "text", 4),
    ],
)
def test_svg_of_each_problem_is_drawn(
    problem: str, arguments: list[str], what: str, number: int, tmp_path: Path
) -> None:
    (tmp_path / "graph").write_text("0 1\n1 2\n2 3\n3 0\n")
    if problem == "latin":
        arguments = ["--enc", "direct", *arguments]
    arguments = [str(token).format(graph=tmp_path / "graph") for token in arguments]
    output = boardsat("solve", problem, *arguments, "--svg", tmp_path / "x.svg", *USE_EMBEDDED)
    assert output.code == 10, output.err
    root = ElementTree.parse(tmp_path / "x.svg").getroot()
    assert sum(element.tag.endswith(what) for element in root) == number


@pytest.mark.parametrize("limit", [("--timeout", 0.5), ("--cpu", 0.5)])
def test_time_limit_gives_unknown_and_exit_code_0(limit: tuple[str, float]) -> None:
    output = boardsat("solve", HARD, *limit)
    reason = "time limit" if limit[0] == "--timeout" else "CPU limit"
    assert output.code == 0
    assert output.out.startswith(f"UNKNOWN ({reason}): cadical ")


@pytest.mark.parametrize(
    "ending", mostly_slow([".cnf", ".cnf.gz", ".cnf.xz", ".cnf.zst"], [".cnf", ".cnf.xz"])
)
@pytest.mark.parametrize("where", LOCAL_RUNTIMES)
def test_compressed_files_are_solved(ending: str, where: str, tmp_path: Path) -> None:
    require_solver(solvers.load("cadical"), where)
    file = instance(tmp_path, "tour/binary", ending, rows=5, cols=6)
    code, result = solved(file, "--runtime", where)
    assert code == 10
    assert is_closed_tour(result["board"])


@pytest.mark.parametrize("encoding", mostly_slow(COMPLETE_ENCODINGS, ["undirected"]))
def test_transformed_files_are_decoded(encoding: str, tmp_path: Path) -> None:
    file = transformed_instance(tmp_path, f"tour/{encoding}", rows=5, cols=6)
    code, result = solved(file, *USE_EMBEDDED)
    assert code == 10
    assert is_closed_tour(result["board"])
    (tmp_path / "answer").write_text(solver_output(file))
    output = boardsat("decode", file, tmp_path / "answer", "--svg", tmp_path / "x.svg")
    assert (output.code, output.err) == (0, "")
    assert is_closed_tour(
        [[int(token) for token in row.split()] for row in output.out.splitlines()]
    )
    assert (tmp_path / "x.svg").exists()


def test_decode_reads_solver_output_from_standard_input(tmp_path: Path) -> None:
    file = instance(tmp_path, "queens/squares", n=6)
    outcome = processes.run(
        [sys.executable, "-m", "boardsat", "decode", file],
        input=solver_output(file),
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert outcome.returncode == 0
    assert outcome.stdout.count("Q") == 6


def test_external_file_has_no_board(tmp_path: Path) -> None:
    code, result = solved(SAT, *USE_EMBEDDED)
    assert (code, result["board"], result["checked"]) == (10, None, ["model"])
    (tmp_path / "answer").write_text(solver_output(SAT))
    output = boardsat("check", SAT, tmp_path / "answer")
    assert output.code == 0 and output.out == "the model satisfies all 170 clauses\n"
    output = boardsat("decode", SAT, tmp_path / "answer")
    assert (output.code, output.err) == (0, "")
    assert [line[0] for line in output.out.splitlines()] == ["v"] * output.out.count("\n")


LENIENT = {
    "counts": "p cnf 1 1\n1 -2 0\n2 3 0\n",
    "lines": "c one\r\np  cnf 3 3\r\n1\r\n-2 0 2 3 0\r\n-1 0\r\n",
    "trailer": "p cnf 3 2\n1 2 0\n-1 3 0\n%\n0\n",
    "unended": "p cnf 3 2\n1 2 0\n-1 3",
    "later": "p cnf 3 2\n1 2 0\nc --time=0\n-1 3 0\n",
    "orders": "c --conflicts=0 --decisions=0\nc cnf 1 1\nc red\nc p\np cnf 3 2\n1 2 0\n-1 3 0\n",
}


@outside
@pytest.mark.parametrize("name", LENIENT)
@pytest.mark.parametrize("solver", DECIDING, ids=lambda solver: solver.name)
def test_irregular_files_are_solved_by_every_solver(
    solver: Solver, name: str, tmp_path: Path
) -> None:
    require_solver(solver, "native")
    file = tmp_path / "wild.cnf"
    file.write_text(LENIENT[name], newline="")
    arguments = (file, "--solver", solver.name, "--runtime", "native", "--models", 20)
    output = boardsat("solve", *arguments, "--json", "--lenient")
    assert output.err == ""
    results = json.loads(output.out)
    # Each of these has three variables and, by a truth table, so many models.
    models = {"counts": 4, "lines": 1, "trailer": 4, "unended": 4, "later": 4, "orders": 4}
    assert [r["status"] for r in results] == ["SATISFIABLE"] * models[name] + ["UNSATISFIABLE"]
