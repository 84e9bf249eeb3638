"""Files of lazy formulas: written with their cuts, and external ones."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.formulas import clauses_of, shipped
from helpers.lazy_tours import EMBEDDED_CUTS, board_options, solve_json
from helpers.requirements import outside
from helpers.solutions import USE_EMBEDDED, is_closed_tour
from helpers.solver_runs import (
    boardsat,
    instance,
    read_clauses,
    require_solver,
)
from pysat.solvers import Solver

from boardsat.adapters import solvers
from boardsat.adapters.answer import Answer, CutRounds, SolverRun, Status, TerminationReason, Usage
from boardsat.adapters.dimacs.reader import validate
from boardsat.adapters.lazy_cuts import incremental_solver
from boardsat.adapters.lazy_cuts.connectivity_cuts import components
from boardsat.adapters.lazy_cuts.lazy_constraints import read_lazy_constraints
from boardsat.adapters.lazy_cuts.portfolio import MIN_ROUNDS
from boardsat.adapters.solvers.output_parsers import PARSERS
from boardsat.base.errors import BoardsatError, WrongAnswerError
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.solve.checks import check_answer
from boardsat.workflows.solve.request import SolveRequest, solve_unchecked

# Output files.


def test_output_file_has_the_cuts(tmp_path: Path) -> None:
    target = tmp_path / "saved.cnf"
    code, result = solve_json("tour", *EMBEDDED_CUTS, *board_options(3, 8), "-o", target)
    assert code == 20 and result["cuts"] > 0
    plain = clauses_of(shipped("tour/cuts", rows=3, cols=8))
    saved = read_clauses(str(target))
    assert saved[: len(plain)] == plain and len(saved) == len(plain) + result["cuts"]
    assert validate(str(target)).notes == ()
    # It is refuted by any solver that knows nothing of cuts.
    with Solver("glucose4", bootstrap_with=saved) as solver:
        assert not solver.solve()
    with Solver("glucose4", bootstrap_with=plain) as solver:
        assert solver.solve()
    # Solved again it needs no more of them, and it still is what it was.
    code, resolved = solve_json(target, "--runtime", "embedded")
    assert (code, resolved["rounds"], resolved["cuts"]) == (20, 1, 0)
    header = open_formula(str(target)).header
    assert header.metadata["spec"] == "tour/cuts"
    assert read_lazy_constraints(header).clauses == len(saved)
    notes = [json.loads(line[12:]) for line in target.read_text().splitlines() if "c tra" in line]
    assert notes == [{"transform": "cuts", "clauses": result["cuts"]}]


@outside
@pytest.mark.parametrize("where", ["docker", "native"])
@pytest.mark.parametrize("name", ["cadical", pytest.param("kissat", marks=pytest.mark.slow)])
def test_solvers_accept_the_output_file_with_cuts(name: str, where: str, tmp_path: Path) -> None:
    solver = solvers.load(name)
    require_solver(solver, where)
    target = tmp_path / "saved.cnf"
    assert solve_json("tour", *EMBEDDED_CUTS, *board_options(3, 8), "-o", target)[0] == 20
    request = SolveRequest(name, where)
    assert solve_unchecked(open_formula(str(target)), request).status is Status.UNSATISFIABLE


def test_tour_is_a_model_of_the_output_file(tmp_path: Path) -> None:
    target = tmp_path / "saved.cnf.gz"
    file = instance(tmp_path, "tour/cuts", n=6, rounds=MIN_ROUNDS - 1)
    code, result = solve_json(file, "--runtime", "embedded", "-o", target)
    assert code == 10 and result["cuts"] > 0
    assert open_formula(str(target)).clauses == open_formula(file).clauses + result["cuts"]
    code, result = solve_json(target, "--runtime", "embedded")
    assert code == 10 and is_closed_tour(result["board"])


def test_output_of_plain_formula_is_unchanged(tmp_path: Path) -> None:
    target, plain = tmp_path / "saved.cnf", tmp_path / "plain.cnf"
    boardsat("cnf", "queens", "-n", 6, "-o", plain)
    assert solve_json("queens", "-n", 6, *USE_EMBEDDED, "-o", target)[0] == 10
    assert target.read_bytes() == plain.read_bytes()


def test_output_file_is_complete_or_absent(tmp_path: Path) -> None:
    output = boardsat("solve", "tour", *EMBEDDED_CUTS, "-n", 6, "-o", tmp_path / "no" / "x.cnf")
    assert output.code == 2 and "the target's folder does not exist" in output.one_line()
    old = tmp_path / "old.cnf"
    old.write_text("old")
    output = boardsat("solve", "tour", *EMBEDDED_CUTS, "-n", 6, "-o", old, "--models", 2)
    assert output.code == 2 and "-o writes the formula of a single board" in output.one_line()
    output = boardsat("solve", "tour", "-n", 8, "--solver", "warnsdorff", "-o", old)
    assert output.code == 2 and "does not read a formula" in output.one_line()
    assert old.read_text() == "old" and list(tmp_path.iterdir()) == [old]


# Commands that reject lazy formulas.


@pytest.fixture
def circles(tmp_path: Path) -> tuple[str, Path]:
    """A file, and a model of it that is no tour."""
    file = instance(tmp_path, "tour/cuts", n=6)
    problem = open_formula(file)
    (graph,) = read_lazy_constraints(problem.header).graphs
    with Solver("minisat22", bootstrap_with=read_clauses(file)) as solver:
        while solver.solve():
            model = solver.get_model()
            if len(set(components(graph, {x for x in model if x > 0}))) > 1:
                break
            solver.add_clause([-x for x in model])
    answer = tmp_path / "answer"
    answer.write_text("s SATISFIABLE\nv " + " ".join(map(str, model)) + " 0\n")
    return file, answer


@pytest.mark.parametrize("command", ["check", "decode"])
def test_subtours_are_rejected_as_tour(command: str, circles: tuple[str, Path]) -> None:
    output = boardsat(command, *circles)
    assert output.code == 1
    assert "the tour visits" in output.err and "its formula is lazy" in output.err


@pytest.mark.parametrize("command", ["count", "projection"])
def test_lazy_formula_is_not_counted(command: str, tmp_path: Path) -> None:
    for arguments in (("tour", "--enc", "cuts", "-n", 6), (instance(tmp_path, "tour/cuts", n=6),)):
        output = boardsat(command, *arguments)
        assert output.code == 2
        assert output.one_line().endswith("as its cuts are found while solving; count tour/uve\n")


@pytest.mark.parametrize(
    ("name", "comment", "formula", "fault"),
    [
        (
            "lazy.opb",
            "*",
            "min: +1 x1 ;\n+1 x1 +1 x2 >= 1 ;\n",
            "exact does not optimise formulas with lazy constraints; use another encoding",
        ),
        (
            "lazy.knf",
            "c",
            "p knf 1077 2\n1 2 0\nk 1 1 2 3 0\n",
            "lazy constraints are only supported in CNF; use another encoding",
        ),
    ],
)
def test_solve_lazy_file_that_is_not_cnf_is_an_error(
    name: str, comment: str, formula: str, fault: str, tmp_path: Path
) -> None:
    lines = Path(instance(tmp_path, "tour/cuts", n=6)).read_text().splitlines()
    header = [comment + line[1:] for line in lines if line.startswith("c ")]
    begin = ["* #variable= 1077 #constraint= 1"] if comment == "*" else []
    path = tmp_path / name
    path.write_text("\n".join([*begin, *header, formula]))
    output = boardsat("solve", path)
    assert output.code == 2 and f"{name}: {fault}" in output.one_line()


def test_lazy_formula_is_not_archived(tmp_path: Path) -> None:
    campaign = tmp_path / "campaign.yaml"
    campaign.write_text(
        "title: a test\nsolvers: [cadical]\nruntime: embedded\n"
        "instances:\n  - problem: tour\n    encoding: cuts\n    set: {n: 6}\n"
    )
    output = boardsat("archive", "create", tmp_path / "made", campaign)
    assert output.code == 2 and "tour/cuts is lazy" in output.one_line()
    assert not list((tmp_path / "made").glob("*.cnf*"))


@pytest.mark.parametrize(
    ("encodings", "rows", "cols", "status"),
    [
        ("cuts", 5, 6, "SATISFIABLE"),
        pytest.param("cuts,uve", 5, 6, "SATISFIABLE", marks=pytest.mark.slow),
        pytest.param("cuts,uve", 3, 8, "UNSATISFIABLE", marks=pytest.mark.slow),
    ],
)
def test_validate_accepts_lazy_formula(
    encodings: str, rows: int, cols: int, status: str, tmp_path: Path
) -> None:
    arguments = (
        "--enc",
        encodings,
        *board_options(rows, cols),
        "--solvers",
        "minisat",
        *USE_EMBEDDED,
    )
    results = ("--results", tmp_path / "results", "--json")
    output = boardsat("validate", "tour", *arguments, *results)
    report = json.loads(output.out)
    # MiniSat proves nothing, so that nobody has checked a refutation.
    assert report["verdict"] == ("agree" if status == "SATISFIABLE" else "undecided"), report
    runs = [run for run in report["runs"] if run["encoding"] == "cuts"]
    assert {run["task"] for run in runs} == {"decide"}
    for run in runs:
        assert run["status"] == (run["expected"] or status), run
    if status == "SATISFIABLE":
        assert {"known board", "invalid boards", "shuffled"} <= {run["variant"] for run in runs}


def test_cut_that_does_not_follow_is_rejected(tmp_path: Path) -> None:
    problem = open_formula(instance(tmp_path, "tour/cuts", n=6))
    output = Answer(
        Status.UNSATISFIABLE,
        "",
        SolverRun("x", "", "embedded", TerminationReason.FINISHED, 20, Usage(0.0)),
    )
    (graph,) = read_lazy_constraints(problem.header).graphs
    corner = [variable for variable, u, v in graph.edges() if 0 in (u, v)]
    right = replace(output, cut_rounds=CutRounds(1, (tuple(corner),)))
    assert check_answer(problem, right, SolveRequest("x")).checked == ("cuts (1)",)
    wrong = replace(output, cut_rounds=CutRounds(1, (tuple(corner), tuple(corner[:1]))))
    with pytest.raises(WrongAnswerError, match="WRONG CUT"):
        check_answer(problem, wrong, SolveRequest("x"))


# External files.

WRONG_LINES = [
    "",
    "{",
    "[]",
    "3",
    '{"connected": []}',
    '{"connected": [], "rounds": 5, "clauses": 3}',
    '{"connected": 3, "rounds": 5, "clauses": 3}',
    *(
        json.dumps(
            {
                "connected": [
                    {"variable": "E", "from": {"index": 0}, "to": {"index": 1}} | edge_entry,
                ],
                "rounds": 5,
                "clauses": 600,
            }
            | lazy_entry
        )
        for edge_entry, lazy_entry in [
            ({"variable": "F"}, {}),
            ({"variable": []}, {}),
            ({"from": {"index": 2}}, {}),
            ({"from": {"index": -1}}, {}),
            ({"to": {"vertex": "x"}}, {}),
            ({"to": {"vertex": 10**30}}, {}),
            ({"to": {}}, {}),
            ({"to": 1}, {}),
            ({}, {"rounds": 0}),
            ({}, {"rounds": True}),
            ({}, {"rounds": 10**20}),
            ({}, {"rounds": "100"}),
            ({}, {"clauses": None}),
            ({}, {"fallback": "../../etc"}),
            ({}, {"fallback": 3}),
        ]
    ),
    "[" * 100_000,
]


@pytest.mark.parametrize("line", WRONG_LINES, ids=lambda line: line[:90] or "nothing")
def test_invalid_lazy_entry_is_one_line(line: str, tmp_path: Path) -> None:
    file = Path(instance(tmp_path, "tour/cuts", n=6))
    lines = file.read_text().splitlines()
    (index,) = [k for k, text in enumerate(lines) if text.startswith("c lazy ")]
    lines[index] = f"c lazy {line}"
    file.write_text("\n".join([*lines, ""]))
    for command in ("solve", "count"):
        output = boardsat(command, file)
        assert output.code == 2
        assert "the `c lazy` line is malformed" in output.one_line()


def test_lazy_entry_beyond_the_variables_is_rejected(tmp_path: Path) -> None:
    file = Path(instance(tmp_path, "tour/cuts", n=6))
    file.write_text(file.read_text().replace('"E", "first": 1,', '"E", "first": 30,'))
    output = boardsat("solve", file)
    assert output.code == 2 and "the ids of 'E' must be from 1 to 80 (got 81)" in output.one_line()


def test_lazy_comment_in_external_file_is_ignored(tmp_path: Path) -> None:
    file = tmp_path / "x.cnf"
    file.write_text("c lazy afternoon\np cnf 2 1\n1 2 0\n")
    code, result = solve_json(file, *USE_EMBEDDED)
    assert (code, result["rounds"]) == (10, 0)


@pytest.mark.parametrize("text", ["1 -2 0\n3 0\n", "1  -2 0\n3 0\n", "c x\n1 -2 0\nc y\n3 0\n"])
def test_worker_reads_one_clause_per_line(text: str, tmp_path: Path) -> None:
    file = tmp_path / "x.cnf"
    file.write_text("c p cnf\np cnf 3 2\n" + text)
    assert [c for block in incremental_solver.read_clauses(str(file)) for c in block] == [
        [1, -2],
        [3],
    ]
    file.write_text("p cnf 3 3\n0\n" + text)
    assert [c for block in incremental_solver.read_clauses(str(file)) for c in block] == [
        [],
        [1, -2],
        [3],
    ]


def test_worker_reads_large_files_in_blocks(tmp_path: Path) -> None:
    chance = random.Random(1)
    clauses = [
        [chance.choice((1, -1)) * chance.randint(1, 9**9) for _ in range(chance.randint(1, 9))]
        for _ in range(20_000)
    ]
    file = tmp_path / "x.cnf"
    lines = "".join(" ".join(map(str, [*clause, 0])) + "\n" for clause in clauses)
    file.write_text(f"p cnf {9**9} {len(clauses)}\n{lines}")
    blocks = list(incremental_solver.read_clauses(str(file)))
    assert len(blocks) > 3
    assert [clause for block in blocks for clause in block] == clauses


def test_worker_output_is_parsed() -> None:
    output = PARSERS["incremental"](3)
    for line in ("c cut 1 -3 0", "c cut 0", "c rounds 2", "s UNSATISFIABLE", "c anything"):
        output.feed(line)
    assert (output.cuts, output.rounds, output.status) == ([(1, -3), ()], 2, Status.UNSATISFIABLE)
    for line in ("c cut 4 0", "c cut 1 x 0", "c cut 1 2", "c cut 1 0 2 0"):
        with pytest.raises(BoardsatError):
            output.feed(line)
