"""Steps of a validation: known boards, variants, reduction, verdict and progress."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from helpers import solver_runs
from helpers.formulas import GRAPHS, is_lazy, mostly_slow
from helpers.problem_settings import tiny_settings
from helpers.requirements import outside
from helpers.solver_runs import (
    boardsat,
    children,
    containers,
    finish,
    is_alive,
    need_checked_proofs,
    start,
    wait_until,
)
from helpers.validations import RECORD, RIGHT, record_with, solver_file, stored, validated
from pysat.formula import CNF
from pysat.solvers import Solver

from boardsat.adapters.runtimes import Limits, engine
from boardsat.campaign.report.found_boards import boards_of
from boardsat.campaign.runner.pool import WORKER, cores_of
from boardsat.campaign.runner.records import COUNT, DECIDE, to_line
from boardsat.campaign.runner.solver_selection import select_solvers
from boardsat.commands.validate import watch
from boardsat.generators.spec.catalogue import find_any, problems
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.count.reference import ReferenceCount
from boardsat.workflows.validate import (
    consensus,
    metamorphic,
    reduction,
    run_matrix,
)
from boardsat.workflows.validate.evidence import ValidationEvidence
from boardsat.workflows.validate.metamorphic import variants
from boardsat.workflows.validate.workflow import ValidationRequest


def test_no_answer_is_undecided(tmp_path):
    idle = solver_file(tmp_path, "idle", "echo 's UNKNOWN'; exit 0\n")
    code, answer = validated(tmp_path, "queens", "-n", 4, "--solvers", idle)
    assert code == 3 and answer["verdict"] == "undecided"


def test_unproved_refutation_is_undecided(tmp_path):
    file = solver_runs.instance(tmp_path, "queens/squares", n=3)
    code, answer = validated(tmp_path, file, "--solvers", "minisat", "--runtime", "embedded")
    assert code == 3 and "unchecked" in answer["reasons"][0]


@outside
def test_proved_refutation_is_believed(tmp_path):
    need_checked_proofs()
    file = solver_runs.instance(tmp_path, "queens/squares", n=3)
    code, answer = validated(tmp_path, file, "--solvers", "cadical,minisat")
    assert code == 0 and answer["runs"][0]["checked"] == ["proof"]


@pytest.mark.slow
def test_parallel_runs_have_separate_cores(tmp_path):
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("there is one core only")
    log = tmp_path / "log"
    script = f"grep Cpus_allowed_list /proc/$$/status >>{log}; sleep 0.5\n{RIGHT}"
    names = [solver_file(tmp_path, name, script) for name in ("one", "two")]
    validated(tmp_path, "queens", "-n", 4, "--solvers", ",".join(names), "--jobs", 2)
    used = [line.split()[1] for line in log.read_text().splitlines()]
    assert set(used[:2]) == {str(core) for core in cores_of(2)}


def test_interrupt_ends_runs_and_stores_finished_records(tmp_path):
    quick = solver_file(tmp_path, "quick", RIGHT)
    slow = solver_file(tmp_path, "slow", f"echo $$ >{tmp_path}/pid\nsleep 100 & wait\n")
    results = tmp_path / "results"
    arguments = ["queens", "-n", 4, "--solvers", f"{quick},{slow}", "--results", results]
    process = start("validate", *arguments)
    wait_until(lambda: (tmp_path / "pid").exists() and (results / "results.jsonl").exists())
    workers = children(process.pid)
    process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    # A second one while it stops what runs, or, if it was quick, at its very end.
    process.send_signal(signal.SIGINT)
    output = finish(process)
    assert (
        output.code in (130, -signal.SIGINT)
        and str(results) in output.err
        and "Traceback" not in output.err
    )
    solver = int((tmp_path / "pid").read_text())
    assert not any(is_alive(pid) for pid in [*workers, solver])
    if engine.client() is not None:
        assert not any(containers(pid) for pid in workers)
    (line,) = stored(tmp_path)
    assert json.loads(line)["solver"] == quick


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (["nothing"], "no problem 'nothing'"),
        (["queens", "--enc", "nothing"], "no encoding 'nothing'"),
        (["queens", "--enc", "squares,"], "--encoding: names must not be empty"),
        (["queens", "--solvers", "cadicl"], "did you mean 'cadical'"),
        (["queens", "--solvers", "drat-trim"], "a solver must decide or count (got drat-trim)"),
        (["queens", "--solvers", "missing.yaml"], "missing.yaml: cannot read the solver"),
        (["queens", "--jobs", "100000"], "--jobs: the number of jobs must be at most"),
        (["missing.cnf"], "missing.cnf"),
    ],
)
def test_invalid_input_is_one_line(arguments, complaint, tmp_path):
    output = boardsat("validate", *arguments, "--results", tmp_path)
    assert output.code == 2 and complaint in output.one_line()


def fixtures(problem: str) -> dict[str, str]:
    """Settings that are small, have a solution, and show something."""
    settings_of = {
        "tour": {"rows": "3", "cols": "4"},
        "hamilton": {"graph": str(GRAPHS / "cube.hcp")},
    }
    return {**tiny_settings(problem), **settings_of.get(problem, {})}


# Whatever is moved on these small boards is right again, or is no variable of the view.
WITHOUT_WRONG_NEIGHBOURS = {
    *("chessboard", "colouring", "dominoes", "isomorphism", "kakuro", "queen_armies"),
    *("ramsey_witness", "subgraph", "tseitin"),
}

VALIDATED = [name for name in problems() if not find_any(name).is_weighted]


@pytest.mark.parametrize("problem", mostly_slow(VALIDATED, ["colouring", "queens", "tour"]))
def test_board_tests_are_run_by_another_solver(problem, tmp_path):
    instances, _ = run_matrix.instances(problem, "all", fixtures(problem), tmp_path, Limits())
    instances = [
        instance for instance in instances if not is_lazy(f"{problem}/{instance.encoding}")
    ]
    # The boards of two encodings, in all of them.
    for instance in instances[:2]:
        opened = open_formula(instance.file)
        if not opened.header.display.views:
            # What is not drawn has no board.
            return
        with Solver("glucose4", bootstrap_with=CNF(from_file=instance.file)) as solver:
            assert solver.solve()
            model = set(solver.get_model())
        true = tuple(v for v in opened.decision_variables().tolist() if v in model)
        record = record_with(RECORD, formula=instance.formula, true=true)
        (result,) = boards_of([record], {instance.formula: opened})
        for target in instances:
            satisfiable = metamorphic.fix_known_board(target, result.solution, tmp_path)
            unsatisfiable = metamorphic.fix_invalid_boards(target, result.solution, tmp_path)
            assert satisfiable is not None or problem == "ramsey_witness", (
                "whose marks are no variables"
            )
            for fixed, expected in ((satisfiable, True), (unsatisfiable, False)):
                if fixed is not None:
                    formula = CNF(from_file=fixed.file)
                    with Solver("glucose4", bootstrap_with=formula) as solver:
                        assert solver.solve() is expected, (target.encoding, fixed.variant)
            assert unsatisfiable is not None or problem in WITHOUT_WRONG_NEIGHBOURS


def test_variants_change_the_formula_and_preserve_the_count(tmp_path):
    settings = {"rows": "3", "cols": "4", "moves": "wazir", "start": "4"}
    instances, _ = run_matrix.instances("tour", "unary,binary", settings, tmp_path, Limits())
    for instance in instances:
        seen = {instance.formula}
        expected = projected_count(instance.file)
        names = set()
        for test in variants(instance):
            variant = test.make(tmp_path)
            assert variant.variant == test.name
            names.add(test.name)
            assert variant.formula not in seen
            seen.add(variant.formula)
            assert projected_count(variant.file) == expected, variant.variant
        assert {"transposed", "reflected", "other start"} <= names


def projected_count(file: str) -> int:
    counted = open_formula(file).projection().tolist()
    number = 0
    with Solver("minisat22", bootstrap_with=CNF(from_file=file)) as solver:
        while solver.solve():
            value = set(solver.get_model())
            solver.add_clause([-v if v in value else v for v in counted])
            number += 1
    return number


def test_minimize_finds_a_smallest_subset():
    items = [(k,) for k in range(1, 400)]
    needed = {(3,), (77,), (398,)}
    tests = []

    def fails(subset):
        tests.append(subset)
        return needed <= set(subset)

    assert set(reduction.minimize(items, fails, time.monotonic() + 60)) == needed
    assert len(tests) < 200
    assert reduction.minimize(items, fails, time.monotonic() - 1) == items


COUNTED = record_with(RECORD, task=COUNT, solver="clasp", objects=100, checked=())
NEAR = record_with(COUNTED, solver="approxmc", exact=False, objects=90, interval=(50, 162))
FAR = record_with(NEAR, objects=300, interval=(167, 540))


@pytest.mark.parametrize(
    "records, published, expected",
    [
        ([RECORD], None, "agree"),
        ([RECORD, COUNTED, NEAR], 100, "agree"),
        ([RECORD, COUNTED, FAR], None, "disagree"),
        ([RECORD, COUNTED, record_with(COUNTED, solver="ganak", objects=101)], None, "disagree"),
        ([RECORD, COUNTED], 101, "disagree"),
        ([RECORD, NEAR], 163, "disagree"),
        (
            [RECORD, record_with(RECORD, status="UNSATISFIABLE", checked=("proof",))],
            None,
            "disagree",
        ),
        ([RECORD, record_with(COUNTED, objects=0, status="UNSATISFIABLE")], None, "disagree"),
        ([RECORD, record_with(RECORD, fault="WRONG MODEL")], None, "disagree"),
        ([RECORD, record_with(RECORD, variant="v", expected="UNSATISFIABLE")], None, "disagree"),
        ([RECORD, record_with(RECORD, solver="slow", status="UNKNOWN", checked=())], None, "agree"),
        (
            [RECORD, record_with(RECORD, encoding="b", status="UNKNOWN", checked=())],
            None,
            "undecided",
        ),
        ([record_with(RECORD, status="UNSATISFIABLE", checked=())], None, "undecided"),
        ([record_with(RECORD, status="UNSATISFIABLE", checked=("proof",))], None, "agree"),
    ],
)
def test_verdict_of_records(records, published, expected):
    referee = ReferenceCount("published", "somebody", published) if published else None
    result = consensus.verdict(records, referee, "tours")
    assert result.consensus == expected and result.reasons
    assert bool(result.against or result.wrong_answers) is (expected != "agree")
    if expected == "agree":
        # An encoding that nobody was asked about weakens the verdict.
        assert consensus.verdict(records, referee, "tours", ["unary", "b"]).consensus == "undecided"


def test_count_is_checked_only_by_another_counter():
    second = record_with(COUNTED, solver="ganak")
    for records, published, checked in (
        ([COUNTED], None, False),
        ([COUNTED, COUNTED], None, False),
        ([COUNTED, second], None, True),
        ([COUNTED, NEAR], None, True),
        ([COUNTED], ReferenceCount("published", "somebody", 100), True),
        ([COUNTED, second], ReferenceCount("published", "somebody", 99), False),
    ):
        result = ValidationEvidence(records, published).with_checked_counts()
        assert [record.outcome.checked for record in result] == [("count",) * checked] * len(
            records
        )


def test_progress_is_a_table_on_a_terminal_and_lines_otherwise(tmp_path, monkeypatch, capsys):
    instances, _ = run_matrix.instances("queens", "all", {"n": "4"}, tmp_path, Limits())
    (choice,), _ = select_solvers("cadical", "embedded")
    job = run_matrix.new_job(instances[0], choice, DECIDE, ValidationRequest("queens").limits, None)
    for terminal in (True, False):
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal)
        lines = watch([job])
        lines.began(job)
        lines.tick()
        lines.ended(job, record_with(RECORD, encoding="squares"))
        text = capsys.readouterr().err
        assert ("\033[" in text) is terminal
        assert "SAT" in text and "cadical" in text and "squares" in text


def test_worker_ends_quietly_after_broken_pipe(tmp_path):
    """The parent process was killed during the run."""
    instances, _ = run_matrix.instances("queens", "all", {"n": "4"}, tmp_path, Limits())
    (choice,), _ = select_solvers("cadical", "embedded")
    job = run_matrix.new_job(instances[0], choice, DECIDE, Limits(30), None)
    command = [sys.executable, "-m", WORKER]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        process.stdout.close()
        process.stdin.write(to_line(job))
        process.stdin.close()
        assert process.stderr.read() == ""
        assert process.wait(60) == 0
