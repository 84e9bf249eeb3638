"""The count workflow: counter, projection, count and referee."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Protocol

from boardsat.adapters import calling, solvers
from boardsat.adapters.answer import Answer, Status
from boardsat.adapters.counts import counted
from boardsat.adapters.dimacs import copies
from boardsat.adapters.errors import AdapterError, WrongAnswerError, suggest
from boardsat.adapters.runtimes import Limits, Task, choose, refuse_seed, scratch
from boardsat.adapters.solvers import Solver
from boardsat.problem import Instance, Problem, board_file

PUBLISHED = "published"

AGREE, DISAGREE, INSIDE, OUTSIDE = "agree", "disagree", "inside", "outside"


@dataclass(frozen=True)
class CountRequest:
    """How to count."""

    counter: str
    runtime: str = "auto"
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    epsilon: float = 0.8
    delta: float = 0.2
    core: int | None = None
    """The processor core to run on; None for any one."""


class Comparable(Protocol):
    """What can be compared: a number of objects that is exact, or an estimate in an interval."""

    @property
    def objects(self) -> int | None: ...

    @property
    def exact(self) -> bool: ...

    @property
    def interval(self) -> tuple[int, int] | None: ...


@dataclass(frozen=True)
class Count:
    """A number of objects: exact, or an estimate within an interval."""

    objects: int | None
    """None where the counter came to no end."""
    models: int | None
    """None also where there was no formula to have any."""
    exact: bool
    interval: tuple[int, int] | None
    """What the guarantee of an estimate says: objects at least and at most."""
    answer: Answer


@dataclass(frozen=True)
class Referee:
    """A count to compare with, and who says so."""

    name: str
    source: str
    objects: int | None
    exact: bool = True
    interval: tuple[int, int] | None = None
    reason: str = ""


def counter(name: str) -> Solver:
    solver = solvers.load(name)
    if not solver.counts:
        counters = [each for each in solvers.names() if solvers.load(each).counts]
        raise AdapterError(f"{name} does not count models", suggest(name, counters))
    return solver


def models_each(problem: Instance) -> int:
    each: int = problem.header.objects.get("models_each", 1)
    return each


def count(problem: Instance, request: CountRequest) -> Count:
    """The count of a formula; a counter that reads the board needs none."""
    solver = counter(request.counter)
    variables = 0
    if isinstance(problem, Problem):
        problem.refuse_lazy()
        problem.refuse_weights()
        variables = problem.variables
    where = choose(solver, request.runtime)
    refuse_seed(solver, where, request.seed)
    with _input(problem, solver) as path:
        task = Task(
            path,
            request.limits,
            request.seed,
            count=True,
            epsilon=request.epsilon,
            delta=request.delta,
            core=request.core,
        )
        answer = calling.solve(solver, where, task, variables, request.runtime)
    exact, each = "count" in solver.can, models_each(problem)
    number = 0 if answer.status is Status.UNSATISFIABLE else answer.count
    if answer.status is Status.UNKNOWN:
        return Count(None, None, exact, None, answer)
    if number is None or (number == 0) != (answer.status is Status.UNSATISFIABLE):
        raise AdapterError(f"{solver.name} gives no count", "run it by hand")
    if solver.reads == "board":
        models = number * each if isinstance(problem, Problem) else None
        return Count(number, models, exact, None, answer)
    if not exact:
        factor = 1 + Fraction(request.epsilon)
        least, most = (math.ceil(number / factor / each), math.floor(number * factor / each))
        return Count(round(Fraction(number, each)), number, exact, (least, most), answer)
    if number % each:
        raise WrongAnswerError(
            f"WRONG COUNT from {solver.name}: {counted(number, 'model')}, but {each} for each of "
            f"the {problem.header.objects.get('name', 'objects')}",
            "keep the file: the counter, the projection or the encoding has a bug",
            scratch.kept(problem.path),
        )
    return Count(number // each, number, exact, None, answer)


@contextmanager
def _input(problem: Instance, solver: Solver) -> Iterator[str]:
    """The file for a counter: the formula with its projection, or the board alone."""
    if solver.reads == "board":
        problem.board_for(solver)
        with board_file(problem) as path:
            yield path
        return
    assert isinstance(problem, Problem), f"{solver.name} needs a formula"
    projection = problem.projection().tolist()
    with copies.rewritten(
        problem.summary, problem.path, projection=projection, how=solver.projection
    ) as path:
        yield path


def counts(problem: Instance, request: CountRequest, repeat: int) -> Iterator[Count]:
    """The same with several seeds, as long as the counter comes to an end."""
    first = 1 if request.seed is None else request.seed
    for seed in range(first, first + repeat):
        found = count(problem, replace(request, seed=seed) if repeat > 1 else request)
        yield found
        if found.objects is None:
            return


def median(found: list[Count]) -> Count:
    """The count in the middle, or the lower of two, so that it is one that was found."""
    done = [each for each in found if each.objects is not None]
    if not done:
        return found[0]
    middle = statistics.median_low(each.objects or 0 for each in done)
    return next(each for each in done if each.objects == middle)


def referee(problem: Instance, name: str, request: CountRequest) -> Referee:
    """The count of somebody else: published, or of another counter under the same limits."""
    if name == PUBLISHED:
        about = problem.header.objects
        if PUBLISHED not in about:
            raise AdapterError("nobody has published this count", "choose a counter as referee")
        return Referee(PUBLISHED, about["cite"], about[PUBLISHED])
    solver = counter(name)
    seed = request.seed if solver.takes_seed(choose(solver, request.runtime)) else None
    found = count(problem, replace(request, counter=name, seed=seed))
    answer = found.answer
    source = f"{name} {answer.version}, {answer.runtime}"
    return Referee(name, source, found.objects, found.exact, found.interval, answer.reason)


def verdict(found: Comparable, other: Comparable) -> str | None:
    """Whether two counts can both be right; None where one of them is not there."""
    if found.objects is None or other.objects is None:
        return None
    if found.exact and other.exact:
        return AGREE if found.objects == other.objects else DISAGREE
    # An exact count is an interval of one number.
    least, most = found.interval or (found.objects, found.objects)
    low, high = other.interval or (other.objects, other.objects)
    return INSIDE if least <= high and low <= most else OUTSIDE
