"""One count from question to answer: by the counter that is named, or by those that are tried.

A board is counted at once; its formula is made only where somebody needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace

from boardsat.adapters.counters import DEFAULT_DELTA, DEFAULT_EPSILON
from boardsat.adapters.runtimes import Limits, choose
from boardsat.adapters.solvers.capabilities import Ability
from boardsat.base.errors import InputError
from boardsat.base.text import pluralize
from boardsat.clock import CommandLimitError, running
from boardsat.generators.spec.defaults import COUNT
from boardsat.instance.formula_file import FormulaFile, Instance, placeholder_instance
from boardsat.instance.header_verification import require_verified_header
from boardsat.instance.inputs import WorkflowInput
from boardsat.workflows.count import counter_selection, suggestions
from boardsat.workflows.count.burnside import Whole, whole_of
from boardsat.workflows.count.clock import WHOLE
from boardsat.workflows.count.counter_run import (
    Count,
    CountRequest,
    PlacedCounter,
    counter,
    median,
    run,
)
from boardsat.workflows.count.counter_selection import CountPlan
from boardsat.workflows.count.options import NOBODY
from boardsat.workflows.count.portfolio import Attempts, Way
from boardsat.workflows.count.projections import ProjectionVerdict, Validity
from boardsat.workflows.count.reference import (
    PUBLISHED,
    Comparable,
    CountComparison,
    Referee,
    compared,
    published,
)
from boardsat.workflows.count.result import Counted


@contextmanager
def counted(
    source: WorkflowInput,
    plan: CountPlan,
    working: Callable[[str], AbstractContextManager[object]] = nullcontext,
    tell: Callable[[str], object] = lambda _: None,
) -> Iterator[Counted]:
    """The count, while its files are there.

    `working` shows what is being done while it is; `tell` is told what takes its time.
    """
    with ExitStack() as stack:
        work = _Counting(source, plan, stack, working, tell)
        yield work.limited()


@dataclass
class _Counting(Attempts):
    """What is known of one count while it is done."""

    plan: CountPlan

    ability = Ability.COUNT
    wanted = "count"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.question = self.plan.question

    def limited(self) -> Counted:
        """The result, within the limits of all."""
        with running(self.clock.limits):
            try:
                return self.result()
            except CommandLimitError as limit:
                return self._stopped(limit)

    def _stopped(self, limit: CommandLimitError) -> Counted:
        """As if the counter had run into the limit that fell before it could."""
        first = self.likely()
        none = Count(None, None, True, None, limit.answer(first.solver, first.where))
        nothing, limit_of_all = placeholder_instance(self.source.name), self.clock.limits.wall
        return Counted(
            nothing,
            [none],
            none,
            None,
            None,
            self.question.epsilon or DEFAULT_EPSILON,
            self.question.delta or DEFAULT_DELTA,
            limit=limit_of_all,
            remedy=self._remedy(nothing, none),
        )

    def _remedy(self, instance: Instance, none: Count) -> str:
        limits, end = self.clock.limits, none.answer.end
        return suggestions.remedy(self.plan, instance.header, self.unfinished, limits, end)

    def result(self) -> Counted:
        named, asked = self.plan.named, self.question.asks_for_estimate
        if named:
            way = self.named_way(named)
            return self._told(way, self._counts(way))
        found = None if asked else self.quick(self._tried)
        return self._told(found[0], [found[1]]) if found else self._estimated(asked)

    def _tried(self, instance: Instance, candidate: PlacedCounter, limits: Limits) -> Count:
        return run(instance, candidate, self._request(candidate, limits))

    def _estimated(self, asked: str) -> Counted:
        _ = self.projection
        if self.problem.weighted:
            return self._patiently_weighed(asked)
        found, missing = counter_selection.able(
            Ability.ESTIMATE, self.problem.header.problem, self.question.runtime
        )
        if not found:
            why = "; ".join([*self.failed, *(f"{name} cannot run here" for name in missing)])
            raise InputError(
                f"no exact count in a short time, and no estimate: {why}",
                "pip install 'boardsat[counting]', or wait for an exact one with "
                f"--counter {self.patient()}",
            )
        why = f"{asked} asks for it" if asked else "; ".join(self.failed)
        way = Way(found[0], self.problem, f"an estimate: {why}")
        if not asked:
            self.tell(self._announced(found[0]))
        return self._told(way, self._counts(way))

    def _patiently_weighed(self, asked: str) -> Counted:
        """Exactly, in all the time that is left: no estimate has weights."""
        if asked:
            self.problem.require_unweighted("no estimate supports", f"leave {asked} out")
        if not self.unfinished:
            raise InputError(f"no count: {'; '.join(self.failed)}", "choose another --counter")
        way = Way(self.unfinished[-1], self.problem, f"exact; {'; '.join(self.failed)}")
        return self._told(way, self._counts(way))

    def _announced(self, estimator: PlacedCounter) -> str:
        last = f"{self.failed[-1]}; " if self.failed else ""
        line = f"{last}{estimator.solver.name} estimates it now"
        wall = self.clock.left().wall or WHOLE
        own = "" if self.question.limits.wall else f" of {WHOLE:g} s; --timeout gives another limit"
        return f"{line}, within the {wall:.3g} s that are left{own}"

    def _counts(self, way: Way) -> list[Count]:
        """One for each seed, as long as the counter comes to an end."""
        first, repeat = self.question.seed, self.question.repeat or 1
        if isinstance(way.instance, FormulaFile):
            _ = self.projection
            size = pluralize(way.instance.clauses, "clause")
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
            asked.epsilon or DEFAULT_EPSILON,
            asked.delta or DEFAULT_DELTA,
        )

    def _told(self, way: Way, found: list[Count]) -> Counted:
        is_formula = isinstance(way.instance, FormulaFile)
        middle, limit = median(found), self.clock.limits.wall
        whole = self._whole(way, middle)
        remedy = ""
        if middle.objects is None:
            remedy = self._remedy(way.instance, middle)
        return Counted(
            way.instance,
            found,
            middle,
            self._comparison(way.instance, found, middle, whole),
            self.projection if is_formula else None,
            self.question.epsilon or DEFAULT_EPSILON,
            self.question.delta or DEFAULT_DELTA,
            way.why,
            tuple(self.source.encoding_note(COUNT)) if is_formula else (),
            limit,
            remedy,
            not is_formula or self.is_as_told,
            whole,
        )

    def _whole(self, way: Way, middle: Count) -> Whole | None:
        """The number of all, where classes of them were counted."""
        if not way.instance.header.symmetry or middle.objects is None:
            return None
        if self.projection is not None and self.projection.word is not Validity.VALID:
            # Classes of solutions are broken, and what is counted are perhaps others.
            return Whole(None, (), "the projection is not known to be valid")

        def count(problem: FormulaFile) -> Count:
            return run(problem, way.candidate, self._request(way.candidate, self.clock.left()))

        with self.working("those that symmetries leave unchanged"):
            return whole_of(self.source, middle, count)

    def _comparison(
        self,
        instance: Instance,
        found: Sequence[Comparable],
        middle: Comparable,
        whole: Whole | None = None,
    ) -> CountComparison | None:
        # What is known of the board is known of all.
        about = instance.header.objects if whole is None else whole.about
        known = PUBLISHED in about and not instance.weighted
        name = self.question.referee or (PUBLISHED if known else NOBODY)
        if whole is not None and name == PUBLISHED:
            return compared(whole, [whole], published(about))
        if whole is not None and name != NOBODY and counter(name).reads == "board":
            return self._comparison(self.board, [whole], whole)
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
        # Of weighted models no book tells the sum.
        known = published({} if instance.weighted else instance.header.objects)
        if not isinstance(instance, FormulaFile) or self.is_as_told:
            return known
        return replace(known, objects=None, reason="the file cannot be built again from its header")

    def _referee(self, name: str, instance: Instance) -> Referee:
        """Another counter, in the time that is left."""
        solver = counter(name)
        candidate = PlacedCounter(solver, choose(solver, self.question.runtime))
        read = self.problem if solver.reads == "formula" else instance
        if solver.reads == "board":
            require_verified_header(read)
        found = run(read, candidate, self._request(candidate, self.clock.left()))
        answer = found.answer
        source = f"{name} {answer.version}, {answer.runtime}"
        return Referee(name, source, found.objects, found.exact, found.interval, answer.reason)

    def refuse_formula(self, problem: FormulaFile) -> None:
        """All can be counted: who weighs no literals is refused or left out where it is chosen."""

    def refuse(self, verdict: ProjectionVerdict) -> None:
        """One that is wrong, where nobody said to go on."""
        if verdict.word is Validity.INVALID and not self.question.any_projection:
            raise InputError(
                f"the projection is invalid: {verdict.reason}",
                "look at them with `boardsat projection`, or count anyway with --any-projection",
                self.source.name,
            )
