"""One run of a counter or sampler on a formula or a board, and its count."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

from boardsat.adapters import run_solver, solvers
from boardsat.adapters.answer import Answer, Status
from boardsat.adapters.dimacs import rewrite
from boardsat.adapters.runtimes import Limits, Task, check_seed, select_runtime
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.requirements import (
    InputFeature,
    OutputKind,
    SolverRequirements,
    check_requirements,
    supported_outputs,
)
from boardsat.adapters.solvers.solver import AUTO, Capability, InputFormat
from boardsat.base import scratch
from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError, WrongAnswerError
from boardsat.base.text import pluralize, suggest
from boardsat.instance.formula_file import PARITY_AS_CLAUSES, FormulaFile, Instance, board_file

_COUNT_OUTPUTS = OutputKind.COUNT, OutputKind.ESTIMATE
_SAMPLE_OUTPUTS = OutputKind.SAMPLE, OutputKind.NEARLY_UNIFORM_SAMPLE


@dataclass(frozen=True)
class Count:
    """Number of objects, exact or an estimate within an interval."""

    objects: int | Fraction | None
    """Number of objects, or weighted count. None if the counter did not finish."""
    models: int | None
    """Number of models. None without a formula, and for a weighted count."""
    exact: bool
    interval: tuple[int, int] | None
    """Bounds guaranteed by an estimate, both inclusive. None if exact."""
    answer: Answer

    @property
    def is_finished(self) -> bool:
        """True if the counter or sampler gave an answer, also a weighted count."""
        return self.answer.status is not Status.UNKNOWN or self.answer.weighted_count is not None


@dataclass(frozen=True)
class CounterOnRuntime:
    """Counter or sampler with its runtime."""

    solver: Solver
    runtime: str

    @property
    def name(self) -> str:
        return self.solver.name

    @property
    def reads_board(self) -> bool:
        return self.solver.input_format is InputFormat.BOARD

    @property
    def takes_seed(self) -> bool:
        return self.solver.takes_seed(self.runtime)


def load_counter(name: str) -> Solver:
    """Load a counter by name; raise InputError for a solver that does not count."""
    solver = solvers.load(name)
    if not solver.is_counter:
        counters = [name for name in solvers.names() if solvers.load(name).is_counter]
        raise InputError(f"{name} does not count models", suggest(name, counters))
    return solver


def count(
    instance: Instance,
    counter: str,
    runtime: str = AUTO,
    limits: Limits | None = None,
    seed: int | None = None,
    core: int | None = None,
) -> Count:
    """Count the models of a formula, or the objects of a board with a counter that reads boards.

    Parameters
    ----------
    instance : Instance
        Formula or board.
    counter : str
        Name of the counter, or path of its YAML file.
    runtime : str
        Requested runtime, or ``"auto"`` for the first available one.
    limits : Limits, optional
        Limits of time and memory. None: unlimited.
    seed : int, optional
        Random seed of an estimator.
    core : int, optional
        Processor core to run on. None: any.

    Returns
    -------
    Count
        Its `objects` is None if a limit was reached.

    Raises
    ------
    InputError
        The counter cannot read the instance, or takes no seed.
    WrongAnswerError
        The count exceeds the bound for a formula of this size.
    """
    solver = load_counter(counter)
    candidate = CounterOnRuntime(solver, select_runtime(solver, runtime))
    check_seed(solver, candidate.runtime, seed)
    task = Task("", limits or Limits(), seed, count=True, core=core)
    return run_counter(instance, candidate, task, runtime)


def run_counter(instance: Instance, candidate: CounterOnRuntime, task: Task, runtime: str) -> Count:
    """Run a counter or sampler and check its count against the bound that the formula implies.

    Parameters
    ----------
    instance
        Formula or board, written to the input file of the run.
    task
        Task without a file. Its seed is dropped for a counter that takes none.
    runtime
        Runtime that the user requested, for a note if another one is used.

    Raises
    ------
    InputError
        The counter cannot read the instance, or its output lacks the count or samples.
    WrongAnswerError
        The count exceeds the bound for a formula of this size.
    """
    solver = candidate.solver
    if isinstance(instance, FormulaFile):
        instance.require_cnf()
        instance.require_complete()
        _check_features(instance, solver, task)
    if task.count and not candidate.takes_seed:
        task = replace(task, seed=None)
    with _input_file(instance, solver) as (path, variables):
        answer = run_solver.run_solver(
            solver, candidate.runtime, replace(task, file=path), variables, runtime
        )
    count = read_count(instance, solver, answer, task.accuracy.epsilon)
    num_drawn = len(answer.samples)
    if task.samples and answer.status is Status.SATISFIABLE and num_drawn != task.samples:
        fault = f"{solver.name} must draw {task.samples:,} samples (got {num_drawn:,})"
        raise InputError(fault)
    return count


def _check_features(formula: FormulaFile, solver: Solver, task: Task) -> None:
    """Raise InputError if a counter or sampler does not support XOR lines or weights."""
    remedies = {}
    if formula.summary.xor_lines and solver.input_format is InputFormat.CNF:
        remedies[InputFeature.XOR_LINES] = PARITY_AS_CLAUSES
    if formula.weighted:
        remedies[InputFeature.WEIGHTS] = "remove the weights"
    outputs = _SAMPLE_OUTPUTS if task.samples else _COUNT_OUTPUTS
    output = next(output for output in outputs if output in supported_outputs(solver))
    spec = str(formula.header.metadata.get("spec", ""))
    if remedies:
        check_requirements(
            solver,
            SolverRequirements(set(remedies), output),
            location=spec if formula.generated_here else formula.path,
            alternative=", or ".join(remedies.values()),
        )


def read_count(instance: Instance, solver: Solver, answer: Answer, epsilon: float) -> Count:
    """Compute the number of objects from the number of models that a solver reported."""
    exact = Capability.COUNT in solver.capabilities
    multiplicity = instance.header.counting.objects.get("models_per_solution", 1)
    if isinstance(instance, FormulaFile) and instance.weighted:
        _check_weight(instance, solver, answer.weighted_count)
        return Count(answer.weighted_count, None, exact, None, answer)
    number = 0 if answer.status is Status.UNSATISFIABLE else answer.count
    if answer.status is Status.UNKNOWN:
        return Count(None, None, exact, None, answer)
    if number is None:
        raise InputError(f"the output of {solver.name} has no count")
    if solver.input_format is InputFormat.BOARD:
        models = number * multiplicity if isinstance(instance, FormulaFile) else None
        return Count(number, models, exact, None, answer)
    assert isinstance(instance, FormulaFile)
    factor = 1 + Fraction(0 if exact else epsilon)
    _check_number(instance, solver, math.ceil(number / factor))
    if not exact:
        interval = (
            math.ceil(number / factor / multiplicity),
            math.floor(number * factor / multiplicity),
        )
        return Count(round(Fraction(number, multiplicity)), number, exact, interval, answer)
    if number % multiplicity:
        name = instance.header.counting.objects.get("name", "objects")
        models = pluralize(number, "model")
        fault = f"{models}, not a multiple of {multiplicity} (models of each of the {name})"
        raise _wrong_count(instance, solver, fault)
    return Count(number // multiplicity, number, exact, None, answer)


def _check_number(formula: FormulaFile, solver: Solver, lower_bound: int) -> None:
    """Raise WrongAnswerError if a lower bound exceeds the number of projected assignments."""
    variables = len(formula.projection())
    if lower_bound.bit_length() > variables + 1 or lower_bound > 2**variables:
        fault = f"more models than assignments of {pluralize(variables, 'variable')}"
        raise _wrong_count(formula, solver, fault)


def _check_weight(formula: FormulaFile, solver: Solver, total: Fraction | None) -> None:
    """Raise WrongAnswerError if the weighted count exceeds the weight of all assignments.

    The latter is the product over all variables of the sum of the weights of both literals.
    """
    weights = formula.weights() or {}
    if total is None:
        return
    num_unweighted = len(formula.projection()) - len(weights) // 2
    pairs = (weight + weights[-lit] for lit, weight in weights.items() if lit > 0)
    if total > math.prod(pairs, start=Fraction(2**num_unweighted)):
        raise _wrong_count(
            formula, solver, "the weighted count exceeds the weight of all assignments"
        )


def _wrong_count(formula: FormulaFile, solver: Solver, fault: str) -> WrongAnswerError:
    return WrongAnswerError(
        f"WRONG COUNT from {solver.name}: {fault}",
        "keep the file for a bug report against the counter, the encoding or the header",
        scratch.preserve(formula.path),
    )


@contextmanager
def _input_file(instance: Instance, solver: Solver) -> Iterator[tuple[str, int]]:
    """Write the input file of a counter; yield its path and number of variables or cells."""
    if solver.input_format is InputFormat.BOARD:
        board = instance.board_for(solver)
        with board_file(instance) as path:
            yield path, board.cells
        return
    assert isinstance(instance, FormulaFile), f"{solver.name} needs a formula"
    with rewrite.write_canonical(
        instance.summary,
        instance.path,
        projection=instance.projection().tolist(),
        projection_keyword=solver.projection,
        weights=instance.weights(),
    ) as path:
        yield path, instance.variables


def median(counts: Sequence[Count]) -> Count:
    """Return the run with the (lower) median count, or the first run if none has a count."""
    finished = [count for count in counts if count.objects is not None]
    if not finished:
        return counts[0]
    objects = statistics.median_low(count.objects or 0 for count in finished)
    return next(count for count in finished if count.objects == objects)
