"""All that a program starts ends with it, wherever it has gone, and nothing else does."""

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
WAYS = {
    "a session of its own": f"setsid sh -c '{TELL}; exec sleep 1000' &",
    "no parent": f"(setsid sh -c '{TELL}; exec sleep 1000' &)",
    "no stream of ours": f"setsid sh -c '{TELL}; exec sleep 1000 >/dev/null 2>&1' &",
    "children there": f"setsid sh -c 'sleep 1000 & echo c $! >&2; {TELL}; exec sleep 1000' &",
    "a pipe": f"setsid sh -c '{TELL}; exec sleep 1000' | cat >/dev/null &",
}
READY = 'until [ -e "$READY" ]; do sleep 0.01; done'


@pytest.fixture(autouse=True)
def ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that tells when what goes away has gone."""
    monkeypatch.setenv("READY", str(tmp_path / "ready"))
    return tmp_path / "ready"


def program(how: str, then: str) -> Solver:
    return shell_solver(f"{WAYS[how]}\n{READY}; {then}")


def pids(outcome: Outcome) -> list[int]:
    said = b"".join([*outcome.output.pieces(), *outcome.errors.pieces()])
    return [int(pid) for pid in re.findall(rb"c (\d+)", said)]


@pytest.mark.parametrize("how", WAYS)
def test_what_went_away_ends_with_the_program(how: str) -> None:
    begun = time.monotonic()
    outcome = native.run(program(how, "exit 0"), Task(SAT))
    assert outcome.termination is TerminationReason.FINISHED and pids(outcome)
    assert not any(map(is_alive, pids(outcome)))
    # Nobody waited for the streams that it held.
    assert outcome.usage.wall < TERM_GRACE_SECONDS
    assert time.monotonic() - begun < 10 * TERM_GRACE_SECONDS


def test_so_it_does_at_a_limit() -> None:
    lasting = program("no parent", "exec sleep 1000")
    outcome = native.run(lasting, Task(SAT, Limits(wall=1)))
    assert outcome.termination is TerminationReason.TIME and pids(outcome)
    assert not any(map(is_alive, pids(outcome)))


def test_other_children_of_this_process_live_on() -> None:
    with subprocess.Popen(["sleep", "1000"]) as other:
        native.run(program("no parent", "exit 0"), Task(SAT))
        assert other.poll() is None
        other.kill()


def test_this_process_is_afterwards_as_it_was() -> None:
    native.run(shell_solver("exit 0"), Task(SAT))
    adopts = ctypes.c_int(7)
    ctypes.CDLL(None).prctl(descendants._GET_CHILD_SUBREAPER, ctypes.byref(adopts))
    assert adopts.value == 0
    assert descendants.RUN_VARIABLE not in os.environ


KILLED = """
import sys
from boardsat.adapters.runtimes import Task, native
words = 'setsid sh -c "echo \\$\\$ > $READY.part; mv $READY.part $READY; exec sleep 1000" & wait'
native.run_command(("sh", "-c", words), Task(sys.argv[1]))
"""


@pytest.mark.parametrize("clean", [True, False], ids=["clean", "the next run"])
def test_what_a_killed_run_left_running_is_ended(clean: bool, ready: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", KILLED, SAT]) as run:
        wait_until(ready.exists, processes.LIMIT)
        pid = int(ready.read_text())
        # A run that goes on loses nothing.
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
if sys.argv[2] == "itself":
    descendants.start_command = lambda: ()
words = 'echo $$ $(ulimit -c) $(ulimit -t) $(ulimit -v) > $READY.part; ' + (
    'grep Cpus_allowed_list /proc/self/status >> $READY.part; mv $READY.part $READY; sleep 1000')
native.run_command(("sh", "-c", words), Task(sys.argv[1], Limits(60, 50, 2**30), core=0))
"""


@pytest.mark.parametrize("how", ["itself", "follower"])
def test_however_it_is_started_it_is_confined_and_killed_with_us(how: str, ready: Path) -> None:
    """By another program, which is quick, or by a copy of ourselves."""
    if how == "follower" and not descendants.start_command():
        pytest.skip("there is no setpriv or prlimit")
    core = str(min(os.sched_getaffinity(0)))
    code = CHILD.replace("core=0", f"core={core}")
    with subprocess.Popen([sys.executable, "-c", code, SAT, how]) as run:
        wait_until(ready.exists, processes.LIMIT)
        pid, *limits, _, on = ready.read_text().split()
        # A quarter more CPU time than ours: the kernel counts it in another way.
        assert (
            limits == ["0", str(math.ceil(62.5 + 2 * TERM_GRACE_SECONDS)), str(2**20)]
            and on == core
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
descendants.prlimit_path = lambda: sys.exit("what is inherited was set again")
try:
    native.run_command((sys.argv[2],), Task(sys.argv[1], Limits(60)))
except SolverError as error:
    assert "broken does not start: No such file" in str(error), error
else:
    sys.exit("it was started")
words = "echo $$ $(ulimit -c) $(ulimit -f) > $READY.part; mv $READY.part $READY; sleep 1000"
native.run_command(("sh", "-c", words), Task(sys.argv[1], Limits(60)))
"""


def test_what_a_confined_process_starts_is_confined_and_killed_with_it(
    ready: Path, broken: Path
) -> None:
    """As a worker of a campaign does it: its programs inherit what all of them get."""
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
    """A program that is there, and cannot be started."""
    file = tmp_path / "broken"
    file.write_text("#!/no/such/shell\n")
    file.chmod(0o755)
    return file


def test_what_cannot_be_started_is_one_line(broken: Path) -> None:
    with pytest.raises(BoardsatError, match="broken does not start: No such file"):
        native.run_command((str(broken),), Task(SAT))


def test_program_is_not_blamed_for_open_files_that_run_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(subprocess, "Popen", fail)
    with pytest.raises(OSError, match="Too many open files"):
        native.run_command(("sh",), Task(SAT))


def test_program_is_started_without_a_setpriv_that_lacks_the_option(
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
