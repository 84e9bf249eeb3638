"""Lazy formulas: rounds of solving and of adding the cuts that the model violates.

An incremental solver finds the cuts itself in one process; any other runs once for each round. If
the rounds do not suffice, another encoding of the same problem is solved, which needs no cuts. This
requires that rebuilding from the header reproduces the formula.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from boardsat.adapters.answer import Answer, CutRounds, Model, Status, TerminationReason, Usage
from boardsat.adapters.dimacs import model_check, rewrite
from boardsat.adapters.lazy_cuts.connectivity_cuts import (
    NO_PROGRESS,
    NO_ROUNDS,
    Clause,
    CutProgress,
    find_cuts,
)
from boardsat.adapters.lazy_cuts.lazy_constraints import (
    LazyConstraints,
    read_lazy_constraints,
    variable_order,
)
from boardsat.adapters.lazy_cuts.portfolio import CUTS, MIN_ROUNDS, PORTFOLIO
from boardsat.adapters.runtimes import MIN_TIME_LIMIT, Limits, load_runtime
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.solver import AUTO, RuntimeName
from boardsat.adapters.views import Solution
from boardsat.base import scratch
from boardsat.base.errors import InputError, SolverError
from boardsat.base.text import pluralize
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.solve.board_models import board_literals, member_lists
from boardsat.workflows.solve.checks import check_answer
from boardsat.workflows.solve.request import SolveRequest, select_requested_solver, solve_unchecked

Number = TypeVar("Number", int, float)

CYCLE_PROBLEMS = ("tour", "hamilton")
"""Problems whose lazy formulas have the Hamiltonian cycles of a graph as solutions."""

RunRounds = Callable[[FormulaFile, LazyConstraints, SolveRequest], Answer]
"""Function that runs the rounds of cuts, in a single process or in one process per round."""


@contextmanager
def decided_formula(
    formula: FormulaFile, request: SolveRequest
) -> Iterator[tuple[FormulaFile, Answer]]:
    """Solve a formula; yield the formula that was decided in the end, and its unchecked answer.

    Parameters
    ----------
    formula : FormulaFile
        Formula, plain or lazy.
    request : SolveRequest
        Solver, runtime and limits.

    Yields
    ------
    tuple of FormulaFile and Answer
        The formula itself, the formula with its cuts, or another encoding of its problem.
    """
    if not formula.header.lazy:
        yield formula, solve_unchecked(formula, request)
        return
    answer = solve_with_cuts(formula, request)
    encoding = ""
    if answer.cut_rounds.stop_reason:
        encoding = read_lazy_constraints(formula.header, formula.path).fallback
    if encoding:
        with _solve_fallback(formula, encoding, request, answer) as decided:
            yield decided
    else:
        with formula.with_clauses(answer.cut_rounds.cuts) as formula_with_cuts:
            yield formula_with_cuts, answer


@contextmanager
def _solve_fallback(
    formula: FormulaFile, encoding: str, request: SolveRequest, lazy_answer: Answer
) -> Iterator[tuple[FormulaFile, Answer]]:
    """Solve another encoding; a board found with it must also satisfy the lazy formula."""
    with scratch.folder() as folder:
        try:
            fallback = _build_fallback(formula, encoding, folder)
        except InputError as error:
            reason = f"{lazy_answer.reason}; {encoding} is not solved instead: {error}"
            with formula.with_clauses(lazy_answer.cut_rounds.cuts) as formula_with_cuts:
                yield formula_with_cuts, replace(lazy_answer, reason=reason)
            return
        lazy_usage = lazy_answer.run.usage
        request = replace(request, limits=remaining_limits(request.limits, [lazy_usage]))
        answer = solve_unchecked(fallback, request)
        spec = str(fallback.header.metadata["spec"])
        usage = total_usage([lazy_usage, answer.run.usage])
        rounds = replace(lazy_answer.cut_rounds, cuts=(), fallback_encoding=spec)
        decided = replace(answer, run=replace(answer.run, usage=usage), cut_rounds=rounds)
        if answer.status is not Status.SATISFIABLE:
            yield fallback, decided
            return
        solution = check_answer(fallback, answer, request).solution
        model = find_model(formula, solution, request) if solution else None
        if model is None:
            raise SolverError(
                f"the board found with {spec} is not a model of this formula",
                "one of the two encodings has a bug",
            )
        with formula.with_clauses(lazy_answer.cut_rounds.cuts) as formula_with_cuts:
            rounds = replace(rounds, cuts=lazy_answer.cut_rounds.cuts)
            yield formula_with_cuts, replace(decided, model=model, cut_rounds=rounds)


def _build_fallback(formula: FormulaFile, encoding: str, folder: Path) -> FormulaFile:
    """Build the instance of a formula's header in another encoding, and write it to the folder.

    Raise InputError if the header is not verified, or the encoding does not support the instance.
    """
    from boardsat.generators import build, find, transform, write
    from boardsat.instance.header_verification import rebuilds_identically, settings_from_header

    if not rebuilds_identically(formula):
        raise InputError("the file cannot be built again from its header")
    target = str(folder / "formula.cnf")
    spec = find(formula.header.problem, encoding)
    if not formula.generated_here:
        spec = spec.from_outside()
    built = build(spec, settings_from_header(spec, formula.header))
    write(transform(built, symmetry=bool(formula.header.symmetry)), target)
    fallback = open_formula(target, generated_here=True)
    if fallback.header.lazy:
        raise SolverError(f"the fallback encoding {encoding} is lazy too", "", formula.path)
    return fallback


def find_model(formula: FormulaFile, solution: Solution, request: SolveRequest) -> Model | None:
    """Find a model of a formula that decodes to a given board.

    The decision variables are fixed by unit clauses, and a solver assigns the others. The reverse
    of a closed tour is tried too, as a formula may break that symmetry.

    Parameters
    ----------
    formula : FormulaFile
        Formula, plain or lazy.
    solution : Solution
        Board, perhaps found with another encoding or solver.
    request : SolveRequest
        Solver of CNF, and its limits.

    Returns
    -------
    Model or None
        Checked model; None if the board is not a solution of the formula.

    Raises
    ------
    SolverError
        A limit was reached.
    """
    for members in member_lists(formula.header, solution):
        literals = board_literals(formula, members)
        if literals is None:
            continue
        with formula.with_clauses([[literal] for literal in literals]) as fixed:
            answer = solve_with_cuts(fixed, request)
            if answer.status is Status.UNKNOWN:
                raise SolverError(
                    f"{request.solver} did not decide whether the board is a model "
                    f"({answer.reason})",
                    "raise --timeout",
                )
            with fixed.with_clauses(answer.cut_rounds.cuts) as formula_with_cuts:
                check_answer(formula_with_cuts, answer, request)
        if answer.model is not None:
            return answer.model
    return None


def solve_with_cuts(formula: FormulaFile, request: SolveRequest) -> Answer:
    """Solve by rounds of cuts, or once if not lazy; return the unchecked answer with its cuts."""
    if not formula.header.lazy:
        return solve_unchecked(formula, request)
    lazy = read_lazy_constraints(formula.header, formula.path)
    solver, runtime_name = select_requested_solver(request)
    if _should_embed(request, solver, runtime_name):
        request = replace(request, runtime=RuntimeName.EMBEDDED)
        runtime_name = RuntimeName.EMBEDDED
    is_incremental = runtime_name is RuntimeName.EMBEDDED and solver.adds_cuts
    run_rounds = _solve_incrementally if is_incremental else _solve_by_rounds
    answer = _solve_in_board_order(formula, lazy, request, run_rounds)
    if answer.status is Status.UNSATISFIABLE and answer.cut_rounds.method not in ("", CUTS):
        return _require_cycle_formula(formula, answer)
    if (
        answer.status is not Status.UNKNOWN
        or answer.run.termination is not TerminationReason.FINISHED
    ):
        return replace(answer, cut_rounds=replace(answer.cut_rounds, stop_reason=""))
    if answer.cut_rounds.stop_reason:
        fault = f"not decided within the rounds of cuts ({answer.cut_rounds.count:,})"
        if answer.cut_rounds.stop_reason == NO_PROGRESS:
            rounds = pluralize(answer.cut_rounds.count, "round of cuts", "rounds of cuts")
            fault = f"{NO_PROGRESS} in {rounds}"
        return replace(answer, reason=fault)
    return answer


def _should_embed(request: SolveRequest, solver: Solver, runtime_name: RuntimeName) -> bool:
    """Return True if the embedded solver is available, and saves a process for each round.

    A runtime that the user names, or a proof, rules the embedded solver out.
    """
    is_automatic = request.runtime == AUTO and not request.proof
    if not is_automatic or runtime_name is RuntimeName.EMBEDDED or not solver.adds_cuts:
        return False
    return load_runtime(RuntimeName.EMBEDDED).unavailable_reason(solver) is None


def _solve_in_board_order(
    formula: FormulaFile, lazy: LazyConstraints, request: SolveRequest, run_rounds: RunRounds
) -> Answer:
    """Solve a copy whose variables and clauses have the order of the board.

    With a proof the original is solved, as the proof is checked against it.
    """
    order = None if request.proof else variable_order(formula.header, formula.variables)
    if order is None:
        return run_rounds(formula, lazy, request)
    numbers = np.zeros(len(order) + 1, np.int64)
    numbers[order] = np.arange(1, len(order) + 1)
    graphs = tuple(graph.renamed(numbers.tolist()) for graph in lazy.graphs)
    with rewrite.renumbered_copy(formula.summary, formula.path, numbers) as path:
        summary = formula.summary._replace(
            notes=(), clauses=formula.clauses, variables=formula.variables
        )
        copy = replace(formula, path=path, summary=summary, trusted=True)
        answer = run_rounds(copy, lazy._replace(graphs=graphs), request)
    original = [0, *order.tolist()]
    cuts = tuple(
        tuple(original[literal] if literal > 0 else -original[-literal] for literal in cut)
        for cut in answer.cut_rounds.cuts
    )
    return replace(
        answer,
        model=None if answer.model is None else answer.model[numbers],
        cut_rounds=replace(answer.cut_rounds, cuts=cuts),
    )


def _solve_incrementally(
    formula: FormulaFile, lazy: LazyConstraints, request: SolveRequest
) -> Answer:
    """Run a solver that finds the cuts itself; one process does all rounds."""
    with scratch.folder() as folder:
        path = folder / "cuts.json"
        graphs = [(type(graph).__name__, graph) for graph in lazy.graphs]
        # Models of these problems are 2-factors, so that a connected one is a Hamiltonian cycle.
        is_cycle = formula.header.problem in CYCLE_PROBLEMS and lazy.rounds >= MIN_ROUNDS
        slices = PORTFOLIO if is_cycle else ()
        text = json.dumps({"graphs": graphs, "rounds": lazy.rounds, "portfolio": slices})
        scratch.write(path, [text.encode("ascii")])
        return solve_unchecked(formula, request, cuts=str(path))


def _require_cycle_formula(formula: FormulaFile, answer: Answer) -> Answer:
    """Return the answer that no Hamiltonian cycle exists, if rebuilding gives the same formula.

    Otherwise return UNKNOWN, as models of other clauses may not be cycles.
    """
    from boardsat.instance.header_verification import rebuilds_identically

    if rebuilds_identically(formula):
        return answer
    return _unknown(
        answer, "the graph has no such cycle, but the clauses are not those of its header"
    )


def _solve_by_rounds(formula: FormulaFile, lazy: LazyConstraints, request: SolveRequest) -> Answer:
    """Run a solver once for each round, all rounds together within the limits of the request."""
    cuts: list[Clause] = []
    usages: list[Usage] = []
    progress = CutProgress(lazy.graphs)
    for number in range(1, lazy.rounds + 1):
        with formula.with_clauses(cuts) as formula_with_cuts:
            limits = remaining_limits(request.limits, usages)
            answer = solve_unchecked(formula_with_cuts, replace(request, limits=limits))
        usages.append(answer.run.usage)
        run = replace(answer.run, usage=total_usage(usages))
        rounds = CutRounds(number, tuple(map(tuple, cuts)))
        answer = replace(answer, run=run, cut_rounds=rounds)
        if answer.model is None:
            return _without_model(answer)
        true = set(np.flatnonzero(answer.model > 0).tolist())
        violation = find_cuts(lazy.graphs, true)
        if violation is None:
            return answer
        if violation.alternative_edges is not None:
            joined_model = _exchanged(answer.model, lazy, violation.alternative_edges)
            if model_check.first_false_clause(formula.path, joined_model) is None:
                return replace(answer, model=joined_model, cut_rounds=replace(rounds, joined=True))
        cuts += violation.cuts
        if end := reached_limit(request.limits, usages):
            return _unknown(replace(answer, run=replace(run, termination=end)), end.value)
        stop_reason = NO_PROGRESS if progress.is_stalled(violation.cuts) else NO_ROUNDS
        if stop_reason == NO_PROGRESS:
            break
    rounds = replace(rounds, cuts=tuple(map(tuple, cuts)), stop_reason=stop_reason)
    return _unknown(replace(answer, cut_rounds=rounds), "")


def _without_model(answer: Answer) -> Answer:
    """Return the answer, or UNKNOWN if it is SATISFIABLE: its unknown model may need cuts."""
    if answer.status is Status.SATISFIABLE:
        rounds = replace(answer.cut_rounds, count=0)
        return _unknown(
            replace(answer, cut_rounds=rounds),
            "the solver prints no model, which the search for cuts needs",
        )
    return answer


def _unknown(answer: Answer, reason: str) -> Answer:
    return replace(answer, status=Status.UNKNOWN, reason=reason, model=None)


def _exchanged(model: Model, lazy: LazyConstraints, true: set[int]) -> Model:
    """Return the model with exactly the given variables of the graphs set to true."""
    changed = model.copy()
    for graph in lazy.graphs:
        variables = list(graph.variables())
        changed[variables] = [1 if variable in true else -1 for variable in variables]
    return changed


def remaining_limits(limits: Limits, usages: Sequence[Usage]) -> Limits:
    """Return the limits minus the time that earlier runs used."""
    used = total_usage(usages)
    return replace(
        limits,
        wall=limits.wall and max(MIN_TIME_LIMIT, limits.wall - used.scored_wall),
        cpu=limits.cpu and max(MIN_TIME_LIMIT, limits.cpu - (used.scored_cpu or 0.0)),
    )


def reached_limit(limits: Limits, usages: Sequence[Usage]) -> TerminationReason | None:
    """Return the limit that all runs together have reached; None if they reached none."""
    used = total_usage(usages)
    if limits.wall is not None and used.scored_wall >= limits.wall:
        return TerminationReason.TIME
    if limits.cpu is not None and (used.scored_cpu or 0.0) >= limits.cpu:
        return TerminationReason.CPU
    return None


def total_usage(usages: Sequence[Usage]) -> Usage:
    """Return the total time and the peak memory of runs; None if it is unknown for one of them."""
    total = Usage(
        sum(usage.wall for usage in usages),
        _combine(sum, [usage.cpu for usage in usages]),
        _combine(max, [usage.memory for usage in usages]),
    )
    if all(usage.solver_wall is None for usage in usages):
        return total
    return replace(
        total,
        solver_wall=sum(usage.scored_wall for usage in usages),
        solver_cpu=_combine(sum, [usage.scored_cpu for usage in usages]),
        solver_memory=_combine(max, [usage.scored_memory for usage in usages]),
    )


def _combine(
    combine: Callable[[list[Number]], Number], numbers: Sequence[Number | None]
) -> Number | None:
    """Return the sum or maximum of numbers; None if any number is missing, or there are none."""
    measured = [number for number in numbers if number is not None]
    return combine(measured) if measured and len(measured) == len(numbers) else None
