"""Evidence of a validation: refuted answers, wrong solvers and reference counts."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from helpers import solver_runs
from helpers.solver_runs import boardsat
from helpers.validations import RECORD, RIGHT, record_with, solver_file, validated

from boardsat.base.errors import Wrong
from boardsat.campaign.runner.records import COUNT, DECIDE, RunRecord
from boardsat.workflows.count.reference import ReferenceCount
from boardsat.workflows.validate import consensus
from boardsat.workflows.validate.evidence import ValidationEvidence
from boardsat.workflows.validate.result import ValidationResult, html_page
from boardsat.workflows.validate.run_matrix import BOARD
from boardsat.workflows.validate.triage import count_models

MODEL = RECORD
NO = record_with(RECORD, solver="liar", status="UNSATISFIABLE", checked=())
PROVED = record_with(NO, solver="kissat", checked=("proof",))
YES = record_with(RECORD, solver="counter", task=COUNT, objects=5, checked=())
FALSE_MODEL = record_with(RECORD, solver="liar", fault="WRONG MODEL", wrong=Wrong.MODEL, checked=())
WRONG_BOARD = record_with(RECORD, fault="WRONG BOARD", wrong=Wrong.BOARD, checked=())
FOUR, FIVE = record_with(YES, solver="ganak", objects=4), YES
ESTIMATE = record_with(YES, solver="approxmc", objects=9, exact=False, interval=(6, 16))
OTHER = {"encoding": "direct", "formula": "g"}
REFUTED_BOARD = record_with(PROVED, variant="known board", expected="SATISFIABLE", formula="h")
PUBLISHED = ReferenceCount("published", "somebody", 4)


@pytest.mark.parametrize(
    ("records", "published", "wrong"),
    [
        ([MODEL, NO], None, {"liar": 1}),
        ([MODEL, NO, record_with(NO, variant="shuffled", formula="g")], None, {"liar": 1}),
        ([MODEL, record_with(NO, **OTHER)], None, {}),
        ([PROVED, record_with(MODEL, checked=())], None, {"cadical": 1}),
        ([PROVED, YES], None, {"counter": 1}),
        ([MODEL, record_with(YES, objects=0, status="UNSATISFIABLE")], None, {"counter": 1}),
        ([FALSE_MODEL, NO], None, {"liar": 1}),
        ([WRONG_BOARD], None, {}),
        ([WRONG_BOARD, NO], None, {"liar": 1}),
        ([MODEL, record_with(NO, encoding=BOARD, formula="g")], None, {"liar": 1}),
        # Counts: the published one, or that of two counters, is the reference.
        ([FIVE], PUBLISHED, {"counter": 1}),
        ([FIVE, FOUR], PUBLISHED, {"counter": 1}),
        ([FIVE, FOUR], None, {}),
        ([FIVE, FOUR, record_with(FOUR, solver="clasp")], None, {"counter": 1}),
        ([FIVE, FOUR, record_with(FOUR, **OTHER)], None, {}),
        ([FIVE, FOUR, record_with(FOUR, solver="clasp", **OTHER)], None, {"counter": 1}),
        ([ESTIMATE], PUBLISHED, {"approxmc": 1}),
        # The encoding is to blame.
        ([FIVE, record_with(FIVE, solver="clasp")], PUBLISHED, {}),
        ([FIVE, record_with(FIVE, objects=4, **OTHER)], PUBLISHED, {}),
        ([FIVE, WRONG_BOARD], PUBLISHED, {}),
        ([FIVE, REFUTED_BOARD], PUBLISHED, {}),
        ([FIVE, FOUR, WRONG_BOARD], PUBLISHED, {"counter": 1}),
    ],
)
def test_checked_answers_refute_contradictory_ones(
    records: list[RunRecord], published: ReferenceCount | None, wrong: dict[str, int]
) -> None:
    for order in (records, records[::-1]):
        evidence = ValidationEvidence(order, published)
        assert evidence.wrong_answers() == wrong
        verdict = consensus.verdict(order, published, "tours")
        assert verdict.wrong_answers == wrong
        refuted = [record for record in order if evidence.is_refuted(record)]
        blamed = [disagreement.records[-1] for disagreement in verdict.disagreements]
        assert all(record in blamed for record in refuted)


def test_unchecked_answers_of_a_wrong_solver_are_not_believed() -> None:
    unchecked = record_with(NO, **OTHER)
    checked = record_with(PROVED, solver="liar", **OTHER)
    assert ValidationEvidence([MODEL, unchecked], None).is_believed(unchecked)
    evidence = ValidationEvidence([MODEL, NO, unchecked, checked], None)
    assert not evidence.is_believed(unchecked) and evidence.is_believed(checked)


def test_reliable_solvers_have_checked_and_no_refuted_answers() -> None:
    refuted = record_with(MODEL, solver="liar", **OTHER)
    evidence = ValidationEvidence(
        [MODEL, NO, refuted, record_with(NO, solver="idle", **OTHER)], None
    )
    assert evidence.reliable_solvers(DECIDE) == {"cadical"}
    assert ValidationEvidence([WRONG_BOARD], None).reliable_solvers(DECIDE) == {"cadical"}
    assert ValidationEvidence([FOUR], None).reliable_solvers(COUNT) == set()
    assert ValidationEvidence([FOUR, FIVE], None).reliable_solvers(COUNT) == set()
    assert ValidationEvidence([FOUR, FIVE], PUBLISHED).reliable_solvers(COUNT) == {"ganak"}


def test_brute_force_counts_models_over_the_projection() -> None:
    clauses = [[1, -2], [3, 2], [-1, -3, 4]]
    models = [
        bits
        for bits in product([False, True], repeat=5)
        if all(any(bits[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
    ]
    for projection in ([1, 2, 3, 4, 5], [1, 3], [5], [2, 4, 5], []):
        expected = len({tuple(bits[v - 1] for v in projection) for bits in models})
        assert count_models(clauses, projection) == expected
    assert count_models([[]], [1]) == 0
    assert count_models([[v] for v in range(1, 22)], [1]) is None


UNSAT = "echo 's UNSATISFIABLE'; exit 20\n"
SAME_MODEL = "echo 's SATISFIABLE'; echo 'v 1 2 3 0'; exit 10\n"
RIGHT_IF_SATISFIABLE = (
    f'answer=$({RIGHT.strip()})\ncase "$answer" in\n'
    f"*'s SATISFIABLE'*) echo \"$answer\"; exit 10;; esac\n{SAME_MODEL}"
)


def counter_file(folder: Path, name: str, count: int) -> str:
    """A counter that finds the same number of models in every formula."""
    path = Path(solver_file(folder, name, f"echo s SATISFIABLE; echo s mc {count}; exit 10\n"))
    text = path.read_text().replace("competition", "counting").replace("decide", "count")
    path.write_text(text)
    return str(path)


def test_wrong_solvers_are_listed_once_and_give_no_evidence(tmp_path: Path) -> None:
    right = solver_file(tmp_path, "right", RIGHT)
    liar, model = (
        solver_file(tmp_path, *script) for script in (("liar", UNSAT), ("m", SAME_MODEL))
    )
    counter = counter_file(tmp_path, "counter", 3)
    names = ",".join([right, liar, model, counter])
    file = tmp_path / "page.html"
    arguments = ["--jobs", 1, "--reduce-timeout", 0, "--html", file]
    code, answer = validated(tmp_path, "queens", "-n", 4, "--solvers", names, *arguments)
    assert code == 1
    assert answer["wrong_answers"] == {"liar": 1, "m": 1, "counter": 1}
    assert [line for line in answer["summary"] if "wrong answer" in line] == [
        *("liar: 1 wrong answer", "m: 1 wrong answer", "counter: 1 wrong answer")
    ]
    assert not any(line.startswith("UNSATISFIABLE by") for line in answer["summary"])
    evidence = [run for run in answer["runs"] if run["variant"]]
    assert {run["solver"] for run in evidence} == {right}
    assert {run["variant"] for run in evidence} >= {"known board", "invalid boards", "shuffled"}
    refuted = [Path(run["solver"]).stem for run in answer["runs"] if run["refuted"]]
    assert refuted == ["liar", "m", "counter"]
    text = file.read_text()
    rows = text.split("<tr class=")
    kinds = {name: row.split('"')[1] for row in rows for name in refuted if f"{name}.sh" in row}
    assert kinds == dict.fromkeys(refuted, "wrong")
    assert text.count('class="decide wrong"><title>') == 2
    assert text.count('class="count wrong"><title>') == 1
    assert "WRONG (UNSAT)" in text and "WRONG (3)" in text


@pytest.mark.slow
def test_tests_of_a_refuted_solver_are_run_again(tmp_path: Path) -> None:
    """The wrong solver is the faster one, and right on satisfiable formulas."""
    slow = solver_file(tmp_path, "slow", f"sleep 0.5\n{RIGHT}")
    half = solver_file(tmp_path, "half", RIGHT_IF_SATISFIABLE)
    arguments = ["--solvers", f"{slow},{half}", "--jobs", 1, "--reduce-timeout", 0]
    code, answer = validated(tmp_path, "queens", "-n", 4, *arguments)
    assert code == 1 and answer["wrong_answers"] == {"half": 1}
    broken = [run for run in answer["runs"] if run["variant"] == "invalid boards"]
    assert [(run["solver"], run["status"]) for run in broken] == [
        *((half, "SATISFIABLE"), (slow, "UNSATISFIABLE"))
    ]
    # Its checked models are evidence all the same.
    board_runs = [run for run in answer["runs"] if run["variant"] == "known board"]
    assert [(run["solver"], run["checked"]) for run in board_runs] == [(half, ["model", "board"])]


def test_count_that_contradicts_published_is_a_counter_bug(tmp_path: Path) -> None:
    counter = counter_file(tmp_path, "counter", 3)
    arguments = ["--solvers", f"cadical,{counter}", "--jobs", 1, "--reduce-timeout", 5]
    _, answer = validated(tmp_path, "queens", "-n", 4, *arguments, "--runtime", "auto")
    assert answer["disagreements"] == []
    (folder,) = map(Path, answer["bug_reports"])
    assert folder.name.startswith("counter-squares-")
    assert json.loads((folder / "answers.json").read_text())["wrong"] == "counter"
    assert "the answer of counter is refuted" in (folder / "README.md").read_text()


@pytest.mark.slow
def test_contradictory_counters_are_compared_with_brute_force(tmp_path: Path) -> None:
    """The result does not depend on the order of the counters."""
    cnf = tmp_path / "x.cnf"
    cnf.write_text("p cnf 3 2\n1 2 0\n-1 3 0\n")
    counter = counter_file(tmp_path, "counter", 3)
    for names in (f"enumeration,{counter}", f"{counter},enumeration"):
        output = validated(tmp_path, cnf, "--solvers", names, "--reduce-timeout", 10)[1]
        assert output["wrong_answers"] == {} and output["disagreements"] == []
        assert [Path(bug_report).name.split("-")[0] for bug_report in output["bug_reports"]] == [
            "counter"
        ]


def test_html_report_shows_disputed_count_as_doubtful() -> None:
    records = (MODEL, record_with(MODEL, solver="kissat"), FOUR, FIVE, NO)
    verdict = consensus.verdict(records, None, "tours")
    outcome = ValidationResult("tour", "tours", records, (), (), None, (), verdict, None, ())
    rows = html_page(outcome).split("<tbody>")[1].split("<tr class=")[1:]
    kinds = [row.split('"')[1] for row in rows]
    assert kinds == ["answered", "answered", "doubtful", "doubtful", "wrong"]


def test_unchecked_refutation_is_not_evidence(tmp_path: Path) -> None:
    liar = solver_file(tmp_path, "liar", UNSAT)
    code, answer = validated(tmp_path, "queens", "-n", 3, "--solvers", liar)
    assert code == 3 and not any(run["variant"] for run in answer["runs"])
    assert any(line.startswith("no independent evidence:") for line in answer["summary"])


def test_text_table_marks_refuted_answers(tmp_path: Path) -> None:
    liar = solver_file(tmp_path, "liar", UNSAT)
    file = solver_runs.instance(tmp_path, "queens/squares", n=4)
    arguments = [
        "--solvers",
        f"cadical,{liar}",
        "--reduce-timeout",
        0,
        "--results",
        tmp_path / "results",
    ]
    output = boardsat("validate", file, *arguments, "--runtime", "auto")
    assert output.code == 1
    (row,) = [
        line for line in output.out.splitlines() if line.startswith("queens") and "liar" in line
    ]
    assert "WRONG (UNSAT)" in row
