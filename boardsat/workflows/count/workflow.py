"""Count workflow: select a counter, run it, check the projection and the count, compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from boardsat.adapters.answer import TerminationReason
from boardsat.adapters.command_clock import CommandLimitError
from boardsat.adapters.counters import DEFAULT_DELTA, DEFAULT_EPSILON, Accuracy
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.runtimes import Limits, Task, select_runtime
from boardsat.adapters.solvers.solver import Capability, InputFormat
from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.base.text import pluralize
from boardsat.generators.spec.catalogue import choices_of, problems
from boardsat.generators.spec.defaults import COUNT
from boardsat.instance.formula_file import FormulaFile, Instance
from boardsat.instance.header_verification import require_verified_header
from boardsat.instance.inputs import WorkflowInput
from boardsat.workflows.count.burnside import BurnsideTotal, burnside_total
from boardsat.workflows.count.counter_run import Count, CounterOnRuntime, load_counter, median
from boardsat.workflows.count.portfolio import (
    DEFAULT_TIMEOUT,
    LIMIT_ENDS,
    QUIET,
    Display,
    LazyInstance,
    Portfolio,
    ProjectionRequirements,
    SelectedCounter,
    board_readers,
    longer_timeout,
    open_portfolio,
)
from boardsat.workflows.count.projections import Validity
from boardsat.workflows.count.reference import (
    PUBLISHED,
    Comparable,
    CountComparison,
    ReferenceCount,
    compare,
    published_reference,
)
from boardsat.workflows.count.result import CountResult
from boardsat.workflows.options import NO_REFERENCE, CountOptions

PROJECTION_FAULT = "the projection is invalid: {}"
PROJECTION_REMEDY = (
    "see two models with `boardsat projection`, or count anyway with --allow-invalid-projection"
)


def resolve_count_options(options: CountOptions) -> CounterOnRuntime | None:
    """Return the named counter and its runtime; None if the user named none.

    Raise InputError for an option that the counter would ignore. No formula is built for this.
    """
    reference = None
    if options.reference not in (None, NO_REFERENCE, PUBLISHED):
        reference = load_counter(options.reference)
    if options.counter is None:
        return None
    solver = load_counter(options.counter)
    has_estimate = reference is not None and Capability.ESTIMATE in reference.capabilities
    if Capability.COUNT in solver.capabilities and not has_estimate:
        for name, value in (("epsilon", options.epsilon), ("delta", options.delta)):
            if value is not None:
                fault = f"{name} requires a counter that estimates (got {solver.name})"
                raise InputError(fault, "use `--counter approxmc`", f"--{name}")
    if solver.input_format is InputFormat.BOARD and options.allow_invalid_projection:
        fault = f"{solver.name} reads the board, which has no projection"
        raise InputError(fault, "choose a counter that reads CNF", "--allow-invalid-projection")
    named = CounterOnRuntime(solver, select_runtime(solver, options.runtime))
    if not named.takes_seed:
        fault = f"{solver.name} takes no seed"
        if options.seed is not None:
            raise InputError(fault, "", "--seed")
        if (options.repeat or 1) > 1:
            raise InputError(f"{fault}, so all runs are equal", "", "--repeat")
    return named


@contextmanager
def run_count(
    source: WorkflowInput,
    options: CountOptions,
    named: CounterOnRuntime | None,
    display: Display = QUIET,
) -> Iterator[CountResult]:
    """Count the solutions of an instance; the files of the result exist inside the context.

    Parameters
    ----------
    source
        Problem, file or formula. The formula of a problem is built only if a counter reads it.
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
            selected, count = portfolio.limit_answer(named, limit)
            result = workflow.to_result(selected, [count])
        yield result


@dataclass
class _CountWorkflow:
    """Steps of one count: counter, runs, Burnside total, comparison, result."""

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
        """Run the named counter, the first exact one that finishes, or an estimator."""
        if self.named is not None:
            selected = self.portfolio.select(self.named)
            return selected, self._run_seeds(selected)
        if not self.options.estimate_option and (first := self.portfolio.try_exact()):
            return first[0], [first[1]]
        selected = self._fallback()
        return selected, self._run_seeds(selected)

    def _fallback(self) -> SelectedCounter:
        """Select an estimator, or for a weighted formula an exact counter without trial limits.

        No estimator supports weights.
        """
        option, failures = self.options.estimate_option, self.portfolio.failures
        _ = self.instance.projection
        formula = self.instance.formula
        if formula.weighted and not option:
            if not self.portfolio.unfinished:
                raise InputError(
                    f"no exact counter finished: {'; '.join(failures)}",
                    "name a counter with --counter, without its trial limit",
                )
            reason = f"exact; {'; '.join(failures)}"
            return SelectedCounter(self.portfolio.unfinished[-1], formula, reason)
        estimator = self.portfolio.fallback(
            Capability.ESTIMATE,
            "no exact counter finished its trial, and no estimator is available",
            "pip install 'boardsat[counting]', or count exactly without a limit: --counter {}",
        )
        if not option:
            self._announce(estimator.name)
        reason = f"{option} requests it" if option else "; ".join(failures)
        return SelectedCounter(estimator, formula, f"an estimate: {reason}")

    def _announce(self, estimator: str) -> None:
        last = "".join(f"{failure}; " for failure in self.portfolio.failures[-1:])
        wall = self.instance.clock.remaining(Limits()).wall or DEFAULT_TIMEOUT
        default = f" of {DEFAULT_TIMEOUT:g} s; --timeout sets another limit"
        suffix = "" if self.options.limits.wall else default
        self.portfolio.notify(
            f"{last}{estimator} estimates the count now, within the remaining {wall:.3g} s{suffix}"
        )

    def _run_seeds(self, selected: SelectedCounter) -> list[Count]:
        """Run a counter once for each seed; stop at the first run that does not finish."""
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
        """Return the number of all objects if orbits were counted, otherwise None."""
        if not selected.instance.header.symmetry or orbits.objects is None:
            return None
        projection = self.instance.projection
        if projection is not None and projection.validity is not Validity.VALID:
            # The symmetries are those of solutions, which projected models need not represent.
            return BurnsideTotal(None, (), "the projection is not known to be valid")
        with self.instance.progress("counting the fixed points of symmetries"):
            return burnside_total(
                self.instance.source,
                orbits,
                lambda formula: self.portfolio.run(replace(selected, instance=formula)),
            )

    def _comparison(
        self, instance: Instance, counts: list[Count], total: BurnsideTotal | None
    ) -> CountComparison | None:
        """Compare with the reference count; None without a reference or a count."""
        # A published count is of all objects, not of their orbits.
        objects = instance.header.counting.objects if total is None else total.object_header
        is_published = PUBLISHED in objects and not instance.weighted
        name = self.options.reference or (PUBLISHED if is_published else NO_REFERENCE)
        if name == NO_REFERENCE:
            return None
        subject: Comparable = median(counts)
        runs: Sequence[Comparable] = counts
        if total is not None:
            is_board = name != PUBLISHED and load_counter(name).input_format is InputFormat.BOARD
            instance = self.instance.board if is_board else instance
            if name == PUBLISHED or is_board:
                subject, runs = total, [total]
        if name == PUBLISHED:
            reference = published_reference(objects) if total else self._published_count(instance)
        elif subject.objects is None:
            return None  # a counter would run for nothing
        else:
            reference = self._reference(name, instance)
        return compare(subject, runs, reference)

    def _published_count(self, instance: Instance) -> ReferenceCount:
        """Return the published count; its number is None if the header is not verified."""
        # Published counts are unweighted.
        published = published_reference(
            {} if instance.weighted else instance.header.counting.objects
        )
        if not isinstance(instance, FormulaFile) or self.instance.header_verified:
            return published
        reason = "the file cannot be built again from its header"
        return replace(published, objects=None, reason=reason)

    def _reference(self, name: str, instance: Instance) -> ReferenceCount:
        """Count with the reference counter, in the remaining time."""
        solver = load_counter(name)
        candidate = CounterOnRuntime(solver, select_runtime(solver, self.options.runtime))
        with self.instance.progress(f"counting with {name} as the reference"):
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
        task, count, suggestion = self.portfolio.task, median(counts), ""
        if count.objects is None:
            suggestion = count_suggestion(
                self.named,
                selected.instance.header,
                self.portfolio.unfinished,
                task.limits,
                count.answer.run.termination,
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


def count_suggestion(
    named: CounterOnRuntime | None,
    header: Header,
    unfinished: Sequence[CounterOnRuntime],
    limits: Limits,
    end: TerminationReason,
) -> str:
    """Return suggestions how to obtain a count, the best first; empty if no limit was reached."""
    if named is None and (names := board_readers(unfinished)):
        return ", or ".join(f"count exactly, without a limit: --counter {name}" for name in names)
    if end not in LIMIT_ENDS:
        return ""
    longer = longer_timeout(limits, end)
    if named is None:
        suggestions = [*_counting_encoding(header), *longer]
    else:
        suggestions = [*longer, *([] if named.reads_board else ["omit --counter"])]
    return ", or ".join(suggestions) or "try another counter: `boardsat solvers` lists them"


def _counting_encoding(header: Header) -> list[str]:
    """Suggest the default encoding for counting; return nothing if the formula has it already."""
    problem, _, encoding = str(header.metadata.get("spec", "")).partition("/")
    if not encoding or problem not in problems():
        return []
    names = choices_of(problem)[COUNT]
    best = names[-1] if header.board.options.get("directed") else names[0]
    return [] if best == encoding else [f"count {problem}/{best}, the encoding for counting"]
