"""The engine: one that is missing, one that may not be used, and what is said of either."""

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
def _nowhere(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.setenv("DOCKER_HOST", MISSING_ENGINE)
    engine._connection.cache_clear()
    request.addfinalizer(engine._connection.cache_clear)


def forbidden(**_: object) -> DockerClient:
    """As the SDK says it of a socket that belongs to others."""
    try:
        raise PermissionError(13, "Permission denied")
    except PermissionError as error:
        aborted = f"('Connection aborted.', {error!r})"
        raise DockerException(f"Error while fetching server API version: {aborted}") from error


def test_an_engine_that_may_not_be_used_is_not_a_missing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cadical = solvers.load("cadical")
    assert container.unavailable_reason(cadical) == "no engine"
    assert "start Docker" in container.remedy(cadical)
    (tmp_path / "docker.sock").touch()
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'docker.sock'}")
    monkeypatch.setattr(DockerClient, "from_env", forbidden)
    engine._connection.cache_clear()
    assert container.unavailable_reason(cadical) == "no permission to use the engine"
    assert "join the group" in container.remedy(cadical)
    said = boardsat("images")
    assert said.code == 2 and "join the group" in said.one_line()


def test_a_missing_socket_says_what_the_sdk_would() -> None:
    assert engine_socket.is_engine_missing()
    cadical = solvers.load("cadical")
    assert engine.engine_fault() == (
        container.unavailable_reason(cadical),
        container.remedy(cadical),
    )
    assert container.unavailable_reason(solvers.load("backtracking")) == "no image"


def test_an_engine_that_may_be_there_is_asked(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = tmp_path / "docker.sock"
    there.write_text("")
    for host in (f"unix://{there}", f"unix://{there}/below", "tcp://127.0.0.1:1", "ssh://x"):
        monkeypatch.setenv("DOCKER_HOST", host)
        assert not engine_socket.is_engine_missing()
    monkeypatch.setattr(engine_socket, "_DEFAULT_HOST", f"unix://{there}")
    monkeypatch.setenv("DOCKER_HOST", "")
    assert not engine_socket.is_engine_missing()
    monkeypatch.delenv("DOCKER_HOST")
    assert not engine_socket.is_engine_missing()
    there.unlink()
    assert engine_socket.is_engine_missing()


def test_clean_without_an_engine_is_done() -> None:
    said = boardsat("clean")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("removed: containers 0 (no engine), folders ")


def test_an_answer_says_why_its_runtime_was_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert ", embedded (no engine, not on PATH), " in boardsat("solve", "queens", "-n", 4).out
    result = json.loads(boardsat("solve", "queens", "-n", 4, "--json").out)
    assert result["skipped_runtimes"] == {"docker": "no engine", "native": "not on PATH"}
    # Where it was chosen there is nothing to say.
    assert ", embedded, " in boardsat("solve", "queens", "-n", 4, "--runtime", "embedded").out


def test_a_count_says_so_too() -> None:
    said = boardsat("count", "queens", "-n", 4, "--counter", "approxmc")
    assert re.search(r", embedded \(no engine(, not on PATH)?\), ", said.out)


def test_solvers_are_one_row_each_with_their_runtimes_as_columns(
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
    assert cells == ["no engine", "not on PATH", "-"]
    assert max(map(len, rows)) <= 104
    portfolio = next(row for row in rows if row.startswith("minisat-preprocessed "))
    assert portfolio.endswith(" *")
    below = lines[lines.index("* with:") :]
    additions = solvers.load("minisat-preprocessed").additions
    assert f"  minisat-preprocessed: {additions}" in below
    assert any("start Docker" in line for line in lines)


@pytest.mark.parametrize(
    ("command", "name"),
    [("solve", "backtracking"), ("count", "frontier"), ("count", "enumeration")],
)
def test_a_seed_for_a_solver_that_takes_none_is_refused(command: str, name: str) -> None:
    option = "--solver" if command == "solve" else "--counter"
    said = boardsat(command, "tour", "-n", 6, option, name, "--seed", 1)
    assert said.code == 2 and f"{name} " in said.one_line() and "takes no seed" in said.err


def test_one_seed_for_all_solvers_goes_to_those_that_take_one() -> None:
    instance = run_matrix.PlannedInstance("queens", "squares", "f.cnf", "hash")
    chosen, _ = select_solvers("cadical,enumeration", "embedded")
    jobs = run_matrix.jobs([instance], chosen, Limits(), 7)
    assert {job.identity.name: job.attempt.seed for job in jobs} == {
        "cadical": 7,
        "enumeration": None,
    }


def test_a_referee_without_seeds_is_asked_without_one() -> None:
    asked = ("queens", "-n", 4, "--counter", "approxmc", "--seed", 3, "--reference", "enumeration")
    said = boardsat("count", *asked)
    assert said.code == 0 and "reference: 2 (enumeration " in said.out


def test_who_takes_a_seed() -> None:
    takes = {name for name in solvers.names() if solvers.load(name).takes_seed("embedded")}
    assert {"cadical", "minisat", "kissat", "ganak", "approxmc", "warnsdorff"} <= takes
    assert not takes & {"frontier", "enumeration", "backtracking"}
