"""Clock of a command: limits of time and memory for solvers and boardsat's work together.

The limits of a solver are reduced by the time that generating its formula has used. The work of
this process tests the limits at checkpoints, in any thread, and is not interrupted between them.
In a run that is recorded to compare solvers, the limits are those of the solver alone, and the work
of boardsat has a limit of its own: the harness limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import ClassVar, TypeVar

from boardsat.adapters.answer import Answer, SolverRun, Status, TerminationReason, Usage
from boardsat.adapters.runtimes import MIN_TIME_LIMIT, Limits, load_runtime
from boardsat.adapters.solvers import Solver
from boardsat.base.limits import Clock, Excess, LimitError, Resource, ambient

HARNESS_SECONDS, HARNESS_RATIO = 60.0, 2.0
"""Minimum of the harness limit in seconds, and its ratio to the time limit of the solver."""
# Generating, reading and checking the largest formulas of the catalogue takes about ten seconds;
# checking a proof often takes longer than finding it.


class CommandLimitError(LimitError):
    """Limit of a command or run that was reached by the work of boardsat, not by a solver."""

    def __init__(
        self, excess: Excess, termination: TerminationReason, activity: str, usage: Usage
    ) -> None:
        limit, option = {
            Resource.WALL: (f"{excess.limit:g} s", "--timeout"),
            Resource.CPU: (f"{excess.limit:g} s of CPU time", "--cpu"),
            Resource.MEMORY: (f"{excess.limit / 2**20:,.0f} MB", "--memory"),
        }[excess.resource]
        fault = f"the limit of {limit} was reached while {activity}"
        super().__init__(excess, fault, f"raise {option}")
        self.termination, self.usage = termination, usage

    def answer(self, solver: Solver, runtime_name: str) -> Answer:
        """Return the answer UNKNOWN, as if the solver had reached the limit."""
        version = load_runtime(runtime_name).version(solver)
        return Answer(
            Status.UNKNOWN,
            self.fault,
            SolverRun(solver.name, version, runtime_name, self.termination, 0, self.usage),
        )


class CommandClock(Clock):
    """Clock that starts when it is created; solvers and the work of boardsat share its limits."""

    time_limit: ClassVar[TerminationReason] = TerminationReason.TIME
    """Termination reason of a run whose wall-clock limit is reached by this process."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits.wall, limits.cpu, limits.memory, self._limit_error)
        self.limits = limits
        self.has_run = False
        """True after a solver was started; from then on only solvers reach the limits."""
        self.activity = ""
        """Current or last work of this process, as a clause after `while`: `the board was made`."""

    def _limit_error(self, excess: Excess) -> CommandLimitError:
        reasons = {Resource.CPU: TerminationReason.CPU, Resource.MEMORY: TerminationReason.MEMORY}
        termination = reasons.get(excess.resource, self.time_limit)
        return CommandLimitError(excess, termination, self.activity, self.usage())

    def usage(self) -> Usage:
        """Return the resources used so far; memory is the growth of this process."""
        return Usage(self.used_wall, self.used_cpu, self.used_memory)

    def remaining(self, limits: Limits) -> Limits:
        """Return the limits of a run, lowered to the remaining limits of the command."""
        command_limits = _remaining(self.limits, self.usage())
        run_limits = _minimum(limits, command_limits)
        # The limits of the command include the start of a worker: it may take what the run leaves.
        allowances = (
            command_limit - run_limit
            for command_limit, run_limit in (
                (command_limits.wall, run_limits.wall),
                (command_limits.cpu, run_limits.cpu),
            )
            if command_limit is not None and run_limit is not None
        )
        return replace(run_limits, start_allowance=min([limits.start_allowance, *allowances]))

    def start_solver(self, limits: Limits) -> Limits:
        """Return the limits of a solver run; raise LimitError if the first run has no time left."""
        if not self.has_run:
            self.check_now()
            self.has_run = True
        return self.remaining(limits)

    def charge_solver(self, usage: Usage) -> None:
        """Add the CPU time of a solver run to the time used."""
        self.charge(cpu=usage.cpu or 0.0)


class RunClock(CommandClock):
    """Clock of a recorded run: solvers and the work of boardsat have separate limits.

    Parameters
    ----------
    limits : Limits
        Harness limits.
    solver_limits : Limits
        Limits of all solvers that the run starts, together.
    """

    time_limit = TerminationReason.HARNESS

    def __init__(self, limits: Limits, solver_limits: Limits) -> None:
        super().__init__(limits)
        self.solver_limits = solver_limits
        self.solver_usages: list[Usage] = []
        """Resources of each solver that has run."""

    @property
    def total_solver_usage(self) -> Usage:
        """Total time and maximum memory of all solvers; starting interpreters is not included."""
        return Usage(
            sum(usage.scored_wall for usage in self.solver_usages),
            sum(usage.scored_cpu or 0.0 for usage in self.solver_usages),
            max((usage.scored_memory or 0 for usage in self.solver_usages), default=0),
        )

    def usage(self) -> Usage:
        """Return the time that the work of boardsat has used so far."""
        return Usage(self.used_wall, self.used_cpu)

    def remaining(self, limits: Limits) -> Limits:
        """Return the limits of the next solver, reduced by the time of earlier solvers."""
        return _minimum(limits, _remaining(self.solver_limits, self.total_solver_usage))

    def charge_solver(self, usage: Usage) -> None:
        """Record the resources of a solver, and exclude its time from the harness limit."""
        self.solver_usages.append(usage)
        self.charge(wall=-usage.wall)

    def proof_check_limits(self) -> Limits:
        """Return the limits of a proof checker: the remaining harness limits."""
        return _remaining(self.limits, self.usage())


def harness_limits(solver: Limits) -> Limits:
    """Return the limits of boardsat's work in a run whose solver has the given limits.

    The work is generating, reading, decoding and checking, proofs included.
    """
    seconds = solver.wall or solver.cpu
    return Limits(wall=max(HARNESS_SECONDS, HARNESS_RATIO * seconds) if seconds else None)


current_clock: ContextVar[CommandClock | None] = ContextVar("current_clock", default=None)
"""Clock of the running command. None outside of a command."""

AnyClock = TypeVar("AnyClock", bound=CommandClock)


def limited_command(limits: Limits) -> AbstractContextManager[CommandClock]:
    """Limit the time and memory of all work in the context, of solvers and of this process."""
    return _installed(CommandClock(limits))


def limited_run(limits: Limits) -> AbstractContextManager[RunClock]:
    """Limit the solvers that run in the context, and boardsat's work by the harness limits."""
    return _installed(RunClock(harness_limits(limits), limits))


@contextmanager
def _installed(clock: AnyClock) -> Iterator[AnyClock]:
    token = current_clock.set(clock)
    try:
        yield clock
    finally:
        current_clock.reset(token)


@contextmanager
def work_step(activity: str) -> Iterator[None]:
    """Test the limits of the command at the checkpoints of the work in the context.

    Parameters
    ----------
    activity : str
        Description of the work, as a clause after `while`: `the board was made`.

    Raises
    ------
    CommandLimitError
        A limit is reached at a checkpoint.
    """
    clock = current_clock.get()
    if clock is None:
        yield
        return
    clock.activity = activity
    with ambient(clock):
        yield


def _remaining(limits: Limits, used: Usage) -> Limits:
    """Return the time limits, reduced by the time used."""
    return Limits(
        None if limits.wall is None else max(MIN_TIME_LIMIT, limits.wall - used.wall),
        None if limits.cpu is None else max(MIN_TIME_LIMIT, limits.cpu - (used.cpu or 0.0)),
    )


def _minimum(limits: Limits, bounds: Limits) -> Limits:
    """Return the limits, with each time limit lowered to that of the bounds."""
    wall, cpu = (
        min((seconds for seconds in pair if seconds is not None), default=None)
        for pair in ((limits.wall, bounds.wall), (limits.cpu, bounds.cpu))
    )
    return replace(limits, wall=wall, cpu=cpu)
