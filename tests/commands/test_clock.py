"""Limits of a command: they cover all its work, and the reason names the work at the limit."""

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
"""Arguments of a formula that takes seconds to generate."""


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        (("--cpu", 0.2), "0.2 s of CPU time"),
        (("--timeout", 0.2), "0.2 s"),
        (("--memory", 2), "2 MB"),
    ],
)
def test_limits_include_generating_the_formula(limit: tuple[str, float], text: str) -> None:
    start_time = time.monotonic()
    code, result = solve_json(*LARGE, *limit, *USE_EMBEDDED)
    assert (code, result["status"], result["model"]) == (0, "UNKNOWN", None)
    assert result["reason"] == f"the limit of {text} was reached while the formula was made"
    assert result["end"] in ("CPU limit", "time limit", "memory limit")
    assert time.monotonic() - start_time < 20  # generating takes longer


def test_count_reason_names_the_work_at_the_limit() -> None:
    result = counted_or_not(*LARGE, "--cpu", 0.2)
    assert result["count"] is None
    assert (
        result["reason"] == "the limit of 0.2 s of CPU time was reached while the formula was made"
    )
    output = boardsat("count", *LARGE, "--cpu", 0.2)
    assert output.code == 3 and "was reached while the formula was made" in output.out


def test_limits_include_reading_a_file(tmp_path: Path) -> None:
    file = tmp_path / "large.cnf"
    with file.open("w") as out:
        out.write("p cnf 3 2000000\n")
        out.write("1 2 -3 0\n" * 2_000_000)
    code, result = solve_json(str(file), "--cpu", 0.01, *USE_EMBEDDED)
    assert (code, result["reason"]) == (
        0,
        "the limit of 0.01 s of CPU time was reached while the file was read",
    )
    output = boardsat("projection", file, "--cpu", 0.01)
    assert output.code == 0 and output.out.startswith(
        "unknown: the projection: the limit of 0.01 s"
    )


def test_model_not_checked_within_the_limits_gives_unknown(monkeypatch: Any) -> None:
    usual = model_check.first_false_clause

    def slow(path: str, model: Any) -> Any:
        clock = command_clock.current_clock.get()
        assert clock is not None
        clock.started_wall, clock.last_reading = clock.started_wall - 1000, 0.0
        return usual(path, model)

    monkeypatch.setattr(model_check, "first_false_clause", slow)
    result = entrance.solve("queens", n=4, runtime="embedded", timeout=500)
    assert (result.status, result.answer.run.termination) == (
        Status.UNKNOWN,
        TerminationReason.TIME,
    )
    where = "the model was checked (cadical says SATISFIABLE)"
    assert result.answer.reason == f"the limit of 500 s was reached while {where}"


def test_header_not_verified_within_the_limits_gives_no_count(
    monkeypatch: Any, tmp_path: Path
) -> None:
    usual = header_verification.settings_from_header

    def slow(*arguments: Any) -> Any:
        clock = command_clock.current_clock.get()
        assert clock is not None
        clock.started_wall, clock.last_reading = clock.started_wall - 1000, 0.0
        return usual(*arguments)

    monkeypatch.setattr(header_verification, "settings_from_header", slow)
    file = tmp_path / "queens.cnf"
    entrance.build("tour/hve", n=4).write(file)
    result = entrance.count(file, counter="frontier", timeout=500)
    assert result.count is None
    assert "was reached while the formula was rebuilt" in result.median.answer.reason


def test_remaining_limits_are_those_of_the_solver() -> None:
    with limited_command(Limits(10.0, 5.0, 2**30)) as clock:
        clock.started_wall -= 4
        clock.charge(cpu=3.0)
        limits = clock.remaining(Limits(wall=100.0))
        assert limits.wall is not None and 5.5 < limits.wall <= 6.0
        assert limits.cpu is not None and 1.5 < limits.cpu <= 2.0
        assert clock.remaining(Limits(wall=1.0)).wall == 1.0


def test_checkpoint_rejects_memory_before_it_is_allocated() -> None:
    with limited_command(Limits(memory=50 * 2**20)), work_step("it was tried"):
        checkpoint(10 * 2**20)
        with pytest.raises(CommandLimitError) as caught:
            checkpoint(60 * 2**20)
    assert caught.value.termination is TerminationReason.MEMORY
    assert str(caught.value) == "the limit of 50 MB was reached while it was tried; raise --memory"


def test_clock_is_that_of_one_thread() -> None:
    faults: list[CommandLimitError] = []

    def work() -> None:
        try:
            checkpoint(2**40)
        except CommandLimitError as fault:
            faults.append(fault)

    with limited_command(Limits(memory=1)), work_step("it was tried"):
        with pytest.raises(CommandLimitError):
            checkpoint(2**40)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert not faults
    checkpoint(2**40)
