"""The limits of a command cover all that it does, and it is told where one fell."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from helpers.counts import counted_or_not
from helpers.lazy_tours import solve_json
from helpers.solutions import USE_EMBEDDED
from helpers.solver_runs import boardsat

import boardsat as entrance
from boardsat.adapters import command_clock
from boardsat.adapters.answer import Status, TerminationReason
from boardsat.adapters.command_clock import CommandLimitError, limited_command, work_step
from boardsat.adapters.dimacs import model_check
from boardsat.adapters.runtimes import Limits
from boardsat.base.limits import checkpoint
from boardsat.instance import header_verification

LARGE = ("tour", "--enc", "hve", "-n", "30")
"""Making this formula takes seconds."""


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (("--cpu", 0.2), "0.2 s of CPU time"),
        (("--timeout", 0.2), "0.2 s"),
        (("--memory", 2), "2 MB"),
    ],
)
def test_making_the_formula_is_under_the_limits(limit: tuple[str, float], words: str) -> None:
    begun = time.monotonic()
    code, told = solve_json(*LARGE, *limit, *USE_EMBEDDED)
    assert (code, told["status"], told["model"]) == (0, "UNKNOWN", None)
    assert told["reason"] == f"the limit of {words} was reached while the formula was made"
    assert told["end"] in ("CPU limit", "time limit", "memory limit")
    assert time.monotonic() - begun < 20  # on a busy machine; the whole takes longer


def test_a_count_says_where_its_limit_fell() -> None:
    found = counted_or_not(*LARGE, "--cpu", 0.2)
    assert found["count"] is None
    assert (
        found["reason"] == "the limit of 0.2 s of CPU time was reached while the formula was made"
    )
    said = boardsat("count", *LARGE, "--cpu", 0.2)
    assert said.code == 3 and "was reached while the formula was made" in said.out


def test_reading_a_file_is_under_the_limits(tmp_path: Path) -> None:
    file = tmp_path / "large.cnf"
    with file.open("w") as out:
        out.write("p cnf 3 2000000\n")
        out.write("1 2 -3 0\n" * 2_000_000)
    code, told = solve_json(str(file), "--cpu", 0.01, *USE_EMBEDDED)
    assert (code, told["reason"]) == (
        0,
        "the limit of 0.01 s of CPU time was reached while the file was read",
    )
    said = boardsat("projection", file, "--cpu", 0.01)
    assert said.code == 0 and said.out.startswith("unknown: the projection: the limit of 0.01 s")


def test_a_model_that_could_not_be_checked_is_no_answer(monkeypatch: Any) -> None:
    usual = model_check.first_false_clause

    def slow(path: str, model: Any) -> Any:
        now = command_clock._current_clock.get()
        assert now is not None
        now.started_wall, now.last_reading = now.started_wall - 1000, 0.0
        return usual(path, model)

    monkeypatch.setattr(model_check, "first_false_clause", slow)
    found = entrance.solve("queens", n=4, runtime="embedded", timeout=500)
    assert (found.status, found.answer.run.termination) == (Status.UNKNOWN, TerminationReason.TIME)
    where = "the model was checked (cadical says SATISFIABLE)"
    assert found.answer.reason == f"the limit of 500 s was reached while {where}"


def test_a_file_that_could_not_be_built_again_has_no_count(
    monkeypatch: Any, tmp_path: Path
) -> None:
    usual = header_verification.settings_from_header

    def slow(*words: Any) -> Any:
        now = command_clock._current_clock.get()
        assert now is not None
        now.started_wall, now.last_reading = now.started_wall - 1000, 0.0
        return usual(*words)

    monkeypatch.setattr(header_verification, "settings_from_header", slow)
    file = tmp_path / "queens.cnf"
    entrance.build("tour/hve", n=4).write(file)
    found = entrance.count(file, counter="frontier", timeout=500)
    assert found.count is None
    assert "was reached while the formula was rebuilt" in found.median.answer.reason


def test_what_is_left_is_for_the_solver() -> None:
    with limited_command(Limits(10.0, 5.0, 2**30)) as now:
        now.started_wall -= 4
        now.charge(cpu=3.0)
        left = now.remaining(Limits(wall=100.0))
        assert left.wall is not None and 5.5 < left.wall <= 6.0
        assert left.cpu is not None and 1.5 < left.cpu <= 2.0
        assert now.remaining(Limits(wall=1.0)).wall == 1.0


def test_memory_is_asked_for_before_it_is_taken() -> None:
    with limited_command(Limits(memory=50 * 2**20)), work_step("it was tried"):
        checkpoint(10 * 2**20)
        with pytest.raises(CommandLimitError) as caught:
            checkpoint(60 * 2**20)
    assert caught.value.termination is TerminationReason.MEMORY
    assert str(caught.value) == "the limit of 50 MB was reached while it was tried; raise --memory"


def test_the_clock_of_one_thread_is_not_that_of_another() -> None:
    faults: list[CommandLimitError] = []

    def work() -> None:
        try:
            checkpoint(2**40)
        except CommandLimitError as fault:
            faults.append(fault)

    with limited_command(Limits(memory=1)), work_step("it was tried"):
        with pytest.raises(CommandLimitError):
            checkpoint(2**40)
        other = threading.Thread(target=work)
        other.start()
        other.join()
    assert not faults
    checkpoint(2**40)
