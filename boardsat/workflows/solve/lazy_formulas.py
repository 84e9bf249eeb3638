"""Lazy formulas: solve, find the cuts that the model violates, add them, and repeat.

An incremental solver does that in one process; any other runs once for each round. If the rounds do
not suffice, another encoding of the same problem is solved, which needs none. It is the same
problem only if the formula is verified to be that of its header.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

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
from boardsat.adapters.runtimes import MIN_TIME_LIMIT, Limits, load_runtime
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.solver import AUTO, RuntimeName
from boardsat.adapters.views.solution import Solution
from boardsat.base import scratch
from boardsat.base.errors import InputError, SolverError
from boardsat.base.text import pluralize
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.solve.board_models import board_literals, member_lists
from boardsat.workflows.solve.checks import check_answer
from boardsat.workflows.solve.request import SolveRequest, select_requested_solver, solve_unchecked

Rounds = Callable[[FormulaFile, LazyConstraints, SolveRequest], Answer]
"""Function that runs the rounds: in one process, or in one for each round."""


@contextmanager
def decided_formula(
    problem: FormulaFile, request: SolveRequest
) -> Iterator[tuple[FormulaFile, Answer]]:
    """Yield the formula that was decided in the end, and its unchecked answer.

    This is the formula with its cuts, or another encoding of its problem.
    """
    if not problem.header.lazy:
        yield problem, solve_unchecked(problem, request)
        return
    from boardsat.instance.header_verification import rebuilds_identically

    answer = solve_with_cuts(problem, request)
    encoding = (
        read_lazy_constraints(problem.header, problem.path).otherwise
        if answer.cut_rounds.stop_reason
        else ""
    )
    if encoding and not rebuilds_identically(problem):
        why = "the file cannot be built again from its header"
        fault = f"{answer.reason}; {encoding} is not solved instead, as {why}"
        answer, encoding = replace(answer, reason=fault), ""
    if encoding:
        with _other_encoding(problem, encoding, request, answer) as decided:
            yield decided
    else:
        with problem.with_clauses(answer.cut_rounds.cuts) as formula:
            yield formula, answer


@contextmanager
def _other_encoding(
    problem: FormulaFile, encoding: str, request: SolveRequest, before: Answer
) -> Iterator[tuple[FormulaFile, Answer]]:
    """Solve another encoding; a board that it gives must be a model of the lazy formula too."""
    with scratch.folder() as folder:
        try:
            other = _build_encoding(problem, encoding, folder)
        except InputError as error:
            reason = f"{before.reason}; {encoding} is not solved instead: {error}"
            with problem.with_clauses(before.cut_rounds.cuts) as formula:
                yield formula, replace(before, reason=reason)
            return
        request = replace(request, limits=remaining_limits(request.limits, [before.run.usage]))
        answer = solve_unchecked(other, request)
        instead = str(other.header.about["spec"])
        usage = total_usage([before.run.usage, answer.run.usage])
        rounds = replace(before.cut_rounds, cuts=(), fallback_encoding=instead)
        decided = replace(answer, run=replace(answer.run, usage=usage), cut_rounds=rounds)
        if answer.status is not Status.SATISFIABLE:
            yield other, decided
            return
        solution = check_answer(other, answer, request).solution
        model = find_model(problem, solution, request) if solution else None
        if model is None:
            raise SolverError(
                f"what {instead} found is not a model of this formula", "one of them has a bug"
            )
        with problem.with_clauses(before.cut_rounds.cuts) as formula:
            rounds = replace(rounds, cuts=before.cut_rounds.cuts)
            yield formula, replace(decided, model=model, cut_rounds=rounds)


def _build_encoding(problem: FormulaFile, encoding: str, folder: Path) -> FormulaFile:
    """Write the problem that a header describes in another encoding."""
    from boardsat.generators import build, find, transform, write
    from boardsat.instance.header_verification import settings_from_header

    target = str(folder / "formula.cnf")
    spec = find(problem.header.problem, encoding)
    if not problem.generated_here:
        spec = spec.from_outside()
    formula = build(spec, settings_from_header(spec, problem.header))
    write(transform(formula, symmetry=bool(problem.header.symmetry)), target)
    other = open_formula(target, generated_here=True)
    if other.header.lazy:
        raise SolverError(f"{encoding} is lazy too", "raise its rounds", problem.path)
    return other


def find_model(problem: FormulaFile, solution: Solution, request: SolveRequest) -> Model | None:
    """Return a model of the formula that decodes to a board. None if there is none.

    The decision variables are fixed by unit clauses, and a solver finds the others. The reverse of
    a closed tour is tried too: a formula may break that symmetry.
    """
    for members in member_lists(problem.header, solution):
        literals = board_literals(problem, members)
        if literals is None:
            continue
        with problem.with_clauses([[literal] for literal in literals]) as fixed:
            answer = solve_with_cuts(fixed, request)
            if answer.status is Status.UNKNOWN:
                raise SolverError(
                    f"whether the board is a model is not known ({answer.reason})", "give more time"
                )
            with fixed.with_clauses(answer.cut_rounds.cuts) as formula:
                check_answer(formula, answer, request)
        if answer.model is not None:
            return answer.model
    return None


def solve_with_cuts(problem: FormulaFile, request: SolveRequest) -> Answer:
    """Return the unchecked answer, with the cuts that were added. A plain formula gets none."""
    if not problem.header.lazy:
        return solve_unchecked(problem, request)
    lazy = read_lazy_constraints(problem.header, problem.path)
    solver, where = select_requested_solver(request)
    if _would_start_often(request, solver, where):
        request = replace(request, runtime=RuntimeName.EMBEDDED)
        where = RuntimeName.EMBEDDED
    incremental = where is RuntimeName.EMBEDDED and solver.adds_cuts
    answer = _solve_in_board_order(
        problem, lazy, request, _solve_incrementally if incremental else _solve_by_rounds
    )
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


def _would_start_often(request: SolveRequest, solver: Solver, where: RuntimeName) -> bool:
    """Return whether each round would start a program although the embedded solver is available.

    A runtime that the user names, or a proof, rules the embedded solver out.
    """
    automatic = request.runtime == AUTO and not request.proof
    if not automatic or where is RuntimeName.EMBEDDED or not solver.adds_cuts:
        return False
    return load_runtime(RuntimeName.EMBEDDED).unavailable_reason(solver) is None


def _solve_in_board_order(
    problem: FormulaFile, lazy: LazyConstraints, request: SolveRequest, run_rounds: Rounds
) -> Answer:
    """Solve a copy whose variables and clauses have the order of the board.

    A proof is checked against the formula as it is, so its order is kept if one is requested.
    """
    order = None if request.proof else variable_order(problem.header, problem.variables)
    if order is None:
        return run_rounds(problem, lazy, request)
    numbers = np.zeros(len(order) + 1, np.int64)
    numbers[order] = np.arange(1, len(order) + 1)
    graphs = tuple(graph.renamed(numbers.tolist()) for graph in lazy.graphs)
    with rewrite.renumbered_copy(problem.summary, problem.path, numbers) as path:
        summary = problem.summary._replace(notes=(), clauses=problem.clauses)
        summary = summary._replace(variables=problem.variables)
        copy = replace(problem, path=path, summary=summary, trusted=True)
        answer = run_rounds(copy, lazy._replace(graphs=graphs), request)
    original = [0, *order.tolist()]
    cuts = tuple(
        tuple(original[x] if x > 0 else -original[-x] for x in cut)
        for cut in answer.cut_rounds.cuts
    )
    return replace(
        answer,
        model=None if answer.model is None else answer.model[numbers],
        cut_rounds=replace(answer.cut_rounds, cuts=cuts),
    )


def _solve_incrementally(
    problem: FormulaFile, lazy: LazyConstraints, request: SolveRequest
) -> Answer:
    """Run a solver that finds the cuts itself once."""
    with scratch.folder() as folder:
        path = folder / "cuts.json"
        graphs = [(type(graph).__name__, graph) for graph in lazy.graphs]
        text = json.dumps({"graphs": graphs, "rounds": lazy.rounds})
        scratch.write(path, [text.encode("ascii")])
        return solve_unchecked(problem, request, cuts=str(path))


def _solve_by_rounds(problem: FormulaFile, lazy: LazyConstraints, request: SolveRequest) -> Answer:
    """Run a solver for each round, all of them within the limits of one run."""
    cuts: list[Clause] = []
    used: list[Usage] = []
    progress = CutProgress(lazy.graphs)
    for number in range(1, lazy.rounds + 1):
        with problem.with_clauses(cuts) as formula:
            answer = solve_unchecked(
                formula, replace(request, limits=remaining_limits(request.limits, used))
            )
        used.append(answer.run.usage)
        run = replace(answer.run, usage=total_usage(used))
        rounds = CutRounds(number, tuple(map(tuple, cuts)))
        answer = replace(answer, run=run, cut_rounds=rounds)
        if answer.model is None:
            return _without_model(answer)
        true = set(np.flatnonzero(answer.model > 0).tolist())
        found = find_cuts(lazy.graphs, true)
        if found is None:
            return answer
        if found.instead is not None:
            better = _exchanged(answer.model, lazy, found.instead)
            if model_check.first_false_clause(problem.path, better) is None:
                return replace(answer, model=better, cut_rounds=replace(rounds, joined=True))
        cuts += found.cuts
        if end := reached_limit(request.limits, used):
            return _unknown(replace(answer, run=replace(run, termination=end)), end.value)
        gave_up = NO_PROGRESS if progress.is_stalled(found.cuts) else NO_ROUNDS
        if gave_up == NO_PROGRESS:
            break
    rounds = replace(rounds, cuts=tuple(map(tuple, cuts)), stop_reason=gave_up)
    return _unknown(replace(answer, cut_rounds=rounds), "")


def _without_model(answer: Answer) -> Answer:
    """Return the answer; UNKNOWN for SATISFIABLE, as an unseen model may violate cuts."""
    if answer.status is Status.SATISFIABLE:
        rounds = replace(answer.cut_rounds, count=0)
        return _unknown(
            replace(answer, cut_rounds=rounds), "the solver shows no model to find cuts by"
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


def remaining_limits(limits: Limits, used: Sequence[Usage]) -> Limits:
    """Return what earlier runs have left of the limits."""
    spent = total_usage(used)
    return replace(
        limits,
        wall=limits.wall and max(MIN_TIME_LIMIT, limits.wall - spent.scored_wall),
        cpu=limits.cpu and max(MIN_TIME_LIMIT, limits.cpu - (spent.scored_cpu or 0.0)),
    )


def reached_limit(limits: Limits, used: Sequence[Usage]) -> TerminationReason | None:
    """Return the limit that runs have reached together. None if none is reached."""
    spent = total_usage(used)
    if limits.wall is not None and spent.scored_wall >= limits.wall:
        return TerminationReason.TIME
    return (
        TerminationReason.CPU
        if limits.cpu is not None and (spent.scored_cpu or 0.0) >= limits.cpu
        else None
    )


def total_usage(used: Sequence[Usage]) -> Usage:
    """Return the total time and the largest memory of runs. None where one is not measured."""
    total = Usage(
        sum(usage.wall for usage in used),
        _sum(usage.cpu for usage in used),
        _max(usage.memory for usage in used),
    )
    if all(usage.solver_wall is None for usage in used):
        return total
    return replace(
        total,
        solver_wall=sum(usage.scored_wall for usage in used),
        solver_cpu=_sum(usage.scored_cpu for usage in used),
        solver_memory=_max(usage.scored_memory for usage in used),
    )


def _sum(values: Iterable[float | None]) -> float | None:
    """Return the sum of the values. None if one is missing."""
    total = 0.0
    for value in values:
        if value is None:
            return None
        total += value
    return total


def _max(values: Iterable[int | None]) -> int | None:
    """Return the largest of the values. None if one is missing or there is none."""
    known = [-1 if value is None else value for value in values]
    return max(known) if known and min(known) >= 0 else None
