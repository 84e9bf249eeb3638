"""A child that waits to become a worker: it is copied from this process while that is small.

To start another Python takes as long as to solve a small formula. A copy is there at once, but one
of a process that has loaded all it needs would be large, in what it takes and in what is told of
it. So it is made before the work, and what it is to do follows when that is known; where nobody
needs it, it ends.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import IO, NamedTuple, NoReturn

from boardsat.adapters.runtimes import descendants
from boardsat.adapters.runtimes.solver_meter import METER_VARIABLE, SolverMeter

_ORDERS = 3
"""The descriptor by which the child is told what to do."""

_METER = 4
"""Descriptor to which the child reports its solver."""


class WorkOrder(NamedTuple):
    """What the child is to do."""

    words: Sequence[str]
    """A module, and its arguments."""
    limits: Sequence[tuple[int, int]]
    """What the kernel counts, and the most of it."""
    core: int
    environment: Mapping[str, str]


_ours: list[WaitingWorker] = []
"""The one that waits, if there is one."""


class WaitingWorker:
    """The child as its parent sees it; what it prints is read as that of any other process."""

    def __init__(self) -> None:
        orders, self._orders = os.pipe()
        output, printed = os.pipe()
        errors, complained = os.pipe()
        self.meter = SolverMeter()
        """Meter of the solver that the child will run; closed by the caller of `take`."""
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            _become_worker(parent, printed, complained, orders, self.meter.writer)
        for number in (orders, printed, complained):
            os.close(number)
        self.stdout: IO[bytes] = os.fdopen(output, "rb", buffering=0)
        self.stderr: IO[bytes] = os.fdopen(errors, "rb", buffering=0)
        self.returncode: int | None = None

    def begin(self, order: WorkOrder) -> bool:
        """Whether it was still there to be told: somebody may have killed it."""
        try:
            with os.fdopen(self._orders, "w", encoding="utf-8") as orders:
                json.dump(order, orders)
        except BrokenPipeError:
            self._bury()
            return False
        return True

    def dismiss(self) -> None:
        os.close(self._orders)
        self.meter.close()
        self._bury()

    def _bury(self) -> None:
        self.stdout.close()
        self.stderr.close()
        self.wait()

    def wait(self) -> int:
        return os.waitpid(self.pid, 0)[1]


@contextmanager
def one_waiting() -> Iterator[None]:
    """While this lasts, a worker can begin at once: the first one."""
    if _is_alone():
        _ours.append(WaitingWorker())
    try:
        yield
    finally:
        if child := take():
            child.dismiss()


def _is_alone() -> bool:
    """Whether this process has one thread: what others hold would stay locked in a copy.

    Libraries have threads that Python does not know of; where nobody tells, there may be some.
    """
    try:
        return threading.active_count() == 1 == len(os.listdir("/proc/self/task"))  # noqa: PTH208
    except OSError:
        return False


def take() -> WaitingWorker | None:
    return _ours.pop() if _ours else None


def _become_worker(parent: int, *descriptors: int) -> NoReturn:
    """In the child; whatever happens, nothing of what the parent was about is done here."""
    code = 1
    try:
        descendants.set_parent_death_signal(signal.SIGKILL)
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        _keep_only(*descriptors)
        with open(_ORDERS, encoding="utf-8") as file:
            told = file.read()
        # The parent may have ended before we were to follow it.
        code = _work(WorkOrder(*json.loads(told))) if told and os.getppid() == parent else 0
    except BaseException:
        traceback.print_exc()
    finally:
        _flush()
        os._exit(code)


def _keep_only(*descriptors: int) -> None:
    """No other file of the parent stays open here."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    # First beyond those places, so that none of them is overwritten before it was moved.
    sources = [os.dup(number) for number in (nothing, *descriptors)]
    for place, number in enumerate(sources):
        os.dup2(number, place)
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208
        with suppress(OSError):
            os.close(int(name) if int(name) > _METER else -1)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115


def _work(order: WorkOrder) -> int:
    """The exit code of what is asked for."""
    import runpy

    os.sched_setaffinity(0, {order.core})
    os.environ.update(order.environment)
    os.environ[METER_VARIABLE] = str(_METER)
    for number, most in order.limits:
        resource.setrlimit(number, (most, most))
    module, *sys.argv[1:] = order.words
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    return 0


def _flush() -> None:
    """What cannot be printed any more is lost, as in any process whose reader has gone."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            continue
