"""Missing or forbidden container engine: faults, remedies and the selected runtime."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from docker.client import DockerClient
from docker.errors import DockerException
from helpers.requirements import MISSING_ENGINE
from helpers.solver_runs import boardsat

from boardsat.adapters import solvers
from boardsat.adapters.runtimes import RUNTIME_NAMES, Limits, container, engine, engine_socket
from boardsat.campaign.runner.solver_selection import select_solvers
from boardsat.workflows.validate import run_matrix


@pytest.fixture(autouse=True)
def _missing_engine(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.setenv("DOCKER_HOST", MISSING_ENGINE)
    engine._connection.cache_clear()
    request.addfinalizer(engine._connection.cache_clear)


def forbidden(**_: object) -> DockerClient:
    """Raise the error of the SDK for a socket of another user."""
    try:
        raise PermissionError(13, "Permission denied")
    except PermissionError as error:
        aborted = f"('Connection aborted.', {error!r})"
        raise DockerException(f"Error while fetching server API version: {aborted}") from error


def test_forbidden_engine_is_distinguished_from_a_missing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cadical = solvers.load("cadical")
    assert container.unavailable_reason(cadical) == "no Docker"
    assert "start Docker" in container.remedy(cadical)
    (tmp_path / "docker.sock").touch()
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'docker.sock'}")
    monkeypatch.setattr(DockerClient, "from_env", forbidden)
    engine._connection.cache_clear()
    assert container.unavailable_reason(cadical) == "no permission to use the engine"
    assert "join the group" in container.remedy(cadical)
    output = boardsat("images")
    assert output.code == 2 and "join the group" in output.one_line()


def test_missing_socket_has_the_fault_of_the_sdk() -> None:
    assert engine_socket.is_engine_missing()
    cadical = solvers.load("cadical")
    assert engine.engine_fault() == (
        container.unavailable_reason(cadical),
        container.remedy(cadical),
    )
    assert container.unavailable_reason(solvers.load("backtracking")) == "no image"


def test_engine_is_missing_only_if_its_local_socket_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    socket = tmp_path / "docker.sock"
    socket.write_text("")
    for host in (f"unix://{socket}", f"unix://{socket}/below", "tcp://127.0.0.1:1", "ssh://x"):
        monkeypatch.setenv("DOCKER_HOST", host)
        assert not engine_socket.is_engine_missing()
    monkeypatch.setattr(engine_socket, "_DEFAULT_HOST", f"unix://{socket}")
    monkeypatch.setenv("DOCKER_HOST", "")
    assert not engine_socket.is_engine_missing()
    monkeypatch.delenv("DOCKER_HOST")
    assert not engine_socket.is_engine_missing()
    socket.unlink()
    assert engine_socket.is_engine_missing()


def test_clean_without_an_engine_succeeds() -> None:
    output = boardsat("clean")
    assert (output.code, output.err) == (0, "")
    assert output.out.startswith("removed: containers 0 (no Docker), folders ")


def test_answer_has_the_reasons_for_skipped_runtimes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert (
        ", embedded (no Docker, no cadical on PATH), " in boardsat("solve", "queens", "-n", 4).out
    )
    result = json.loads(boardsat("solve", "queens", "-n", 4, "--json").out)
    assert result["skipped_runtimes"] == {"docker": "no Docker", "native": "no cadical on PATH"}
    # A requested runtime has no reasons.
    assert ", embedded, " in boardsat("solve", "queens", "-n", 4, "--runtime", "embedded").out


def test_count_has_the_reasons_for_skipped_runtimes() -> None:
    output = boardsat("count", "queens", "-n", 4, "--counter", "approxmc")
    assert re.search(r", embedded \(no Docker(, no approxmc on PATH)?\), ", output.out)


def test_solvers_prints_a_row_per_solver_and_a_column_per_runtime(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    lines = boardsat("solvers").out.splitlines()
    head, _, *rows = lines[: lines.index("")]
    assert head.split() == ["solver", "can", *RUNTIME_NAMES]
    assert [row.split()[0] for row in rows] == solvers.names()
    starts = [head.index(name) for name in RUNTIME_NAMES]
    clasp = next(row for row in rows if row.startswith("clasp "))
    cells = [clasp[start:].split("  ")[0] for start in starts]
    assert cells == ["no Docker", "not on PATH", "-"]
    assert max(map(len, rows)) <= 104
    portfolio = next(row for row in rows if row.startswith("minisat-preprocessed "))
    assert portfolio.endswith(" *")
    notes = lines[lines.index("* with:") :]
    additions = solvers.load("minisat-preprocessed").additions
    assert f"  minisat-preprocessed: {additions}" in notes
    assert any("start Docker" in line for line in lines)


@pytest.mark.parametrize(
    ("command", "name"),
    [("solve", "backtracking"), ("count", "frontier"), ("count", "enumeration")],
)
def test_seed_for_a_solver_without_seed_is_rejected(command: str, name: str) -> None:
    option = "--solver" if command == "solve" else "--counter"
    output = boardsat(command, "tour", "-n", 6, option, name, "--seed", 1)
    assert output.code == 2 and f"{name} " in output.one_line() and "takes no seed" in output.err


def test_seed_for_several_solvers_is_passed_to_those_that_take_one() -> None:
    instance = run_matrix.PlannedInstance("queens", "squares", "f.cnf", "hash")
    chosen, _ = select_solvers("cadical,enumeration", "embedded")
    jobs = run_matrix.jobs([instance], chosen, Limits(), 7)
    assert {job.identity.name: job.attempt.seed for job in jobs} == {
        "cadical": 7,
        "enumeration": None,
    }


def test_reference_counter_without_seed_is_run_without_seed() -> None:
    arguments = (
        "queens",
        "-n",
        4,
        "--counter",
        "approxmc",
        "--seed",
        3,
        "--reference",
        "enumeration",
    )
    output = boardsat("count", *arguments)
    assert output.code == 0 and "reference: 2 (enumeration " in output.out


def test_takes_seed_of_embedded_solvers() -> None:
    seeded = {name for name in solvers.names() if solvers.load(name).takes_seed("embedded")}
    assert {"cadical", "minisat", "kissat", "ganak", "approxmc", "warnsdorff"} <= seeded
    assert not seeded & {"frontier", "enumeration", "backtracking"}
