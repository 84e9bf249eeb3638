"""solve, decode, check and solvers from end to end: right answers, wrong ones, and bad input."""

from __future__ import annotations

import io
import json
import shutil
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import processes
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from outside import outside
from running import (
    DECIDING,
    HERE_OR_THERE,
    PLACES,
    RUNTIMES,
    boardsat,
    finish,
    instance,
    need,
    need_checked_proofs,
    start,
    transformed,
)
from support import examples, is_lazy, mostly_slow

from boardsat.adapters import solvers
from boardsat.adapters.dimacs import check, copies
from boardsat.adapters.runtimes import PREFERRED
from boardsat.adapters.runtimes.workers import pysat as worker
from boardsat.adapters.solvers import Solver
from boardsat.generators.catalogue import encodings_of
from boardsat.problem import open_problem

HERE = ("--runtime", "embedded")

RECORDED = Path(__file__).parent / "recorded"
SAT, UNSAT, HARD = (str(RECORDED / f"{name}.cnf") for name in ("sat", "unsat", "limit"))

WHOLE = [e for e in encodings_of("tour") if not is_lazy(f"tour/{e}")]
QUICK_TOURS = {("cadical", "embedded"), ("kissat", "docker"), ("minisat", "native")}
TOURS = [
    pytest.param(
        encoding,
        *place.values,
        id=f"{encoding}-{place.id}",
        marks=[*place.marks, *([] if quick else [pytest.mark.slow])],
    )
    for encoding in encodings_of("tour")
    for place in PLACES
    for solver, where in [place.values]
    for quick in [encoding == "binary" and (solver.name, where) in QUICK_TOURS]
]


@pytest.fixture(params=[pytest.param("drat-trim", marks=outside)])
def checker() -> None:
    """What writes proofs and what checks them, wherever they are."""
    need_checked_proofs()


def is_closed_tour(board: list[list[int]]) -> bool:
    place = {number: (r, c) for r, row in enumerate(board) for c, number in enumerate(row)}
    size = len(board) * len(board[0])
    if sorted(place) != list(range(1, size + 1)):
        return False
    steps = [(place[k], place[k % size + 1]) for k in range(1, size + 1)]
    return all(sorted((abs(a - c), abs(b - d))) == [1, 2] for (a, b), (c, d) in steps)


def solved(*words: object) -> tuple[int, dict[str, Any]]:
    said = boardsat("solve", *words, "--json")
    assert said.err == "", said.err
    return said.code, json.loads(said.out)


def answered(path: str) -> str:
    """A right answer to a file, as a solver prints it."""
    said = io.StringIO()
    with redirect_stdout(said):
        worker.main("cadical195", path)
    return said.getvalue()


# Right answers.


@pytest.mark.parametrize(("encoding", "solver", "where"), TOURS)
def test_closed_tours_of_a_board(encoding: str, solver: Solver, where: str) -> None:
    need(solver, where)
    # MiniSat as a library does without the preprocessing that it needs for more.
    side = 6 if (solver.name, where) == ("minisat", "embedded") else 8
    words = ("--solver", solver.name, "--runtime", where, "--timeout", 120)
    code, result = solved("tour", "--enc", encoding, "-n", side, *words)
    assert (code, result["status"]) == (10, "SATISFIABLE")
    assert result["checked"] == ["model", "board"] and result["unchecked"] == []
    assert is_closed_tour(result["board"])


@pytest.mark.parametrize("solver", [s for s in DECIDING if "prove" in s.can], ids=lambda s: s.name)
@pytest.mark.parametrize("encoding", ["binary", pytest.param("unary", marks=pytest.mark.slow)])
def test_an_odd_board_has_no_closed_tour_and_the_proof_is_verified(
    solver: Solver, encoding: str, checker: None, tmp_path: Path
) -> None:
    need(solver, "docker")
    file = instance(tmp_path, f"tour/{encoding}", rows=5, cols=5)
    proof = tmp_path / "proof.drat"
    code, result = solved(file, "--solver", solver.name, "--keep", proof, "--timeout", 120)
    assert (code, result["status"]) == (20, "UNSATISFIABLE")
    assert result["checked"] == ["proof"] and result["unchecked"] == []
    answer = tmp_path / "answer"
    answer.write_text("s UNSATISFIABLE\n")
    said = boardsat("check", file, answer, proof)
    assert (said.code, said.err) == (0, "") and "verified" in said.out


def test_without_a_proof_unsat_is_said_to_be_unchecked() -> None:
    said = boardsat("solve", UNSAT, *HERE)
    assert said.code == 20
    assert said.out.startswith("UNSATISFIABLE: cadical ") and "NOT checked: proof" in said.out


@pytest.mark.parametrize("where", RUNTIMES)
def test_json_has_these_keys(where: str) -> None:
    need(solvers.load("cadical"), where)
    code, result = solved("queens", "-n", 5, "--runtime", where)
    assert code == 10
    assert set(result) == {
        *("status", "reason", "board", "checked", "unchecked", "solver", "runtime", "version"),
        *("command", "exit_code", "end", "wall", "cpu", "memory", "statistics"),
        *("rounds", "cuts", "instead", "words", "instance", "holds", "model", "notes", "views"),
        "passed_over",
    }
    assert (result["runtime"], result["end"], result["exit_code"]) == (where, "finished", 10)


@pytest.mark.parametrize("projection", mostly_slow(["ind", "show", "none"], ["show"]))
def test_models_are_different_boards_until_there_are_no_more(projection: str) -> None:
    words = ("queens", "-n", 6, "--models", 9, "--projection", projection)
    said = boardsat("solve", *words, *HERE, "--json")
    results = json.loads(said.out)
    assert said.code == 10
    assert [r["status"] for r in results] == ["SATISFIABLE"] * 4 + ["UNSATISFIABLE"]
    boards = {json.dumps(r["board"]) for r in results[:-1]}
    assert len(boards) == 4
    assert all(r["checked"] == ["model", "board"] for r in results[:-1])


@pytest.mark.parametrize("encoding", mostly_slow(encodings_of("tour"), ["binary", "cuts"]))
def test_models_differ_in_the_board_and_not_only_in_other_variables(encoding: str) -> None:
    # A 5 by 6 board has eight closed tours, each in two directions.
    words = ("tour", "--enc", encoding, "--set", "rows=5", "--set", "cols=6", "--models", 4)
    said = boardsat("solve", *words, *HERE, "--json")
    boards = {json.dumps(r["board"]) for r in json.loads(said.out)}
    assert len(boards) == 4


def test_fewer_models_than_there_are() -> None:
    said = boardsat("solve", "queens", "-n", 6, "--models", 2, *HERE)
    assert said.code == 10 and said.out.count("SATISFIABLE") == 2


@pytest.mark.parametrize("closed", [True, False])
def test_a_picture_of_a_tour(closed: bool, tmp_path: Path) -> None:
    picture = tmp_path / "tour.svg"
    size = ("--set", "rows=5", "--set", "cols=6", "--set", f"closed={str(closed).lower()}")
    said = boardsat("solve", "tour", "--enc", "binary", *size, "--svg", picture, *HERE)
    assert said.code == 10
    root = ElementTree.parse(picture).getroot()
    (path,) = [e.get("d", "") for e in root if e.get("class") == "tour"]
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert path.count("M") + path.count("L") == 30
    assert path.endswith("Z") == closed


@pytest.mark.parametrize(
    ("problem", "words", "what", "number"),
    [
        ("queens", ["-n", 6], "text", 6 + 12),
        ("latin", ["-n", 4], "text", 16),
        ("sudoku", ["--enc", "direct", "-n", 2], "text", 16),
        ("colouring", ["--enc", "direct", "--set", "graph={graph}"], "circle", 4),
        ("hamilton", ["--enc", "direct", "--set", "graph={graph}"], "text", 4),
    ],
)
def test_pictures(problem: str, words: list[str], what: str, number: int, tmp_path: Path) -> None:
    (tmp_path / "graph").write_text("0 1\n1 2\n2 3\n3 0\n")
    if problem == "latin":
        words = ["--enc", "direct", *words]
    words = [str(word).format(graph=tmp_path / "graph") for word in words]
    said = boardsat("solve", problem, *words, "--svg", tmp_path / "x.svg", *HERE)
    assert said.code == 10, said.err
    root = ElementTree.parse(tmp_path / "x.svg").getroot()
    assert sum(element.tag.endswith(what) for element in root) == number


@pytest.mark.parametrize("limit", [("--timeout", 0.5), ("--cpu", 0.5)])
def test_a_limit_is_unknown_and_exit_code_0(limit: tuple[str, float]) -> None:
    said = boardsat("solve", HARD, *limit)
    reason = "time limit" if limit[0] == "--timeout" else "CPU limit"
    assert said.code == 0
    assert said.out.startswith(f"UNKNOWN ({reason}): cadical ")


@pytest.mark.parametrize("ending", [".cnf", ".cnf.gz", ".cnf.xz", ".cnf.zst"])
@pytest.mark.parametrize("where", HERE_OR_THERE)
def test_compressed_files(ending: str, where: str, tmp_path: Path) -> None:
    need(solvers.load("cadical"), where)
    file = instance(tmp_path, "tour/binary", ending, rows=5, cols=6)
    code, result = solved(file, "--runtime", where)
    assert code == 10
    assert is_closed_tour(result["board"])


@pytest.mark.parametrize("encoding", mostly_slow(WHOLE, ["undirected"]))
def test_transformed_files_decode(encoding: str, tmp_path: Path) -> None:
    file = transformed(tmp_path, f"tour/{encoding}", rows=5, cols=6)
    code, result = solved(file, *HERE)
    assert code == 10
    assert is_closed_tour(result["board"])
    (tmp_path / "answer").write_text(answered(file))
    said = boardsat("decode", file, tmp_path / "answer", "--svg", tmp_path / "x.svg")
    assert (said.code, said.err) == (0, "")
    assert is_closed_tour([[int(word) for word in row.split()] for row in said.out.splitlines()])
    assert (tmp_path / "x.svg").exists()


def test_decode_takes_what_a_solver_prints_from_standard_input(tmp_path: Path) -> None:
    file = instance(tmp_path, "queens/squares", n=6)
    done = processes.run(
        [sys.executable, "-m", "boardsat", "decode", file],
        input=answered(file),
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent.parent,
    )
    assert done.returncode == 0
    assert done.stdout.count("Q") == 6


def test_a_file_from_elsewhere_has_no_board(tmp_path: Path) -> None:
    code, result = solved(SAT, *HERE)
    assert (code, result["board"], result["checked"]) == (10, None, ["model"])
    (tmp_path / "answer").write_text(answered(SAT))
    said = boardsat("check", SAT, tmp_path / "answer")
    assert said.code == 0 and said.out == "the model satisfies all 170 clauses\n"
    said = boardsat("decode", SAT, tmp_path / "answer")
    assert (said.code, said.err) == (0, "")
    assert [line[0] for line in said.out.splitlines()] == ["v"] * said.out.count("\n")


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
def test_files_in_the_wild_are_solved_by_every_solver(
    solver: Solver, name: str, tmp_path: Path
) -> None:
    need(solver, "native")
    file = tmp_path / "wild.cnf"
    file.write_text(LENIENT[name], newline="")
    words = (file, "--solver", solver.name, "--runtime", "native", "--models", 20)
    said = boardsat("solve", *words, "--json", "--lenient")
    assert said.err == ""
    results = json.loads(said.out)
    # Each of these has three variables and, by a truth table, so many models.
    models = {"counts": 4, "lines": 1, "trailer": 4, "unended": 4, "later": 4, "orders": 4}
    assert [r["status"] for r in results] == ["SATISFIABLE"] * models[name] + ["UNSATISFIABLE"]


# Wrong answers.


@pytest.fixture
def tour(tmp_path: Path) -> tuple[str, str]:
    """A file, and a right answer to it."""
    file = instance(tmp_path, "tour/binary", rows=5, cols=6)
    return file, answered(file)


def flipped(answer: str, place: int) -> str:
    words = answer.split(" ")
    literals = [k for k, word in enumerate(words) if word.strip("-\nv").isdigit()]
    k = literals[place]
    words[k] = words[k][1:] if words[k].startswith("-") else f"-{words[k]}"
    return " ".join(words)


@pytest.mark.parametrize("command", ["check", "decode"])
def test_a_flipped_literal_is_loud(command: str, tour: tuple[str, str], tmp_path: Path) -> None:
    file, answer = tour
    (tmp_path / "answer").write_text(answer)
    assert boardsat(command, file, tmp_path / "answer").code in (0, 10)
    for place in (0, 17, 100):
        (tmp_path / "answer").write_text(flipped(answer, place))
        said = boardsat(command, file, tmp_path / "answer")
        assert said.code == 1
        assert "WRONG MODEL from" in said.one_line() and "is false" in said.err


@pytest.mark.parametrize("command", ["check", "decode"])
def test_a_model_of_another_formula_is_an_error(
    command: str, tour: tuple[str, str], tmp_path: Path
) -> None:
    file, answer = tour
    larger = instance(tmp_path, "tour/unary", rows=5, cols=6)
    (tmp_path / "answer").write_text(answered(larger))
    said = boardsat(command, file, tmp_path / "answer")
    assert said.code == 2 and "longer than the formula" in said.one_line()
    smaller = instance(tmp_path, "queens/squares", n=6)
    (tmp_path / "answer").write_text(answered(smaller))
    said = boardsat(command, file, tmp_path / "answer")
    assert said.code == 1 and "WRONG MODEL" in said.one_line()
    (tmp_path / "answer").write_text(answer.replace("\nv 0", "\nv 99999 0"))
    said = boardsat(command, file, tmp_path / "answer")
    assert said.code == 2 and "the model has variable 99999" in said.one_line()


def test_a_board_that_breaks_the_rules_is_loud(tour: tuple[str, str], tmp_path: Path) -> None:
    """An encoding with a bug: all that it says of the board is true, but it says too little."""
    file, _ = tour
    lines = Path(file).read_text().splitlines()
    head = [line for line in lines if line.startswith("c ")]
    size = next(line for line in lines if line.startswith("p cnf")).split()[2]
    broken = tmp_path / "broken.cnf"
    broken.write_text("\n".join([*head, f"p cnf {size} 1", f"{size} -{size} 0\n"]))
    (tmp_path / "answer").write_text("s SATISFIABLE\nv 0\n")
    for command in ("check", "decode"):
        said = boardsat(command, broken, tmp_path / "answer")
        assert said.code == 1
        assert "WRONG BOARD" in said.err


@pytest.fixture
def liar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A solver file of a program that says the same of every formula."""
    folder = tmp_path / "solvers"
    shutil.copytree(solvers.FOLDER, folder)
    program = tmp_path / "liar"
    program.write_text("#!/bin/sh\necho s SATISFIABLE\necho v 1 2 3 0\nexit 10\n")
    program.chmod(0o755)
    (folder / "liar.yaml").write_text(
        f"title: a liar\nprogram: {program}\ncommand: '{{{{ program }}}} {{{{ file }}}}'\n"
        "dialect: competition\ncan: decide\n"
    )
    monkeypatch.setattr(solvers, "FOLDER", folder)
    return "liar"


def test_a_lying_solver_is_loud(liar: str) -> None:
    for file in (SAT, UNSAT):
        said = boardsat("solve", file, "--solver", liar)
        assert said.code == 1
        assert "WRONG MODEL from liar: clause " in said.one_line()


@pytest.mark.parametrize("number", [1, 2, 500, 1000])
def test_the_first_false_clause_is_named(number: int, tmp_path: Path) -> None:
    clauses = [[v, -(v + 1), v + 2] for v in range(1, 1001)]
    clauses[number - 1] = [-number, -1002, -5]
    file = tmp_path / "one.cnf"
    text = "".join(" ".join(map(str, clause)) + " 0\n" for clause in clauses)
    file.write_text(f"p cnf 1002 1000\n{text}")
    model = np.ones(1003, np.int8)
    assert check.first_false_clause(str(file), model) == (number, clauses[number - 1])


@examples(60)
@given(
    clauses=st.lists(st.lists(st.integers(-6, 6).filter(bool), max_size=4), max_size=8),
    bits=st.lists(st.sampled_from([-1, 1]), min_size=6, max_size=6),
)
def test_models_are_checked_as_the_definition_says(
    clauses: list[list[int]], bits: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("small") / "x.cnf"
    text = "".join(" ".join(map(str, [*clause, 0])) + "\n" for clause in clauses)
    file.write_text(f"p cnf 6 {len(clauses)}\n{text}")
    false = [
        (number, clause)
        for number, clause in enumerate(clauses, 1)
        if all(bits[abs(x) - 1] * x < 0 for x in clause)
    ]
    model = np.array([-1, *bits], np.int8)
    assert check.first_false_clause(str(file), model) == (false[0] if false else None)


@pytest.mark.parametrize(
    ("file", "proof"),
    [
        (UNSAT, "1 0\n0\n"),  # a wrong clause
        (SAT, "0\n"),  # a formula that has models
        (UNSAT, (RECORDED / "verified.drat").read_text()[:200]),  # broken off
        (HARD, (RECORDED / "verified.drat").read_text()),  # of another formula
        (UNSAT, ""),
    ],
    ids=["wrong", "satisfiable", "short", "other", "empty"],
)
def test_a_proof_that_proves_nothing_is_loud(
    file: str, proof: str, checker: None, tmp_path: Path
) -> None:
    (tmp_path / "answer").write_text("s UNSATISFIABLE\n")
    (tmp_path / "proof").write_text(proof)
    said = boardsat("check", file, tmp_path / "answer", tmp_path / "proof")
    assert said.code == 1
    assert "REFUTED PROOF from" in said.one_line()


def test_comments_cannot_fool_the_proof_checker(checker: None, tmp_path: Path) -> None:
    """drat-trim takes `cnf 1 2` in a comment for the header, and then sees only two clauses."""
    file = tmp_path / "fooling.cnf"
    file.write_text("c a cnf 1 2\np cnf 2 3\n1 0\n-1 2 0\n-2 1 0\n")
    (tmp_path / "answer").write_text("s UNSATISFIABLE\n")
    (tmp_path / "proof").write_text("0\n")
    said = boardsat("check", file, tmp_path / "answer", tmp_path / "proof")
    assert said.code == 1 and "REFUTED PROOF" in said.one_line()


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_a_copy_without_comments_is_the_same_formula(ending: str, tmp_path: Path) -> None:
    file = instance(tmp_path, "tour/binary", f".cnf{ending}", rows=3, cols=4)
    problem = open_problem(file)
    with copies.plain(problem.summary, file) as plain:
        text = Path(plain).read_text()
        assert "c" not in text.replace("p cnf ", "")
        assert open_problem(plain).summary.literals == problem.summary.literals
    assert not Path(plain).exists()


def test_long_comments_are_left_out_whole() -> None:
    blocks = [b"c one", b" 1 2 0\nc", b" two 3 0", b" 4 0\np cnf 1 1\n1 ", b"0\nc p show 1 0\n"]
    assert b"".join(copies.without_comments(blocks)) == b"1 0\n"


# Bad input.


@pytest.fixture
def bad_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "bad.cnf"
    if request.param == "folder":
        path.mkdir()
    elif request.param == "zeros":
        with path.open("wb") as file:
            file.truncate(2**30)
    elif request.param != "missing":
        path.write_bytes(request.param)
    return path


@pytest.mark.parametrize(
    "bad_file",
    ["folder", "zeros", "missing", b"", b"hello\n", b"p cnf 1\n", b"p cnf 1 1\n1 x 0\n", b"\xff"],
    indirect=True,
    ids=["folder", "zeros", "missing", "empty", "text", "header", "word", "binary"],
)
def test_a_file_that_is_no_formula_is_one_line(bad_file: Path, tmp_path: Path) -> None:
    (tmp_path / "answer").write_text("s SATISFIABLE\nv 1 0\n")
    for words in (("solve",), ("check", tmp_path / "answer"), ("decode", tmp_path / "answer")):
        said = boardsat(words[0], bad_file, *words[1:])
        assert said.code == 2
        assert said.one_line().startswith(f"boardsat: {bad_file}:")


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (b"", "has no model: it says nothing"),
        (b"s UNKNOWN\n", "has no model: it says UNKNOWN"),
        (b"s SATISFIABLE\n", "has no model: it says SATISFIABLE"),
        (b"s SATISFIABLE\nv 1 2\n", "ends without"),
        (b"s SATISFIABLE\nv 1 -1 0\n", "both true and false"),
        (b"s SATISFIABLE\ns UNSATISFIABLE\n", "two different answers"),
        (b"s NONE\n", "states 'NONE'"),
        (b"\0" * 3000, "has no model"),
        ("folder", "cannot read the answer"),
        ("missing", "cannot read the answer"),
    ],
)
def test_an_answer_that_is_none_is_one_line(
    answer: bytes | str, complaint: str, tmp_path: Path
) -> None:
    path = tmp_path / "answer"
    if answer == "folder":
        path.mkdir()
    elif isinstance(answer, bytes):
        path.write_bytes(answer)
    for command in ("check", "decode"):
        said = boardsat(command, SAT, path)
        assert said.code == 2
        assert complaint in said.one_line()


def test_unsat_without_a_proof_cannot_be_checked(tmp_path: Path) -> None:
    (tmp_path / "answer").write_text("s UNSATISFIABLE\n")
    said = boardsat("check", UNSAT, tmp_path / "answer")
    assert said.code == 2 and "only be checked with a proof" in said.one_line()


def test_a_proof_that_is_not_there_is_one_line(checker: None, tmp_path: Path) -> None:
    (tmp_path / "answer").write_text("s UNSATISFIABLE\n")
    said = boardsat("check", UNSAT, tmp_path / "answer", tmp_path / "proof")
    assert said.code == 2 and str(tmp_path / "proof") in said.one_line()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--solver", "cadicl"], "no solver 'cadicl'; did you mean 'cadical'?"),
        (["--solver", "drat-trim"], "drat-trim does not decide formulas"),
        (["--solver", "minisat", "--proof"], "writes no proofs"),
        (["--runtime", "embedded", "--proof"], "writes no proofs"),
        (["--runtime", "embedded", "--solver", "clasp"], "not embedded"),
        (["--runtime", "moon"], "invalid choice"),
        (["--timeout", "0"], "not a number from"),
        (["--timeout", "nan"], "not a number from"),
        (["--timeout", "soon"], "not a number from"),
        (["--cpu", "-1"], "not a number from"),
        (["--memory", "0"], "not a number from"),
        (["--seed", "-1"], "not a number from"),
        (["--models", "0"], "not a number from"),
    ],
)
def test_a_bad_option_is_one_line(words: list[str], complaint: str) -> None:
    said = boardsat("solve", SAT, *words)
    assert said.code == 2
    assert complaint in said.one_line()


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    said = boardsat("solve", "queens", "-n", 5, "--svg", tmp_path / "no" / "x.svg", *HERE)
    assert said.code == 2 and "the target's folder does not exist" in said.one_line()


@pytest.fixture(scope="module")
def small_queens(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines of a file."""
    file = instance(tmp_path_factory.mktemp("queens"), "queens/squares", n=4)
    return Path(file).read_text().splitlines(keepends=True)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], parent=examples(80))
@given(data=st.data())
def test_a_header_that_lies_is_one_line(
    data: st.DataObject, small_queens: list[str], tmp_path: Path
) -> None:
    """Whatever the comments say, no answer to them is a traceback."""
    lines = list(small_queens)
    head = [k for k, line in enumerate(lines) if line.startswith("c ")]
    place = data.draw(st.sampled_from(head))
    line = lines[place]
    cut = data.draw(st.integers(2, len(line) - 1))
    rest = line[cut + data.draw(st.integers(0, 3)) :].rstrip("\n")
    more = data.draw(st.sampled_from(["", "0", "9", "-", "[", "}", '"', " ", ", null", "1e9"]))
    lines[place] = f"{line[:cut]}{more}{rest}\n"
    file = tmp_path / "lies.cnf"
    file.write_text("".join(lines))
    (tmp_path / "answer").write_text("v 2 8 9 15 0\n")
    said = boardsat("decode", file, tmp_path / "answer")
    assert said.code in (0, 1, 2)
    if said.code:
        said.one_line()


# Which solvers there are.


def test_solvers_lists_every_solver_and_runtime() -> None:
    said = boardsat("solvers")
    assert said.code == 0
    result = json.loads(boardsat("solvers", "--json").out)
    assert [solver["name"] for solver in result] == solvers.names()
    for solver in result:
        assert solver["name"] in said.out
        assert set(solver["runtimes"]) == set(PREFERRED)
        for entry in solver["runtimes"].values():
            assert entry.get("version") or entry.get("reason")


def test_solvers_without_an_engine() -> None:
    said = finish(start("solvers", DOCKER_HOST="unix:///nonexistent/docker.sock"))
    assert (said.code, said.err) == (0, "")
    assert "no engine" in said.out


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[]", "not a mapping"),
        ("title: x\n", "unknown or missing keys"),
        ("{title: x, program: x, command: x, dialect: drat, can: fly}", "it cannot 'fly'"),
        ("{title: x, program: x, command: x, dialect: klingon, can: decide}", "no dialect"),
    ],
)
def test_a_bad_solver_file_is_one_line(
    text: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bad.yaml").write_text(text)
    monkeypatch.setattr(solvers, "FOLDER", tmp_path)
    said = boardsat("solve", SAT, "--solver", "bad")
    assert said.code == 2
    assert said.one_line().startswith("boardsat: adapters/solvers/bad.yaml:")
    assert complaint in said.err
