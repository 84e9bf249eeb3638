"""The choice of a counter: the named one, or exact ones to be tried and then an estimator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from boardsat.adapters import solvers
from boardsat.adapters.runtimes import choose
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.capabilities import Ability
from boardsat.base.errors import BoardsatError, InputError
from boardsat.workflows.count.counter_run import PlacedCounter, counter
from boardsat.workflows.count.options import NOBODY, CountQuestion
from boardsat.workflows.count.reference import PUBLISHED


@dataclass(frozen=True)
class CountPlan:
    """A question whose names have been looked up."""

    question: CountQuestion
    named: PlacedCounter | None
    """The counter that is named."""


class Available(NamedTuple):
    """Those that can run here, and the names of those that cannot."""

    candidates: list[PlacedCounter]
    missing: list[str]


def planned(question: CountQuestion) -> CountPlan:
    """Whatever a counter could only ignore is refused, before anything is built or counted."""
    referee = None
    if question.referee not in (None, NOBODY, PUBLISHED):
        referee = counter(question.referee)
    if question.counter is None:
        return CountPlan(question, None)
    solver = counter(question.counter)
    if "count" in solver.can and (referee is None or "estimate" not in referee.can):
        for name, value in (("epsilon", question.epsilon), ("delta", question.delta)):
            if value is not None:
                raise InputError(f"{solver.name} counts exactly", "leave it out", f"--{name}")
    if solver.reads == "board" and question.any_projection:
        raise InputError(f"{solver.name} reads no formula", "leave it out", "--any-projection")
    named = PlacedCounter(solver, choose(solver, question.runtime))
    _refuse_seeds(named, question)
    return CountPlan(question, named)


def _refuse_seeds(named: PlacedCounter, question: CountQuestion) -> None:
    if named.takes_seed:
        return
    name = named.solver.name
    if question.seed is not None:
        raise InputError(f"{name} takes no seed", "leave it out", "--seed")
    if (question.repeat or 1) > 1:
        raise InputError(
            f"{name} takes no seed, and would count the same again", "leave it out", "--repeat"
        )


def exact(ability: Ability, problem: str, runtime: str, board_first: bool) -> Available:
    """Those to be tried on a problem of the catalogue, or on any formula where it is empty.

    The quickest to give up come first. The board is counted first where no formula is meant, and
    otherwise last: a formula that is named is to be counted itself, if that is quick.
    """
    trials = [each for each in _able(ability, problem) if each.trial]
    trials.sort(key=lambda each: ((each.reads == "board") != board_first, each.trial))
    return _here(trials, runtime)


def able(ability: Ability, problem: str, runtime: str) -> Available:
    """All that can do it."""
    return _here(_able(ability, problem), runtime)


def _able(ability: Ability, problem: str) -> Iterator[Solver]:
    """Those that can do it, in the order of their names."""
    for solver in map(solvers.load, solvers.names()):
        meant = not solver.problems or problem in solver.problems
        if ability in solver.can and meant:
            yield solver


def _here(able: Iterator[Solver] | list[Solver], runtime: str) -> Available:
    found = Available([], [])
    for solver in able:
        try:
            found.candidates.append(PlacedCounter(solver, choose(solver, runtime)))
        except BoardsatError:
            found.missing.append(solver.name)
    return found
