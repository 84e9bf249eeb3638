"""What a count and a sample share: exact solvers are tried in turn, on the board or the formula.

The board is made at once; its formula only where somebody needs it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Protocol, TypeVar

from boardsat.adapters.answer import Answer, End, Status
from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers.capabilities import Ability
from boardsat.clock import during
from boardsat.generators.spec.defaults import COUNT
from boardsat.instance.formula_file import FormulaFile, Instance
from boardsat.instance.header_verification import rebuilds_identically, require_verified_header
from boardsat.instance.inputs import WorkflowInput
from boardsat.workflows.count import counter_selection, projections
from boardsat.workflows.count.clock import WHOLE, CountClock
from boardsat.workflows.count.counter_run import PlacedCounter
from boardsat.workflows.count.projections import ProjectionVerdict
from boardsat.workflows.solve.request import SolveRequest

NOTICEABLE = 2.0
"""Seconds of a trial after which somebody who waits is told."""


class AttemptQuestion(Protocol):
    """What is asked of any of them."""

    @property
    def limits(self) -> Limits: ...

    @property
    def runtime(self) -> str: ...

    @property
    def any_projection(self) -> bool: ...


class AttemptPlan(Protocol):
    """A question whose names have been looked up."""

    @property
    def question(self) -> AttemptQuestion: ...

    @property
    def named(self) -> PlacedCounter | None: ...


class HasAnswer(Protocol):
    @property
    def answer(self) -> Answer: ...


Found = TypeVar("Found", bound=HasAnswer)


@dataclass(frozen=True)
class Way:
    """How it is done: who reads what, and why."""

    candidate: PlacedCounter
    instance: Instance
    why: str = ""
    """Empty where the solver was named."""


@dataclass
class Attempts(ABC):
    """What is known of one count or sample while it is done."""

    source: WorkflowInput
    plan: AttemptPlan
    stack: ExitStack
    working: Callable[[str], AbstractContextManager[object]]
    tell: Callable[[str], object]
    failed: list[str] = field(default_factory=list)
    """Why there is no exact one, in words."""
    unfinished: list[PlacedCounter] = field(default_factory=list)
    """Exact ones that would have needed more time or memory."""

    ability: ClassVar[Ability]
    """Of those that are exact."""
    wanted: ClassVar[str]
    """What they shall find, in words."""

    def __post_init__(self) -> None:
        limits = self.plan.question.limits
        if self.plan.named is None and limits.wall is None:
            limits = replace(limits, wall=WHOLE)
        self.clock = CountClock(limits)

    @property
    def means_board(self) -> bool:
        """Whether it is named by its problem alone, so that no formula of it is meant."""
        return not (self.source.is_formula or self.plan.question.any_projection)

    @cached_property
    def board(self) -> Instance:
        """The board alone."""
        with during("the board was made"):
            return self.source.counted_board()

    @cached_property
    def problem(self) -> FormulaFile:
        """The formula, in a file."""
        with during(self.source.activity):
            problem = self.stack.enter_context(self.source.formula_file(COUNT))
        self.refuse_formula(problem)
        return problem

    @cached_property
    def is_as_told(self) -> bool:
        """Whether the formula is the one that its header describes."""
        return self.problem.generated_here or rebuilds_identically(self.problem)

    @cached_property
    def problem_name(self) -> str:
        """Of the catalogue."""
        return self.source.name if self.means_board else self.problem.header.problem

    @cached_property
    def projection(self) -> ProjectionVerdict | None:
        """What is known of it; an error if it must not be used.

        None for a file from elsewhere: its projection is whatever somebody wanted to count.
        """
        if not self.problem.header.views:
            self.problem.projection()
            return None
        limits = Limits(wall=self.clock.for_projection())
        with self.working("is the projection right?"):
            verdict = projections.validate(self.problem, SolveRequest("cadical", limits=limits))
        self.refuse(verdict)
        return verdict

    @abstractmethod
    def refuse_formula(self, problem: FormulaFile) -> None:
        """An error where it is of a kind that is not for this."""

    @abstractmethod
    def refuse(self, verdict: ProjectionVerdict) -> None:
        """An error where the projection must not be used."""

    def likely(self) -> PlacedCounter:
        """Who is to blame where a limit fell before anybody could begin."""
        runtime = self.plan.question.runtime
        return (
            self.plan.named
            or counter_selection.exact(self.ability, self.source.name, runtime, self.means_board)[
                0
            ][0]
        )

    def named_way(self, named: PlacedCounter) -> Way:
        on_board = self.means_board and named.solver.reads == "board"
        way = Way(named, self.board if on_board else self.problem)
        if named.solver.reads == "board":
            require_verified_header(way.instance)
        return way

    def quick(
        self, run: Callable[[Instance, PlacedCounter, Limits], Found]
    ) -> tuple[Way, Found] | None:
        """What an exact solver finds that is quick, on the board or on the formula."""
        waiting, missing = counter_selection.exact(
            self.ability, self.problem_name, self.plan.question.runtime, self.means_board
        )
        for place, candidate in enumerate(waiting):
            instance = self._readable(candidate)
            if instance is None:
                continue
            name = candidate.solver.name
            if self.clock.is_over:
                self.failed.append(f"no time was left for {name}")
                continue
            limits = self.clock.for_trial([each.solver.trial for each in waiting[place:]])
            with self.working(f"{name}, if it is quick"):
                found = run(instance, candidate, limits)
            answer = found.answer
            if answer.status is not Status.UNKNOWN or answer.weighted is not None:
                why = "; ".join([_quick(candidate, instance), *self.failed])
                return Way(candidate, instance, why), found
            self._fail(candidate, answer, limits, waiting[place + 1 :])
        self.failed += [f"{name} cannot run here" for name in missing]
        return None

    def patient(self) -> str:
        """The exact one that is most likely to come to an end."""
        return self.unfinished[-1].solver.name if self.unfinished else "enumeration"

    def _readable(self, candidate: PlacedCounter) -> Instance | None:
        """What a solver may read; None where that would not be what is asked for."""
        if candidate.solver.reads == "board":
            if self.means_board:
                return self.board if self.board.header.board else None
            header = self.problem.header
            asks_more = self.plan.question.any_projection or self.problem.weighted
            if asks_more or not header.board or header.symmetry:
                return None
            return self.problem if self.is_as_told else None
        _ = self.projection  # before anything is counted over it
        return self.problem

    def _fail(
        self, candidate: PlacedCounter, answer: Answer, limits: Limits, waiting: list[PlacedCounter]
    ) -> None:
        self.clock.spent_on_trials += answer.usage.wall
        name, why = candidate.solver.name, self._why_not(answer, limits)
        self.failed.append(f"{name} {why}")
        if answer.end in (End.TIME, End.CPU, End.MEMORY):
            self.unfinished.append(candidate)
        if answer.usage.wall > NOTICEABLE and waiting:
            self.tell(f"{name} {why}; trying {waiting[0].solver.name}")

    def _why_not(self, answer: Answer, limits: Limits) -> str:
        """In a few words: of a crash, its last ones without their remedy."""
        if answer.end in (End.CPU, End.TIME):
            seconds = limits.cpu if answer.end is End.CPU else limits.wall
            return f"found no {self.wanted} within {seconds:.3g} s"
        return f"gave up ({answer.reason.split(': ')[-1].split(';')[0]})"


def _quick(candidate: PlacedCounter, instance: Instance) -> str:
    on_board = candidate.solver.reads == "board" and isinstance(instance, FormulaFile)
    return "exact, and quick here" + (", on the board of this formula" if on_board else "")
