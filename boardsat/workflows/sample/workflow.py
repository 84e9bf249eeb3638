"""Sample workflow: select a sampler, draw boards, check each, select a diverse subset."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from boardsat.adapters import solvers
from boardsat.adapters.answer import Answer, TerminationReason
from boardsat.adapters.command_clock import CommandLimitError, during
from boardsat.adapters.runtimes import Task, choose
from boardsat.adapters.solvers.capabilities import Capability
from boardsat.base.errors import InputError
from boardsat.base.text import suggest
from boardsat.generators.spec.defaults import COUNT
from boardsat.instance.formula_file import FormulaFile
from boardsat.instance.inputs import WorkflowInput
from boardsat.workflows.count.counter_run import Count, CounterOnRuntime
from boardsat.workflows.count.counter_selection import (
    LIMIT_ENDS,
    available_solvers,
    board_readers,
    longer_timeout,
)
from boardsat.workflows.count.portfolio import (
    QUIET,
    Display,
    Portfolio,
    ProjectionRequirements,
    SelectedCounter,
    open_portfolio,
)
from boardsat.workflows.count.projections import Validity
from boardsat.workflows.sample.diverse_subset import diverse_subset
from boardsat.workflows.sample.options import DEFAULT_SEED, MAX_SIZE, SampleOptions
from boardsat.workflows.sample.result import SampleResult
from boardsat.workflows.solve.checks import check_board_answer, check_model_and_board
from boardsat.workflows.solve.result import CheckedAnswer

Sample = tuple[int, ...]
"""Literals of a model, or cells of a tour counted from 1, as a sampler prints them."""

REQUIREMENTS = ProjectionRequirements(
    # Of two boards with the same projection, each would be drawn half as often.
    frozenset([Validity.VALID]),
    "the projection is not proved valid ({}), so no sample is uniform",
    "choose another encoding with --enc, or give it more time",
)


def resolve_sample_options(options: SampleOptions) -> CounterOnRuntime | None:
    """Return the named sampler and its runtime; None if none is named.

    Raise InputError if the number of boards is out of range.
    """
    if not 1 <= options.size <= MAX_SIZE:
        raise InputError(f"a sample of {options.size}", f"draw 1 to {MAX_SIZE:,}")
    if options.sampler is None:
        return None
    solver = solvers.load(options.sampler)
    if not solver.samples:
        samplers = [name for name in solvers.names() if solvers.load(name).samples]
        raise InputError(f"{solver.name} draws no samples", suggest(solver.name, samplers))
    return CounterOnRuntime(solver, choose(solver, options.runtime))


def run_sample(
    source: WorkflowInput,
    options: SampleOptions,
    named: CounterOnRuntime | None,
    display: Display = QUIET,
) -> SampleResult:
    """Draw boards of an instance at random and check each.

    Parameters
    ----------
    source
        Problem, file or formula; tours are drawn on a board, a formula is made only if needed.
    options
        Number of boards, limits and seed.
    named
        Sampler that the user named, from `resolve_sample_options`. None: exact samplers are
        tried, and an almost uniform one if none finishes.
    """
    seed = options.seed or DEFAULT_SEED
    with open_portfolio(
        source,
        REQUIREMENTS,
        Capability.SAMPLE,
        Task("", options.limits, seed, samples=options.draws),
        options.runtime,
        display,
        has_timeout=named is not None,
    ) as portfolio:
        try:
            selected, count = _draw(portfolio, named)
            return _result(portfolio, options, selected, count)
        except CommandLimitError as limit:
            selected, count = portfolio.stopped(named, limit)
            return _result(portfolio, options, selected, count)


def _draw(portfolio: Portfolio, named: CounterOnRuntime | None) -> tuple[SelectedCounter, Count]:
    """Draw with the named sampler, the first exact one that finishes, or an almost uniform one.

    The count is the number of boards to draw from; its answer has those that were drawn.
    """
    if named is not None:
        selected = portfolio.select(named)
    elif exact := portfolio.try_exact():
        return exact
    else:
        selected = _almost_uniform(portfolio)
    if not selected.candidate.reads_board:
        _ = portfolio.instance.projection
    with portfolio.instance.progress(f"{selected.candidate.name} draws"):
        return selected, portfolio.run(selected)


def _almost_uniform(portfolio: Portfolio) -> SelectedCounter:
    _ = portfolio.instance.projection
    formula = portfolio.instance.formula
    candidates, missing = available_solvers(
        Capability.ALMOST_SAMPLE, formula.header.problem, portfolio.runtime
    )
    if not candidates:
        reasons = [*portfolio.failures, *(f"{name} cannot run here" for name in missing)]
        raise InputError(
            f"no sample in a short time: {'; '.join(reasons)}",
            f"pip install pyunigen, or wait for an exact one with --sampler {portfolio.patient()}",
        )
    reason = f"almost uniform: {'; '.join(portfolio.failures)}"
    return SelectedCounter(candidates[0], formula, reason)


def _result(
    portfolio: Portfolio, options: SampleOptions, selected: SelectedCounter, count: Count
) -> SampleResult:
    instance, is_formula = portfolio.instance, not selected.candidate.reads_board
    with during("the boards were checked"):
        results = _checked_boards(selected, count.answer)
    subset = None
    if options.diverse and results:
        subset = diverse_subset(selected.instance, results, options.size)
    return SampleResult(
        selected.instance,
        count,
        tuple(results[index] for index in subset.indices) if subset else tuple(results),
        options.seed or DEFAULT_SEED,
        selected.candidate.solver.uniformity_factor,
        len(results),
        subset,
        instance.projection if is_formula and results else None,
        selected.reason,
        tuple(instance.source.encoding_note(COUNT)) if is_formula else (),
        portfolio.task.limits.wall,
        _suggestion(portfolio, count.answer.run.termination) if count.objects is None else "",
    )


def _suggestion(portfolio: Portfolio, end: TerminationReason) -> str:
    """Return how to get a sample, the best way first; empty if no limit was reached."""
    names = board_readers(portfolio.unfinished)
    suggestions = [f"draw without a limit: --sampler {name}" for name in names]
    suggestions = suggestions or longer_timeout(portfolio.task.limits, end)
    if not suggestions and end in LIMIT_ENDS:
        return "try another sampler: `boardsat solvers` lists them"
    return ", or ".join(suggestions)


def _checked_boards(selected: SelectedCounter, answer: Answer) -> list[CheckedAnswer]:
    """Check each drawn board as the answer of a solver is checked; equal boards once."""
    if not answer.samples:
        return []
    check = _check_tours if selected.candidate.reads_board else _check_models
    results = check(selected, replace(answer, samples=()), set(answer.samples))
    for result in results.values():
        if result.failure is not None:
            raise result.failure
    return [results[sample] for sample in answer.samples]


def _check_tours(
    selected: SelectedCounter, answer: Answer, samples: Iterable[Sample]
) -> dict[Sample, CheckedAnswer]:
    board = selected.instance.board_for(selected.candidate.solver)
    tours = {sample: tuple(cell - 1 for cell in sample) for sample in samples}
    return {
        sample: check_board_answer(selected.instance, board, replace(answer, tour=tour))
        for sample, tour in tours.items()
    }


def _check_models(
    selected: SelectedCounter, answer: Answer, samples: Iterable[Sample]
) -> dict[Sample, CheckedAnswer]:
    problem, results = selected.instance, {}
    assert isinstance(problem, FormulaFile)
    for sample in samples:
        model = problem.model_of(literal for literal in sample if literal > 0)
        results[sample] = check_model_and_board(problem, replace(answer, model=model), model)
    return results
