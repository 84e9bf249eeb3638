"""One run of one counter: how many objects, exactly or within an interval."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction

from boardsat import clock
from boardsat.adapters import solvers
from boardsat.adapters.answer import Answer, Status
from boardsat.adapters.counters import DEFAULT_DELTA, DEFAULT_EPSILON
from boardsat.adapters.dimacs import copies
from boardsat.adapters.runtimes import Limits, Task, choose, refuse_seed
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.capabilities import Ability
from boardsat.base import scratch
from boardsat.base.errors import InputError, WrongAnswerError
from boardsat.base.text import pluralize, suggest
from boardsat.instance.formula_file import FormulaFile, Instance, board_file

OTHERS_WEIGH = "leave --counter out, or remove the weights to count models without them"
"""The remedy where a counter supports no weights."""


@dataclass(frozen=True)
class CountRequest:
    """How to count."""

    counter: str
    runtime: str = "auto"
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    epsilon: float = DEFAULT_EPSILON
    delta: float = DEFAULT_DELTA
    core: int | None = None
    """The processor core to run on; None for any one."""


@dataclass(frozen=True)
class Count:
    """A number of objects: exact, or an estimate within an interval."""

    objects: int | Fraction | None
    """A sum of weights where literals have some; None where the counter came to no end."""
    models: int | None
    """None also where there was no formula to have any, or where weights were added up."""
    exact: bool
    interval: tuple[int, int] | None
    """What the guarantee of an estimate says: objects at least and at most."""
    answer: Answer


@dataclass(frozen=True)
class PlacedCounter:
    """A counter, and where it runs."""

    solver: Solver
    where: str

    @property
    def takes_seed(self) -> bool:
        return self.solver.takes_seed(self.where)


def counter(name: str) -> Solver:
    solver = solvers.load(name)
    if not solver.counts:
        counters = [each for each in solvers.names() if solvers.load(each).counts]
        raise InputError(f"{name} does not count models", suggest(name, counters))
    return solver


def count(problem: Instance, request: CountRequest) -> Count:
    """The count of a formula; a counter that reads the board needs none."""
    solver = counter(request.counter)
    return run(problem, PlacedCounter(solver, choose(solver, request.runtime)), request)


def run(problem: Instance, candidate: PlacedCounter, request: CountRequest) -> Count:
    """The same by a counter that has been looked up already."""
    refuse_seed(candidate.solver, candidate.where, request.seed)
    task = Task(
        "",
        request.limits,
        request.seed,
        count=True,
        epsilon=request.epsilon,
        delta=request.delta,
        core=request.core,
    )
    answer = asked_of(problem, candidate, task, request.runtime)
    return read_count(problem, candidate.solver, answer, request.epsilon)


def asked_of(problem: Instance, candidate: PlacedCounter, task: Task, runtime: str) -> Answer:
    """The answer of a counter or sampler, which gets the formula or the board as its file."""
    solver = candidate.solver
    if isinstance(problem, FormulaFile):
        problem.require_cnf()
        problem.require_complete()
        if Ability.WEIGH not in solver.can:
            problem.require_unweighted(f"{solver.name} does not support", OTHERS_WEIGH)
        if solver.reads == "formula":
            problem.require_no_xor_lines("no counter reads")
    with _input(problem, solver) as (path, variables):
        asked = replace(task, file=path)
        return clock.solve(solver, candidate.where, asked, variables, runtime)


def read_count(problem: Instance, solver: Solver, answer: Answer, epsilon: float) -> Count:
    """Objects, from the models that a counter has found."""
    exact, each = "count" in solver.can, problem.header.objects.get("models_each", 1)
    if isinstance(problem, FormulaFile) and problem.weighted:
        _refuse_too_heavy(problem, solver, answer.weighted)
        return Count(answer.weighted, None, exact, None, answer)
    number = 0 if answer.status is Status.UNSATISFIABLE else answer.count
    if answer.status is Status.UNKNOWN:
        return Count(None, None, exact, None, answer)
    if number is None:
        raise InputError(f"{solver.name} gives no count", "run it by hand")
    if solver.reads == "board":
        models = number * each if isinstance(problem, FormulaFile) else None
        return Count(number, models, exact, None, answer)
    factor = 1 + Fraction(0 if exact else epsilon)
    _refuse_too_many(problem, solver, math.ceil(number / factor))
    if not exact:
        least, most = (math.ceil(number / factor / each), math.floor(number * factor / each))
        return Count(round(Fraction(number, each)), number, exact, (least, most), answer)
    if number % each:
        name = problem.header.objects.get("name", "objects")
        raise _wrong(
            problem, solver, f"{pluralize(number, 'model')}, but {each} for each of the {name}"
        )
    return Count(number // each, number, exact, None, answer)


def _refuse_too_many(problem: Instance, solver: Solver, least: int) -> None:
    """There are no more models than ways to assign the variables that are counted over."""
    assert isinstance(problem, FormulaFile)
    variables = len(problem.projection())
    if least.bit_length() > variables + 1 or least > 2**variables:
        over = pluralize(variables, "variable")
        raise _wrong(problem, solver, f"more models than assignments of {over}")


def _refuse_too_heavy(problem: FormulaFile, solver: Solver, total: Fraction | None) -> None:
    """All assignments together weigh the product of what both literals of each variable weigh."""
    weights = problem.weights() or {}
    if total is None:
        return
    others = len(problem.projection()) - len(weights) // 2
    pairs = (weight + weights[-lit] for lit, weight in weights.items() if lit > 0)
    if total > math.prod(pairs, start=Fraction(2**others)):
        raise _wrong(problem, solver, "more than all assignments weigh")


def _wrong(problem: Instance, solver: Solver, fault: str) -> WrongAnswerError:
    return WrongAnswerError(
        f"WRONG COUNT from {solver.name}: {fault}",
        "keep the file: the counter, the projection, the header or the encoding has a bug",
        scratch.preserve(problem.path),
    )


@contextmanager
def _input(problem: Instance, solver: Solver) -> Iterator[tuple[str, int]]:
    """The file for a counter: the formula with its projection, or the board alone.

    With it the number of its variables, or of its cells.
    """
    if solver.reads == "board":
        board = problem.board_for(solver)
        with board_file(problem) as path:
            yield path, board.cells
        return
    assert isinstance(problem, FormulaFile), f"{solver.name} needs a formula"
    projection = problem.projection().tolist()
    weights, how = problem.weights(), solver.projection
    with copies.rewritten(
        problem.summary, problem.path, projection=projection, how=how, weights=weights
    ) as path:
        yield path, problem.variables


def median(found: list[Count]) -> Count:
    """The count in the middle, or the lower of two, so that it is one that was found."""
    done = [each for each in found if each.objects is not None]
    if not done:
        return found[0]
    middle = statistics.median_low(each.objects or 0 for each in done)
    return next(each for each in done if each.objects == middle)
