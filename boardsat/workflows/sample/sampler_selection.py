"""The sampler that is named, if it is one and can run here."""

from __future__ import annotations

from dataclasses import dataclass

from boardsat.adapters import solvers
from boardsat.adapters.runtimes import choose
from boardsat.base.errors import InputError
from boardsat.base.text import suggest
from boardsat.workflows.count.counter_run import PlacedCounter
from boardsat.workflows.sample.options import SampleQuestion


@dataclass(frozen=True)
class SamplePlan:
    """A question whose names have been looked up."""

    question: SampleQuestion
    named: PlacedCounter | None
    """The sampler that is named."""


def planned_sample(question: SampleQuestion) -> SamplePlan:
    if question.sampler is None:
        return SamplePlan(question, None)
    solver = solvers.load(question.sampler)
    if not solver.samples:
        samplers = [name for name in solvers.names() if solvers.load(name).samples]
        raise InputError(f"{solver.name} draws no samples", suggest(solver.name, samplers))
    return SamplePlan(question, PlacedCounter(solver, choose(solver, question.runtime)))
