"""Solvers as programs on PATH, in a process group of their own, under limits."""

from __future__ import annotations

import errno
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from boardsat.adapters.answer import TerminationReason, Usage
from boardsat.adapters.runtimes import (
    MAX_FILE_BYTES,
    Limits,
    Outcome,
    Task,
    child_python,
    descendants,
)
from boardsat.adapters.runtimes.program_output import (
    TERM_GRACE_SECONDS,
    Pipes,
    ProgramOutput,
)
from boardsat.adapters.runtimes.versions import UNKNOWN, program_version
from boardsat.adapters.solver_meter import METER_VARIABLE, SolverMeter
from boardsat.adapters.solvers import Solver
from boardsat.base.errors import SolverError

_PEAKS = re.compile(rb"\nVmPeak:\s*(\d+) kB\n(?:.*\n)*?VmHWM:\s*(\d+) kB")
_CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


class PeakMemory(NamedTuple):
    """Peak memory of a process so far, in bytes."""

    resident: int = 0
    virtual: int = 0
    """Address space."""


def peak_memory(pid: int) -> PeakMemory | None:
    """Return the peak memory of a process. None if it has ended.

    The kernel's report at the end of a program cannot be used: it includes pages of the parent.
    """
    try:
        # A Path would take longer than the kernel, at every look.
        with open(f"/proc/{pid}/status", "rb", buffering=0) as file:  # noqa: PTH123
            text = file.read()
    except OSError:
        return None
    match = _PEAKS.search(text)
    return PeakMemory(1024 * int(match[2]), 1024 * int(match[1])) if match else None


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process and of those of its children that have ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    # The second field is the name, in brackets, and may hold anything.
    return sum(map(int, text.rpartition(")")[2].split()[11:15])) / _CLOCK_TICKS


FIRST_LOOK, TICK, LAST_TICK = 0.001, 0.05, 0.02
"""Seconds between two looks at a running program: at first, at the most, and near a limit."""

_RESOURCES = {
    "core": resource.RLIMIT_CORE,
    "fsize": resource.RLIMIT_FSIZE,
    "as": resource.RLIMIT_AS,
    "cpu": resource.RLIMIT_CPU,
}
"""As the program prlimit calls them."""

_NOT_STARTED = (126, 127)
"""Exit codes of a program that starts another."""

# What programs and the dynamic linker say when they are refused memory.
_NO_MEMORY = ("memory", "bad_alloc", "failed to map", "cannot allocate")


def available(solver: Solver) -> str | None:
    if not solver.program or not solver.program.command:
        return "no program"
    return None if _found(solver.program.name) else "not on PATH"


def remedy(solver: Solver) -> str:
    return f"install the program {solver.program.name if solver.program else solver.name}"


def _found(program: str) -> str | None:
    """The program on PATH; one that was found is not looked for again while it is there."""
    known = _first_found(program, os.environ.get("PATH"))
    return known if known and os.access(known, os.X_OK) else shutil.which(program)


@lru_cache(maxsize=128)
def _first_found(program: str, path: str | None) -> str | None:
    return shutil.which(program, path=path)


def version(solver: Solver) -> str:
    line = solver.version_line()
    name = line[0] if line else solver.program and solver.program.name
    program = _found(name) if name else None
    if program is None:
        return UNKNOWN
    state = Path(program).stat()
    # A package of another name is not the solver's, but that of a shell which runs its script.
    packages = tuple(filter(None, (solver.name, solver.image)))
    return program_version(line, program, packages, state.st_ino, state.st_mtime_ns)


def run(solver: Solver, task: Task) -> Outcome:
    descendants.kill_stale_descendants_once()
    proof = task.proof.path if task.proof else None
    command = solver.command_line(**task.template_variables(str(Path(task.file).resolve()), proof))
    return run_command(command, task)


def run_command(
    command: Sequence[str],
    task: Task,
    environment: Mapping[str, str] | None = None,
    meter: SolverMeter | None = None,
) -> Outcome:
    """Run a program to its end or to its limits; nothing that it started is left running.

    The environment is the user's unless another one is given. The meter is for a worker that
    reports its solver to it.
    """
    begun = time.monotonic()
    limits = task.limits
    output, errors = ProgramOutput(), ProgramOutput()
    # Nothing of it may outlive it, nor keep us waiting for its output.
    with ExitStack() as open_pipes:
        usual = child_python.program_environment()
        with descendants.kill_descendants_on_exit(environment or usual) as marked:
            core = task.chosen_core()
            process = _start(command, limits, core, marked, meter)
            pipes = open_pipes.enter_context(Pipes(process, output, errors))
            try:
                end, status, used, peak = _wait(process, limits, begun, pipes, meter)
            except BaseException:
                _signal(process.pid, signal.SIGKILL)
                process.wait()
                raise
            finally:
                _signal(process.pid, signal.SIGKILL)
        wall = time.monotonic() - begun
        pipes.drain()
    output.check_complete()
    errors.check_complete()
    process.returncode = os.waitstatus_to_exitcode(status)
    usage = _usage(begun, wall, used.ru_utime + used.ru_stime, peak.resident, meter)
    _check_started(command, process.returncode, errors)
    if end is TerminationReason.FINISHED and pipes.full:
        end = TerminationReason.OUTPUT
    if end is TerminationReason.FINISHED:
        end = _how(process.returncode, peak, limits, errors)
    return Outcome(output, errors, end, process.returncode, usage, tuple(command))


def _usage(begun: float, wall: float, cpu: float, memory: int, meter: SolverMeter | None) -> Usage:
    if meter is None:
        return Usage(wall, cpu, memory or None)
    meter.read()
    memory = meter.peak(memory)
    return Usage(wall, cpu, memory or None, *meter.solver_usage(begun + wall, cpu, memory))


def _start(
    command: Sequence[str],
    limits: Limits,
    core: int,
    environment: dict[str, str],
    meter: SolverMeter | None,
) -> subprocess.Popen[bytes]:
    words = list(command)
    inherited = (meter.writer,) if meter else ()
    marks = {METER_VARIABLE: str(meter.writer)} if meter else {}
    prepare: Callable[[], None] | None = partial(_confine, limits)
    follower, program = descendants.death_signal_command(), _found(command[0])
    if follower and program:
        limiter = [f"--{name}={most}" for name, most in _most(limits)]
        words = [*follower, *([descendants.prlimit_path(), *limiter] if limiter else ()), program]
        words += command[1:]
        prepare = None
    try:
        with _on_core(core):
            return subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                env={**environment, **marks},
                pass_fds=inherited,
                preexec_fn=prepare,  # noqa: PLW1509
            )
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE):
            raise
        raise SolverError(f"{command[0]} does not start: {error.strerror}", "install it") from None
    except subprocess.SubprocessError:
        raise SolverError(
            f"{command[0]} cannot run under these limits", "raise the limits"
        ) from None


@contextmanager
def _on_core(core: int) -> Iterator[None]:
    """What this thread starts meanwhile stays on that core."""
    usual = os.sched_getaffinity(0)
    # To move takes a while where others wait for that core; a worker is there already.
    if usual == {core}:
        yield
        return
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, usual)


def _confine(limits: Limits) -> None:
    """In the child, before the program begins."""
    # Whoever kills us with -9 kills it too.
    descendants.set_parent_death_signal(signal.SIGKILL)
    for name, most in _most(limits):
        resource.setrlimit(_RESOURCES[name], (most, most))


def confine_this_process() -> None:
    """Take on the limits that every program gets, so that they need not be set for each.

    For a process that does nothing but run programs: they inherit them.
    """
    for name, most in _most(Limits()):
        resource.setrlimit(_RESOURCES[name], (most, most))


def _most(limits: Limits) -> Iterator[tuple[str, int]]:
    """The limits that the kernel is to set, without those that this process has itself."""
    wanted = {"core": 0, "fsize": MAX_FILE_BYTES}
    if limits.memory is not None:
        wanted["as"] = limits.memory
    if limits.cpu is not None:
        # Only for children of its own, which our clock does not see until they end. On a busy
        # machine the kernel counts up to a tenth more for a limit than it tells anybody.
        wanted["cpu"] = math.ceil(1.25 * limits.cpu + 2 * TERM_GRACE_SECONDS)
    for name, limit in wanted.items():
        # Whoever started us may have allowed less.
        soft, allowed = resource.getrlimit(_RESOURCES[name])
        most = limit if allowed == resource.RLIM_INFINITY else min(limit, allowed)
        if (soft, allowed) != (most, most):
            yield name, most


def _check_started(command: Sequence[str], code: int, errors: ProgramOutput) -> None:
    """Raise SolverError if `setpriv` or `prlimit` could not start the program."""
    said = errors.end(400) if descendants.death_signal_command() and code in _NOT_STARTED else ""
    if said.startswith(("setpriv:", "prlimit:")):
        fault = said.strip().rpartition(": ")[2]
        raise SolverError(f"{command[0]} does not start: {fault}", "install it")


def _wait(
    process: subprocess.Popen[bytes],
    limits: Limits,
    begun: float,
    pipes: Pipes,
    meter: SolverMeter | None,
) -> tuple[TerminationReason, int, resource.struct_rusage, PeakMemory]:
    end, asked, pause, peak = TerminationReason.FINISHED, 0.0, FIRST_LOOK, PeakMemory()
    look = time.monotonic()
    while True:
        now = time.monotonic()
        # Not at every piece of output: a look takes longer than to read one.
        if now >= look:
            peak = peak_memory(process.pid) or peak
            if end is TerminationReason.FINISHED:
                left = _left(process.pid, limits, begun, meter)
                pause = min(TICK, 2 * pause, max(LAST_TICK, min(left)))
                end = _reached(*left, pipes.full)
                if end is not TerminationReason.FINISHED:
                    asked = now
                    _signal(process.pid, signal.SIGTERM)
            elif now - asked > TERM_GRACE_SECONDS:
                _signal(process.pid, signal.SIGKILL)
            look = now + pause
        # Some programs print many pieces, and to ask takes as long as to read one.
        if pipes.wait(look - now):
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                return end, status, used, peak


def _left(pid: int, limits: Limits, begun: float, meter: SolverMeter | None) -> tuple[float, float]:
    """Return the wall-clock and CPU time in seconds that a running program has left."""
    now, cpu = time.monotonic(), 0.0 if limits.cpu is None else cpu_seconds(pid)
    wall = now - begun
    if meter:
        meter.read()
        start, start_cpu = meter.start(now, cpu)
        wall -= min(start - begun, limits.start_allowance)
        cpu -= min(start_cpu, limits.start_allowance)
    return (
        math.inf if limits.wall is None else limits.wall - wall,
        math.inf if limits.cpu is None else limits.cpu - cpu,
    )


def _reached(wall: float, cpu: float, full: bool) -> TerminationReason:
    """The limit at which a program is that has so much left, or none."""
    if wall < 0:
        return TerminationReason.TIME
    if cpu <= 0:
        return TerminationReason.CPU
    return TerminationReason.OUTPUT if full else TerminationReason.FINISHED


def _signal(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return


def _how(code: int, peak: PeakMemory, limits: Limits, errors: ProgramOutput) -> TerminationReason:
    """Why a program that nobody stopped has ended."""
    if code == -signal.SIGXCPU:
        return TerminationReason.CPU
    if limits.memory is not None and code not in (10, 20):
        complaint = errors.end(2000).lower()
        # MiniSat says nothing, and that it does not know.
        if any(word in complaint for word in _NO_MEMORY) or (
            code == 0 and peak.virtual > limits.memory / 2
        ):
            return TerminationReason.MEMORY
    return TerminationReason.SIGNAL if code < 0 else TerminationReason.FINISHED
