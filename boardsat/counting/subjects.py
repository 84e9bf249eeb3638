"""One count from question to answer: choose a counter, check projection and count.

A board is counted at once; its formula is made only where somebody needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from boardsat.adapters.counts import counted as how_many
from boardsat.counting.telling import Counted
from boardsat.generators.defaults import COUNT
from boardsat.generators.errors import InputError

if TYPE_CHECKING:
    from boardsat.adapters.runtimes import Limits
    from boardsat.adapters.solvers import Solver
    from boardsat.counting.projections import ProjectionVerdict
    from boardsat.counting.trials import Trials
    from boardsat.counting.workflow import Count, CountRequest, Referee
    from boardsat.problem import Instance, Problem
    from boardsat.sources import Source

NOBODY = "none"

EPSILON, DELTA = 0.8, 0.2

PATIENCE = 60
"""Seconds of wall time for the question whether a projection is right."""


@dataclass(frozen=True)
class CountQuestion:
    """How to count; None where nobody says."""

    limits: Limits
    counter: str | None = None
    runtime: str = "auto"
    seed: int | None = None
    epsilon: float | None = None
    delta: float | None = None
    repeat: int | None = None
    referee: str | None = None
    any_projection: bool = False

    @property
    def asks_for_estimate(self) -> str:
        """The option that does."""
        given = {"epsilon": self.epsilon, "delta": self.delta, "repeat": self.repeat}
        return next((f"--{name}" for name, value in given.items() if value is not None), "")

    def refuse_ignored(self) -> None:
        """What a counter could only ignore is refused, before anything is counted."""
        from boardsat.counting import workflow as counting

        if self.referee not in (None, NOBODY, counting.PUBLISHED):
            counting.counter(self.referee)
        if self.counter is None:
            return
        solver = counting.counter(self.counter)
        if "count" in solver.can and not _is_estimate(self.referee):
            for name, value in (("epsilon", self.epsilon), ("delta", self.delta)):
                if value is not None:
                    raise InputError(f"{solver.name} counts exactly", "leave it out", f"--{name}")
        if self.seed is not None and not _takes_seed(solver, self.runtime):
            raise InputError(f"{solver.name} takes no seed", "leave it out", "--seed")
        if (self.repeat or 1) > 1 and not _takes_seed(solver, self.runtime):
            raise InputError(
                f"{solver.name} takes no seed, and would count the same again",
                "leave it out",
                "--repeat",
            )
        if solver.reads == "board" and self.any_projection:
            raise InputError(f"{solver.name} reads no formula", "leave it out", "--any-projection")


def _is_estimate(referee: str | None) -> bool:
    from boardsat.adapters import solvers

    return referee in solvers.names() and "estimate" in solvers.load(referee).can


def _takes_seed(solver: Solver, runtime: str) -> bool:
    from boardsat.adapters.runtimes import choose

    return solver.takes_seed(choose(solver, runtime))


class Subject:
    """What is to be counted, and how."""

    def __init__(
        self,
        source: Source,
        question: CountQuestion,
        working: Callable[[str], AbstractContextManager[object]] = nullcontext,
        tell: Callable[[str], object] = lambda _: None,
    ) -> None:
        """`working` shows what is being done while it is; `tell` is told what takes its time."""
        self.source, self.question = source, question
        self.working, self.tell = working, tell
        self.stack = ExitStack()

    @contextmanager
    def counted(self) -> Iterator[Counted]:
        """The count, while its files are there."""
        with self.stack:
            yield self._named() if self.question.counter else self._chosen()

    @cached_property
    def board(self) -> Instance:
        """The board alone."""
        return self.source.counted_board()

    @cached_property
    def problem(self) -> Problem:
        """The formula, in a file."""
        return self.stack.enter_context(self.source.opened(COUNT))

    @property
    def is_a_board(self) -> bool:
        """Whether it is named by its problem alone, so that no formula of it is meant."""
        return not (self.source.is_formula or self.question.any_projection)

    @cached_property
    def request(self) -> CountRequest:
        from boardsat.counting.workflow import CountRequest

        asked = self.question
        return CountRequest(
            asked.counter or "",
            asked.runtime,
            asked.limits,
            asked.seed,
            asked.epsilon or EPSILON,
            asked.delta or DELTA,
        )

    def _named(self) -> Counted:
        """By the counter that is named."""
        from boardsat.counting.workflow import counter

        on_board = self.is_a_board and counter(self.request.counter).reads == "board"
        return self._by(self.request, self.board if on_board else self.problem)

    def _chosen(self) -> Counted:
        """By an exact counter that is quick, otherwise nearly."""
        trials, asked = self.trials, self.question.asks_for_estimate
        if not asked:
            for instance in self._instances():
                with self.working("an exact count, if it is quick"):
                    found = trials.exact(instance)
                if found is not None:
                    why = "; ".join(["exact, and quick here", *trials.failed])
                    return self._told(instance, [found], self.request, why)
        _ = self.projection
        request = trials.estimate(self.problem)
        why = f"{asked} asks for it" if asked else "; ".join(trials.failed)
        if not asked:
            self.tell(f"{why}; {request.counter} estimates it now")
        counted = self._by(request, self.problem)
        return replace(counted, chosen=f"an estimate: {why}")

    @cached_property
    def trials(self) -> Trials:
        from boardsat.counting.trials import Trials

        return Trials(self.request)

    def _instances(self) -> Iterator[Instance]:
        """What an exact counter may read, the board first."""
        if self.is_a_board and self.board.header.board:
            yield self.board
        _ = self.projection  # before anything is counted over it
        yield self.problem

    def _by(self, request: CountRequest, instance: Instance) -> Counted:
        from boardsat.counting.workflow import counts
        from boardsat.problem import Problem

        if isinstance(instance, Problem):
            _ = self.projection
            size = how_many(instance.clauses, "clause")
        else:
            size = "the board"
        with self.working(f"{request.counter} on {size}"):
            found = list(counts(instance, request, self.question.repeat or 1))
        return self._told(instance, found, request)

    def _told(
        self, instance: Instance, found: list[Count], request: CountRequest, why: str = ""
    ) -> Counted:
        from boardsat.problem import Problem

        is_formula = isinstance(instance, Problem)
        with self.working("the referee"):
            other = self._referee(instance, request)
        return Counted(
            instance,
            found,
            other,
            self.projection if is_formula else None,
            request.epsilon,
            request.delta,
            why,
            tuple(self.source.default(COUNT)) if is_formula else (),
        )

    def _referee(self, instance: Instance, request: CountRequest) -> Referee | None:
        from boardsat.counting.workflow import PUBLISHED, counter, referee

        known = PUBLISHED in instance.header.objects
        name = self.question.referee or (PUBLISHED if known else NOBODY)
        if name == NOBODY:
            return None
        if name != PUBLISHED and counter(name).reads == "formula":
            instance = self.problem
        return referee(instance, name, replace(request, runtime=self.question.runtime))

    @cached_property
    def projection(self) -> ProjectionVerdict | None:
        """What is known of it; an error if it is wrong and nobody said to go on.

        None for a file from elsewhere: its projection is whatever somebody wanted to count.
        """
        from boardsat.adapters.errors import AdapterError
        from boardsat.adapters.runtimes import Limits
        from boardsat.counting import projections
        from boardsat.solving.asking import SolveRequest

        problem, asked = self.problem, self.question
        if not problem.header.views:
            problem.projection()
            return None
        limit = asked.limits.wall or PATIENCE
        if not asked.counter:
            # Where the counter is chosen, too, the limit is for all of it together.
            limit = min(self.trials.left().wall or PATIENCE, PATIENCE)
        looking = SolveRequest("cadical", limits=Limits(wall=limit))
        with self.working("is the projection right?"):
            verdict = projections.validate(problem, looking)
        if verdict.word == projections.INVALID and not asked.any_projection:
            raise AdapterError(
                f"the projection is invalid: {verdict.reason}",
                "look at them with `boardsat projection`, or count all the same with "
                "--any-projection",
                self.source.name,
            )
        return verdict
