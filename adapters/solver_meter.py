"""Measurement of an embedded solver within its worker process.

A worker starts an interpreter and imports modules before its solver begins, which takes longer than
a small formula and is not the solver's work. So the worker writes two marks to a pipe: one when it
begins to read the formula, one when it has printed its answer, as programs are measured. If it is
killed in between, the solver ends with its process.

Both sides use the same clocks: the monotonic clock is that of the machine, CPU time and memory are
those of the worker.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

METER_VARIABLE = "BOARDSAT_METER"
"""Environment variable: the descriptor of the pipe that the worker writes its marks to."""


class _Mark(NamedTuple):
    """State of the worker when its solver begins or ends."""

    wall: float
    """Seconds of the monotonic clock."""
    cpu: float
    """Seconds of CPU time of the process so far."""
    memory: int
    """Bytes: resident memory when the solver begins, peak memory when it ends."""


def run_measured(main: Callable[..., int]) -> int:
    """Run the main function of a worker as the solver, on the arguments of the command line.

    Return its exit code. Modules are imported before.
    """
    mark_solver_start()
    code = main(*sys.argv[1:])
    _write("end", "VmHWM:")
    return code


def mark_solver_start() -> None:
    """Report that the solver begins now. The last such report before the end is the valid one.

    A worker that finds that it needs more modules to read a file imports them and begins anew.
    """
    _write("begin", "VmRSS:")


def _write(word: str, kind: str) -> None:
    number = os.environ.get(METER_VARIABLE)
    if number:
        mark = _Mark(time.monotonic(), time.process_time(), _memory(kind))
        os.write(int(number), f"{word} {mark.wall!r} {mark.cpu!r} {mark.memory}\n".encode("ascii"))


def _memory(kind: str) -> int:
    """Bytes of memory of this process, by their name in /proc; 0 if there is none."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:  # noqa: PTH123
            return next((1024 * int(line.split()[1]) for line in file if line.startswith(kind)), 0)
    except OSError:
        return 0


class SolverMeter:
    """Pipe through which a worker reports its solver, as the parent process sees it."""

    def __init__(self) -> None:
        self._reader, self.writer = os.pipe()
        os.set_blocking(self._reader, False)
        self._text = b""
        self._begin: _Mark | None = None
        self._end: _Mark | None = None

    def __enter__(self) -> SolverMeter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        os.close(self._reader)
        os.close(self.writer)

    def read(self) -> None:
        """Read the marks that have been written since the last call."""
        try:
            self._text += os.read(self._reader, 2**12)
        except BlockingIOError:
            return
        *lines, self._text = self._text.split(b"\n")
        for line in lines:
            word, wall, cpu, memory = line.split()
            mark = _Mark(float(wall), float(cpu), int(memory))
            if word == b"begin":
                self._begin, self._end = mark, None
            else:
                self._end = mark

    def start(self, now: float, cpu: float) -> tuple[float, float]:
        """Return the monotonic time and the CPU time at which the solver began, or else now."""
        return (now, cpu) if self._begin is None else (self._begin.wall, self._begin.cpu)

    def peak(self, memory: int) -> int:
        """Return the peak memory of the process, of which the parent has seen this much."""
        return memory if self._end is None else max(memory, self._end.memory)

    def solver_usage(self, now: float, cpu: float, memory: int) -> tuple[float, float, int]:
        """Return wall-clock time, CPU time and memory of the solver alone.

        `now`, `cpu` and `memory` are those of the process at its end. A solver that has not begun
        has used nothing.
        """
        if self._begin is None:
            return 0.0, 0.0, 0
        end = self._end or _Mark(now, cpu, memory)
        used = end.wall - self._begin.wall, end.cpu - self._begin.cpu
        return max(0.0, used[0]), max(0.0, used[1]), max(0, memory - self._begin.memory)
