"""One sample from question to boards: by the sampler that is named, or by those that are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, replace

import numpy as np

from boardsat.adapters.answer import Answer, End, Status
from boardsat.adapters.counters import DEFAULT_EPSILON
from boardsat.adapters.runtimes import Limits, Task
from boardsat.adapters.solvers.capabilities import Ability, Reads
from boardsat.base.errors import InputError
from boardsat.clock import CommandLimitError, during, running
from boardsat.generators.spec.defaults import COUNT
from boardsat.instance.formula_file import FormulaFile, Instance, placeholder_instance
from boardsat.instance.inputs import WorkflowInput
from boardsat.workflows.count import counter_selection, suggestions
from boardsat.workflows.count.counter_run import Count, PlacedCounter, asked_of, read_count
from boardsat.workflows.count.portfolio import Attempts, Way
from boardsat.workflows.count.projections import ProjectionVerdict, Validity
from boardsat.workflows.sample.diverse_subset import far_apart
from boardsat.workflows.sample.options import SEED
from boardsat.workflows.sample.result import Sampled
from boardsat.workflows.sample.sampler_selection import SamplePlan
from boardsat.workflows.solve.checks import CheckedAnswer, check_board_answer, check_model_and_board

Sample = tuple[int, ...]
"""As a sampler tells it: the literals of a model, or the cells of a tour from 1."""


def sampled(
    source: WorkflowInput,
    plan: SamplePlan,
    working: Callable[[str], AbstractContextManager[object]] = nullcontext,
    tell: Callable[[str], object] = lambda _: None,
) -> Sampled:
    """Boards that are drawn and checked.

    `working` shows what is being done while it is; `tell` is told what takes its time.
    """
    with ExitStack() as stack:
        return _Sampling(source, plan, stack, working, tell).limited()


@dataclass
class _Sampling(Attempts):
    """What is known of one sample while it is drawn."""

    plan: SamplePlan

    ability = Ability.SAMPLE
    wanted = "sample"

    def limited(self) -> Sampled:
        """The result, within the limits of all."""
        with running(self.clock.limits):
            try:
                return self._result()
            except CommandLimitError as limit:
                first = self.likely()
                none = Count(None, None, True, None, limit.answer(first.solver, first.where))
                return self._told(Way(first, placeholder_instance(self.source.name)), none)

    def _result(self) -> Sampled:
        named = self.plan.named
        if named is None:
            way, found = self.quick(self._draw) or self._almost()
        else:
            way = self.named_way(named)
            found = self._drawn_by(way)
        return self._told(way, found)

    def _almost(self) -> tuple[Way, Count]:
        """By one that is almost uniform, where no exact one was quick."""
        _ = self.projection
        name, runtime = self.problem.header.problem, self.plan.question.runtime
        found, missing = counter_selection.able(Ability.ALMOST_SAMPLE, name, runtime)
        if not found:
            reasons = [*self.failed, *(f"{name} cannot run here" for name in missing)]
            raise InputError(
                f"no sample in a short time: {'; '.join(reasons)}",
                f"pip install pyunigen, or wait for an exact one with --sampler {self.patient()}",
            )
        way = Way(found[0], self.problem, f"almost uniform: {'; '.join(self.failed)}")
        return way, self._drawn_by(way)

    def _drawn_by(self, way: Way) -> Count:
        """In all the time that is left."""
        if way.candidate.solver.reads == Reads.FORMULA:
            _ = self.projection
        with self.working(f"{way.candidate.solver.name} draws"):
            return self._draw(way.instance, way.candidate, self.clock.left())

    def _draw(self, instance: Instance, candidate: PlacedCounter, limits: Limits) -> Count:
        """What there is to draw from; what was drawn is in its answer."""
        asked = self.plan.question
        task = Task("", limits, asked.seed or SEED, samples=asked.draws)
        answer = asked_of(instance, candidate, task, asked.runtime)
        found = read_count(instance, candidate.solver, answer, DEFAULT_EPSILON)
        if answer.status is Status.SATISFIABLE and len(answer.samples) != asked.draws:
            raise InputError(
                f"{candidate.solver.name} drew {len(answer.samples):,} of {asked.draws:,}",
                "run it by hand",
            )
        return found

    def _told(self, way: Way, found: Count) -> Sampled:
        asked, is_formula = self.plan.question, way.candidate.solver.reads == Reads.FORMULA
        with during("the boards were checked"):
            results = _examined(way, found.answer)
        picked = far_apart(way.instance, results, asked.size) if asked.diverse and results else None
        limit = self.clock.limits.wall
        return Sampled(
            way.instance,
            found,
            tuple(results[place] for place in picked.places) if picked else tuple(results),
            asked.seed or SEED,
            way.candidate.solver.factor,
            len(results),
            picked,
            self.projection if is_formula and results else None,
            way.why,
            tuple(self.source.encoding_note(COUNT)) if is_formula else (),
            limit,
            self._remedy(found.answer.end) if found.objects is None else "",
        )

    def _remedy(self, end: End) -> str:
        boards = suggestions.on_boards(self.unfinished)
        ways = [f"draw without a limit: --sampler {name}" for name in boards]
        ways = ways or suggestions.more_time(self.clock.limits, end)
        if not ways and end in suggestions.LIMITED:
            return "try another sampler: `boardsat solvers` lists them"
        return ", or ".join(ways)

    def refuse_formula(self, problem: FormulaFile) -> None:
        """One with weights: whoever gives some does not want all solutions to be equally likely."""
        problem.require_unweighted(
            "no sampler draws by", "remove the weights, to draw all solutions alike"
        )

    def refuse(self, verdict: ProjectionVerdict) -> None:
        """One that is not proved: of two boards with one projection, each would be drawn less."""
        if verdict.word is not Validity.VALID:
            raise InputError(
                f"the projection is not proved valid ({verdict.reason}), so no sample is uniform",
                "choose another encoding with --enc, or give it more time",
                self.source.name,
            )


def _examined(way: Way, answer: Answer) -> list[CheckedAnswer]:
    """Every board that was drawn, checked as the answer of a solver is; the same one once."""
    if not answer.samples:
        return []
    check = _on_board if way.candidate.solver.reads == Reads.BOARD else _of_formula
    results = check(way, replace(answer, samples=()), set(answer.samples))
    for result in results.values():
        if result.failure is not None:
            raise result.failure
    return [results[sample] for sample in answer.samples]


def _on_board(way: Way, answer: Answer, samples: Iterable[Sample]) -> dict[Sample, CheckedAnswer]:
    board = way.instance.board_for(way.candidate.solver)
    tours = {sample: tuple(cell - 1 for cell in sample) for sample in samples}
    return {
        sample: check_board_answer(way.instance, board, replace(answer, tour=tour))
        for sample, tour in tours.items()
    }


def _of_formula(way: Way, answer: Answer, samples: Iterable[Sample]) -> dict[Sample, CheckedAnswer]:
    problem, found = way.instance, {}
    assert isinstance(problem, FormulaFile)
    for sample in samples:
        model = np.full(problem.variables + 1, -1, np.int8)
        model[[literal for literal in sample if literal > 0]] = 1
        found[sample] = check_model_and_board(problem, replace(answer, model=model), model)
    return found
