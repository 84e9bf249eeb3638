"""Budget of a validation: order of runs, limits, and omitted runs."""

from __future__ import annotations

import json
import time
from itertools import count

import pytest
from helpers.formulas import examples
from helpers.solver_runs import boardsat, instance
from helpers.validations import RECORD, RIGHT, record_with, solver_file
from hypothesis import given
from hypothesis import strategies as st

from boardsat.adapters.answer import TerminationReason
from boardsat.base.errors import Wrong
from boardsat.base.limits import Clock
from boardsat.campaign.runner.records import (
    COUNT,
    DECIDE,
    FormulaSource,
    Job,
    Question,
    RunTask,
    SolverIdentity,
)
from boardsat.workflows.validate import result
from boardsat.workflows.validate.consensus import verdict
from boardsat.workflows.validate.result import ValidationResult, html_page
from boardsat.workflows.validate.schedule import (
    LARGE_FORMULAS_SECONDS,
    MAX_SMALL_BYTES,
    SMALL_FORMULAS_SECONDS,
    PossibleRun,
    RunKey,
    Schedule,
    Stage,
    split_first_runs,
    total_time,
)

FOREVER = 10.0**9


class Machine:
    """Runs what a schedule says on some cores, without waiting: its clock is its own."""

    def __init__(self, monkeypatch, cores: int) -> None:
        self.now, self.cores = 0.0, cores
        self.begun: list[tuple[float, Job]] = []
        monkeypatch.setattr(time, "monotonic", lambda: self.now)

    def run(self, schedule: Schedule, seconds: dict[tuple[str, str, str], float]) -> None:
        busy: list[tuple[float, int, Job]] = []
        numbers = count()
        while True:
            while len(busy) < self.cores and (job := schedule.next()) is not None:
                needed = seconds[job.question.encoding, job.identity.name, job.question.task]
                end = self.now + min(
                    needed, FOREVER if job.limits.wall is None else job.limits.wall
                )
                busy.append((end, next(numbers), job))
                self.begun.append((self.now, job))
            if not busy:
                return
            busy.sort()
            self.now, _, job = busy.pop(0)
            answered = (
                job.limits.wall is None
                or seconds[job.question.encoding, job.identity.name, job.question.task]
                <= job.limits.wall
            )
            record = record_with(
                RECORD,
                encoding=job.question.encoding,
                variant=job.question.variant,
                solver=job.identity.name,
                task=job.question.task,
                status="SATISFIABLE" if answered else "UNKNOWN",
                end=TerminationReason.FINISHED if answered else TerminationReason.TIME,
                limit=job.limits.wall,
            )
            schedule.ended(job, record)


def job(encoding: str, solver: str, task: str, variant: str = "") -> Job:
    return Job(
        question=Question("p", encoding, variant, None, encoding, RunTask(task)),
        identity=SolverIdentity(solver, "native", "1", "r"),
        source=FormulaSource("f"),
    )


def plan(encodings: list[str], deciders: list[str], counters: list[str]) -> list[PossibleRun]:
    pairs = [(name, DECIDE) for name in deciders] + [(name, COUNT) for name in counters]
    return [
        PossibleRun(RunKey(e, "", s, t), cost, lambda e=e, s=s, t=t: job(e, s, t))
        for cost, e in enumerate(encodings)
        for s, t in pairs
    ]


def scheduled(items: list[PossibleRun], seconds: float | None, cores: int = 2, wrong: bool = False):
    first, further = split_first_runs(items, likely="d0")
    later = [item for item in further if item.key.task == COUNT]
    stages = [
        Stage(lambda _: [*first, *(item for item in further if item.key.task == DECIDE)]),
        Stage(lambda _: later, with_late=True),
    ]
    return Schedule(
        stages, Clock(seconds, started_wall=0.0), cores, 30.0, lambda _: wrong, lambda _: None
    )


@examples(60)
@given(st.data())
def test_schedule_stays_within_budget_and_accounts_for_all_runs(data):
    encodings = [f"e{k}" for k in range(data.draw(st.integers(1, 6)))]
    deciders = [f"d{k}" for k in range(data.draw(st.integers(1, 4)))]
    counters = [f"c{k}" for k in range(data.draw(st.integers(0, 3)))]
    items = plan(encodings, deciders, counters)
    durations = st.sampled_from([0.1, 1.0, 5.0, 20.0, FOREVER])
    seconds = {item.key[:1] + item.key[2:]: data.draw(durations) for item in items}
    budget = data.draw(st.sampled_from([3.0, 10.0, 60.0]))
    cores = data.draw(st.integers(1, 3))
    with pytest.MonkeyPatch.context() as patch:
        machine = Machine(patch, cores)
        schedule = scheduled(items, budget, cores)
        machine.run(schedule, seconds)
        left_out = schedule.finish()
    assert machine.now <= budget + 0.1
    places = {
        (r.question.encoding, r.question.variant, r.identity.name, r.question.task)
        for r in schedule.records
    }
    missing = {omission.key for omission in left_out}
    assert places | missing == {item.key for item in items} and not places & missing
    assert len(left_out) == len(missing) and all(omission.reason for omission in left_out)


def test_every_encoding_and_solver_has_a_first_run(monkeypatch):
    items = plan(["e0", "e1", "e2", "e3"], ["d0", "d1", "d2"], ["c0", "c1"])
    machine = Machine(monkeypatch, 1)
    schedule = scheduled(items, 60.0, 1)
    machine.run(schedule, dict.fromkeys([i.key[:1] + i.key[2:] for i in items], 0.1))
    jobs = [job for _, job in machine.begun]
    assert {job.question.encoding for job in jobs[:4]} == {"e0", "e1", "e2", "e3"}
    assert {job.identity.name for job in jobs[:4]} == {"d0"}, "who is likely to answer"
    assert {job.identity.name for job in jobs[4:8]} == {"d1", "d2", "c0", "c1"}
    tasks = [job.question.task for job in jobs[8:]]
    assert tasks == sorted(tasks, reverse=True), "who decides comes before who counts"
    assert schedule.finish() == []


def test_unfinished_runs_take_no_time_from_others(monkeypatch):
    """Simulate 6x6: counters that do not finish, and many runs of half a second."""
    items = plan([f"e{k}" for k in range(10)], ["d0", "d1"], ["c0", "c1", "c2"])
    seconds = {i.key[:1] + i.key[2:]: FOREVER if i.key.task == COUNT else 0.5 for i in items}
    seconds["e1", "c2", COUNT] = 0.5
    machine = Machine(monkeypatch, 2)
    schedule = scheduled(items, 20.0)
    machine.run(schedule, seconds)
    answered = {(r.question.encoding, r.identity.name) for r in schedule.records if r.answered}
    assert {(e, d) for e in (f"e{k}" for k in range(10)) for d in ("d0", "d1")} <= answered
    assert {omission.key.task for omission in schedule.finish()} == {COUNT}
    # One that failed is tried with more time before a larger formula is tried with less.
    tried = [job for _, job in machine.begun if job.identity.name == "c0"]
    assert [job.question.encoding for job in tried[:2]] == ["e0", "e0"]
    assert tried[1].limits.wall > 1.4 * tried[0].limits.wall


def test_unlimited_budget_runs_everything(monkeypatch):
    items = plan(["e0", "e1"], ["d0"], ["c0"])
    machine = Machine(monkeypatch, 1)
    schedule = scheduled(items, None, 1)
    machine.run(schedule, dict.fromkeys([i.key[:1] + i.key[2:] for i in items], FOREVER))
    assert machine.now == 30.0 * len(items) and schedule.finish() == []


def test_time_is_reserved_for_a_disagreement(monkeypatch):
    items = plan([f"e{k}" for k in range(9)], ["d0", "d1"], [])
    machine = Machine(monkeypatch, 1)
    schedule = scheduled(items, 20.0, 1, wrong=True)
    machine.run(schedule, dict.fromkeys([i.key[:1] + i.key[2:] for i in items], 5.0))
    assert schedule.clock.wall_left >= 5


def test_default_budget_depends_on_formula_size():
    assert total_time(None, MAX_SMALL_BYTES) == SMALL_FORMULAS_SECONDS
    assert total_time(None, MAX_SMALL_BYTES + 1) == LARGE_FORMULAS_SECONDS
    assert total_time(0, MAX_SMALL_BYTES) is None
    assert total_time(7, MAX_SMALL_BYTES + 1) == 7


def test_validate_ends_within_budget_and_lists_omitted_runs(tmp_path):
    file = instance(tmp_path, "queens/squares", n=4)
    quick = solver_file(tmp_path, "quick", RIGHT)
    slow = solver_file(tmp_path, "slow", "sleep 100\n")
    results = ["--results", tmp_path / "results"]
    assert boardsat("validate", file, "--solvers", quick, *results, "--budget", 0).code == 0
    arguments = [file, "--solvers", f"{quick},{slow}", *results]
    # No time for anything but what is known.
    output = boardsat("validate", *arguments, "--budget", 0.5, "--html", tmp_path / "x.html")
    head, _, body = output.out.partition("\n\n")
    assert output.code == 0
    assert head.splitlines() == [
        f"AGREE (incomplete): {file}",
        "  SATISFIABLE by 1 solver on 1 encoding; checked: 1 model, 1 board",
        "  NOT RUN within the budget of 0.5 s: 1 run of 2: answers of slow",
        "  run the same command again to continue; --budget 0 runs everything",
    ]
    assert "not run: answer of slow on queens-squares (no time was left)" in body
    html = (tmp_path / "x.html").read_text()
    assert "(incomplete)" in html and "NOT RUN within the budget of 0.5 s" in html
    # The same command goes on where it was; the slow one has what is left, and not its 30 s.
    report = json.loads(boardsat("validate", *arguments, "--budget", 1, "--json").out)
    assert report["budget"] == 1 and report["complete"] is not bool(report["omitted"])
    assert [run["status"] for run in report["runs"]][:1] == ["SATISFIABLE"]
    assert all(run["limit"] <= 1 for run in report["runs"][1:])


def test_encoding_without_time_is_undecided(tmp_path):
    arguments = ["--solvers", "minisat", "--runtime", "embedded", "--results", tmp_path]
    output = boardsat("validate", "sudoku", "-n", 2, *arguments, "--budget", 0.01)
    assert output.code == 3
    assert output.out.startswith("UNDECIDED (incomplete): sudoku n=2\n")
    assert "no solver answered on direct" in output.out and "NOT RUN" in output.out


def outcome(**changes) -> ValidationResult:
    records = (RECORD, record_with(RECORD, solver="minisat"))
    usual = {
        "title": "tour n=6",
        "objects": "closed tours",
        "records": records,
        "skipped": (),
        "omitted": (),
        "seconds": 60.0,
        "boards": (),
        "verdict": verdict(records, None, "closed tours"),
        "published": None,
        "reports": (),
    }
    return ValidationResult(**(usual | changes))


def test_omitted_runs_do_not_weaken_a_complete_verdict():
    assert result.headline(outcome()) == ": tour n=6"
    text = "\n".join(result.summary(outcome()))
    assert text == "SATISFIABLE by 2 solvers on 1 encoding; checked: 2 models, 2 boards"
    assert "(incomplete)" not in html_page(outcome())


def test_many_contradictions_are_summarized():
    wrong = tuple(
        record_with(RECORD, encoding=f"e{k}", fault="WRONG BOARD", wrong=Wrong.BOARD)
        for k in range(9)
    )
    lines = list(result.summary(outcome(records=wrong, verdict=verdict(wrong, None, "tours"))))
    assert sum("WRONG BOARD" in line for line in lines) == result.MAX_LISTED
    assert "and 4 more" in lines
