"""Validation from end to end: agreement, seeded faults, and stored records."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from helpers import solver_runs
from helpers.formulas import mostly_slow
from helpers.requirements import outside
from helpers.solver_runs import (
    boardsat,
    misbehaving_solver,
    read_clauses,
    require_solver,
)
from helpers.validations import (
    EMBEDDED,
    QUEENS,
    QUICK,
    RECORD,
    RIGHT,
    SOLVERS,
    job_with,
    record_with,
    solver_file,
    stored,
    validated,
)
from pysat.formula import CNF

from boardsat.adapters.answer import TerminationReason
from boardsat.adapters.runtimes import Limits
from boardsat.base.errors import Wrong
from boardsat.campaign.runner import store as store_module
from boardsat.campaign.runner.records import COUNT, DECIDE, record_from, to_line
from boardsat.campaign.runner.solver_selection import select_solvers
from boardsat.campaign.runner.store import Store
from boardsat.generators.spec.catalogue import FOLDER, encodings_of
from boardsat.workflows.validate import metamorphic, run_matrix

ROOT = Path(__file__).parents[2]


def spec_without(folder: Path, shipped: str, name: str, constraint: str) -> str:
    """A spec of the catalogue, by itself or like another, with one constraint left out."""
    text = (FOLDER / f"{shipped}.yaml").read_text()
    head, *constraints = re.split(r"(?m)^  - name: ", text)
    remaining = [entry for entry in constraints if not entry.startswith(constraint)]
    assert len(remaining) == len(constraints) - 1
    # The last constraint is followed by the other sections.
    path = folder / f"{name}.yaml"
    path.write_text(head + "".join(f"  - name: {entry}" for entry in remaining))
    return str(path)


def test_validate_agrees(small_validation):
    code, report = json.loads((small_validation / "told.json").read_text())
    agree(code, report, "queens", ["cadical", "enumeration"])


@pytest.mark.slow
def test_validate_agrees_on_all_encodings(tmp_path):
    arguments = [*EMBEDDED, ",".join(SOLVERS)]
    code, report = validated(
        tmp_path, "sudoku", "-n", 2, "--set", "givens=12...........4..", *arguments
    )
    agree(code, report, "sudoku", SOLVERS)
    assert {"transposed", "reflected"} <= {run["variant"] for run in report["runs"]}
    # One counter alone confirms nothing, itself the least.
    assert not any("count" in run["checked"] for run in report["runs"])


def agree(code, report, problem: str, solvers: list[str]) -> None:
    assert code == 0 and report["verdict"] == "agree"
    plain = [run for run in report["runs"] if not run["variant"]]
    assert {(run["encoding"], run["solver"]) for run in plain} == {
        (encoding, solver) for encoding in encodings_of(problem) for solver in solvers
    }
    for run in report["runs"]:
        assert run["wall"] > 0 and run["version"] and run["command"]
        if run["task"] == DECIDE and run["status"] == "SATISFIABLE":
            assert run["checked"] == ["model", "board"]
    counts = {run["count"] for run in report["runs"] if run["task"] == COUNT}
    assert len(counts) == 1 and counts.pop() > 0
    variants = {run["variant"] for run in report["runs"]}
    assert {"shuffled", "three-cnf", "other at-most-one"} <= variants
    assert {metamorphic.KNOWN, metamorphic.BROKEN} <= variants


def test_stored_runs_are_not_repeated(small_validation, tmp_path):
    shutil.copytree(small_validation / "results", tmp_path / "results")
    _, first = json.loads((small_validation / "told.json").read_text())
    lines = stored(tmp_path)
    # A line that was cut short is run again, and does not spoil the next.
    (tmp_path / "results/results.jsonl").write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:40])
    _, second = validated(tmp_path, *QUEENS)
    new_lines = stored(tmp_path)
    assert len(new_lines) == len(lines) + 1 and new_lines[: len(lines) - 1] == lines[:-1]
    assert [run["status"] for run in second["runs"]] == [run["status"] for run in first["runs"]]
    # An answer is one however long it might have taken.
    validated(tmp_path, *QUEENS, "--timeout", 29)
    assert stored(tmp_path) == new_lines


def test_damaged_records_are_run_again(small_validation, tmp_path):
    shutil.copytree(small_validation / "results", tmp_path / "results")
    lines = stored(tmp_path)
    lines.sort(key=lambda line: json.loads(line)["true"] is None)
    damaged = [line.encode() for line in lines]
    damaged[0] = json.dumps({**json.loads(lines[0]), "true": [10**9]}).encode()
    damaged[-1] = b"\xff" + damaged[-1]
    damaged[-2] = damaged[-2].replace(b'"end"', b'"e\x00nd"')
    damaged[-3] = json.dumps({**json.loads(lines[-3]), "solver": "nobody"}).encode()
    (tmp_path / "results/results.jsonl").write_bytes(b"\n".join(damaged) + b"\n")
    code, report = validated(tmp_path, *QUEENS)
    assert [code, report["verdict"]] == [0, "agree"]
    new_lines = (tmp_path / "results/results.jsonl").read_bytes().split(b"\n")
    assert len(new_lines) - 1 >= len(lines) + 3


@pytest.mark.parametrize("wrong", [None, -1, 10**400, 0.5, "MAYBE", "\0", [], {}, [[-1]], True])
def test_record_with_wrong_type_is_ignored(wrong, tmp_path):
    document = json.loads(to_line(RECORD))
    for name in document:
        line = json.dumps({**document, name: wrong})
        (tmp_path / "results.jsonl").write_text(
            line + "\n" + to_line(record_with(RECORD, key="other"))
        )
        records = Store(tmp_path).records
        assert "other" in records
        for record in records.values():
            assert record_from(to_line(record)) == record


def test_unterminated_record_is_not_read_into_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(store_module, "MAX_LINE_BYTES", 2**12)
    (tmp_path / "results.jsonl").write_text("[" * 2**16 + "\n" + to_line(RECORD) + '{"key')
    store = Store(tmp_path)
    assert [*store.records] == [RECORD.key]
    store.keep(record_with(RECORD, key="other"))
    assert [*Store(tmp_path).records] == [RECORD.key, "other"]


@pytest.mark.parametrize("make", [lambda path, _: os.mkfifo(path), Path.symlink_to])
def test_records_are_stored_in_the_results_folder(make, tmp_path):
    target = tmp_path / "other"
    target.write_text("mine\n")
    make(tmp_path / "results.jsonl", target)
    output = boardsat("validate", *QUEENS, "--results", tmp_path)
    assert "results.jsonl: the path must be a regular file" in output.one_line()
    assert target.read_text() == "mine\n"


def test_full_disk_is_reported_with_the_file(tmp_path):
    store = Store(tmp_path)
    store.file.path = Path("/dev/full")
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        store.keep(RECORD)


def test_changed_limits_solvers_and_formulas_are_new_runs(tmp_path):
    script = solver_file(tmp_path, "mine", RIGHT)
    instances, _ = run_matrix.instances("queens", "all", {"n": "4"}, tmp_path, Limits())
    (choice,), _ = select_solvers(script)
    Path(script).write_text(Path(script).read_text().replace("{{ file }}", "{{ file }} more"))
    (changed,), _ = select_solvers(script)
    original = run_matrix.new_job(instances[0], choice, DECIDE, Limits(1), None)
    assert original.key == job_with(original, core=1, file="elsewhere", limit=2).key
    changed_jobs = [
        run_matrix.new_job(instances[0], changed, DECIDE, Limits(1), None),
        run_matrix.new_job(instances[0], choice, DECIDE, Limits(1, cpu=2), None),
        job_with(original, seed=7),
        job_with(original, formula="another"),
        job_with(original, version="another"),
    ]
    assert len({original.key, *(changed.key for changed in changed_jobs)}) == 6


def test_unfinished_run_is_retried_only_with_higher_limit(tmp_path):
    instances, _ = run_matrix.instances("queens", "all", {"n": "4"}, tmp_path, Limits())
    (choice,), _ = select_solvers("cadical", "embedded")
    job = run_matrix.new_job(instances[0], choice, DECIDE, Limits(2), None)
    store = Store(tmp_path)
    finished_record = record_with(
        RECORD,
        key=job.key,
        problem=job.question.problem,
        formula=job.question.formula,
        solver=job.identity.name,
        version=job.identity.version,
    )
    for end, status, is_known_for in (
        (TerminationReason.TIME, "UNKNOWN", {1: True, 2: True, 3: False, None: False}),
        (TerminationReason.MEMORY, "UNKNOWN", {1: True, 3: True, None: True}),
        (TerminationReason.FINISHED, "SATISFIABLE", {1: True, 3: True, None: True}),
    ):
        store.keep(record_with(finished_record, end=end, status=status, limit=2))
        for wall, is_known in is_known_for.items():
            changed_job = replace(job, limits=replace(job.limits, wall=wall))
            assert (store.find(changed_job) is not None) is is_known
            assert (Store(tmp_path).find(changed_job) is not None) is is_known


def test_record_survives_json_round_trip():
    for end, wrong in (
        (TerminationReason.TIME, None),
        (TerminationReason.FINISHED, Wrong.MODEL),
        (TerminationReason.CRASH, Wrong.ANSWER),
    ):
        record = record_with(RECORD, end=end, wrong=wrong, interval=(1, 2))
        reread = record_from(to_line(record))
        assert reread == record
        assert (reread.question.task, reread.outcome.end, reread.outcome.wrong) == (
            record.question.task,
            end,
            wrong,
        )
        assert (
            reread.outcome.end is end
            and reread.outcome.wrong is wrong
            and reread.question.task is record.question.task
        )


@pytest.mark.parametrize(
    "n, solvers", mostly_slow([(4, "cadical"), (5, "cadical,enumeration")], [(4, "cadical")])
)
def test_encoding_without_a_constraint_is_found_by_its_boards(n, solvers, tmp_path):
    name = "at most one queen on a rising diagonal"
    spec = spec_without(tmp_path, "queens/squares", "planted", name)
    text = Path(spec).read_text()
    Path(spec).write_text(text + "projection: Q\ndecode:\n  - mark: Q[i]\n    cell: i\n")
    arguments = [*EMBEDDED, solvers]
    code, report = validated(tmp_path, "queens", "--enc", f"squares,{spec}", "-n", n, *arguments)
    assert code == 1 and report["verdict"] == "disagree"
    assert any("planted" in reason for reason in report["reasons"])
    assert not any(run["fault"] for run in report["runs"] if run["encoding"] == "squares")


@pytest.mark.slow
def test_subtours_are_found_by_invalid_boards_and_counts(tmp_path):
    """Without the step from position to position two cycles pass for a tour."""
    spec = tmp_path / "planted.yaml"
    text = (FOLDER / "tour/unary.yaml").read_text()
    spec.write_text(re.sub(r"  - name: a move advances.*?(?=  - name)", "", text, flags=re.S))
    arguments = ["--set", "rows=3", "--set", "cols=4", "--set", "moves=wazir"]
    code, report = validated(tmp_path, "tour", "--enc", f"unary,{spec}", *arguments, *QUICK)
    assert code == 1
    wrong = [r for r in report["runs"] if r["encoding"] == "planted" and r["task"] == COUNT]
    right = [r for r in report["runs"] if r["encoding"] == "unary" and r["task"] == COUNT]
    assert right[0]["count"] == 2 and wrong[0]["count"] == 28
    planted = {r["variant"]: r for r in report["runs"] if r["encoding"] == "planted"}
    broken = planted[metamorphic.BROKEN]
    assert broken["status"] == "SATISFIABLE" and broken["expected"] == "UNSATISFIABLE"
    # Folders for what is wrong with the encoding, and for what its counts contradict; no solver is
    # blamed.
    assert report["bug_reports"] == []
    folders = [*map(Path, report["disagreements"])]
    assert {folder.name.rpartition("-")[0] for folder in folders} == {
        *("encodings-planted", "encodings-unary-planted")
    }
    for folder in folders:
        assert not (folder / "small.cnf").exists() and len([*folder.glob("*.cnf.gz")]) >= 1


@pytest.mark.slow
def test_too_strict_encoding_is_found_by_known_board(tmp_path):
    spec = tmp_path / "planted.yaml"
    spec.write_text("title: t\nextends: queens/squares\nconstraints:\n  - clause: not Q[1]\n")
    base = (FOLDER / "queens/squares.yaml").read_text()
    constraints = re.search(r"(?ms)^constraints:\n(.*?)^projection", base)[1]
    spec.write_text(
        f"title: planted\nextends: queens/squares\nconstraints:\n{constraints}"
        "  - name: planted\n    clause: not Q[1]\n  - name: too\n    clause: Q[2]\n"
    )
    code, report = validated(tmp_path, "queens", "-n", 4, "--enc", f"squares,{spec}", *QUICK)
    assert code == 1 and report["verdict"] == "disagree"
    refused = [r for r in report["runs"] if r["encoding"] == "planted" and r["variant"]]
    counted = {r["encoding"]: r["count"] for r in report["runs"] if r["task"] == COUNT}
    assert counted["squares"] == 2 and counted["planted"] == 1
    assert {metamorphic.KNOWN, metamorphic.BROKEN} <= {r["variant"] for r in refused}


@pytest.mark.slow
def test_wrong_solver_is_reduced_to_its_trigger(tmp_path):
    """The solver reports UNSATISFIABLE if two given clauses occur, otherwise UNKNOWN."""
    liar = solver_file(
        tmp_path,
        "liar",
        "if grep -qx -e '-1 -2 0' $1 && grep -qx -e '-7 -13 0' $1\n"
        "then echo 's UNSATISFIABLE'; exit 20; fi\necho 's UNKNOWN'; exit 0\n",
    )
    file = solver_runs.instance(tmp_path, "queens/squares", n=6)
    code, report = validated(tmp_path, file, "--solvers", f"cadical,{liar}", "--timeout", 20)
    assert code == 1
    (folder,) = map(Path, report["bug_reports"])
    small = CNF(from_file=str(folder / "small.cnf"))
    assert sorted(map(sorted, small.clauses)) == [[-13, -7], [-2, -1]]
    assert "\np cnf 36 2\n" in (folder / "small.cnf").read_text()
    first = (folder / "small.cnf").read_text().splitlines()[0]
    assert first == "c ind " + " ".join(map(str, range(1, 37))) + " 0"
    answers = json.loads((folder / "answers.json").read_text())
    assert {a["status"] for a in answers["small"]["answers"]} == {"SATISFIABLE", "UNSATISFIABLE"}
    for answer in answers["small"]["answers"]:
        assert answer["version"] and answer["command"]
    assert "liar" in (folder / "README.md").read_text()
    assert any(path.name.endswith(".cnf.gz") for path in folder.iterdir())


@outside
def test_wrong_solver_in_container_is_reduced_to_one_clause(tmp_path):
    require_solver(misbehaving_solver("lies"), "docker")
    path = tmp_path / "lies.yaml"
    path.write_text(
        "title: wrong on purpose\nimage: misbehave\nprogram: misbehave\ndialect: competition\n"
        'can: decide\ncommand: "{{ program }} lies {{ file }}"\n'
    )
    file = solver_runs.instance(tmp_path, "queens/squares", n=4)
    code, report = validated(tmp_path, file, "--solvers", f"minisat,{path}", "--reduce-timeout", 30)
    assert code == 1 and "WRONG MODEL" in report["reasons"][0]
    (folder,) = map(Path, report["bug_reports"])
    assert [len(clause) for clause in read_clauses(str(folder / "small.cnf"))] == [1]


@pytest.mark.slow
def test_contradictory_counters_are_reduced_with_projection(tmp_path):
    """One that counts over all variables, not over the projection, is wrong where they differ."""
    (tmp_path / "count.sh").write_text(
        "grep -v '^c ind' $1 >$1.all\n"
        f"exec {sys.executable} -m "
        "boardsat.adapters.workers.enumeration cadical195 $1.all\n"
    )
    path = tmp_path / "deaf.yaml"
    path.write_text(
        "title: deaf\nprogram: sh\ndialect: counting\ncan: count\n"
        f'command: "{{{{ program }}}} {tmp_path}/count.sh {{{{ file }}}}"\n'
    )
    cnf = tmp_path / "x.cnf"
    # 2 models over the projection, 3 over all: no more than it has assignments.
    cnf.write_text("c ind 1 2 0\np cnf 3 2\n1 0\n2 3 0\n")
    code, report = validated(
        tmp_path, cnf, "--solvers", f"enumeration,{path}", "--reduce-timeout", 20
    )
    assert code == 1
    (folder,) = map(Path, report["bug_reports"])
    text = (folder / "small.cnf").read_text()
    assert text.startswith("c ind 1 2 0\np cnf 3 ")
    counts = [
        a["count"] for a in json.loads((folder / "answers.json").read_text())["small"]["answers"]
    ]
    assert len(set(counts)) == 2
