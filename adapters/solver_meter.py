"""Measurement of an embedded solver within its worker process.

Starting an interpreter and importing modules takes longer than solving a small formula, and is not
the work of the solver. So the worker writes two marks to a pipe: one before it reads the formula,
one after it has printed its answer. The same work is measured for a program. If the worker is
killed in between, the end of its process is the end of the solver.

Both processes use the same clock: the monotonic clock is common to all processes of a machine.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

METER_VARIABLE = "BOARDSAT_METER"
"""Environment variable with the descriptor of the pipe that the worker writes its marks to."""


class _Mark(NamedTuple):
    """Usage of the worker process when its solver begins or ends."""

    wall: float
    """Monotonic time in seconds."""
    cpu: float
    """CPU time of the process in seconds."""
    memory: int
    """Memory in bytes: resident when the solver begins, the peak when it ends."""


def run_measured(main: Callable[..., int]) -> int:
    """Run the main function of a worker, measured as its solver.

    Parameters
    ----------
    main : callable
        Function of the arguments of the command line. Its modules are imported before the call.

    Returns
    -------
    int
        Exit code.
    """
    mark_solver_start()
    code = main(*sys.argv[1:])
    _write_mark("end", "VmHWM:")
    return code


def mark_solver_start() -> None:
    """Report that the solver begins now. A later report replaces an earlier one.

    A worker that needs more modules for a certain file imports them and reports the start again.
    """
    _write_mark("begin", "VmRSS:")


def _write_mark(event: str, memory_field: str) -> None:
    descriptor = os.environ.get(METER_VARIABLE)
    if descriptor:
        mark = _Mark(time.monotonic(), time.process_time(), _memory(memory_field))
        line = f"{event} {mark.wall!r} {mark.cpu!r} {mark.memory}\n"
        os.write(int(descriptor), line.encode("ascii"))


def _memory(field: str) -> int:
    """Return a memory size in bytes from /proc/self/status; 0 if it is not available."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:  # noqa: PTH123
            return next((1024 * int(line.split()[1]) for line in file if line.startswith(field)), 0)
    except OSError:
        return 0


class SolverMeter:
    """Pipe through which a worker reports to its parent when its solver begins and ends."""

    def __init__(self) -> None:
        self._reader, self.writer = os.pipe()
        os.set_blocking(self._reader, False)
        self._text = b""
        self._begin: _Mark | None = None
        self._end: _Mark | None = None

    def __enter__(self) -> SolverMeter:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._reader)
        os.close(self.writer)

    def read(self) -> None:
        """Read the marks written since the last call."""
        try:
            self._text += os.read(self._reader, 2**12)
        except BlockingIOError:
            return
        *lines, self._text = self._text.split(b"\n")
        for line in lines:
            event, wall, cpu, memory = line.split()
            mark = _Mark(float(wall), float(cpu), int(memory))
            if event == b"begin":
                self._begin, self._end = mark, None
            else:
                self._end = mark

    def start(self, now: float, cpu: float) -> tuple[float, float]:
        """Return monotonic and CPU time of the solver start; the arguments before the start."""
        return (now, cpu) if self._begin is None else (self._begin.wall, self._begin.cpu)

    def peak(self, memory: int) -> int:
        """Return the maximum of `memory` and the peak that the process reported, in bytes."""
        return memory if self._end is None else max(memory, self._end.memory)

    def solver_usage(self, now: float, cpu: float, memory: int) -> tuple[float, float, int]:
        """Return wall-clock time, CPU time and memory of the solver; zeros if it never began.

        Parameters
        ----------
        now, cpu : float
            Monotonic time, and CPU time of the process, at its end in seconds.
        memory : int
            Peak memory of the process in bytes.
        """
        if self._begin is None:
            return 0.0, 0.0, 0
        end = self._end or _Mark(now, cpu, memory)
        wall_used, cpu_used = end.wall - self._begin.wall, end.cpu - self._begin.cpu
        return max(0.0, wall_used), max(0.0, cpu_used), max(0, memory - self._begin.memory)
