"""Solvers as programs on PATH, in a process group of their own, under limits."""

from __future__ import annotations

import math
import os
import resource
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from boardsat.adapters.answer import End, Usage
from boardsat.adapters.errors import AdapterError
from boardsat.adapters.runtimes import (
    GRACE,
    LARGEST_FILE,
    Limits,
    Outcome,
    Output,
    Task,
    descendants,
)
from boardsat.adapters.solvers import Solver

TICK = 0.02
"""Seconds between two looks at a running program, at the most."""

UNKNOWN = "unknown"
"""The version of a program that tells none."""

_CLOCK_TICKS = os.sysconf("SC_CLK_TCK")

# What programs and the dynamic linker say when they are refused memory.
_NO_MEMORY = ("memory", "bad_alloc", "failed to map", "cannot allocate")


def available(solver: Solver) -> str | None:
    if not solver.command:
        return "no program"
    return None if shutil.which(solver.program) else "not on PATH"


def remedy(solver: Solver) -> str:
    return f"install the program {solver.program}"


def version(solver: Solver) -> str:
    line = solver.version_line()
    if line is None:
        return UNKNOWN
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return UNKNOWN
    return first_version(done.stdout + done.stderr)


def first_version(text: str) -> str:
    """The first word in the text that looks like a version, or the only one there is."""
    words = text.replace(",", " ").split()
    for word in words:
        if word[:1].isdigit() and "." in word:
            return word
    return words[0] if len(words) == 1 else UNKNOWN


def run(solver: Solver, task: Task) -> Outcome:
    descendants.end_left_once()
    proof = task.writes_proof or task.reads_proof
    command = solver.command_line(**task.words(str(Path(task.file).resolve()), proof))
    return run_command(command, task)


def run_command(command: Sequence[str], task: Task) -> Outcome:
    """Run a program to its end or to its limits; nothing that it started is left running."""
    begun = time.monotonic()
    limits = task.limits
    output, errors = Output(), Output()
    full = threading.Event()
    # Nothing of it may outlive it, nor keep our readers waiting.
    with descendants.ended_together() as environment:
        process = _start(command, limits, task.chosen_core(), environment)
        assert process.stdout is not None and process.stderr is not None
        readers = [
            threading.Thread(target=_drain, args=(stream, kept, full), daemon=True)
            for stream, kept in ((process.stdout, output), (process.stderr, errors))
        ]
        try:
            for reader in readers:
                reader.start()
            end, status, used, peak = _wait(process, limits, begun, full)
        except BaseException:
            _signal(process.pid, signal.SIGKILL)
            process.wait()
            raise
        finally:
            _signal(process.pid, signal.SIGKILL)
    for reader in readers:
        reader.join(GRACE)
    output.refuse_lost()
    errors.refuse_lost()
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - begun
    usage = Usage(wall, used.ru_utime + used.ru_stime, peak.resident or None)
    if end is End.FINISHED and full.is_set():
        end = End.OUTPUT
    if end is End.FINISHED:
        end = _how(process.returncode, peak, limits, errors)
    return Outcome(output, errors, end, process.returncode, usage, tuple(command))


def _start(
    command: Sequence[str], limits: Limits, core: int, environment: dict[str, str]
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env=environment,
            preexec_fn=lambda: _confine(limits, core),  # noqa: PLW1509
        )
    except OSError as error:
        raise AdapterError(f"{command[0]} does not start: {error.strerror}", "install it") from None
    except subprocess.SubprocessError:
        raise AdapterError(
            f"{command[0]} cannot run under these limits", "raise the limits"
        ) from None


def _confine(limits: Limits, core: int) -> None:
    """In the child, before the program begins."""
    # Whoever kills us with -9 kills it too.
    descendants.follow(signal.SIGKILL)
    os.sched_setaffinity(0, {core})
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    if limits.memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    if limits.cpu is not None:
        # Only for children of its own, which our clock does not see until they end.
        most = math.ceil(limits.cpu + 2 * GRACE)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))


def _drain(stream: IO[bytes], kept: Output, full: threading.Event) -> None:
    with stream:
        while piece := os.read(stream.fileno(), 2**16):
            if not kept.add(piece):
                full.set()
                return


@dataclass(frozen=True)
class _Peak:
    """The most memory used so far, in bytes: in all, and of address space."""

    resident: int = 0
    virtual: int = 0


def _wait(
    process: subprocess.Popen[bytes], limits: Limits, begun: float, full: threading.Event
) -> tuple[End, int, resource.struct_rusage, _Peak]:
    end, asked, pause, peak = End.FINISHED, 0.0, 0.001, _Peak()
    while True:
        peak = _peak_memory(process.pid) or peak
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            return end, status, used, peak
        now = time.monotonic()
        if end is End.FINISHED:
            if limits.wall is not None and now - begun > limits.wall:
                end = End.TIME
            elif limits.cpu is not None and _cpu_seconds(process.pid) >= limits.cpu:
                end = End.CPU
            elif full.is_set():
                end = End.OUTPUT
            if end is not End.FINISHED:
                asked = now
                _signal(process.pid, signal.SIGTERM)
        elif now - asked > GRACE:
            _signal(process.pid, signal.SIGKILL)
        time.sleep(pause)
        pause = min(TICK, 2 * pause)


def _peak_memory(pid: int) -> _Peak | None:
    """What the kernel reports at the end is no use: it counts our own pages too."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return None
    about = dict(line.partition(":")[::2] for line in lines)
    if "VmHWM" not in about:
        return None
    resident, virtual = (1024 * int(about[key].split()[0]) for key in ("VmHWM", "VmPeak"))
    return _Peak(resident, virtual)


def _cpu_seconds(pid: int) -> float:
    """Of the program and of those of its children that have ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    # The second field is the name, in brackets, and may hold anything.
    return sum(map(int, text.rpartition(")")[2].split()[11:15])) / _CLOCK_TICKS


def _signal(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return


def _how(code: int, peak: _Peak, limits: Limits, errors: Output) -> End:
    """Why a program that nobody stopped has ended."""
    if code == -signal.SIGXCPU:
        return End.CPU
    if limits.memory is not None and code not in (10, 20):
        complaint = errors.end(2000).lower()
        # MiniSat says nothing, and that it does not know.
        if any(word in complaint for word in _NO_MEMORY) or (
            code == 0 and peak.virtual > limits.memory / 2
        ):
            return End.MEMORY
    return End.SIGNAL if code < 0 else End.FINISHED
