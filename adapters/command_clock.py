"""Clock of a command: limits of time and memory for solvers and for boardsat's own work together.

A solver gets what making its formula has left. Own work meets the ambient checkpoints, so nothing
is interrupted, and it works in any thread. In a run that is recorded to compare solvers, the limits
are the solver's alone, and boardsat's own work has another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import ClassVar, TypeVar

from boardsat.adapters.answer import Answer, SolverRun, Status, TerminationReason, Usage
from boardsat.adapters.runtimes import MIN_TIME_LIMIT, Limits, load_runtime
from boardsat.adapters.solvers import Solver
from boardsat.base.limits import Clock, Excess, LimitError, Resource, ambient

HARNESS_SECONDS, HARNESS_RATIO = 60.0, 2.0
"""Minimum of the harness limit in seconds, and its ratio to the time limit of the solver.

Generating, reading and checking the largest formulas of the catalogue takes some ten seconds;
verifying a proof often takes longer than finding it.
"""


class CommandLimitError(LimitError):
    """A limit of a command or run was reached by boardsat's own work, not by a solver."""

    def __init__(self, excess: Excess, end: TerminationReason, activity: str, usage: Usage) -> None:
        limit, option = {
            Resource.WALL: (f"{excess.limit:g} s", "--timeout"),
            Resource.CPU: (f"{excess.limit:g} s of CPU time", "--cpu"),
            Resource.MEMORY: (f"{excess.limit / 2**20:,.0f} MB", "--memory"),
        }[excess.resource]
        super().__init__(excess, f"the limit of {limit} fell while {activity}", f"raise {option}")
        self.end, self.usage = end, usage

    def answer(self, solver: Solver, where: str) -> Answer:
        """Return the answer UNKNOWN, as if the solver had reached the limit."""
        version = load_runtime(where).version(solver)
        return Answer(
            Status.UNKNOWN,
            self.fault,
            SolverRun(solver.name, version, where, self.end, 0, self.usage),
        )


class CommandClock(Clock):
    """Clock of a command, which starts when it is made; solvers and own work share its limits."""

    time_limit: ClassVar[TerminationReason] = TerminationReason.TIME
    """End of a run whose wall-clock limit is reached while this process works."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits.wall, limits.cpu, limits.memory, self._limit_error)
        self.limits = limits
        self.has_run = False
        """Whether a solver has been started, so that it is the one that reaches a limit."""
        self.activity = ""
        """Current or last work of this process, in words that follow `while`."""

    def _limit_error(self, excess: Excess) -> CommandLimitError:
        ends = {Resource.CPU: TerminationReason.CPU, Resource.MEMORY: TerminationReason.MEMORY}
        end = ends.get(excess.resource, self.time_limit)
        return CommandLimitError(excess, end, self.activity, self.usage())

    def usage(self) -> Usage:
        """Return the resources used until now; memory is the growth of this process."""
        return Usage(self.used_wall, self.used_cpu, self.used_memory)

    def left(self, limits: Limits) -> Limits:
        """Return the limits of a run, lowered to what the command has left."""
        own = _remaining(self.limits, self.usage())
        least = _lowered(limits, own)
        # The command's limits include the start of a worker: it may take what the run leaves.
        spare = (
            own_left - run_limit
            for own_left, run_limit in ((own.wall, least.wall), (own.cpu, least.cpu))
            if own_left is not None and run_limit is not None
        )
        return replace(least, start_allowance=min([limits.start_allowance, *spare]))

    def start_solver(self, limits: Limits) -> Limits:
        """Return the limits of a solver run; raise LimitError if none is left before the first."""
        if not self.has_run:
            self.check_now()
            self.has_run = True
        return self.left(limits)

    def charge_solver(self, usage: Usage) -> None:
        """Add the CPU time of a solver that has run."""
        self.charge(cpu=usage.cpu or 0.0)


class RunClock(CommandClock):
    """Clock of a run that is recorded: solvers and our own work have limits of their own.

    `limits` is that of our own work.
    """

    time_limit = TerminationReason.HARNESS

    def __init__(self, limits: Limits, solver: Limits) -> None:
        super().__init__(limits)
        self.solver = solver
        """Limits of the solvers that the run starts, all of them together."""
        self.runs: list[Usage] = []
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
        return Usage(self.used_wall, self.used_cpu)

    def left(self, limits: Limits) -> Limits:
        """Return the limits of the next solver: what earlier ones have left."""
        return _lowered(limits, _remaining(self.solver, self.solved))

    def charge_solver(self, usage: Usage) -> None:
        """Record the resources of a solver, whose time is not that of our own work."""
        self.runs.append(usage)
        self.charge(wall=-usage.wall)

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

AnyClock = TypeVar("AnyClock", bound=CommandClock)


@contextmanager
def limited_command(limits: Limits) -> Iterator[CommandClock]:
    """All that is done meanwhile, here and by solvers, is under these limits together."""
    with _installed(CommandClock(limits)) as clock:
        yield clock


@contextmanager
def limited_run(limits: Limits) -> Iterator[RunClock]:
    """Limit the solvers that are run meanwhile, and our own work by the harness limits."""
    with _installed(RunClock(harness_limits(limits), limits)) as clock:
        yield clock


@contextmanager
def _installed(clock: AnyClock) -> Iterator[AnyClock]:
    before = _running.set(clock)
    try:
        yield clock
    finally:
        _running.reset(before)


@contextmanager
def work_step(activity: str) -> Iterator[None]:
    """Test the limits of the command at the checkpoints of this process's own work.

    `activity` is in words that follow `while`.
    """
    clock = _running.get()
    if clock is None:
        yield
        return
    clock.activity = activity
    with ambient(clock):
        yield


def current_clock() -> CommandClock | None:
    """Return the clock of the command that is running. None outside of a command."""
    return _running.get()


def _remaining(limits: Limits, used: Usage) -> Limits:
    """Return what is left of limits of time."""
    return Limits(
        None if limits.wall is None else max(MIN_TIME_LIMIT, limits.wall - used.wall),
        None if limits.cpu is None else max(MIN_TIME_LIMIT, limits.cpu - (used.cpu or 0.0)),
    )


def _lowered(limits: Limits, others: Limits) -> Limits:
    """Return the limits of a run, lowered where others are lower."""
    return replace(
        limits, wall=_least(limits.wall, others.wall), cpu=_least(limits.cpu, others.cpu)
    )


def _least(*limits: float | None) -> float | None:
    return min((limit for limit in limits if limit is not None), default=None)
