"""Measurements of campaigns: limits of the solver, scored times, signs of a busy machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from campaigns import ONE, records, written
from running import boardsat
from validations import solver_file

from boardsat import clock
from boardsat.adapters.answer import End, Usage
from boardsat.adapters.dimacs import check
from boardsat.adapters.runtimes import Limits
from boardsat.campaigns.instances import Instances
from boardsat.campaigns.plan import draft
from boardsat.campaigns.reading import read_campaign
from boardsat.clock import HARNESS_SECONDS, harness_limits, running_solver
from boardsat.running.records import Job
from boardsat.running.worker import perform
from boardsat.validation import plan

ONE_CLAUSE = "p cnf 1 1\n1 0\n"
SAT = "echo 's SATISFIABLE'; echo 'v 1 0'; exit 10"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def campaign(folder: Path, script: str, limits: str, repeat: int = 1) -> Path:
    """A solver whose every run is the script, on a formula of one clause."""
    (folder / "one.cnf").write_text(ONE_CLAUSE)
    solver_file(folder, "sleeper", script)
    return written(
        folder,
        f"instances: [{{files: one.cnf}}]\nsolvers: [sleeper.yaml]\nrepeat: {repeat}\n"
        f"limits: {limits}\n",
    )


def job(folder: Path, script: str, limits: str = "{timeout: 1}") -> Job:
    planned = draft(read_campaign(campaign(folder, script, limits))).planned(
        Instances(folder, True)
    )
    return next(iter(planned.jobs()))


@pytest.fixture
def slow_check(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Checks of models that take so many seconds, by the clock of the run."""
    seconds = [0.0]
    usual = check.first_false_clause

    def slow(path: str, model: object) -> object:
        now = clock._running.get()
        assert now is not None
        now.begun, now.looked = now.begun - seconds[0], 0.0
        return usual(path, model)

    monkeypatch.setattr(check, "first_false_clause", slow)
    return seconds


def test_own_work_is_not_charged_to_the_solver(tmp_path, slow_check):
    slow_check[0] = HARNESS_SECONDS / 2
    record = perform(job(tmp_path, SAT))
    assert (record.status, record.end, record.checked) == (
        "SATISFIABLE",
        End.FINISHED,
        ("model",),
    )


def test_own_work_has_an_end_of_its_own(tmp_path, slow_check):
    slow_check[0] = HARNESS_SECONDS + 1
    record = perform(job(tmp_path, SAT))
    assert (record.status, record.end) == ("UNKNOWN", End.HARNESS)
    assert record.reason == (
        "the limit of 60 s fell while the model was checked (sleeper says SATISFIABLE)"
    )
    assert record.finished and record.timed_out and 0 < record.wall < 10


def test_the_solver_has_its_whole_limit_whatever_was_done_before():
    with running_solver(Limits(1.0, 2.0)) as now:
        now.begun -= HARNESS_SECONDS / 2
        assert now.left(Limits(wall=1.0, cpu=2.0)) == Limits(1.0, 2.0)
        now.charge(Usage(0.5, 0.4, solver_wall=0.25, solver_cpu=0.5))
        assert now.left(Limits()) == Limits(0.75, 1.5)
        # The process of the solver is not our own work, and neither is its start.
        assert now.usage().wall < HARNESS_SECONDS / 2
        assert now.checking().wall == pytest.approx(HARNESS_SECONDS / 2 + 0.5, abs=5)


@pytest.mark.parametrize(
    "limits, seconds",
    [(Limits(1), 60), (Limits(600), 1200), (Limits(cpu=100), 200), (Limits(), None)],
)
def test_the_harness_limit_grows_with_that_of_the_solver(limits, seconds):
    assert harness_limits(limits) == Limits(wall=seconds)


def test_a_solver_that_is_too_slow_is_stopped_at_its_limit(tmp_path):
    record = perform(job(tmp_path, f"sleep 60; {SAT}", "{timeout: 0.2}"))
    assert (record.status, record.end, record.reason) == ("UNKNOWN", End.TIME, "time limit")
    assert 0.2 <= record.wall < 10


def test_formulas_of_a_validation_are_not_made_under_the_limits_of_solvers(tmp_path):
    made, skipped = plan.instances("queens", "all", {"n": "8"}, tmp_path, Limits(wall=0.001))
    assert made and not skipped


@pytest.mark.slow
def test_limits_of_a_campaign_are_the_solvers_alone(tmp_path):
    """A formula that takes longer to read and to check than the solver has left."""
    made = boardsat("cnf", "queens", "-n", 100, "-o", tmp_path / "one.cnf")
    assert made.code == 0, made
    said = boardsat("solve", tmp_path / "one.cnf", "--runtime", "embedded", "--json")
    literals = " ".join(map(str, json.loads(said.out)["model"]))
    (tmp_path / "model").write_text(f"s SATISFIABLE\nv {literals} 0\n")
    for seconds, end in ((0.95, End.FINISHED), (1.2, End.TIME)):
        script = f"sleep {seconds}; cat {tmp_path}/model; exit 10"
        text = (tmp_path / "one.cnf").read_bytes()
        path = campaign(tmp_path, script, "{timeout: 1}", repeat=6)
        (tmp_path / "one.cnf").write_bytes(text)
        assert boardsat("run", path, "-o", tmp_path / str(seconds), *ONE).code == 0
        assert [record.end for record in records(tmp_path / str(seconds))] == [end] * 6
