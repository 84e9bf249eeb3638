"""A worker: reads jobs from standard input, one a line, and writes records.

Each is a process of its own, so that an interrupt reaches the run and cleans up after it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from boardsat.adapters import solvers
from boardsat.adapters.answer import Answer, Model
from boardsat.adapters.runtimes import Limits, descendants, native
from boardsat.adapters.solvers.capabilities import InputFormat
from boardsat.adapters.views.solution import Tour
from boardsat.base import scratch
from boardsat.base.errors import BoardsatError, Wrong, WrongAnswerError
from boardsat.campaign.runner import artifacts, formula_cache, machine
from boardsat.campaign.runner.records import (
    COUNT,
    Job,
    Question,
    RunRecord,
    job_from,
    to_line,
    unanswered,
)
from boardsat.clock import CommandLimitError, RunClock, during, running_solver
from boardsat.instance.formula_file import FormulaFile, open_formula, open_program
from boardsat.terminal.streams import discard
from boardsat.workflows.count import counter_run as counting
from boardsat.workflows.count import projections
from boardsat.workflows.solve.board_solvers import solve_board
from boardsat.workflows.solve.checks import check_answer
from boardsat.workflows.solve.lazy_formulas import decided_formula, find_model
from boardsat.workflows.solve.logic_programs import solve_program
from boardsat.workflows.solve.request import SolveRequest
from boardsat.workflows.solve.result import Check, CheckedAnswer, Proof


def perform(job: Job) -> RunRecord:
    """Run a job: its limits are the solver's, and whatever goes wrong is in the record."""
    with running_solver(Limits(job.wall, job.cpu, job.memory)) as clock:
        try:
            reads = solvers.load(job.solver).input_format
            if reads is InputFormat.PROGRAM:
                return _program(job)
            with during("the formula was made and read"):
                problem = _problem(job)
            return _performed(job, problem, reads, clock)
        except WrongAnswerError as error:
            return replace(_record(job, fault=error.fault), wrong=error.what)
        except CommandLimitError as limit:
            answer = limit.answer(solvers.load(job.solver), job.runtime)
            return _record(job, replace(answer, run=replace(answer.run, usage=clock.solved)))
        except (BoardsatError, OSError) as error:
            return failed(job, error)


def failed(job: Job, error: Exception) -> RunRecord:
    """Something outside the run did not work, so that it should be tried again."""
    return _record(job, reason=str(error), finished=False)


def done(job: Job, kept: tuple[str, ...]) -> RunRecord:
    """The record of work that needs no solver."""
    return _record(job, kept=kept)


def _program(job: Job) -> RunRecord:
    return _tour(job, next(solve_program(open_program(job.file), _request(job))))


def _performed(job: Job, problem: FormulaFile, reads: InputFormat, clock: RunClock) -> RunRecord:
    if job.task == COUNT:
        return _count(job, problem)
    if job.task == Question.PROJECTION:
        return _projection(job, problem)
    if reads is InputFormat.BOARD:
        result = solve_board(problem, _request(job))
        return replace(_tour(job, result), kept=_kept_board(job, problem, result))
    if problem.linear is None:
        return _decide(job, problem, clock)
    return _optimised(job, problem, reads)


def _problem(job: Job) -> FormulaFile:
    return _opened(formula_cache.file_of(job), job.problem, generated_here=job.recipe is not None)


@lru_cache(maxsize=1)
def _opened(file: str, name: str, generated_here: bool) -> FormulaFile:
    """The formula, as one of the named problem even if its spec is from elsewhere."""
    problem = open_formula(file, generated_here)
    if not name or not problem.header.about:
        return problem
    encoding = Path(str(problem.header.about.get("spec", ""))).name
    about = {**problem.header.about, "spec": f"{name}/{encoding}"}
    return replace(problem, header=replace(problem.header, about=about))


def _decide(job: Job, problem: FormulaFile, clock: RunClock) -> RunRecord:
    with scratch.folder() if job.proves else nullcontext(Path()) as folder:
        request = _request(job, str(folder / "proof") if job.proves else None)
        fault = reason = ""
        wrong: Wrong | None = None
        checked: tuple[str, ...] = ()
        unchecked: tuple[str, ...] = ()
        kept: tuple[str, ...] = ()
        written: Proof | None = None
        with decided_formula(problem, request) as (formula, answer):
            try:
                result = check_answer(formula, answer, replace(request, limits=clock.checking()))
                checked, unchecked = result.checked, result.unchecked
                # The answer stands, but whoever should check it came to no end.
                reason = str(result.failure or "")
                written = result.proof if Check.PROOF in checked else None
                proof = folder / "proof" if written else None
                kept = _kept(job, answer.model, proof)
            except WrongAnswerError as error:
                fault, wrong = error.fault, error.what
    found = _record(
        job, answer, reason=reason, fault=fault, checked=checked, unchecked=unchecked, kept=kept
    )
    if written:
        found = replace(found, proof_kind=written.kind, proof_bytes=written.bytes)
    return (
        replace(found, wrong=wrong) if fault else replace(found, true=_true(job, problem, answer))
    )


def _optimised(job: Job, problem: FormulaFile, reads: InputFormat) -> RunRecord:
    """The best model of a file that is not CNF; of clauses that are made of it, any."""
    from boardsat.workflows.solve.objectives import optimize, solve_as_clauses

    request = _request(job)
    try:
        result = (solve_as_clauses if reads is InputFormat.CNF else optimize)(problem, request)
    except WrongAnswerError as error:
        return replace(_record(job, fault=error.fault), wrong=error.what)
    found = _record(
        job,
        result.answer,
        reason=str(result.failure or ""),
        checked=result.checked,
        unchecked=result.unchecked,
        kept=_kept(job, _of_file(problem, result.answer.model)),
    )
    return replace(found, value=result.value)


def _of_file(problem: FormulaFile, model: Model | None) -> Model | None:
    """Without the auxiliary variables of clauses."""
    return None if model is None else model[: problem.variables + 1]


def _kept(job: Job, model: Model | None, proof: Path | None = None) -> tuple[str, ...]:
    """What was checked, where somebody wants it."""
    if job.keep and model is not None:
        return (artifacts.keep(job, artifacts.MODEL, artifacts.model_text(model)),)
    if job.keep and proof is not None:
        return (artifacts.keep(job, artifacts.PROOF, artifacts.blocks(proof)),)
    return ()


def _kept_board(job: Job, problem: FormulaFile, result: CheckedAnswer) -> tuple[str, ...]:
    """A board that was found without the formula becomes a model of it."""
    if not job.keep or result.solution is None:
        return ()
    request = replace(_request(job), solver="cadical", seed=None)
    return _kept(job, find_model(problem, result.solution, request))


def _request(job: Job, proof: str | None = None) -> SolveRequest:
    limits = Limits(job.wall, job.cpu, job.memory)
    return SolveRequest(job.solver, job.runtime, limits, job.seed, proof, job.core, statistics=True)


def _tour(job: Job, result: CheckedAnswer) -> RunRecord:
    """What a solver found that needs no formula."""
    found = _record(job, result.answer, checked=result.checked, unchecked=result.unchecked)
    if not job.board or result.solution is None:
        return found
    if not isinstance(result.solution.view, Tour):
        return found
    return replace(found, tour=result.solution.view.order)


def _count(job: Job, problem: FormulaFile) -> RunRecord:
    request = counting.CountRequest(
        job.solver, job.runtime, Limits(job.wall, job.cpu, job.memory), job.seed, core=job.core
    )
    problem.require_unweighted("no record of a run has", "count it with `boardsat count`")
    found = counting.count(problem, request)
    record = _record(job, found.answer)
    return replace(
        record,
        objects=None if found.objects is None else int(found.objects),
        models=found.models,
        exact=found.exact,
        interval=found.interval,
    )


def _projection(job: Job, problem: FormulaFile) -> RunRecord:
    """Whether it counts boards, where a board is read from the formula."""
    if not problem.header.views:
        return _record(job)
    verdict = projections.projection_verdict(problem, _request(job))
    if verdict.word is projections.Validity.INVALID:
        return _record(job, fault=f"the projection is invalid: {verdict.reason}")
    return _record(job, reason="" if verdict.word is projections.Validity.VALID else verdict.reason)


def _true(job: Job, problem: FormulaFile, answer: Answer) -> tuple[int, ...] | None:
    if answer.model is None or not job.board:
        return None
    read = problem.decision_variables()
    return tuple(read[answer.model[read] > 0].tolist())


def _record(
    job: Job,
    answer: Answer | None = None,
    reason: str = "",
    fault: str = "",
    checked: tuple[str, ...] = (),
    unchecked: tuple[str, ...] = (),
    finished: bool = True,
    kept: tuple[str, ...] = (),
) -> RunRecord:
    record = unanswered(
        job,
        reason=reason,
        fault=fault,
        checked=checked,
        unchecked=unchecked,
        finished=finished,
        kept=kept,
        host=machine.host(),
        processor=machine.processor(),
        load=machine.load(),
    )
    if answer is None:
        return record
    return replace(
        record,
        status=answer.status.name,
        reason=reason or answer.reason,
        end=answer.run.termination,
        wall=round(answer.run.usage.wall, 3),
        cpu=answer.run.usage.cpu,
        memory=answer.run.usage.memory,
        solver_wall=_rounded(answer.run.usage.solver_wall),
        solver_cpu=answer.run.usage.solver_cpu,
        solver_memory=answer.run.usage.solver_memory,
        command=answer.run.command,
        statistics=dict(answer.run.statistics),
    )


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 3)


def _end_once(number: int, frame: object) -> None:
    """The first signal ends the run; a second must not disturb its cleaning up."""
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(each, lambda *_: None)
    raise KeyboardInterrupt


def _settle(core: int | None) -> None:
    """Be as the programs of all runs are to be, on one core and confined: to set that for each run
    takes longer than a small formula."""
    native.confine_this_process()
    # A core that is not ours is told by the run.
    with suppress(OSError):
        os.sched_setaffinity(0, os.sched_getaffinity(0) if core is None else {core})


def main(perform: Callable[[Job], RunRecord] = perform) -> int:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _end_once)
    descendants.set_parent_death_signal(signal.SIGTERM)
    settled = False
    try:
        for line in sys.stdin:
            job = job_from(line)
            if not settled:
                _settle(job.core)
                settled = True
            sys.stdout.write(to_line(perform(job)))
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever asked was killed. Python's own flush at its exit must not fail again.
        discard(1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
