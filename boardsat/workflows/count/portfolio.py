"""Portfolio of exact counters or samplers, each tried for some seconds on the board or the formula.

The formula is built only when a solver that reads it is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import field, replace
from functools import cached_property
from typing import NamedTuple

from boardsat.adapters import solvers
from boardsat.adapters.answer import Answer, TerminationReason
from boardsat.adapters.command_clock import (
    CommandClock,
    CommandLimitError,
    limited_command,
    work_step,
)
from boardsat.adapters.runtimes import MIN_TIME_LIMIT, Limits, Task, select_runtime
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.solver import Capability, InputFormat
from boardsat.base.dataclass import dataclass
from boardsat.base.errors import BoardsatError, InputError
from boardsat.generators.spec.defaults import COUNT
from boardsat.instance.formula_file import FormulaFile, Instance, placeholder_instance
from boardsat.instance.header_verification import rebuilds_identically, require_verified_header
from boardsat.instance.inputs import WorkflowInput
from boardsat.workflows.count.counter_run import Count, CounterOnRuntime, run_counter
from boardsat.workflows.count.projections import ProjectionVerdict, Validity, projection_verdict
from boardsat.workflows.solve.request import Progress, SolveRequest

DEFAULT_TIMEOUT = 120.0
"""Time limit in seconds if the user sets none and names no solver, so that the command ends."""

MAX_TRIALS_SECONDS = 24.0
"""Time in seconds for all trials together; at most half of the time limit."""

MAX_PROJECTION_SECONDS = 60.0
"""Time in seconds to check the projection; at most a quarter of the time that is left."""

MAX_TRIAL_BYTES = 2**31  # freeing more memory would delay the next trial

MIN_REPORTED_SECONDS = 2.0
"""Minimum duration in seconds of a failed trial that is reported to the user."""

TIMEOUT_FACTOR = 10
"""Ratio of a suggested time limit to the one that was reached."""

LIMIT_ENDS = (TerminationReason.TIME, TerminationReason.CPU, TerminationReason.MEMORY)
"""Reasons for termination that a higher limit, another counter or encoding may avoid."""


class Display(NamedTuple):
    """Progress display of a count or sample. The default displays nothing."""

    progress: Progress = nullcontext
    notify: Callable[[str], object] = lambda _: None
    """Callback for messages about slow steps."""


QUIET = Display()


class AvailableSolvers(NamedTuple):
    """Solvers with a runtime on this machine, and the names of those without one."""

    candidates: list[CounterOnRuntime]
    missing: list[str]


@dataclass(frozen=True)
class ProjectionRequirements:
    """Requirements of a count or a sample on the projection."""

    accepted: frozenset[Validity]
    """Accepted verdicts."""
    fault: str
    """Message about any other verdict; `{}` is replaced by its reason."""
    remedy: str

    @property
    def accepts_invalid(self) -> bool:
        """True if any projection is accepted, so that models are counted rather than boards."""
        return Validity.INVALID in self.accepted


@dataclass
class LazyInstance:
    """Instance of a count or a sample; board and formula are built on first use."""

    source: WorkflowInput
    requirements: ProjectionRequirements
    clock: CommandClock
    stack: ExitStack
    """Exit stack that removes the formula file."""
    progress: Progress

    @property
    def is_board(self) -> bool:
        """True if the user named a problem rather than a formula, so its board may be counted."""
        return not (self.source.is_formula or self.requirements.accepts_invalid)

    @cached_property
    def board(self) -> Instance:
        with work_step("the board was made"):
            return self.source.counted_board()

    @cached_property
    def formula(self) -> FormulaFile:
        with work_step(self.source.activity):
            return self.stack.enter_context(self.source.formula_file(COUNT))

    @cached_property
    def header_verified(self) -> bool:
        """True if rebuilding from the header reproduces the formula exactly."""
        return self.formula.generated_here or rebuilds_identically(self.formula)

    @property
    def problem_name(self) -> str:
        """Name of the problem in the catalogue; empty for other formulas."""
        return self.source.name if self.is_board else self.formula.header.problem

    @cached_property
    def projection(self) -> ProjectionVerdict | None:
        """Verdict on the projection; raise InputError if it does not meet the requirements.

        None for a formula without views: without a board, any projection is accepted.
        """
        if not self.formula.header.display.views:
            self.formula.projection()
            return None
        limits = projection_limits(self.clock.remaining(Limits()).wall)
        with self.progress("checking the projection"):
            verdict = projection_verdict(self.formula, SolveRequest("cadical", limits=limits))
        if verdict.validity not in self.requirements.accepted:
            fault = self.requirements.fault.format(verdict.reason)
            raise InputError(fault, self.requirements.remedy, self.source.name)
        return verdict

    def readable_by(self, candidate: CounterOnRuntime) -> Instance | None:
        """Return the board or formula to run a solver on; None if the solver does not apply."""
        if not candidate.reads_board:
            _ = self.projection  # raises if the projection is not accepted
            return self.formula
        if self.is_board:
            return self.board if self.board.header.board.options else None
        header = self.formula.header
        if self.requirements.accepts_invalid or self.formula.weighted:
            return None
        if not header.board.options or header.symmetry or not self.header_verified:
            return None
        return self.formula


@dataclass(frozen=True)
class SelectedCounter:
    """Counter or sampler with its instance and the reason for its selection."""

    candidate: CounterOnRuntime
    instance: Instance
    reason: str = ""
    """Reason for the selection. Empty if the user named the solver."""

    @property
    def reads_formula(self) -> bool:
        return isinstance(self.instance, FormulaFile)


@dataclass
class Portfolio:
    """Trials of exact counters or samplers on an instance, and their failures."""

    instance: LazyInstance
    capability: Capability
    """Capability of the solvers to try: exact counting or exact sampling."""
    task: Task
    """Task of each run, without its file; trials get lower limits."""
    runtime: str
    notify: Callable[[str], object]
    failures: list[str] = field(default_factory=list)
    """Message about each solver that failed."""
    unfinished: list[CounterOnRuntime] = field(default_factory=list)
    """Solvers that reached a limit of time or memory."""
    seconds: float = 0.0
    """Wall time in seconds of all trials together."""

    def select(self, named: CounterOnRuntime) -> SelectedCounter:
        """Select the solver that the user named, with the board or formula that it reads."""
        on_board = self.instance.is_board and named.reads_board
        selected = SelectedCounter(
            named, self.instance.board if on_board else self.instance.formula
        )
        if named.reads_board:
            require_verified_header(selected.instance)
        return selected

    def run(self, selected: SelectedCounter, task: Task | None = None) -> Count:
        """Run the selected solver within the limits of the whole command."""
        return run_counter(selected.instance, selected.candidate, task or self.task, self.runtime)

    def limit_answer(
        self, named: CounterOnRuntime | None, limit: CommandLimitError
    ) -> tuple[SelectedCounter, Count]:
        """Return a solver and an unknown count, for a limit reached before any solver ran."""
        name, board_first = self.instance.source.name, self.instance.is_board
        if named is None:
            named = exact_solvers(self.capability, name, self.runtime, board_first).candidates[0]
        count = Count(None, None, True, None, limit.answer(named.solver, named.runtime))
        return SelectedCounter(named, placeholder_instance(name)), count

    def try_exact(self) -> tuple[SelectedCounter, Count] | None:
        """Try all exact solvers and return the first one that finishes, with its result."""
        waiting, missing = exact_solvers(
            self.capability, self.instance.problem_name, self.runtime, self.instance.is_board
        )
        for position, candidate in enumerate(waiting):
            instance = self.instance.readable_by(candidate)
            if instance is None:
                continue
            limits = self.instance.clock.remaining(self.task.limits)
            if limits.wall == MIN_TIME_LIMIT:
                self.failures.append(f"no time was left for {candidate.name}")
                continue
            seconds = [candidate.solver.trial_seconds for candidate in waiting[position:]]
            limits = trial_limits(self.task.limits, limits.wall, self.seconds, seconds)
            task = replace(self.task, limits=limits)
            with self.instance.progress(f"trying {candidate.name}"):
                count = run_counter(instance, candidate, task, self.runtime)
            if count.is_finished:
                on_board = candidate.reads_board and isinstance(instance, FormulaFile)
                subject = ", on the board of this formula" if on_board else ""
                reason = "; ".join([f"exact, and quick here{subject}", *self.failures])
                return SelectedCounter(candidate, instance, reason), count
            self._add_failure(candidate, count.answer, limits, waiting[position + 1 :])
        self.failures += [f"{name} cannot run here" for name in missing]
        return None

    def fallback(self, capability: Capability, fault: str, remedy: str) -> CounterOnRuntime:
        """Return an approximate solver of the formula; raise InputError if none can run here.

        The error consists of `fault` and the failures of the exact solvers. The placeholder `{}` in
        `remedy` is replaced by the exact solver that is most likely to finish without a limit.
        """
        _ = self.instance.projection
        problem = self.instance.formula.header.problem
        candidates, missing = available_solvers(capability, problem, self.runtime)
        if not candidates:
            reasons = [*self.failures, *(f"{name} cannot run here" for name in missing)]
            exact = self.unfinished[-1].name if self.unfinished else "enumeration"
            raise InputError(f"{fault}: {'; '.join(reasons)}", remedy.format(exact))
        return candidates[0]

    def _add_failure(
        self,
        candidate: CounterOnRuntime,
        answer: Answer,
        limits: Limits,
        waiting: Sequence[CounterOnRuntime],
    ) -> None:
        self.seconds += answer.run.usage.wall
        failure = f"{candidate.name} {self._failure(answer, limits)}"
        self.failures.append(failure)
        if answer.run.termination in LIMIT_ENDS:
            self.unfinished.append(candidate)
        if answer.run.usage.wall > MIN_REPORTED_SECONDS and waiting:
            self.notify(f"{failure}; trying {waiting[0].name}")

    def _failure(self, answer: Answer, limits: Limits) -> str:
        if answer.run.termination in (TerminationReason.CPU, TerminationReason.TIME):
            seconds = limits.cpu if answer.run.termination is TerminationReason.CPU else limits.wall
            noun = "sample" if self.capability is Capability.SAMPLE else "count"
            return f"found no {noun} within {seconds:.3g} s"
        # The last clause of the fault of a crash, without location and remedy.
        return f"gave up ({answer.reason.split(': ')[-1].split(';')[0]})"


@contextmanager
def open_portfolio(
    source: WorkflowInput,
    requirements: ProjectionRequirements,
    capability: Capability,
    task: Task,
    runtime: str,
    display: Display,
    has_timeout: bool,
) -> Iterator[Portfolio]:
    """Open a portfolio under the limits of its task; its formula file exists inside the context.

    Without `has_timeout` there is a default timeout.
    """
    limits = task.limits
    if not has_timeout and limits.wall is None:
        limits = replace(limits, wall=DEFAULT_TIMEOUT)
    with ExitStack() as stack, limited_command(limits) as clock:
        instance = LazyInstance(source, requirements, clock, stack, display.progress)
        task = replace(task, limits=limits)
        yield Portfolio(instance, capability, task, runtime, display.notify)


def projection_limits(wall_left: float | None) -> Limits:
    """Return the limits of the projection check, given the remaining time of the command."""
    seconds = MAX_PROJECTION_SECONDS if wall_left is None else wall_left / 4
    return Limits(wall=min(seconds, MAX_PROJECTION_SECONDS))


def trial_limits(
    limits: Limits, wall_left: float | None, used: float, seconds: Sequence[int]
) -> Limits:
    """Return the limits of a trial: its share of the time for all remaining trials.

    Parameters
    ----------
    limits
        Limits of the whole count.
    wall_left
        Remaining wall time in seconds. None: unlimited.
    used
        Wall time in seconds of earlier trials.
    seconds
        CPU time limit of this trial and of each later one.
    """
    total = min(MAX_TRIALS_SECONDS, (limits.wall or DEFAULT_TIMEOUT) / 2)
    share = max(total - used, MIN_TIME_LIMIT) * seconds[0] / sum(seconds)
    return Limits(
        min(share, wall_left or share),
        min(seconds[0], limits.cpu or seconds[0]),
        min(MAX_TRIAL_BYTES, limits.memory or MAX_TRIAL_BYTES),
    )


def exact_solvers(
    capability: Capability, problem: str, runtime: str, board_first: bool
) -> AvailableSolvers:
    """Return the exact solvers to try, sorted by the time of their trial.

    Solvers that read the board come first if `board_first`, otherwise last: a formula that the user
    named is counted itself if possible. An empty problem name stands for any formula.
    """
    trials = [solver for solver in _solvers_with(capability, problem) if solver.trial_seconds]
    trials.sort(
        key=lambda solver: (
            (solver.input_format is InputFormat.BOARD) != board_first,
            solver.trial_seconds,
        )
    )
    return _available(trials, runtime)


def available_solvers(capability: Capability, problem: str, runtime: str) -> AvailableSolvers:
    """Return all solvers with a capability, in the order of their names."""
    return _available(_solvers_with(capability, problem), runtime)


def _solvers_with(capability: Capability, problem: str) -> list[Solver]:
    return [
        solver
        for solver in map(solvers.load, solvers.names())
        if capability in solver.capabilities and solver.supports_problem(problem)
    ]


def _available(candidates: Iterable[Solver], runtime: str) -> AvailableSolvers:
    available = AvailableSolvers([], [])
    for solver in candidates:
        try:
            available.candidates.append(CounterOnRuntime(solver, select_runtime(solver, runtime)))
        except BoardsatError:
            available.missing.append(solver.name)
    return available


def longer_timeout(limits: Limits, end: TerminationReason) -> list[str]:
    """Return the option that raises the time limit that ended a run; empty if none did."""
    options = {
        TerminationReason.TIME: ("--timeout", limits.wall),
        TerminationReason.CPU: ("--cpu", limits.cpu),
    }
    option, seconds = options.get(end, ("", None))
    return (
        [] if seconds is None else [f"raise the time limit: {option} {TIMEOUT_FACTOR * seconds:g}"]
    )


def board_readers(unfinished: Sequence[CounterOnRuntime]) -> list[str]:
    """Return the names of the unfinished solvers that read the board.

    Their time depends on the width of the board, but the time of enumeration on the number of
    models.
    """
    return [candidate.name for candidate in unfinished if candidate.reads_board]
