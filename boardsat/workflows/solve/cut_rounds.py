"""Solving a lazy formula: solve, find the cuts that the model violates, add them, repeat.

An incremental solver does that in one process; any other is asked again, round by round.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from boardsat.adapters.answer import Answer, Model, Status, TerminationReason, Usage
from boardsat.adapters.dimacs import check
from boardsat.adapters.dimacs.reader import open_cnf
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
from boardsat.adapters.runtimes import MIN_TIME_LIMIT, Limits, runtime
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.capabilities import AUTO, RuntimeName
from boardsat.base import scratch
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Tokens
from boardsat.generators.dimacs.literal_text import LiteralTable
from boardsat.generators.limits import LARGEST_INTEGER
from boardsat.generators.ragged import clause_starts, take_rows
from boardsat.instance.formula_file import FormulaFile
from boardsat.workflows.solve.request import SolveRequest, select_requested_solver, solve_unchecked

Way = Callable[[FormulaFile, LazyConstraints, SolveRequest], Answer]
"""How the rounds are run."""


def answer_with_cuts(problem: FormulaFile, request: SolveRequest) -> Answer:
    """The answer to a formula, with the cuts that it took; one that is not lazy is asked once."""
    if not problem.header.lazy:
        return solve_unchecked(problem, request)
    lazy = read_lazy_constraints(problem.header, problem.path)
    solver, where = select_requested_solver(request)
    if _starts_anew(request, solver, where):
        request = replace(request, runtime=RuntimeName.EMBEDDED)
        where = RuntimeName.EMBEDDED
    at_once = where is RuntimeName.EMBEDDED and solver.adds_cuts
    answer = _in_order(problem, lazy, request, _incrementally if at_once else _by_rounds)
    if answer.status is not Status.UNKNOWN or answer.end is not TerminationReason.FINISHED:
        return replace(answer, gave_up="")
    if answer.gave_up:
        fault = f"not decided within the rounds of cuts ({answer.rounds:,})"
        if answer.gave_up == NO_PROGRESS:
            rounds = pluralize(answer.rounds, "round of cuts", "rounds of cuts")
            fault = f"{NO_PROGRESS} in {rounds}"
        return replace(answer, reason=fault)
    return answer


def _starts_anew(request: SolveRequest, solver: Solver, where: RuntimeName) -> bool:
    """Whether each round would start a program, where nobody asked for that and one need not."""
    chosen = request.runtime == AUTO and not request.proof
    if not chosen or where is RuntimeName.EMBEDDED or not solver.adds_cuts:
        return False
    return runtime(RuntimeName.EMBEDDED).available(solver) is None


def _in_order(
    problem: FormulaFile, lazy: LazyConstraints, request: SolveRequest, way: Way
) -> Answer:
    """The answer to a formula whose variables have the order of the board, under their own names.

    A proof is checked against the formula as it is, so with one the order stays.
    """
    order = None if request.proof else variable_order(problem.header, problem.variables)
    if order is None:
        return way(problem, lazy, request)
    names = np.zeros(len(order) + 1, np.int64)
    names[order] = np.arange(1, len(order) + 1)
    graphs = tuple(graph.renamed(names.tolist()) for graph in lazy.graphs)
    with _renamed(problem, names) as other:
        answer = way(other, replace(lazy, graphs=graphs), request)
    own = [0, *order.tolist()]
    return replace(
        answer,
        model=None if answer.model is None else answer.model[names],
        cuts=tuple(tuple(own[x] if x > 0 else -own[-x] for x in cut) for cut in answer.cuts),
    )


@contextmanager
def _renamed(problem: FormulaFile, names: np.ndarray) -> Iterator[FormulaFile]:
    """A copy under other names of the variables, its clauses in the order of their first ones."""
    by_literal = np.concatenate([names, -names[:0:-1]]).astype(np.int32)
    with scratch.folder() as folder, open_cnf(problem.path, strict=False) as cnf:
        chunks = [by_literal[chunk] for chunk in cnf.chunks()]
        tokens = np.concatenate([np.zeros(0, np.int32), *chunks])
        path = folder / "formula.cnf"
        header = b"p cnf %d %d\n" % (problem.variables, problem.clauses)
        scratch.write(path, [header, LiteralTable(problem.variables).text(_sorted(tokens))])
        clean = replace(problem.summary, variables=problem.variables, notes=())
        clean = replace(clean, clauses=problem.clauses)
        yield replace(problem, path=str(path), summary=clean, trusted=True)


def _sorted(tokens: Tokens) -> Tokens:
    """Clauses that are near each other in the board are then so in the solver's memory too."""
    starts = clause_starts(tokens)
    # An end counts for nothing, but in an empty clause.
    variables = np.where(tokens == 0, LARGEST_INTEGER, np.abs(tokens))
    first = np.minimum.reduceat(variables, starts[:-1])
    return take_rows(tokens, starts, np.argsort(first, kind="stable"))


def _incrementally(problem: FormulaFile, lazy: LazyConstraints, request: SolveRequest) -> Answer:
    """One run of a solver that finds the cuts itself."""
    with scratch.folder() as folder:
        path = folder / "cuts.json"
        graphs = [(type(graph).__name__, graph) for graph in lazy.graphs]
        about = json.dumps({"graphs": graphs, "rounds": lazy.rounds})
        scratch.write(path, [about.encode("ascii")])
        return solve_unchecked(problem, request, cuts=str(path))


def _by_rounds(problem: FormulaFile, lazy: LazyConstraints, request: SolveRequest) -> Answer:
    """A run for every round, all of them under the limits of one."""
    cuts: list[Clause] = []
    used: list[Usage] = []
    progress = CutProgress(lazy.graphs)
    for number in range(1, lazy.rounds + 1):
        with problem.with_clauses(cuts) as formula:
            answer = solve_unchecked(
                formula, replace(request, limits=remaining_limits(request.limits, used))
            )
        used.append(answer.usage)
        answer = replace(
            answer, usage=total_usage(used), rounds=number, cuts=tuple(map(tuple, cuts))
        )
        if answer.model is None:
            return _without_model(answer)
        true = set(np.flatnonzero(answer.model > 0).tolist())
        found = find_cuts(lazy.graphs, true)
        if found is None:
            return answer
        if found.instead is not None:
            better = _exchanged(answer.model, lazy, found.instead)
            if check.first_false_clause(problem.path, better) is None:
                return replace(answer, model=better, joined=True)
        cuts += found.cuts
        if end := reached_limit(request.limits, used):
            return _unknown(replace(answer, end=end), end.value)
        gave_up = NO_PROGRESS if progress.is_stalled(found.cuts) else NO_ROUNDS
        if gave_up == NO_PROGRESS:
            break
    return _unknown(replace(answer, cuts=tuple(map(tuple, cuts)), gave_up=gave_up), "")


def _without_model(answer: Answer) -> Answer:
    """Refuted, or not known: that there is some model says nothing of a lazy formula."""
    if answer.status is Status.SATISFIABLE:
        return _unknown(replace(answer, rounds=0), "the solver shows no model to find cuts by")
    return answer


def _unknown(answer: Answer, reason: str) -> Answer:
    return replace(answer, status=Status.UNKNOWN, reason=reason, model=None)


def _exchanged(model: Model, lazy: LazyConstraints, true: set[int]) -> Model:
    changed = model.copy()
    for graph in lazy.graphs:
        variables = list(graph.variables())
        changed[variables] = [1 if variable in true else -1 for variable in variables]
    return changed


def remaining_limits(limits: Limits, used: Sequence[Usage]) -> Limits:
    """What earlier runs have left of the limits."""
    spent = total_usage(used)
    return replace(
        limits,
        wall=limits.wall and max(MIN_TIME_LIMIT, limits.wall - spent.scored_wall),
        cpu=limits.cpu and max(MIN_TIME_LIMIT, limits.cpu - (spent.scored_cpu or 0.0)),
    )


def reached_limit(limits: Limits, used: Sequence[Usage]) -> TerminationReason | None:
    """The limit at which the runs together have arrived."""
    spent = total_usage(used)
    if limits.wall is not None and spent.scored_wall >= limits.wall:
        return TerminationReason.TIME
    return (
        TerminationReason.CPU
        if limits.cpu is not None and (spent.scored_cpu or 0.0) >= limits.cpu
        else None
    )


def total_usage(used: Sequence[Usage]) -> Usage:
    """The time of all, and the memory of the largest; None where one does not tell."""
    whole = Usage(
        sum(usage.wall for usage in used),
        _sum(usage.cpu for usage in used),
        _max(usage.memory for usage in used),
    )
    if all(usage.solver_wall is None for usage in used):
        return whole
    return replace(
        whole,
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
