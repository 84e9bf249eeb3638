"""Count workflow: select a counter, run it, check the projection and the count, compare."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from boardsat.adapters.command_clock import CommandLimitError
from boardsat.adapters.counters import DEFAULT_DELTA, DEFAULT_EPSILON, Accuracy
from boardsat.adapters.runtimes import Limits, Task, choose
from boardsat.adapters.solvers.capabilities import Capability, InputFormat
from boardsat.base.errors import InputError
from boardsat.base.text import pluralize
from boardsat.generators.spec.defaults import COUNT
from boardsat.instance.formula_file import FormulaFile, Instance
from boardsat.instance.header_verification import require_verified_header
from boardsat.instance.inputs import WorkflowInput
from boardsat.workflows.count.burnside import BurnsideTotal, burnside_total
from boardsat.workflows.count.counter_run import Count, CounterOnRuntime, load_counter, median
from boardsat.workflows.count.counter_selection import available_solvers, count_suggestion
from boardsat.workflows.count.options import NO_REFERENCE, CountOptions
from boardsat.workflows.count.portfolio import (
    DEFAULT_TIMEOUT,
    QUIET,
    Display,
    LazyInstance,
    Portfolio,
    ProjectionRequirements,
    SelectedCounter,
    open_portfolio,
)
from boardsat.workflows.count.projections import Validity
from boardsat.workflows.count.reference import (
    PUBLISHED,
    CountComparison,
    ReferenceCount,
    compare,
    published_reference,
)
from boardsat.workflows.count.result import CountResult

PROJECTION_FAULT = "the projection is invalid: {}"
PROJECTION_REMEDY = (
    "look at them with `boardsat projection`, or count anyway with --allow-invalid-projection"
)


@contextmanager
def run_count(
    source: WorkflowInput,
    options: CountOptions,
    named: CounterOnRuntime | None,
    display: Display = QUIET,
) -> Iterator[CountResult]:
    """Count the objects of an instance; the files of the result exist inside the context.

    Parameters
    ----------
    source
        Problem, file or formula; a board is counted at once, a formula made only if needed.
    options
        Limits, accuracy and reference.
    named
        Counter that the user named, from `resolve_count_options`. None: exact counters are tried,
        and an estimator if none finishes.
    """
    accepted = Validity if options.allow_invalid_projection else (Validity.VALID, Validity.UNKNOWN)
    task = Task(
        "",
        options.limits,
        options.seed,
        count=True,
        accuracy=Accuracy(options.epsilon or DEFAULT_EPSILON, options.delta or DEFAULT_DELTA),
    )
    with open_portfolio(
        source,
        ProjectionRequirements(frozenset(accepted), PROJECTION_FAULT, PROJECTION_REMEDY),
        Capability.COUNT,
        task,
        options.runtime,
        display,
        has_timeout=named is not None,
    ) as portfolio:
        workflow = _CountWorkflow(options, named, portfolio)
        try:
            result = workflow.result()
        except CommandLimitError as limit:
            selected, count = portfolio.stopped(named, limit)
            result = workflow.to_result(selected, [count])
        yield result


@dataclass
class _CountWorkflow:
    """Steps of one count, in the order in which they are taken."""

    options: CountOptions
    named: CounterOnRuntime | None
    portfolio: Portfolio

    @property
    def instance(self) -> LazyInstance:
        return self.portfolio.instance

    def result(self) -> CountResult:
        selected, counts = self._counts()
        total = self._total(selected, median(counts))
        comparison = self._comparison(selected.instance, counts, total)
        return self.to_result(selected, counts, comparison, total)

    def _counts(self) -> tuple[SelectedCounter, list[Count]]:
        """Return the counter and its runs: the named one, the first exact one, or an estimator."""
        if self.named is not None:
            selected = self.portfolio.select(self.named)
            return selected, self._repeated(selected)
        if not self.options.estimate_option and (first := self.portfolio.try_exact()):
            return first[0], [first[1]]
        selected = self._last_resort()
        return selected, self._repeated(selected)

    def _last_resort(self) -> SelectedCounter:
        """Return an estimator, or an exact counter without a trial's limits if there are weights.

        No estimator supports weights.
        """
        option, failures = self.options.estimate_option, self.portfolio.failures
        _ = self.instance.projection
        formula = self.instance.formula
        if formula.weighted and not option:
            if not self.portfolio.unfinished:
                raise InputError(f"no count: {'; '.join(failures)}", "choose another --counter")
            reason = f"exact; {'; '.join(failures)}"
            return SelectedCounter(self.portfolio.unfinished[-1], formula, reason)
        candidates, missing = available_solvers(
            Capability.ESTIMATE, formula.header.problem, self.options.runtime
        )
        if not candidates:
            reasons = "; ".join([*failures, *(f"{name} cannot run here" for name in missing)])
            raise InputError(
                f"no exact count in a short time, and no estimate: {reasons}",
                "pip install 'boardsat[counting]', or wait for an exact one with "
                f"--counter {self.portfolio.patient()}",
            )
        if not option:
            self._announce(candidates[0].name)
        reason = f"{option} asks for it" if option else "; ".join(failures)
        return SelectedCounter(candidates[0], formula, f"an estimate: {reason}")

    def _announce(self, estimator: str) -> None:
        last = "".join(f"{failure}; " for failure in self.portfolio.failures[-1:])
        wall = self.instance.clock.left(Limits()).wall or DEFAULT_TIMEOUT
        default = f" of {DEFAULT_TIMEOUT:g} s; --timeout gives another limit"
        of_all = "" if self.options.limits.wall else default
        self.portfolio.notify(
            f"{last}{estimator} estimates it now, within the {wall:.3g} s that are left{of_all}"
        )

    def _repeated(self, selected: SelectedCounter) -> list[Count]:
        """Run a counter once for each seed, until it does not finish."""
        repeat, size = self.options.repeat or 1, "the board"
        if isinstance(selected.instance, FormulaFile):
            _ = self.instance.projection
            size = pluralize(selected.instance.clauses, "clause")
        counts: list[Count] = []
        with self.instance.progress(f"{selected.candidate.name} on {size}"):
            for step in range(repeat):
                task = self.portfolio.task
                if repeat > 1:
                    task = replace(task, seed=(1 if task.seed is None else task.seed) + step)
                counts.append(self.portfolio.run(selected, task))
                if counts[-1].objects is None:
                    break
        return counts

    def _total(self, selected: SelectedCounter, orbits: Count) -> BurnsideTotal | None:
        """Return the number of all objects; None if it was not their orbits that were counted."""
        if not selected.instance.header.symmetry or orbits.objects is None:
            return None
        projection = self.instance.projection
        if projection is not None and projection.validity is not Validity.VALID:
            # Symmetries of solutions are broken, but perhaps it is not solutions that are counted.
            return BurnsideTotal(None, (), "the projection is not known to be valid")
        with self.instance.progress("those that symmetries leave unchanged"):
            return burnside_total(
                self.instance.source,
                orbits,
                lambda formula: self.portfolio.run(replace(selected, instance=formula)),
            )

    def _comparison(
        self, instance: Instance, counts: list[Count], total: BurnsideTotal | None
    ) -> CountComparison | None:
        """Compare with the reference count, if there is one and a count to compare."""
        # What is known of a board is known of all objects, not of their orbits.
        about = instance.header.counting.objects if total is None else total.about
        is_published = PUBLISHED in about and not instance.weighted
        name = self.options.reference or (PUBLISHED if is_published else NO_REFERENCE)
        if name == NO_REFERENCE:
            return None
        if total is not None:
            if name == PUBLISHED:
                return compare(total, [total], published_reference(about))
            if load_counter(name).input_format is InputFormat.BOARD:
                instance = self.instance.board
                if total.objects is None:
                    return None
                return compare(total, [total], self._reference(name, instance))
        if name == PUBLISHED:
            return compare(median(counts), counts, self._published(instance))
        if median(counts).objects is None:
            return None  # often there is no time left
        return compare(median(counts), counts, self._reference(name, instance))

    def _published(self, instance: Instance) -> ReferenceCount:
        """Return the published count; without a number for a formula that is not verified."""
        # Nothing is published about sums of weights.
        published = published_reference(
            {} if instance.weighted else instance.header.counting.objects
        )
        if not isinstance(instance, FormulaFile) or self.instance.header_verified:
            return published
        reason = "the file cannot be built again from its header"
        return replace(published, objects=None, reason=reason)

    def _reference(self, name: str, instance: Instance) -> ReferenceCount:
        """Count with another counter, in the time that is left."""
        solver = load_counter(name)
        candidate = CounterOnRuntime(solver, choose(solver, self.options.runtime))
        with self.instance.progress("the referee"):
            if candidate.reads_board:
                require_verified_header(instance)
            else:
                instance = self.instance.formula
            count = self.portfolio.run(SelectedCounter(candidate, instance))
        answer = count.answer
        source = f"{name} {answer.run.version}, {answer.run.runtime}"
        return ReferenceCount(
            name, source, count.objects, count.exact, count.interval, answer.reason
        )

    def to_result(
        self,
        selected: SelectedCounter,
        counts: list[Count],
        comparison: CountComparison | None = None,
        total: BurnsideTotal | None = None,
    ) -> CountResult:
        task, middle, suggestion = self.portfolio.task, median(counts), ""
        if middle.objects is None:
            suggestion = count_suggestion(
                self.named,
                selected.instance.header,
                self.portfolio.unfinished,
                task.limits,
                middle.answer.run.termination,
            )
        source = self.instance.source
        is_formula = selected.reads_formula
        return CountResult(
            selected.instance,
            counts,
            comparison,
            total,
            self.instance.projection if is_formula else None,
            self.instance.header_verified if is_formula else True,
            task.accuracy,
            selected.reason,
            tuple(source.encoding_note(COUNT)) if is_formula else (),
            task.limits.wall,
            suggestion,
        )
