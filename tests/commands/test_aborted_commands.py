"""Ends that nobody planned: interrupts, kills, and an engine that goes away."""

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

# Ends that nobody planned.


@outside
@pytest.mark.slow
def test_after_two_hundred_runs_nothing_is_left() -> None:
    """All solvers in turn, and every way to end."""
    ways = ("idles", "segfaults", "fails", "babbles", "lies", "stops")
    runs = [*DECIDING, *(misbehaving_solver(how) for how in ways)]
    before = set(everything_in_the_engine())
    for k in range(200):
        solver = runs[k % len(runs)]
        require_solver(solver, "docker")
        with suppress(BoardsatError):
            answer(solver, "docker", (SAT, UNSAT)[k // len(runs) % 2])
    assert set(everything_in_the_engine()) <= before


def everything_in_the_engine() -> Iterator[str]:
    """Its containers and volumes."""
    api = engine.client().api
    yield from (each["Id"] for each in api.containers(all=True))
    yield from (each["Name"] for each in api.volumes()["Volumes"] or ())


def under_way(where: str) -> tuple[subprocess.Popen[str], list[int], list[str]]:
    """A run of the tool, its children and its containers, once the solver works."""
    require_solver(solvers.load("cadical"), where)
    run = start("solve", HARD, "--runtime", where, "--timeout", 100)
    if where == "docker":
        wait_until(lambda: [c for c in containers(run.pid) if is_running(c)])
        return run, [], containers(run.pid)
    wait_until(lambda: children(run.pid))
    return run, children(run.pid), []


def folders_of(pid: int) -> list[Path]:
    """The temporary folders of a run."""
    return list(Path(tempfile.gettempdir()).glob(f"boardsat.*.{pid}.*"))


@pytest.mark.parametrize("number", one_in(2, [signal.SIGINT, signal.SIGTERM]), ids=lambda s: s.name)
@pytest.mark.parametrize("where", RUNTIMES)
def test_an_interrupt_leaves_nothing(where: str, number: signal.Signals) -> None:
    run, pids, _ = under_way(where)
    run.send_signal(number)
    said = finish(run)
    assert said.code == 130
    assert said.one_line().startswith("boardsat: interrupted; ")
    assert not any(map(is_alive, pids)) and not folders_of(run.pid)
    if where == "docker":
        assert containers(run.pid) == []


@outside
@pytest.mark.slow
@pytest.mark.parametrize("tenths", range(2, 20))
def test_an_interrupt_at_any_time_leaves_no_container(tenths: int) -> None:
    require_solver(solvers.load("cadical"), "docker")
    run = start("solve", HARD, "--runtime", "docker", "--timeout", 5)
    time.sleep(tenths / 10)
    run.send_signal(signal.SIGINT)
    assert finish(run).code in (130, -signal.SIGINT)
    assert containers(run.pid) == []


@pytest.fixture
def only_cleaner() -> Iterator[None]:
    """No other test removes what killed runs left while this one looks at it."""
    with parallel_tests.alone("clean"):
        yield


@outside
@pytest.mark.usefixtures("only_cleaner")
@pytest.mark.parametrize("words", [("clean",), ("solve", SAT, "--runtime", "docker")], ids=str)
def test_what_a_killed_run_leaves_goes_with_the_next_command(words: tuple[str, ...]) -> None:
    killed, _, left = under_way("docker")
    alive, _, kept = under_way("docker")
    volume = engine.client().api.inspect_container(left[0])["Mounts"][0]["Name"]
    killed.kill()
    finish(killed)
    said = finish(start(*words))
    assert said.code in (0, 10) and said.err == ""
    # Another command may have begun with it.
    wait_until(lambda: containers(killed.pid) == [] and not folders_of(killed.pid))
    assert folders_of(alive.pid)
    assert is_running(kept[0])
    with pytest.raises(NotFound):
        engine.client().api.inspect_volume(volume)
    alive.send_signal(signal.SIGINT)
    finish(alive)
    assert containers(alive.pid) == []


@outside
@pytest.mark.usefixtures("only_cleaner")
def test_cleaners_side_by_side_do_not_mind_each_other() -> None:
    killed, _, _ = under_way("docker")
    killed.kill()
    finish(killed)
    cleaners = [start("clean") for _ in range(4)]
    assert [finish(each).code for each in cleaners] == [0] * 4
    assert containers(killed.pid) == []


@pytest.mark.usefixtures("only_cleaner")
@pytest.mark.parametrize("where", LOCAL_RUNTIMES)
def test_a_killed_run_takes_its_solver_with_it(where: str) -> None:
    run, pids, _ = under_way(where)
    run.kill()
    finish(run)
    wait_until(lambda: not any(map(is_alive, pids)))
    assert boardsat("clean").code == 0
    wait_until(lambda: not folders_of(run.pid))


def test_a_killed_validation_takes_its_workers_and_their_solvers_with_it(tmp_path: Path) -> None:
    limits = ("--timeout", 100, "--jobs", 1, "--results", tmp_path / "results")
    run = start("validate", HARD, "--solvers", "cadical", "--runtime", "embedded", *limits)
    wait_until(lambda: any(map(children, children(run.pid))))
    workers = children(run.pid)
    pids = [*workers, *(pid for worker in workers for pid in children(worker))]
    run.kill()
    run.wait(60)
    wait_until(lambda: not any(map(is_alive, pids)))
    assert not any(map(folders_of, workers))


DEAD = {"DOCKER_HOST": MISSING_ENGINE}


def test_a_dead_engine_is_one_line() -> None:
    said = finish(start("solve", SAT, "--runtime", "docker", **DEAD))
    assert said.code == 2
    assert "cadical cannot run here (docker: no engine)" in said.one_line()


def test_without_an_engine_another_runtime_is_chosen() -> None:
    said = finish(start("solve", SAT, **DEAD))
    assert said.code == 10
    assert re.search(r"native|embedded", said.out)


@outside
def test_an_image_that_is_not_there_is_one_line() -> None:
    solver = solvers.load("cadical")
    require_solver(solver, "docker")
    missing = with_program(solver, image="no-such-image")
    with pytest.raises(BoardsatError, match=r"docker: image not built\); build or pull "):
        select_runtime(missing, "docker")
    with pytest.raises(BoardsatError, match="engine refuses: No such image"):
        container.run(missing, Task(SAT))


@outside
def test_a_program_that_is_not_in_the_image_is_a_crash() -> None:
    solver = solvers.load("cadical")
    require_solver(solver, "docker")
    found = answer(with_program(solver, name="no-such-program"), "docker", SAT)
    assert found.run.termination is TerminationReason.CRASH
    assert re.search(r"exit code 127: .*no-such-program: not found", found.reason)


class Relay:
    """A way to the engine that can be cut."""

    def __init__(self, path: str, engine: str) -> None:
        self.engine, self.ends = engine, [socket.socket(socket.AF_UNIX)]
        self.ends[0].bind(path)
        self.ends[0].listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                near = self.ends[0].accept()[0]
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            far.connect(self.engine)
            self.ends += [near, far]
            for a, b in ((near, far), (far, near)):
                threading.Thread(target=self.copy, args=(a, b), daemon=True).start()

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
def test_an_engine_that_goes_away_is_one_line(tmp_path: Path) -> None:
    require_solver(solvers.load("cadical"), "docker")
    real = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
    if not real.startswith("unix://"):
        pytest.skip("the engine is not on a socket of this machine")
    path = str(tmp_path / "relay")
    relay = Relay(path, real.removeprefix("unix://"))
    run = start("solve", HARD, "--runtime", "docker", DOCKER_HOST=f"unix://{path}")
    wait_until(lambda: [c for c in containers(run.pid) if is_running(c)])
    relay.cut()
    said = finish(run)
    assert said.code == 2
    assert re.search(r"the engine does not answer any more: .*; start it again", said.one_line())
    # Nobody could remove it, so that is for the next command.
    assert boardsat("clean").code == 0
    wait_until(lambda: containers(run.pid) == [])
