"""Sample workflow: select a sampler, draw boards, check each, select a diverse subset."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from boardsat.adapters import solvers
from boardsat.adapters.answer import Answer, TerminationReason
from boardsat.adapters.command_clock import CommandLimitError, work_step
from boardsat.adapters.runtimes import Task, select_runtime
from boardsat.adapters.solvers.solver import Capability
from boardsat.adapters.views import Tour
from boardsat.base.errors import InputError
from boardsat.base.text import suggest
from boardsat.generators.spec.defaults import COUNT
from boardsat.instance.formula_file import FormulaFile, Instance
from boardsat.instance.inputs import WorkflowInput
from boardsat.workflows.count.counter_run import Count, CounterOnRuntime
from boardsat.workflows.count.portfolio import (
    LIMIT_ENDS,
    QUIET,
    Display,
    Portfolio,
    ProjectionRequirements,
    SelectedCounter,
    board_readers,
    longer_timeout,
    open_portfolio,
)
from boardsat.workflows.count.projections import Validity
from boardsat.workflows.options import DEFAULT_SAMPLE_SEED, MAX_SAMPLE_SIZE, SampleOptions
from boardsat.workflows.sample.result import EDGES, VARIABLES, DiverseSubset, SampleResult
from boardsat.workflows.solve.checks import check_board_answer, check_model_and_board
from boardsat.workflows.solve.result import CheckedAnswer

Sample = tuple[int, ...]
"""Literals of a model, or cells of a tour numbered from 1, as printed by a sampler."""

REQUIREMENTS = ProjectionRequirements(
    # Boards that share a projection would share its probability.
    frozenset([Validity.VALID]),
    "the projection is not proved valid ({}), so a sample would not be uniform",
    "use another --encoding, or raise --timeout",
)


def resolve_sample_options(options: SampleOptions) -> CounterOnRuntime | None:
    """Return the named sampler and its runtime; None if the user named none.

    Raise InputError if the number of boards is out of range.
    """
    if not 1 <= options.size <= MAX_SAMPLE_SIZE:
        raise InputError(
            f"the size of a sample must be between 1 and {MAX_SAMPLE_SIZE:,} (got {options.size:,})"
        )
    if options.sampler is None:
        return None
    solver = solvers.load(options.sampler)
    if not solver.is_sampler:
        samplers = [name for name in solvers.names() if solvers.load(name).is_sampler]
        raise InputError(f"{solver.name} is not a sampler", suggest(solver.name, samplers))
    return CounterOnRuntime(solver, select_runtime(solver, options.runtime))


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
        Problem, file or formula. The formula of a problem is built only if a sampler reads it.
    options
        Number of boards, limits and seed.
    named
        Sampler that the user named, from `resolve_sample_options`. None: exact samplers are
        tried, and an almost uniform one if none finishes.
    """
    seed = options.seed or DEFAULT_SAMPLE_SEED
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
            selected, count = portfolio.limit_answer(named, limit)
            return _result(portfolio, options, selected, count)


def _draw(portfolio: Portfolio, named: CounterOnRuntime | None) -> tuple[SelectedCounter, Count]:
    """Draw with the named sampler, the first exact one that finishes, or an almost uniform one.

    The count is the number of boards to draw from; its answer contains the samples.
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
    """Select an almost uniform sampler of the formula."""
    sampler = portfolio.fallback(
        Capability.ALMOST_SAMPLE,
        "no exact sampler finished its trial",
        "pip install pyunigen, or draw exactly without a limit: --sampler {}",
    )
    reason = f"almost uniform: {'; '.join(portfolio.failures)}"
    return SelectedCounter(sampler, portfolio.instance.formula, reason)


def _result(
    portfolio: Portfolio, options: SampleOptions, selected: SelectedCounter, count: Count
) -> SampleResult:
    instance, is_formula = portfolio.instance, not selected.candidate.reads_board
    with work_step("the boards were checked"):
        results = _checked_boards(selected, count.answer)
    subset = None
    if options.diverse and results:
        subset = diverse_subset(selected.instance, results, options.size)
    return SampleResult(
        selected.instance,
        count,
        tuple(results[index] for index in subset.indices) if subset else tuple(results),
        options.seed or DEFAULT_SAMPLE_SEED,
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
    """Return suggestions how to obtain a sample; empty if no limit was reached."""
    names = board_readers(portfolio.unfinished)
    suggestions = [f"draw exactly, without a limit: --sampler {name}" for name in names]
    suggestions = suggestions or longer_timeout(portfolio.task.limits, end)
    if not suggestions and end in LIMIT_ENDS:
        return "try another sampler: `boardsat solvers` lists them"
    return ", or ".join(suggestions)


def _checked_boards(selected: SelectedCounter, answer: Answer) -> list[CheckedAnswer]:
    """Check each distinct board once, and return the checked answer of each draw."""
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
    formula, results = selected.instance, {}
    assert isinstance(formula, FormulaFile)
    for sample in samples:
        model = formula.model_of(literal for literal in sample if literal > 0)
        results[sample] = check_model_and_board(formula, replace(answer, model=model), model)
    return results


def diverse_subset(
    instance: Instance, results: Sequence[CheckedAnswer], size: int
) -> DiverseSubset:
    """Select boards far apart by farthest-point selection (Gonzalez 1985).

    The first board is selected, then repeatedly the one farthest from all selected ones. Equal
    boards are selected once. The minimum distance is at least half of the optimum.
    """
    features, unit = _features(instance, results)
    indices, nearest = [0], _distances(features, 0)
    distance = None
    while len(indices) < size:
        farthest = int(nearest.argmax())
        if nearest[farthest] == 0:
            break
        distance = int(nearest[farthest])
        indices.append(farthest)
        nearest = np.minimum(nearest, _distances(features, farthest))
    if distance is not None and unit == EDGES:
        distance //= 2  # tours have equally many edges: count each exchanged edge once
    return DiverseSubset(tuple(indices), distance, unit)


def _distances(features: np.ndarray, index: int) -> np.ndarray:
    """Return the Hamming distances from one board to all boards."""
    distances: np.ndarray = (features != features[index]).sum(axis=1)
    return distances


def _features(instance: Instance, results: Sequence[CheckedAnswer]) -> tuple[np.ndarray, str]:
    """Return a Boolean vector for each board (edges of a tour, or variables), and the unit."""
    orders = [order for result in results if (order := _tour_order(result)) is not None]
    if len(orders) == len(results):
        return _edges(orders, instance.header.closed), EDGES
    assert isinstance(instance, FormulaFile)
    variables = instance.decision_variables()
    models = [
        result.answer.model[variables] > 0 for result in results if result.answer.model is not None
    ]
    return np.array(models), VARIABLES


def _tour_order(result: CheckedAnswer) -> tuple[int, ...] | None:
    view = result.solution.view if result.solution else None
    return view.order if isinstance(view, Tour) else None


def _edges(orders: Sequence[tuple[int, ...]], closed: bool) -> np.ndarray:
    """Return the incidence matrix of tours and undirected edges."""
    columns: dict[tuple[int, int], int] = {}
    rows = []
    for order in orders:
        steps = pairwise((*order, order[0]) if closed else order)
        edges = {(min(step), max(step)) for step in steps}
        rows.append([columns.setdefault(edge, len(columns)) for edge in edges])
    features = np.zeros((len(rows), len(columns)), np.bool_)
    for index, row in enumerate(rows):
        features[index, row] = True
    return features
