"""The clock of a command: all that it does is under its limits, and is told where one fell.

A solver gets what making its formula has left. Our own work looks at the clock between two pieces
of it, so nothing is interrupted, and no signal is needed: it works in any thread. In a run that is
recorded to compare solvers, the limits are the solver's alone, and our own work has another one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, TypeVar

from boardsat.adapters import calling, watching
from boardsat.adapters.answer import Answer, End, Status, Usage
from boardsat.adapters.runtimes import MOMENT, Limits, Task, runtime
from boardsat.adapters.solvers import Solver
from boardsat.base.errors import BoardsatError
from boardsat.generators.limits import watched

PAUSE = 0.01
"""Seconds between two looks: most pieces of work take less."""

HARNESS_SECONDS, HARNESS_RATIO = 60.0, 2.0
"""Minimum of the harness limit in seconds, and its ratio to the time limit of the solver.

Generating, reading and checking the largest formulas of the catalogue takes some ten seconds;
verifying a proof often takes longer than finding it.
"""

_PAGE = os.sysconf("SC_PAGE_SIZE")


class LimitError(BoardsatError):
    """A limit fell while this process worked, and not a solver."""

    def __init__(self, end: End, what: str, doing: str, usage: Usage) -> None:
        super().__init__(f"the limit of {what} fell while {doing}", "allow more")
        self.end, self.usage = end, usage

    def answer(self, solver: Solver, where: str) -> Answer:
        """As if the solver had run into the limit, which fell before or after it ran."""
        return Answer(
            Status.UNKNOWN,
            self.fault,
            model=None,
            count=None,
            end=self.end,
            exit_code=0,
            usage=self.usage,
            solver=solver.name,
            version=runtime(where).version(solver),
            runtime=where,
            command=(),
        )


@dataclass
class CommandClock:
    """Begins to run when it is made."""

    time_limit: ClassVar[End] = End.TIME
    """End of a run whose wall-clock limit is reached while this process works."""

    limits: Limits
    begun: float = field(default_factory=time.monotonic)
    begun_cpu: float = field(default_factory=time.process_time)
    begun_memory: int = field(init=False, default=0)
    spent: float = 0.0
    """Seconds of CPU time that solvers have taken."""
    has_run: bool = False
    """Whether a solver has been given its time, so that it is the one who ran into a limit."""
    looked: float = 0.0
    doing: str = ""
    """Now, or last of all."""

    def __post_init__(self) -> None:
        self.begun_memory = _memory()

    def usage(self) -> Usage:
        """Until now; memory is what has been added."""
        cpu = time.process_time() - self.begun_cpu + self.spent
        return Usage(time.monotonic() - self.begun, cpu, max(0, _memory() - self.begun_memory))

    def left(self, limits: Limits) -> Limits:
        """Of limits that are given for a run, what the command has left of its own."""
        own = _remaining(self.limits, self.usage())
        least = _lowered(limits, own)
        # The command's limits include the start of a worker: it may take what the run leaves.
        spare = (
            own_left - run_limit
            for own_left, run_limit in ((own.wall, least.wall), (own.cpu, least.cpu))
            if own_left is not None and run_limit is not None
        )
        return replace(least, start_allowance=min([limits.start_allowance, *spare]))

    def charge(self, usage: Usage) -> None:
        """Add the resources of a solver that has run."""
        self.spent += usage.cpu or 0.0

    def look(self, needed: int = 0) -> None:
        """Whether a limit has fallen, or will by taking so many bytes more."""
        now = time.monotonic()
        if now - self.looked < PAUSE and needed < 2**20:
            return
        self.looked = now
        used, own = self.usage(), self.limits
        if own.wall is not None and used.wall >= own.wall:
            raise LimitError(self.time_limit, f"{own.wall:g} s", self.doing, used)
        if own.cpu is not None and (used.cpu or 0.0) >= own.cpu:
            raise LimitError(End.CPU, f"{own.cpu:g} s of CPU time", self.doing, used)
        if own.memory is not None and (used.memory or 0) + needed > own.memory:
            raise LimitError(End.MEMORY, f"{own.memory / 2**20:,.0f} MB", self.doing, used)


@dataclass
class RunClock(CommandClock):
    """Clock of a run that is recorded: solvers and our own work have limits of their own.

    `limits` is that of our own work.
    """

    time_limit: ClassVar[End] = End.HARNESS

    solver: Limits = field(default_factory=Limits)
    """Limits of the solvers that the run starts, all of them together."""
    runs: list[Usage] = field(default_factory=list)
    """Resources of each solver that has run."""

    @property
    def solved(self) -> Usage:
        """Resources of all solvers that have run, without the start of an interpreter."""
        return Usage(
            sum(run.scored_wall for run in self.runs),
            sum(run.scored_cpu or 0.0 for run in self.runs),
            max((run.scored_memory or 0 for run in self.runs), default=0),
        )

    def usage(self) -> Usage:
        """Return the time of our own work until now."""
        wall = time.monotonic() - self.begun - sum(run.wall for run in self.runs)
        return Usage(wall, time.process_time() - self.begun_cpu)

    def left(self, limits: Limits) -> Limits:
        """Return the limits of the next solver: what earlier ones have left."""
        return _lowered(limits, _remaining(self.solver, self.solved))

    def charge(self, usage: Usage) -> None:
        self.runs.append(usage)

    def checking(self) -> Limits:
        """Return the limits of a proof checker: what is left for our own work."""
        return _remaining(self.limits, self.usage())


def harness_limits(solver: Limits) -> Limits:
    """Return the limits of our own work in a run whose solver has the given limits.

    Our own work is generating, reading, decoding and checking, proofs included.
    """
    seconds = solver.wall or solver.cpu
    return Limits(wall=max(HARNESS_SECONDS, HARNESS_RATIO * seconds) if seconds else None)


_running: ContextVar[CommandClock | None] = ContextVar("_running", default=None)

Clock = TypeVar("Clock", bound=CommandClock)


@contextmanager
def running(limits: Limits) -> Iterator[CommandClock]:
    """All that is done meanwhile, here and by solvers, is under these limits together."""
    with _installed(CommandClock(limits)) as clock:
        yield clock


@contextmanager
def running_solver(limits: Limits) -> Iterator[RunClock]:
    """Limit the solvers that are run meanwhile, and our own work by the harness limits."""
    with _installed(RunClock(harness_limits(limits), solver=limits)) as clock:
        yield clock


@contextmanager
def _installed(clock: Clock) -> Iterator[Clock]:
    before = _running.set(clock)
    try:
        yield clock
    finally:
        _running.reset(before)


@contextmanager
def during(doing: str) -> Iterator[None]:
    """What this process does itself, in words that follow `while`."""
    clock = _running.get()
    if clock is None:
        yield
        return
    clock.doing = doing
    with watched(clock.look), watching.watched(clock.look):
        yield


def solve(
    solver: Solver, where: str, task: Task, variables: int, wanted: str | None = None
) -> Answer:
    """A run of a solver in what is left of the limits; what it takes is gone."""
    clock = _running.get()
    if clock is None:
        return calling.solve(solver, where, task, variables, wanted)
    if not clock.has_run:
        clock.looked = 0.0
        clock.look()
        clock.has_run = True
    limited = replace(task, limits=clock.left(task.limits))
    answer = calling.solve(solver, where, limited, variables, wanted)
    clock.charge(answer.usage)
    return answer


def _remaining(limits: Limits, used: Usage) -> Limits:
    """Return what is left of limits of time."""
    return Limits(
        None if limits.wall is None else max(MOMENT, limits.wall - used.wall),
        None if limits.cpu is None else max(MOMENT, limits.cpu - (used.cpu or 0.0)),
    )


def _lowered(limits: Limits, others: Limits) -> Limits:
    """Return the limits of a run, lowered where others are lower."""
    return replace(
        limits, wall=_least(limits.wall, others.wall), cpu=_least(limits.cpu, others.cpu)
    )


def _least(*limits: float | None) -> float | None:
    return min((limit for limit in limits if limit is not None), default=None)


def _memory() -> int:
    """Bytes of this process that are in memory now."""
    try:
        return _PAGE * int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
