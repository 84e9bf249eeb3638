"""One count from question to answer: by the counter that is named, or by those that are tried.

A board is counted at once; its formula is made only where somebody needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property

from boardsat.adapters.accuracy import DELTA, EPSILON
from boardsat.adapters.answer import Answer, End
from boardsat.adapters.counts import counted as how_many
from boardsat.adapters.errors import AdapterError
from boardsat.adapters.runtimes import Limits, choose
from boardsat.clock import LimitError, during, running
from boardsat.counting import choosing, projections, remedies
from boardsat.counting.choosing import CountPlan
from boardsat.counting.clock import WHOLE, Clock
from boardsat.counting.comparing import PUBLISHED, CountComparison, Referee, compared, published
from boardsat.counting.projections import ProjectionVerdict, Validity
from boardsat.counting.question import NOBODY
from boardsat.counting.runs import Count, CountRequest, PlacedCounter, counter, median, run
from boardsat.counting.telling import Counted
from boardsat.generators.defaults import COUNT
from boardsat.problem import Instance, Problem, unknown
from boardsat.rebuilding import is_built_alike, refuse_unlike
from boardsat.solving.asking import SolveRequest
from boardsat.sources import Source

NOTICEABLE = 2.0
"""Seconds of a trial after which somebody who waits is told."""


@dataclass(frozen=True)
class Way:
    """How a count is done: who reads what, and why."""

    candidate: PlacedCounter
    instance: Instance
    why: str = ""
    """Empty where the counter was named."""


@contextmanager
def counted(
    source: Source,
    plan: CountPlan,
    working: Callable[[str], AbstractContextManager[object]] = nullcontext,
    tell: Callable[[str], object] = lambda _: None,
) -> Iterator[Counted]:
    """The count, while its files are there.

    `working` shows what is being done while it is; `tell` is told what takes its time.
    """
    with ExitStack() as stack:
        work = _Work(source, plan, stack, working, tell)
        yield work.limited()


@dataclass
class _Work:
    """What is known of one count while it is done."""

    source: Source
    plan: CountPlan
    stack: ExitStack
    working: Callable[[str], AbstractContextManager[object]]
    tell: Callable[[str], object]
    failed: list[str] = field(default_factory=list)
    """Why there is no exact count, in words."""
    unfinished: list[PlacedCounter] = field(default_factory=list)
    """Exact counters that would have needed more time or memory."""

    def __post_init__(self) -> None:
        self.question = self.plan.question
        limits = self.question.limits
        if self.plan.named is None and limits.wall is None:
            limits = replace(limits, wall=WHOLE)
        self.clock = Clock(limits)

    def limited(self) -> Counted:
        """The result, within the limits of all."""
        with running(self.clock.limits):
            try:
                return self.result()
            except LimitError as limit:
                return self._stopped(limit)

    def _stopped(self, limit: LimitError) -> Counted:
        """As if the counter had run into the limit that fell before it could."""
        first = (
            self.plan.named
            or choosing.exact(self.source.name, self.question.runtime, self.means_board)[0][0]
        )
        none = Count(None, None, True, None, limit.answer(first.solver, first.where))
        nothing, limit_of_all = unknown(self.source.name), self.clock.limits.wall
        return Counted(
            nothing,
            [none],
            none,
            None,
            None,
            self.question.epsilon or EPSILON,
            self.question.delta or DELTA,
            limit=limit_of_all,
            remedy=remedies.remedy(self.plan, nothing.header, self.unfinished, limit_of_all),
        )

    def result(self) -> Counted:
        named, asked = self.plan.named, self.question.asks_for_estimate
        if named:
            on_board = self.means_board and named.solver.reads == "board"
            way = Way(named, self.board if on_board else self.problem)
            if named.solver.reads == "board":
                refuse_unlike(way.instance)
            return self._told(way, self._counts(way))
        found = None if asked else self._exact()
        return found or self._estimated(asked)

    @property
    def means_board(self) -> bool:
        """Whether it is named by its problem alone, so that no formula of it is meant."""
        return not (self.source.is_formula or self.question.any_projection)

    @cached_property
    def board(self) -> Instance:
        """The board alone."""
        with during("the board was made"):
            return self.source.counted_board()

    @cached_property
    def problem(self) -> Problem:
        """The formula, in a file."""
        with during(self.source.making):
            return self.stack.enter_context(self.source.opened(COUNT))

    @cached_property
    def is_as_told(self) -> bool:
        """Whether the formula is the one that its header describes."""
        return self.problem.own or is_built_alike(self.problem)

    @cached_property
    def problem_name(self) -> str:
        """Of the catalogue."""
        return self.source.name if self.means_board else self.problem.header.problem

    def _exact(self) -> Counted | None:
        """By an exact counter that is quick, on the board or on the formula."""
        waiting, missing = choosing.exact(
            self.problem_name, self.question.runtime, self.means_board
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
                found = run(instance, candidate, self._request(candidate, limits))
            if found.objects is not None:
                why = "; ".join([_quick(candidate, instance), *self.failed])
                return self._told(Way(candidate, instance, why), [found])
            self._fail(candidate, found.answer, limits, waiting[place + 1 :])
        self.failed += [f"{name} cannot run here" for name in missing]
        return None

    def _readable(self, candidate: PlacedCounter) -> Instance | None:
        """What a counter may read; None where that would not be what is asked for."""
        if candidate.solver.reads == "board":
            if self.means_board:
                return self.board if self.board.header.board else None
            problem = self.problem
            if self.question.any_projection or problem.weighted or not problem.header.board:
                return None
            return problem if self.is_as_told else None
        _ = self.projection  # before anything is counted over it
        return self.problem

    def _fail(
        self, candidate: PlacedCounter, answer: Answer, limits: Limits, waiting: list[PlacedCounter]
    ) -> None:
        self.clock.spent_on_trials += answer.usage.wall
        name, why = candidate.solver.name, _why_not(answer, limits)
        self.failed.append(f"{name} {why}")
        if answer.end in (End.TIME, End.CPU, End.MEMORY):
            self.unfinished.append(candidate)
        if answer.usage.wall > NOTICEABLE and waiting:
            self.tell(f"{name} {why}; trying {waiting[0].solver.name}")

    def _estimated(self, asked: str) -> Counted:
        _ = self.projection
        if self.problem.weighted:
            return self._patiently_weighed(asked)
        found, missing = choosing.estimators(self.problem.header.problem, self.question.runtime)
        if not found:
            why = "; ".join([*self.failed, *(f"{name} cannot run here" for name in missing)])
            raise AdapterError(
                f"no exact count in a short time, and no estimate: {why}",
                "pip install 'boardsat[counting]', or wait for an exact one with "
                f"--counter {self._patient()}",
            )
        why = f"{asked} asks for it" if asked else "; ".join(self.failed)
        way = Way(found[0], self.problem, f"an estimate: {why}")
        if not asked:
            self.tell(self._announced(found[0]))
        return self._told(way, self._counts(way))

    def _patiently_weighed(self, asked: str) -> Counted:
        """Exactly, in all the time that is left: no estimate has weights."""
        if asked:
            self.problem.refuse_weights("no estimate supports", f"leave {asked} out")
        if not self.unfinished:
            raise AdapterError(f"no count: {'; '.join(self.failed)}", "choose another --counter")
        way = Way(self.unfinished[-1], self.problem, f"exact; {'; '.join(self.failed)}")
        return self._told(way, self._counts(way))

    def _patient(self) -> str:
        """The exact counter that is most likely to come to an end."""
        return self.unfinished[-1].solver.name if self.unfinished else "enumeration"

    def _announced(self, estimator: PlacedCounter) -> str:
        last = f"{self.failed[-1]}; " if self.failed else ""
        line = f"{last}{estimator.solver.name} estimates it now"
        wall = self.clock.left().wall or WHOLE
        own = "" if self.question.limits.wall else f" of {WHOLE:g} s; --timeout gives another limit"
        return f"{line}, within the {wall:.3g} s that are left{own}"

    def _counts(self, way: Way) -> list[Count]:
        """One for each seed, as long as the counter comes to an end."""
        first, repeat = self.question.seed, self.question.repeat or 1
        if isinstance(way.instance, Problem):
            _ = self.projection
            size = how_many(way.instance.clauses, "clause")
        else:
            size = "the board"
        found: list[Count] = []
        with self.working(f"{way.candidate.solver.name} on {size}"):
            for step in range(repeat):
                request = self._request(way.candidate, self.clock.left())
                if repeat > 1:
                    request = replace(request, seed=(1 if first is None else first) + step)
                found.append(run(way.instance, way.candidate, request))
                if found[-1].objects is None:
                    break
        return found

    def _request(self, candidate: PlacedCounter, limits: Limits) -> CountRequest:
        asked = self.question
        return CountRequest(
            candidate.solver.name,
            asked.runtime,
            limits,
            asked.seed if candidate.takes_seed else None,
            asked.epsilon or EPSILON,
            asked.delta or DELTA,
        )

    def _told(self, way: Way, found: list[Count]) -> Counted:
        is_formula = isinstance(way.instance, Problem)
        middle, limit = median(found), self.clock.limits.wall
        remedy = ""
        if middle.objects is None:
            remedy = remedies.remedy(self.plan, way.instance.header, self.unfinished, limit)
        return Counted(
            way.instance,
            found,
            middle,
            self._comparison(way.instance, found, middle),
            self.projection if is_formula else None,
            self.question.epsilon or EPSILON,
            self.question.delta or DELTA,
            way.why,
            tuple(self.source.default(COUNT)) if is_formula else (),
            limit,
            remedy,
            not is_formula or self.is_as_told,
        )

    def _comparison(
        self, instance: Instance, found: list[Count], middle: Count
    ) -> CountComparison | None:
        known = PUBLISHED in instance.header.objects and not instance.weighted
        name = self.question.referee or (PUBLISHED if known else NOBODY)
        if name == NOBODY:
            return None
        if name == PUBLISHED:
            return compared(middle, found, self._published(instance))
        if middle.objects is None:
            return None  # there is nothing to compare, and often no time left
        with self.working("the referee"):
            return compared(middle, found, self._referee(name, instance))

    def _published(self, instance: Instance) -> Referee:
        """What books say of this board; of a file only if it is of this board."""
        known = published(instance)
        if not isinstance(instance, Problem) or self.is_as_told:
            return known
        return replace(known, objects=None, reason="the file cannot be built again from its header")

    def _referee(self, name: str, instance: Instance) -> Referee:
        """Another counter, in the time that is left."""
        solver = counter(name)
        candidate = PlacedCounter(solver, choose(solver, self.question.runtime))
        read = self.problem if solver.reads == "formula" else instance
        if solver.reads == "board":
            refuse_unlike(read)
        found = run(read, candidate, self._request(candidate, self.clock.left()))
        answer = found.answer
        source = f"{name} {answer.version}, {answer.runtime}"
        return Referee(name, source, found.objects, found.exact, found.interval, answer.reason)

    @cached_property
    def projection(self) -> ProjectionVerdict | None:
        """What is known of ours; an error if it is wrong and nobody said to go on.

        None for a file from elsewhere: its projection is whatever somebody wanted to count.
        """
        problem = self.problem
        if not problem.header.views:
            problem.projection()
            return None
        limits = Limits(wall=self.clock.for_projection())
        with self.working("is the projection right?"):
            verdict = projections.validate(problem, SolveRequest("cadical", limits=limits))
        if verdict.word is Validity.INVALID and not self.question.any_projection:
            raise AdapterError(
                f"the projection is invalid: {verdict.reason}",
                "look at them with `boardsat projection`, or count anyway with --any-projection",
                self.source.name,
            )
        return verdict


def _quick(candidate: PlacedCounter, instance: Instance) -> str:
    on_board = candidate.solver.reads == "board" and isinstance(instance, Problem)
    return "exact, and quick here" + (", on the board of this formula" if on_board else "")


def _why_not(answer: Answer, limits: Limits) -> str:
    """In a few words: of a crash, its last ones without their remedy."""
    if answer.end in (End.CPU, End.TIME):
        seconds = limits.cpu if answer.end is End.CPU else limits.wall
        return f"found no count within {seconds:.3g} s"
    return f"gave up ({answer.reason.split(': ')[-1].split(';')[0]})"
