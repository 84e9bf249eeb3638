"""Descendants of a program end with it, also if they left its process group; others do not."""

from __future__ import annotations

import ctypes
import errno
import math
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers import processes
from helpers.answers import SAT
from helpers.solver_runs import boardsat, is_alive, leaves_nothing, shell_solver, wait_until  # noqa: F401

from boardsat.adapters.answer import TerminationReason
from boardsat.adapters.runtimes import (
    MAX_FILE_BYTES,
    Limits,
    Outcome,
    Task,
    descendants,
    native,
)
from boardsat.adapters.runtimes.program_output import TERM_GRACE_SECONDS
from boardsat.adapters.solvers import Solver
from boardsat.base.errors import BoardsatError

pytestmark = pytest.mark.skipif(not shutil.which("setsid"), reason="there is no setsid")

TELL = 'echo c $$ >&2; : > "$READY"'
ESCAPES = {
    "a new session": f"setsid sh -c '{TELL}; exec sleep 1000' &",
    "no parent": f"(setsid sh -c '{TELL}; exec sleep 1000' &)",
    "streams closed": f"setsid sh -c '{TELL}; exec sleep 1000 >/dev/null 2>&1' &",
    "with a child": f"setsid sh -c 'sleep 1000 & echo c $! >&2; {TELL}; exec sleep 1000' &",
    "in a pipe": f"setsid sh -c '{TELL}; exec sleep 1000' | cat >/dev/null &",
}
READY = 'until [ -e "$READY" ]; do sleep 0.01; done'


@pytest.fixture(autouse=True)
def ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """File that a descendant creates when it has left the process group."""
    monkeypatch.setenv("READY", str(tmp_path / "ready"))
    return tmp_path / "ready"


def escaping_solver(escape: str, command: str) -> Solver:
    """Return a solver with an escaped descendant, which then runs a command."""
    return shell_solver(f"{ESCAPES[escape]}\n{READY}; {command}")


def printed_pids(outcome: Outcome) -> list[int]:
    text = b"".join([*outcome.output.pieces(), *outcome.errors.pieces()])
    return [int(pid) for pid in re.findall(rb"c (\d+)", text)]


@pytest.mark.parametrize("escape", ESCAPES)
def test_escaped_descendants_end_with_the_program(escape: str) -> None:
    start_time = time.monotonic()
    outcome = native.run(escaping_solver(escape, "exit 0"), Task(SAT))
    assert outcome.termination is TerminationReason.FINISHED and printed_pids(outcome)
    assert not any(map(is_alive, printed_pids(outcome)))
    # The end of the streams that descendants hold open is not waited for.
    assert outcome.usage.wall < TERM_GRACE_SECONDS
    assert time.monotonic() - start_time < 10 * TERM_GRACE_SECONDS


def test_escaped_descendants_end_at_a_limit() -> None:
    solver = escaping_solver("no parent", "exec sleep 1000")
    outcome = native.run(solver, Task(SAT, Limits(wall=1)))
    assert outcome.termination is TerminationReason.TIME and printed_pids(outcome)
    assert not any(map(is_alive, printed_pids(outcome)))


def test_other_children_of_this_process_are_not_killed() -> None:
    with subprocess.Popen(["sleep", "1000"]) as sibling:
        native.run(escaping_solver("no parent", "exit 0"), Task(SAT))
        assert sibling.poll() is None
        sibling.kill()


def test_run_restores_the_settings_of_this_process() -> None:
    native.run(shell_solver("exit 0"), Task(SAT))
    subreaper = ctypes.c_int(7)
    ctypes.CDLL(None).prctl(descendants._GET_CHILD_SUBREAPER, ctypes.byref(subreaper))
    assert subreaper.value == 0
    assert descendants.RUN_VARIABLE not in os.environ


KILLED = """
import sys
from boardsat.adapters.runtimes import Task, native
words = 'setsid sh -c "echo \\$\\$ > $READY.part; mv $READY.part $READY; exec sleep 1000" & wait'
native.run_command(("sh", "-c", words), Task(sys.argv[1]))
"""


@pytest.mark.parametrize("clean", [True, False], ids=["clean", "the next run"])
def test_descendants_of_a_killed_run_are_killed_by_the_next_command(
    clean: bool, ready: Path
) -> None:
    with subprocess.Popen([sys.executable, "-c", KILLED, SAT]) as run:
        wait_until(ready.exists, processes.LIMIT)
        pid = int(ready.read_text())
        # Descendants of a running process are not stale.
        descendants.kill_stale_descendants()
        assert is_alive(pid)
        run.kill()
    if clean:
        assert boardsat("clean").code == 0
    else:
        descendants.kill_stale_descendants_once.cache_clear()
        native.run(shell_solver("exit 0"), Task(SAT))
    wait_until(lambda: not is_alive(pid))


CHILD = """
import sys
from boardsat.adapters.runtimes import descendants
from boardsat.adapters.runtimes import Limits, Task, native
if sys.argv[2] == "fork":
    descendants.start_command = lambda: ()
words = 'echo $$ $(ulimit -c) $(ulimit -t) $(ulimit -v) > $READY.part; ' + (
    'grep Cpus_allowed_list /proc/self/status >> $READY.part; mv $READY.part $READY; sleep 1000')
native.run_command(("sh", "-c", words), Task(sys.argv[1], Limits(60, 50, 2**30), core=0))
"""


@pytest.mark.parametrize("starter", ["fork", "setpriv"])
def test_program_is_confined_and_killed_with_its_parent(starter: str, ready: Path) -> None:
    """The program is started by setpriv, which is quick, or by a fork of this process."""
    if starter == "setpriv" and not descendants.start_command():
        pytest.skip("there is no setpriv or prlimit")
    core = str(min(os.sched_getaffinity(0)))
    code = CHILD.replace("core=0", f"core={core}")
    with subprocess.Popen([sys.executable, "-c", code, SAT, starter]) as run:
        wait_until(ready.exists, processes.LIMIT)
        pid, *limits, _, used_core = ready.read_text().split()
        # The CPU limit of the kernel is higher by a quarter: the kernel counts more time.
        assert (
            limits == ["0", str(math.ceil(62.5 + 2 * TERM_GRACE_SECONDS)), str(2**20)]
            and used_core == core
        )
        run.kill()
    wait_until(lambda: not is_alive(int(pid)))


CONFINED = """
import sys
from boardsat.adapters.runtimes import descendants
from boardsat.base.errors import SolverError
from boardsat.adapters.runtimes import Limits, Task, native
native.confine_this_process()
descendants.start_command()
descendants.prlimit_path = lambda: sys.exit("inherited limits were set again")
try:
    native.run_command((sys.argv[2],), Task(sys.argv[1], Limits(60)))
except SolverError as error:
    assert "broken does not start: No such file" in str(error), error
else:
    sys.exit("it was started")
words = "echo $$ $(ulimit -c) $(ulimit -f) > $READY.part; mv $READY.part $READY; sleep 1000"
native.run_command(("sh", "-c", words), Task(sys.argv[1], Limits(60)))
"""


def test_program_of_a_confined_process_is_confined_and_killed_with_it(
    ready: Path, broken: Path
) -> None:
    """Programs of a worker of a campaign inherit its limits."""
    if not descendants.start_command():
        pytest.skip("there is no setpriv or prlimit")
    with subprocess.Popen([sys.executable, "-c", CONFINED, SAT, broken]) as run:
        wait_until(lambda: ready.exists() or run.poll() is not None, processes.LIMIT)
        pid, core, size = ready.read_text().split()
        # In blocks of 512 bytes, or of 1024 for bash.
        assert core == "0" and MAX_FILE_BYTES // int(size) in (512, 1024)
        run.kill()
    wait_until(lambda: not is_alive(int(pid)))


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """Path of a program that exists but cannot be started."""
    file = tmp_path / "broken"
    file.write_text("#!/no/such/shell\n")
    file.chmod(0o755)
    return file


def test_program_that_cannot_be_started_is_reported_in_one_line(broken: Path) -> None:
    with pytest.raises(BoardsatError, match="broken does not start: No such file"):
        native.run_command((str(broken),), Task(SAT))


def test_too_many_open_files_is_not_reported_as_a_fault_of_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(subprocess, "Popen", fail)
    with pytest.raises(OSError, match="Too many open files"):
        native.run_command(("sh",), Task(SAT))


def test_setpriv_without_the_option_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "setpriv"
    old.write_text("#!/bin/sh\necho 'setpriv: unrecognized option: pdeathsig' >&2\nexit 1\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(descendants, "_has_start_command", True)
    descendants.start_command.cache_clear()
    try:
        outcome = native.run_command(("sh", "-c", "echo started; exit 10"), Task(SAT))
    finally:
        descendants.start_command.cache_clear()
    assert (outcome.exit_code, outcome.output.end(100)) == (10, "started\n")
