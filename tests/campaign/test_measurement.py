"""Measurements of campaigns: limits of the solver, scored times, signs of a busy machine."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from helpers.campaigns import ONE, UNSAT, quick, records, written
from helpers.solver_runs import boardsat
from helpers.validations import RECORD, record_with, solver_file

from boardsat.adapters import command_clock
from boardsat.adapters.answer import TerminationReason, Usage
from boardsat.adapters.command_clock import HARNESS_SECONDS, harness_limits, limited_run
from boardsat.adapters.dimacs import model_check
from boardsat.adapters.runtimes import Limits
from boardsat.campaign.folder import CAMPAIGN_FILE, FORMAT, Instances
from boardsat.campaign.parser import read_campaign
from boardsat.campaign.plan import draft_plan
from boardsat.campaign.report import measurement
from boardsat.campaign.report.measurement import is_contended, mixed_runtimes, warnings
from boardsat.campaign.report.median_runs import median_runs
from boardsat.campaign.runner import worker
from boardsat.campaign.runner.records import (
    Execution,
    Job,
    RunOutcome,
    RunRecord,
    to_line,
    unanswered,
)
from boardsat.campaign.runner.store import NAME as RESULTS
from boardsat.campaign.runner.store import Store
from boardsat.campaign.runner.worker import perform
from boardsat.workflows.validate import run_matrix

ONE_CLAUSE = "p cnf 1 1\n1 0\n"
SAT = "echo 's SATISFIABLE'; echo 'v 1 0'; exit 10"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def campaign(
    folder: Path, script: str, limits: str, repeat: int = 1, file: str = "one.cnf"
) -> Path:
    """A solver whose every run is the script, on a file, or else on a formula of one clause."""
    (folder / "one.cnf").write_text(ONE_CLAUSE)
    solver_file(folder, "sleeper", script)
    return written(
        folder,
        f"instances: [{{files: {file}}}]\nsolvers: [sleeper.yaml]\nrepeat: {repeat}\n"
        f"limits: {limits}\n",
    )


def job(folder: Path, script: str, limits: str = "{timeout: 1}") -> Job:
    planned = draft_plan(read_campaign(campaign(folder, script, limits))).complete(
        Instances(folder, True)
    )
    return next(iter(planned.jobs()))


@pytest.fixture
def slow_check(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Make checks of models last this many seconds by the clock of the run."""
    seconds = [0.0]
    usual = model_check.first_false_clause

    def slow(path: str, model: object) -> object:
        now = command_clock.current_clock.get()
        assert now is not None
        now.started_wall, now.last_reading = now.started_wall - seconds[0], 0.0
        return usual(path, model)

    monkeypatch.setattr(model_check, "first_false_clause", slow)
    return seconds


def test_work_of_boardsat_is_not_charged_to_the_solver(tmp_path, slow_check):
    slow_check[0] = HARNESS_SECONDS / 2
    record = perform(job(tmp_path, SAT))
    assert (record.outcome.status, record.outcome.end, record.outcome.checked) == (
        "SATISFIABLE",
        TerminationReason.FINISHED,
        ("model",),
    )


def test_checking_after_the_solver_has_a_separate_limit(tmp_path, slow_check):
    slow_check[0] = HARNESS_SECONDS + 1
    record = perform(job(tmp_path, SAT))
    assert (record.outcome.status, record.outcome.end) == ("UNKNOWN", TerminationReason.HARNESS)
    assert record.outcome.reason == (
        "the limit of 60 s was reached while the model was checked (sleeper says SATISFIABLE)"
    )
    assert record.outcome.finished and record.timed_out and 0 < record.usage.wall < 10


def test_solver_has_its_full_limit_after_other_work():
    with limited_run(Limits(1.0, 2.0)) as now:
        now.started_wall -= HARNESS_SECONDS / 2
        assert now.remaining(Limits(wall=1.0, cpu=2.0)) == Limits(1.0, 2.0)
        now.charge_solver(Usage(0.5, 0.4, solver_wall=0.25, solver_cpu=0.5))
        assert now.remaining(Limits()) == Limits(0.75, 1.5)
        # The process of the solver is not our own work, and neither is its start.
        assert now.usage().wall < HARNESS_SECONDS / 2
        assert now.proof_check_limits().wall == pytest.approx(HARNESS_SECONDS / 2 + 0.5, abs=5)


@pytest.mark.parametrize(
    "limits, seconds",
    [(Limits(1), 60), (Limits(600), 1200), (Limits(cpu=100), 200), (Limits(), None)],
)
def test_the_harness_limit_grows_with_that_of_the_solver(limits, seconds):
    assert harness_limits(limits) == Limits(wall=seconds)


def test_slow_solver_is_stopped_at_its_limit(tmp_path):
    record = perform(job(tmp_path, f"sleep 60; {SAT}", "{timeout: 0.2}"))
    assert (record.outcome.status, record.outcome.end, record.outcome.reason) == (
        "UNKNOWN",
        TerminationReason.TIME,
        "time limit",
    )
    assert 0.2 <= record.usage.wall < 10


def test_formulas_of_a_validation_are_not_made_under_the_limits_of_solvers(tmp_path):
    instances, skipped = run_matrix.instances(
        "queens", "all", {"n": "8"}, tmp_path, Limits(wall=0.001)
    )
    assert instances and not skipped


@pytest.mark.slow
def test_limits_of_a_campaign_are_the_solvers_alone(tmp_path):
    """To unpack the formula takes longer than the limit leaves after the solver's time."""
    file, model = tmp_path / "one.cnf.xz", tmp_path / "model"
    assert boardsat("cnf", "queens", "-n", 100, "-o", file).code == 0
    outcome = boardsat("solve", file, "--runtime", "embedded", "--json")
    literals = " ".join(map(str, json.loads(outcome.out)["model"]))
    model.write_text(f"s SATISFIABLE\nv {literals} 0\n")
    for seconds, end in ((0.75, TerminationReason.FINISHED), (1.2, TerminationReason.TIME)):
        script = f"sleep {seconds}; cat {model}; exit 10"
        path = campaign(tmp_path, script, "{timeout: 1}", repeat=6, file=file.name)
        assert boardsat("run", path, "-o", tmp_path / str(seconds), *ONE).code == 0
        assert [record.outcome.end for record in records(tmp_path / str(seconds))] == [end] * 6


def embedded(**changes: object) -> RunRecord:
    """A run of 0.2 s, of which the solver has had 0.05 s."""
    usual = {"runtime": "embedded", "wall": 0.2, "cpu": 0.19, "memory": 45 * 2**20, "limit": 10.0}
    solver = {"solver_wall": 0.05, "solver_cpu": 0.04, "solver_memory": 2**20}
    return record_with(RECORD, **{**usual, **solver, **changes})


def test_a_record_has_the_times_of_the_process_and_of_the_embedded_solver(tmp_path):
    (tmp_path / "one.cnf").write_text(ONE_CLAUSE)
    text = "instances: [{files: one.cnf}]\nsolvers: [cadical]\nruntime: embedded\n"
    planned = draft_plan(read_campaign(written(tmp_path, text))).complete(Instances(tmp_path, True))
    record = perform(next(iter(planned.jobs())))
    assert record.outcome.status == "SATISFIABLE"
    assert record.usage.scored_wall == record.usage.solver_wall < record.usage.wall
    assert record.usage.scored_cpu == record.usage.solver_cpu < record.usage.cpu / 2
    assert record.usage.scored_memory == record.usage.solver_memory < record.usage.memory


def test_rankings_are_of_the_solver_alone():
    assert [run.seconds for run in median_runs([embedded()])] == [0.05]
    assert [run.seconds for run in median_runs([embedded(cpu_limit=5.0)])] == [0.04]
    assert [run.seconds for run in median_runs([record_with(RECORD, wall=0.2, limit=10.0)])] == [
        0.2
    ]


def results(folder: Path, *some: RunRecord) -> Path:
    """A folder of results with these records."""
    folder.mkdir()
    (folder / CAMPAIGN_FILE).write_text(json.dumps({"format": FORMAT, "campaign": ""}))
    (folder / RESULTS).write_text("".join(map(to_line, some)))
    return folder


def test_tables_show_scored_usage_and_exports_both_usages(tmp_path):
    folder = results(tmp_path / "out", embedded())
    assert " 0.05  0.04   1  80%" in boardsat("results", folder).out
    (row,) = csv.DictReader(io.StringIO(boardsat("results", folder, "--csv").out))
    assert (row["wall"], row["solver_wall"], row["scored_wall"]) == ("0.2", "0.05", "0.05")
    assert (row["cpu"], row["scored_cpu"], row["cpu_share"]) == ("0.19", "0.04", "0.8")
    (record_entry,) = json.loads(boardsat("results", folder, "--json").out)
    assert (record_entry["memory"], record_entry["scored_memory"], record_entry["contended"]) == (
        45 * 2**20,
        2**20,
        False,
    )


def test_mixed_runtimes_are_noted(tmp_path):
    assert mixed_runtimes([embedded(), embedded(key="2")]) == ""
    note = mixed_runtimes([embedded(), record_with(RECORD, solver="minisat", key="2")])
    assert note.startswith("runtimes are mixed") and "(minisat): the process" in note
    assert "embedded solvers (cadical): the library alone" in note
    folder = results(tmp_path / "out", embedded(), record_with(RECORD, solver="minisat", key="2"))
    assert note in boardsat("results", folder).out
    assert note in boardsat("report", folder, "--html", tmp_path / "x.html").out
    assert note in (tmp_path / "x.html").read_text()


STARVED = record_with(
    RECORD, wall=10.7, cpu=1.3, limit=10.0, status="UNKNOWN", end=TerminationReason.TIME
)


@pytest.mark.parametrize(
    "record, expected",
    [
        (STARVED, True),
        (record_with(STARVED, status="SATISFIABLE", end=TerminationReason.FINISHED), True),
        (record_with(STARVED, cpu=10.5), False),
        (record_with(STARVED, cpu=None), False),
        (record_with(STARVED, wall=0.5, cpu=0.01), False),
        # CPU time counts, unless the wall-clock limit fell.
        (record_with(STARVED, cpu_limit=5.0, end=TerminationReason.CPU), False),
        (record_with(STARVED, cpu_limit=5.0), True),
        # The start of Python is not the solver's.
        (record_with(STARVED, solver_wall=1.31, solver_cpu=1.29), False),
        (record_with(STARVED, runtime="docker"), False),
        (record_with(STARVED, cpu=10.5, load=1.0), False),
        (record_with(STARVED, cpu=10.5, load=2.5), True),
    ],
)
def test_runs_of_a_busy_machine_are_known(record, expected):
    assert is_contended(record) == expected


def test_busy_machine_is_reported_and_its_runs_are_marked(tmp_path):
    calm = record_with(RECORD, key="2", seed=2, wall=2.0, cpu=1.98, limit=10.0, load=1.0)
    assert warnings([calm]) == []
    loaded = record_with(calm, key="3", seed=3, load=2.5)
    share, load = warnings([STARVED, calm, loaded])
    assert share.startswith("1 of 3 runs (33%) had less than 80% of a CPU core (minimum: 12%)")
    assert load.startswith("1 of 3 runs (33%)") and load.endswith("(maximum: 2.5)")
    folder = results(tmp_path / "out", STARVED, calm, loaded)
    outcome = boardsat("results", folder)
    rows = outcome.out.splitlines()[2:5]
    assert [row.split()[-1] for row in rows] == ["BUSY", "99%", "BUSY"]
    assert f"busy machine: {share}\n" in outcome.out and f"busy machine: {load}\n" in outcome.out
    assert f"busy machine: {share}\n" in boardsat("results", folder, "--csv").err
    completed = boardsat("results", folder, "--where", "contended=true")
    assert "2 of 3 runs\n" in completed.out
    assert share in boardsat("report", folder, "--html", tmp_path / "x.html").out
    page = (tmp_path / "x.html").read_text()
    assert page.index("The machine was busy") < page.index("Ranking") and share in page


def test_campaign_reports_a_busy_machine(tmp_path, monkeypatch):
    """A sleeping solver has no share of a core."""
    monkeypatch.setattr(measurement, "MIN_SECONDS", 0.05)
    outcome = boardsat(
        "run", campaign(tmp_path, f"sleep 0.1; {SAT}", "{timeout: 60}"), *("-o", tmp_path / "out")
    )
    assert "busy machine: 1 of 1 run (100%) had less than 80% of a CPU core" in outcome.out, outcome
    (record,) = records(tmp_path / "out")
    assert (
        record.execution.load == pytest.approx(worker._load(), abs=20)
        and record.execution.load >= 0
    )


def old_line(record: RunRecord) -> str:
    """The line of a record as it was before there were clocks."""
    new = ("clock", "setup", "load", "solver_wall", "solver_cpu", "solver_memory")
    return json.dumps({k: v for k, v in json.loads(to_line(record)).items() if k not in new})


def test_records_of_an_earlier_clock_are_ignored_with_a_note(tmp_path):
    path, out = quick(tmp_path, UNSAT, seeds=1), tmp_path / "out"
    planned = draft_plan(read_campaign(path)).complete(Instances(tmp_path, True))
    outcome = RunOutcome(end=TerminationReason.TIME)
    old = [unanswered(job, outcome, Execution()) for job in planned.jobs()]
    old = [record_with(record, wall=50.0) for record in old]
    out.mkdir()
    (out / CAMPAIGN_FILE).write_text(json.dumps({"format": FORMAT, "campaign": path.read_text()}))
    (out / RESULTS).write_text("".join(f"{old_line(record)}\n" for record in old))
    note = "2 records of an earlier boardsat ignored: "
    refused = boardsat("report", out, "--html", tmp_path / "x.html")
    assert refused.code == 2 and f"{out}: {note}" in refused.one_line()
    assert refused.one_line().strip().endswith("run the campaign again")
    completed = boardsat("run", path, "-o", out, *ONE)
    assert completed.code == 0 and "2 runs, 0 from before, 2 answered" in completed.out, completed
    assert completed.err.count(f"{out}: {note}") == 1
    command_outcome = boardsat("results", out)
    assert (
        note in command_outcome.out
        and "2 of 2 runs\n" in command_outcome.out
        and "50.00" not in command_outcome.out
    )
    assert len((out / RESULTS).read_text().splitlines()) == 4, "nothing is removed"


def test_the_clock_is_part_of_the_key(tmp_path, monkeypatch):
    from boardsat.campaign.runner import records as running_records

    key = job(tmp_path, SAT).key
    assert job(tmp_path, SAT).key == key
    monkeypatch.setattr(running_records, "CLOCK", running_records.CLOCK + 1)
    assert job(tmp_path, SAT).key != key


def test_a_record_of_a_later_clock_is_ignored(tmp_path):
    folder = results(
        tmp_path / "out", RECORD, record_with(RECORD, key="2", clock=RECORD.execution.clock + 1)
    )
    store = Store(folder)
    assert [*store.records] == [RECORD.key] and store.outdated == 1


def test_another_setup_of_a_solver_is_ranked_separately():
    first, second = (record_with(RECORD, key=k, setup=k * 64) for k in "ab")
    assert [run.solver.name for run in median_runs([first, second])] == [
        *("cadical, setup aaaaaaaa", "cadical, setup bbbbbbbb")
    ]
    assert [
        run.solver.name
        for run in median_runs([first, record_with(second, setup=first.identity.setup)])
    ] == ["cadical"]
    # Where the version tells them apart, the hash need not.
    new = record_with(second, version="2")
    assert {run.solver.name for run in median_runs([first, new])} == {"cadical, 1", "cadical, 2"}


def test_the_page_has_no_paths_of_the_machine(tmp_path):
    command = ("/home/me/.venv/bin/python", "-m", "worker", "cadical195", "/home/me/cache/f.cnf")
    folder = results(tmp_path / "out", record_with(RECORD, command=command))
    assert boardsat("report", folder, "--html", tmp_path / "x.html").code == 0
    page = (tmp_path / "x.html").read_text()
    assert "python -m worker cadical195 f.cnf" in page and "/home/me" not in page
