"""The solve workflow: run a solver on a formula or a board, and check its answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from boardsat.adapters import calling, rules, solvers
from boardsat.adapters.answer import Answer, Model, Status
from boardsat.adapters.boards import Board
from boardsat.adapters.cuts.finding import Judge
from boardsat.adapters.cuts.lazy_lines import read_lazy
from boardsat.adapters.decode import Solution, Tour, decode
from boardsat.adapters.dimacs import check, copies
from boardsat.adapters.errors import AdapterError, WrongAnswerError
from boardsat.adapters.runtimes import Limits, Task, choose, refuse_seed, runtime, scratch
from boardsat.adapters.solvers import Solver
from boardsat.problem import Instance, Problem, board_file

PROOF_CHECKER = "drat-trim"


@dataclass(frozen=True)
class Result:
    answer: Answer
    solution: Solution | None
    checked: tuple[str, ...]
    unchecked: tuple[str, ...]
    failure: BaseException | None = None
    """What went wrong after the answer was known: to be told after it."""


@dataclass(frozen=True)
class SolveRequest:
    """How to solve."""

    solver: str
    runtime: str = "auto"
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    proof: str | None = None
    """Where to write the proof of an UNSAT answer, which is then checked."""
    core: int | None = None
    """The processor core to run on; None for any one."""
    output: str | None = None
    """Where to write the formula that was decided in the end."""


def solve(problem: Problem, request: SolveRequest) -> Result:
    """One answer, checked."""
    with decided(problem, request) as (formula, answer):
        result = examine(formula, answer, request)
        if request.output:
            result = _saved(formula, result, request.output)
        return result


def _saved(formula: Problem, result: Result, target: str) -> Result:
    from boardsat.generators.errors import InputError
    from boardsat.solving import saving

    try:
        saving.save(formula, len(result.answer.cuts), target)
    except (InputError, OSError) as error:
        return replace(result, failure=error)
    return result


@contextmanager
def decided(problem: Problem, request: SolveRequest) -> Iterator[tuple[Problem, Answer]]:
    """The formula that was decided in the end, and the answer, as the solver gave it.

    A lazy formula has got its cuts, or another encoding has taken its place.
    """
    if problem.header.lazy:
        from boardsat.solving import lazy

        with lazy.decided(problem, request) as found:
            yield found
    else:
        yield problem, ask(problem, request)


def ask(problem: Problem, request: SolveRequest, cuts: str | None = None) -> Answer:
    """One answer to the clauses of the formula, as the solver gave it."""
    solver, where = decider(request)
    with (
        copies.plain(problem.summary, problem.path, problem.trusted) as plain,
        _proof_in(request.proof) as (proof, keep),
    ):
        task = Task(
            plain,
            request.limits,
            request.seed,
            writes_proof=proof,
            cuts=cuts,
            core=request.core,
        )
        answer = calling.solve(solver, where, task, problem.variables, request.runtime)
        if answer.status is Status.UNSATISFIABLE:
            keep()
        return answer


@contextmanager
def _proof_in(target: str | None) -> Iterator[tuple[str | None, Callable[[], None]]]:
    """Where a solver may write a proof, and what to do if it is one: only then it gets its name."""
    if target is None:
        yield None, lambda: None
        return
    from boardsat.generators.dimacs.output import part_of

    path = Path(os.path.realpath(target))
    part = path if path.exists() and not path.is_file() else part_of(path)

    def keep() -> None:
        try:
            part.replace(path)
        except OSError as error:
            raise AdapterError(
                f"there is no proof: {error.strerror}", "ask for none, or another solver", target
            ) from None

    try:
        yield str(part), keep
    finally:
        if part != path:
            part.unlink(missing_ok=True)


def solve_board(instance: Instance, request: SolveRequest) -> Result:
    """One answer of a solver that reads the board itself, checked."""
    solver, where = chosen(request)
    board = instance.board_for(solver)
    with board_file(instance) as path:
        task = Task(path, request.limits, request.seed)
        answer = calling.solve(solver, where, task, board.cells, request.runtime)
    return examine_board(instance, board, answer)


def chosen(request: SolveRequest) -> tuple[Solver, str]:
    """The solver and its runtime, if they can do what is asked."""
    solver = solvers.load(request.solver)
    if "decide" not in solver.can:
        raise AdapterError(f"{solver.name} does not decide formulas", "choose another solver")
    where = choose(solver, request.runtime)
    refuse_seed(solver, where, request.seed)
    if request.proof:
        if "prove" not in solver.can or where == "embedded":
            raise AdapterError(
                f"{solver.name} ({where}) writes no proofs",
                "cadical and kissat do, as programs or images: see `boardsat solvers`",
            )
        # Who checks it must be here before the work, not only after it.
        choose(solvers.load(PROOF_CHECKER))
    return solver, where


def decider(request: SolveRequest) -> tuple[Solver, str]:
    """The same of one that reads formulas."""
    solver, where = chosen(request)
    if solver.reads != "formula":
        raise AdapterError(f"{solver.name} reads no formulas", "choose another solver")
    return solver, where


def examine_board(instance: Instance, board: Board, answer: Answer) -> Result:
    """Check a tour by the rules; that there is none is the solver's word."""
    if answer.tour is None:
        unchecked = ("proof",) if answer.status is Status.UNSATISFIABLE else ()
        return Result(answer, None, (), unchecked)
    solution = Solution(board, Tour(answer.tour))
    check_rules(instance, solution, f"WRONG BOARD from {answer.solver}:", "the solver has a bug")
    return Result(answer, solution, ("board",), ())


def examine(problem: Problem, answer: Answer, request: SolveRequest) -> Result:
    """Check whatever can be checked; a false answer is an error."""
    if answer.status is Status.UNSATISFIABLE:
        cuts = check_cuts(problem, answer)
        if request.proof is None:
            return Result(answer, None, cuts, ("proof",))
        try:
            check_proof(problem, request.proof, request.limits, answer.solver, request.core)
        except WrongAnswerError:
            raise
        except AdapterError as error:
            return Result(answer, None, cuts, ("proof",), error)
        return Result(answer, None, ("proof", *cuts), ())
    if answer.status is Status.UNKNOWN:
        return Result(answer, None, (), ())
    if answer.model is None:
        return Result(answer, None, (), ("model",))
    check_model(problem, answer.model, answer.solver)
    try:
        solution = decode(problem.header, answer.model)
        known = solution is not None and check_rules(problem, solution)
    except WrongAnswerError:
        raise
    except AdapterError as error:
        return Result(answer, None, ("model",), ("board",), error)
    if solution is None:
        return Result(answer, None, ("model",), ())
    if not known:
        return Result(answer, solution, ("model",), ("board",))
    return Result(answer, solution, ("model", "board"), ())


def check_cuts(problem: Problem, answer: Answer) -> tuple[str, ...]:
    """Whether what was added to a refuted formula follows; what was checked, in words."""
    if not answer.cuts or not problem.header.lazy:
        return ()
    graphs = read_lazy(problem.header, problem.path).graphs
    judges = [Judge(graph) for graph in graphs]
    for cut in answer.cuts:
        if not any(judge.is_cut(cut) for judge in judges):
            shown = " ".join(map(str, cut[:12])) + (" ..." if len(cut) > 12 else "")
            raise WrongAnswerError(
                f"WRONG CUT with {answer.solver}: {shown} does not follow",
                "keep the file: what adds the cuts has a bug",
                scratch.kept(problem.path),
            )
    return (f"cuts ({len(answer.cuts):,})",)


def check_model(problem: Problem, model: Model, whose: str) -> None:
    false = check.first_false_clause(problem.path, model)
    if false is not None:
        number, literals = false
        shown = " ".join(map(str, literals[:12])) + (" ..." if len(literals) > 12 else "")
        raise WrongAnswerError(
            f"WRONG MODEL from {whose}: clause {number} ({shown}) is false",
            "keep the file: the solver, or what lies between, has a bug",
            scratch.kept(problem.path),
        )


def check_rules(
    problem: Instance,
    solution: Solution,
    alarm: str = "WRONG BOARD: the model satisfies the formula, but",
    remedy: str = "the encoding has a bug",
) -> bool:
    """Whether the rules were known and hold."""
    faults = rules.faults(problem.header.problem, solution, problem.header.parameters)
    if faults is None:
        return False
    try:
        fault = next(faults, None)
    except (AssertionError, LookupError, TypeError, ValueError):
        raise AdapterError(
            f"its header is not that of a {problem.header.problem}",
            "write the file again",
            problem.path,
        ) from None
    if fault is not None:
        if problem.header.lazy:
            remedy = "its formula is lazy: let `boardsat solve` add the cuts that are missing"
        raise WrongAnswerError(f"{alarm} {fault}", remedy, scratch.kept(problem.path))
    return True


def check_proof(
    problem: Problem, proof: str, limits: Limits, whose: str, core: int | None = None
) -> None:
    """Let drat-trim verify the proof, against a copy without comments, as it misreads some."""
    try:
        Path(proof).open("rb").close()
    except OSError as error:
        raise AdapterError(
            f"cannot read the proof: {error.strerror}", "give a readable file", proof
        ) from None
    checker = solvers.load(PROOF_CHECKER)
    where = choose(checker)
    with copies.plain(problem.summary, problem.path) as plain:
        limits = replace(limits, wall=limits.wall or 20000)
        task = Task(plain, limits, reads_proof=proof, core=core)
        outcome = runtime(where).run(checker, task)
    if not calling.is_verified(outcome):
        raise WrongAnswerError(
            f"REFUTED PROOF from {whose}: drat-trim does not verify it",
            f"keep the file: it is to prove {scratch.kept(problem.path)}",
            scratch.kept(proof),
        )


@contextmanager
def with_clauses(problem: Problem, clauses: Sequence[Sequence[int]]) -> Iterator[Problem]:
    """The formula with more clauses at its end."""
    if not clauses:
        yield problem
        return
    number = problem.clauses + len(clauses)
    with copies.rewritten(problem.summary, problem.path, clauses) as path:
        summary = replace(problem.summary, notes=(), clauses=number, actual_clauses=number)
        summary = replace(summary, variables=problem.variables)
        yield replace(problem, path=path, summary=summary, trusted=True)


def enumerate_models(problem: Problem, request: SolveRequest, most: int) -> Iterator[Result]:
    """Different boards, by blocking what was found on the projection; the last may be UNSAT."""
    blocked: list[list[int]] = []
    for number in range(1, most + 1):
        with with_clauses(problem, blocked) as remaining:
            result = solve(remaining, request)
        yield result
        if result.answer.model is None or number == most:
            return
        counted = problem.decision_variables() if problem.header.lazy else problem.projection()
        values = result.answer.model[counted].astype(np.int64)
        blocked.append((-values * counted).tolist())
