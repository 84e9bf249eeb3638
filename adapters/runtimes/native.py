"""Native runtime: solvers as programs on PATH, each in its own process group, under limits.

Programs are started through `setpriv` and `prlimit`, which set the parent-death signal and the
resource limits. Without these programs the child sets them between fork and exec, for which the
whole address space of this process is duplicated: that takes longer than a small solve.
"""

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
from functools import partial
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
    """Size of the address space."""


def peak_memory(pid: int) -> PeakMemory | None:
    """Return the peak memory of a process. None if it has ended.

    The kernel's report at the end of a program cannot be used: it includes pages of the parent.
    """
    try:
        # Opening a Path takes longer than reading the file.
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
    # The second field is the name in brackets, which may contain any character.
    return sum(map(int, text.rpartition(")")[2].split()[11:15])) / _CLOCK_TICKS


FIRST_POLL_SECONDS, MAX_POLL_SECONDS, POLL_SECONDS_NEAR_LIMIT = 0.001, 0.05, 0.02
"""Intervals in seconds for testing the limits of a program; they double up to the maximum."""

_RESOURCES = {
    "core": resource.RLIMIT_CORE,
    "fsize": resource.RLIMIT_FSIZE,
    "as": resource.RLIMIT_AS,
    "cpu": resource.RLIMIT_CPU,
}
"""Resources by their option names of prlimit(1)."""

_EXEC_FAILURES = (126, 127)
"""Exit codes of setpriv and prlimit if the program cannot be executed."""

_WRAPPER_ERRORS = ("setpriv:", "prlimit:")
"""Beginnings of the messages of setpriv and prlimit."""

_OUT_OF_MEMORY = ("memory", "bad_alloc", "failed to map", "cannot allocate")
"""Texts in messages of programs and the dynamic linker if an allocation fails."""


def unavailable_reason(solver: Solver) -> str | None:
    """Return the reason why the program cannot run here. None if it can."""
    if not solver.program or not solver.program.command:
        return "no program"
    name = solver.program.name
    return None if shutil.which(name) else f"no {name} on PATH"


def remedy(solver: Solver) -> str:
    """Return what the user can do so that the program can run."""
    return f"install the program {solver.program.name if solver.program else solver.name}"


def version(solver: Solver) -> str:
    """Return the version that the program prints, or that of its package."""
    line = solver.version_line()
    name = line[0] if line else solver.program and solver.program.name
    program = shutil.which(name) if name else None
    if program is None:
        return UNKNOWN
    state = Path(program).stat()
    # Otherwise the program is a script, and the package that of its interpreter.
    packages = tuple(filter(None, (solver.name, solver.image)))
    return program_version(line, program, packages, state.st_ino, state.st_mtime_ns)


def run(solver: Solver, task: Task) -> Outcome:
    """Run the program of a solver on a task."""
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
    """Run a program to its end or to its limits, and kill all processes that it has started.

    Parameters
    ----------
    command : sequence of str
        Program and its arguments.
    task : Task
        Limits and processor core.
    environment : mapping, optional
        Environment of the program. Default: the user's.
    meter : SolverMeter, optional
        Pipe through which a worker reports the start and the end of its solver.

    Raises
    ------
    SolverError
        The program cannot be started, or its output cannot be stored.
    """
    start_time = time.monotonic()
    limits = task.limits
    output, errors = ProgramOutput(), ProgramOutput()
    # Descendants that outlive the program could hold its pipes open.
    with ExitStack() as open_pipes:
        usual = child_python.program_environment()
        with descendants.kill_descendants_on_exit(environment or usual) as marked:
            core = task.select_core()
            process, is_wrapped = _start(command, limits, core, marked, meter)
            pipes = open_pipes.enter_context(Pipes(process, output, errors))
            try:
                end, status, used, peak = _wait(process, limits, start_time, pipes, meter)
            except BaseException:
                _signal(process.pid, signal.SIGKILL)
                process.wait()
                raise
            finally:
                _signal(process.pid, signal.SIGKILL)
        wall = time.monotonic() - start_time
        pipes.drain()
    output.check_complete()
    errors.check_complete()
    process.returncode = os.waitstatus_to_exitcode(status)
    message = errors.end(400) if is_wrapped and process.returncode > 0 else ""
    if message.startswith(_WRAPPER_ERRORS):
        if process.returncode in _EXEC_FAILURES:
            raise _start_error(command, message.strip().rpartition(": ")[2])
        # The installed setpriv or prlimit lacks an option, as those of BusyBox do.
        descendants.disable_start_command()
        return run_command(command, task, environment, meter)
    usage = _usage(start_time, wall, used.ru_utime + used.ru_stime, peak.resident, meter)
    if end is TerminationReason.FINISHED and pipes.is_full:
        end = TerminationReason.OUTPUT
    if end is TerminationReason.FINISHED:
        end = _termination_reason(process.returncode, peak, limits, errors)
    return Outcome(output, errors, end, process.returncode, usage, tuple(command))


def _usage(
    start_time: float, wall: float, cpu: float, memory: int, meter: SolverMeter | None
) -> Usage:
    if meter is None:
        return Usage(wall, cpu, memory or None)
    meter.read()
    memory = meter.peak(memory)
    return Usage(wall, cpu, memory or None, *meter.solver_usage(start_time + wall, cpu, memory))


def _start(
    command: Sequence[str],
    limits: Limits,
    core: int,
    environment: dict[str, str],
    meter: SolverMeter | None,
) -> tuple[subprocess.Popen[bytes], bool]:
    """Start a program; return its process, and True if setpriv and prlimit start it."""
    arguments = list(command)
    inherited = (meter.writer,) if meter else ()
    meter_variable = {METER_VARIABLE: str(meter.writer)} if meter else {}
    prepare: Callable[[], None] | None = partial(_confine, limits)
    wrapper, program = descendants.start_command(), shutil.which(command[0])
    is_wrapped = bool(wrapper and program)
    if wrapper and program:
        options = [f"--{name}={limit}" for name, limit in _kernel_limits(limits)]
        limiter = [descendants.prlimit_path(), *options] if options else []
        arguments, prepare = [*wrapper, *limiter, program, *command[1:]], None
    try:
        with _on_core(core):
            process = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                env={**environment, **meter_variable},
                pass_fds=inherited,
                preexec_fn=prepare,  # noqa: PLW1509
            )
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE):
            raise
        raise _start_error(command, str(error.strerror)) from None
    except subprocess.SubprocessError:
        raise SolverError(
            f"{command[0]} cannot be started under these limits", "raise --memory or --cpu"
        ) from None
    return process, is_wrapped


def _start_error(command: Sequence[str], reason: str) -> SolverError:
    return SolverError(f"{command[0]} does not start: {reason}")


@contextmanager
def _on_core(core: int) -> Iterator[None]:
    """Bind this thread to a core in the context; processes that it starts inherit the core."""
    usual = os.sched_getaffinity(0)
    # The call waits while the core is busy; workers of campaigns are bound to their core already.
    if usual == {core}:
        yield
        return
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, usual)


def _confine(limits: Limits) -> None:
    """Set the parent-death signal and the limits of the child process between fork and exec."""
    # A program must not survive a SIGKILL to this process.
    descendants.set_parent_death_signal(signal.SIGKILL)
    _set_kernel_limits(limits)


def confine_this_process() -> None:
    """Set the limits of this process to those of every program; its children inherit them.

    Processes that only run programs, such as workers of campaigns, call this once.
    """
    _set_kernel_limits(Limits())


def _set_kernel_limits(limits: Limits) -> None:
    for name, limit in _kernel_limits(limits):
        resource.setrlimit(_RESOURCES[name], (limit, limit))


def _kernel_limits(limits: Limits) -> Iterator[tuple[str, int]]:
    """Yield the limits that the kernel enforces, unless this process has them already."""
    maxima = {"core": 0, "fsize": MAX_FILE_BYTES}
    if limits.memory is not None:
        maxima["as"] = limits.memory
    if limits.cpu is not None:
        # The CPU time of the program's own children is not visible until they end. On a busy
        # machine the kernel charges up to a tenth more against a limit than it reports.
        maxima["cpu"] = math.ceil(1.25 * limits.cpu + 2 * TERM_GRACE_SECONDS)
    for name, maximum in maxima.items():
        # The parent of this process may have set a lower limit.
        soft, hard = resource.getrlimit(_RESOURCES[name])
        limit = maximum if hard == resource.RLIM_INFINITY else min(maximum, hard)
        if (soft, hard) != (limit, limit):
            yield name, limit


def _wait(
    process: subprocess.Popen[bytes],
    limits: Limits,
    start_time: float,
    pipes: Pipes,
    meter: SolverMeter | None,
) -> tuple[TerminationReason, int, resource.struct_rusage, PeakMemory]:
    """Wait for the end of a program, and terminate it at a limit.

    Return the reason, the status of wait(2), the resources used and the peak memory.
    """
    end, peak, interval = TerminationReason.FINISHED, PeakMemory(), FIRST_POLL_SECONDS
    next_poll, term_time = time.monotonic(), 0.0
    while True:
        now = time.monotonic()
        # Testing the limits takes longer than reading a piece of output.
        if now >= next_poll:
            peak = peak_memory(process.pid) or peak
            if end is TerminationReason.FINISHED:
                remaining = _remaining_times(process.pid, limits, start_time, meter)
                near_limit = max(POLL_SECONDS_NEAR_LIMIT, min(remaining))
                interval = min(MAX_POLL_SECONDS, 2 * interval, near_limit)
                end = _reached_limit(*remaining, pipes.is_full)
                if end is not TerminationReason.FINISHED:
                    term_time = now
                    _signal(process.pid, signal.SIGTERM)
            elif now - term_time > TERM_GRACE_SECONDS:
                _signal(process.pid, signal.SIGKILL)
            next_poll = now + interval
        # wait4 takes as long as reading a piece, and some programs print many.
        if pipes.wait(next_poll - now):
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                return end, status, used, peak


def _remaining_times(
    pid: int, limits: Limits, start_time: float, meter: SolverMeter | None
) -> tuple[float, float]:
    """Return the remaining wall-clock and CPU time in seconds of a running program."""
    now, cpu = time.monotonic(), 0.0 if limits.cpu is None else cpu_seconds(pid)
    wall = now - start_time
    if meter:
        meter.read()
        start, start_cpu = meter.start(now, cpu)
        wall -= min(start - start_time, limits.start_allowance)
        cpu -= min(start_cpu, limits.start_allowance)
    return (
        math.inf if limits.wall is None else limits.wall - wall,
        math.inf if limits.cpu is None else limits.cpu - cpu,
    )


def _reached_limit(wall: float, cpu: float, is_full: bool) -> TerminationReason:
    """Return the limit that was reached, given remaining times; FINISHED if none was reached."""
    if wall < 0:
        return TerminationReason.TIME
    if cpu <= 0:
        return TerminationReason.CPU
    return TerminationReason.OUTPUT if is_full else TerminationReason.FINISHED


def _signal(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return


def _termination_reason(
    code: int, peak: PeakMemory, limits: Limits, errors: ProgramOutput
) -> TerminationReason:
    """Return the reason for the end of a program that was not terminated at a limit."""
    if code == -signal.SIGXCPU:
        return TerminationReason.CPU
    if limits.memory is not None and code not in (10, 20):
        message = errors.end(2000).lower()
        # MiniSat exits with code 0 and INDET, without a message.
        if any(text in message for text in _OUT_OF_MEMORY) or (
            code == 0 and peak.virtual > limits.memory / 2
        ):
            return TerminationReason.MEMORY
    return TerminationReason.SIGNAL if code < 0 else TerminationReason.FINISHED
