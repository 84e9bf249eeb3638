"""Aborted commands: interrupts, kills, and a lost engine leave nothing behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from docker.errors import NotFound
from helpers import parallel_tests
from helpers.answers import (
    HARD,
    SAT,
    UNSAT,
    answer,
)
from helpers.formulas import one_in
from helpers.requirements import MISSING_ENGINE, outside
from helpers.solver_runs import (
    DECIDING,
    LOCAL_RUNTIMES,
    RUNTIMES,
    boardsat,
    children,
    containers,
    finish,
    is_alive,
    is_running,
    leaves_nothing,  # noqa: F401
    misbehaving_solver,
    require_solver,
    start,
    wait_until,
    with_program,
)

from boardsat.adapters import solvers
from boardsat.adapters.answer import TerminationReason
from boardsat.adapters.runtimes import Task, container, engine, select_runtime
from boardsat.base.errors import BoardsatError


@outside
@pytest.mark.slow
def test_two_hundred_runs_leave_no_container() -> None:
    """The runs are those of all solvers, with all faults."""
    faults = ("idles", "segfaults", "fails", "babbles", "lies", "stops")
    runs = [*DECIDING, *(misbehaving_solver(fault) for fault in faults)]
    existing = set(containers_and_volumes())
    for k in range(200):
        solver = runs[k % len(runs)]
        require_solver(solver, "docker")
        with suppress(BoardsatError):
            answer(solver, "docker", (SAT, UNSAT)[k // len(runs) % 2])
    assert set(containers_and_volumes()) <= existing


def containers_and_volumes() -> Iterator[str]:
    """Yield the identifiers of all containers and volumes of the engine."""
    api = engine.client().api
    yield from (container["Id"] for container in api.containers(all=True))
    yield from (volume["Name"] for volume in api.volumes()["Volumes"] or ())


def running_command(runtime: str) -> tuple[subprocess.Popen[str], list[int], list[str]]:
    """Start a command; return it, its children and its containers when its solver runs."""
    require_solver(solvers.load("cadical"), runtime)
    run = start("solve", HARD, "--runtime", runtime, "--timeout", 100)
    if runtime == "docker":
        wait_until(lambda: [c for c in containers(run.pid) if is_running(c)])
        return run, [], containers(run.pid)
    wait_until(lambda: children(run.pid))
    return run, children(run.pid), []


def folders_of(pid: int) -> list[Path]:
    """Return the scratch folders of a process."""
    return list(Path(tempfile.gettempdir()).glob(f"boardsat.*.{pid}.*"))


@pytest.mark.parametrize("number", one_in(2, [signal.SIGINT, signal.SIGTERM]), ids=lambda s: s.name)
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_interrupt_leaves_no_process_folder_or_container(
    runtime: str, number: signal.Signals
) -> None:
    run, pids, _ = running_command(runtime)
    run.send_signal(number)
    output = finish(run)
    assert output.code == 130
    assert output.one_line().startswith("boardsat: interrupted; ")
    assert not any(map(is_alive, pids)) and not folders_of(run.pid)
    if runtime == "docker":
        assert containers(run.pid) == []


@outside
@pytest.mark.slow
@pytest.mark.parametrize("tenths", range(2, 20))
def test_interrupt_at_any_time_leaves_no_container(tenths: int) -> None:
    require_solver(solvers.load("cadical"), "docker")
    run = start("solve", HARD, "--runtime", "docker", "--timeout", 5)
    time.sleep(tenths / 10)
    run.send_signal(signal.SIGINT)
    assert finish(run).code in (130, -signal.SIGINT)
    assert containers(run.pid) == []


@pytest.fixture
def only_cleaner() -> Iterator[None]:
    """Exclude other tests that remove what killed commands have left."""
    with parallel_tests.alone("clean"):
        yield


@outside
@pytest.mark.usefixtures("only_cleaner")
@pytest.mark.parametrize("arguments", [("clean",), ("solve", SAT, "--runtime", "docker")], ids=str)
def test_next_command_removes_containers_and_folders_of_a_killed_one(
    arguments: tuple[str, ...],
) -> None:
    killed, _, stale_containers = running_command("docker")
    alive, _, live_containers = running_command("docker")
    volume = engine.client().api.inspect_container(stale_containers[0])["Mounts"][0]["Name"]
    killed.kill()
    finish(killed)
    output = finish(start(*arguments))
    assert output.code in (0, 10) and output.err == ""
    # Another command may be removing the same container.
    wait_until(lambda: containers(killed.pid) == [] and not folders_of(killed.pid))
    assert folders_of(alive.pid)
    assert is_running(live_containers[0])
    with pytest.raises(NotFound):
        engine.client().api.inspect_volume(volume)
    alive.send_signal(signal.SIGINT)
    finish(alive)
    assert containers(alive.pid) == []


@outside
@pytest.mark.usefixtures("only_cleaner")
def test_concurrent_clean_commands_succeed() -> None:
    killed, _, _ = running_command("docker")
    killed.kill()
    finish(killed)
    cleaners = [start("clean") for _ in range(4)]
    assert [finish(cleaner).code for cleaner in cleaners] == [0] * 4
    assert containers(killed.pid) == []


@pytest.mark.usefixtures("only_cleaner")
@pytest.mark.parametrize("runtime", LOCAL_RUNTIMES)
def test_solver_of_a_killed_command_is_killed(runtime: str) -> None:
    run, pids, _ = running_command(runtime)
    run.kill()
    finish(run)
    wait_until(lambda: not any(map(is_alive, pids)))
    assert boardsat("clean").code == 0
    wait_until(lambda: not folders_of(run.pid))


def test_workers_and_solvers_of_a_killed_validation_are_killed(tmp_path: Path) -> None:
    limits = ("--timeout", 100, "--jobs", 1, "--results", tmp_path / "results")
    run = start("validate", HARD, "--solvers", "cadical", "--runtime", "embedded", *limits)
    wait_until(lambda: any(map(children, children(run.pid))))
    workers = children(run.pid)
    pids = [*workers, *(pid for worker in workers for pid in children(worker))]
    run.kill()
    run.wait(60)
    wait_until(lambda: not any(map(is_alive, pids)))
    assert not any(map(folders_of, workers))


NO_ENGINE = {"DOCKER_HOST": MISSING_ENGINE}


def test_missing_engine_is_reported_in_one_line() -> None:
    output = finish(start("solve", SAT, "--runtime", "docker", **NO_ENGINE))
    assert output.code == 2
    assert "cadical cannot run here (docker: no Docker)" in output.one_line()


def test_solve_without_an_engine_selects_another_runtime() -> None:
    output = finish(start("solve", SAT, **NO_ENGINE))
    assert output.code == 10
    assert re.search(r"native|embedded", output.out)


@outside
def test_missing_image_is_reported_in_one_line() -> None:
    solver = solvers.load("cadical")
    require_solver(solver, "docker")
    missing = with_program(solver, image="no-such-image")
    with pytest.raises(BoardsatError, match=r"docker: image not built\); build or pull "):
        select_runtime(missing, "docker")
    with pytest.raises(BoardsatError, match="engine refuses: No such image"):
        container.run(missing, Task(SAT))


@outside
def test_program_missing_in_the_image_is_a_crash() -> None:
    solver = solvers.load("cadical")
    require_solver(solver, "docker")
    reply = answer(with_program(solver, name="no-such-program"), "docker", SAT)
    assert reply.run.termination is TerminationReason.CRASH
    assert re.search(r"exit code 127: .*no-such-program: not found", reply.reason)


class Relay:
    """Relay to the engine whose connections can be cut."""

    def __init__(self, path: str, engine: str) -> None:
        self.engine, self.ends = engine, [socket.socket(socket.AF_UNIX)]
        self.ends[0].bind(path)
        self.ends[0].listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                client_side = self.ends[0].accept()[0]
            except OSError:
                return
            engine_side = socket.socket(socket.AF_UNIX)
            engine_side.connect(self.engine)
            self.ends += [client_side, engine_side]
            for pair in ((client_side, engine_side), (engine_side, client_side)):
                threading.Thread(target=self.copy, args=pair, daemon=True).start()

    def copy(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while piece := source.recv(2**16):
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            return

    def cut(self) -> None:
        for end in self.ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@outside
@pytest.mark.usefixtures("only_cleaner")
def test_lost_engine_is_reported_in_one_line(tmp_path: Path) -> None:
    require_solver(solvers.load("cadical"), "docker")
    real = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
    if not real.startswith("unix://"):
        pytest.skip("the engine is not on a socket of this machine")
    path = str(tmp_path / "relay")
    relay = Relay(path, real.removeprefix("unix://"))
    run = start("solve", HARD, "--runtime", "docker", DOCKER_HOST=f"unix://{path}")
    wait_until(lambda: [c for c in containers(run.pid) if is_running(c)])
    relay.cut()
    output = finish(run)
    assert output.code == 2
    assert re.search(r"the engine does not answer any more: .*; start it again", output.one_line())
    # The container could not be removed; the next command removes it.
    assert boardsat("clean").code == 0
    wait_until(lambda: containers(run.pid) == [])
