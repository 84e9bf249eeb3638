"""Worker process: reads jobs from standard input, one a line, and prints their records.

Each worker is a separate process, so that a signal can interrupt its run and have it clean up.
"""

from __future__ import annotations

import os
import platform
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from boardsat.adapters import solvers
from boardsat.adapters.answer import Answer, Model, Usage, literals_of
from boardsat.adapters.command_clock import CommandLimitError, RunClock, limited_run, work_step
from boardsat.adapters.runtimes import descendants, native
from boardsat.adapters.solvers.solver import InputFormat
from boardsat.adapters.views import Tour
from boardsat.base import scratch
from boardsat.base.errors import BoardsatError, WrongAnswerError
from boardsat.base.files import read_pieces
from boardsat.campaign.runner import formula_cache
from boardsat.campaign.runner.records import (
    CLOCK,
    Artifacts,
    Execution,
    Job,
    ModelCount,
    RunOutcome,
    RunRecord,
    RunTask,
    host_name,
    job_from,
    to_line,
    unanswered,
)
from boardsat.campaign.runner.store import MODEL, PROOF, save_artifact
from boardsat.instance.formula_file import FormulaFile, open_formula, open_program
from boardsat.terminal.streams import discard_output
from boardsat.workflows.count import counter_run, projections
from boardsat.workflows.solve.checks import check_answer
from boardsat.workflows.solve.lazy_formulas import decided_formula, find_model
from boardsat.workflows.solve.programs_and_boards import solve_board, solve_program
from boardsat.workflows.solve.request import SolveRequest
from boardsat.workflows.solve.result import Check, CheckedAnswer

_NO_ARTIFACTS = Artifacts()
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""Signals that end the worker."""
LITERALS_PER_LINE = 16


def perform(job: Job) -> RunRecord:
    """Run a job and return its record; errors are recorded.

    The limits of the job apply to the solver; generating and checking have separate limits.
    """
    with limited_run(job.limits) as clock:
        try:
            input_format = solvers.load(job.identity.name).input_format
            if input_format is InputFormat.PROGRAM:
                return _solve_program(job)
            with work_step("the formula was made and read"):
                file = _open(job)
            return _run(job, file, input_format, clock)
        except WrongAnswerError as error:
            return new_record(job, fault=error.fault, wrong=error.what)
        except CommandLimitError as limit:
            answer = limit.answer(solvers.load(job.identity.name), job.identity.runtime)
            run = replace(answer.run, usage=clock.total_solver_usage)
            return new_record(job, replace(answer, run=run))
        except (BoardsatError, OSError) as error:
            return new_record(job, reason=str(error), finished=False)


def _solve_program(job: Job) -> RunRecord:
    result = next(solve_program(open_program(job.source.file), _request(job)))
    return _board_record(job, result)


def _run(job: Job, file: FormulaFile, input_format: InputFormat, clock: RunClock) -> RunRecord:
    if job.question.task is RunTask.COUNT:
        return _count(job, file)
    if job.question.task is RunTask.PROJECTION:
        return _check_projection(job, file)
    if input_format is InputFormat.BOARD:
        result = solve_board(file, _request(job))
        return _board_record(job, result, _keep_board(job, file, result))
    if file.linear is None:
        return _decide(job, file, clock)
    return _optimize(job, file, input_format)


def _open(job: Job) -> FormulaFile:
    generated_here = job.source.recipe is not None
    return _open_cached(formula_cache.file_of(job), job.question.problem, generated_here)


@lru_cache(maxsize=1)
def _open_cached(path: str, problem: str, generated_here: bool) -> FormulaFile:
    """Open a formula file; its boards must obey the rules of the named problem.

    This holds even if the header names a spec of a user.
    """
    file = open_formula(path, generated_here)
    if not problem or not file.header.metadata:
        return file
    encoding = Path(str(file.header.metadata.get("spec", ""))).name
    metadata = {**file.header.metadata, "spec": f"{problem}/{encoding}"}
    return replace(file, header=replace(file.header, metadata=metadata))


def _decide(job: Job, file: FormulaFile, clock: RunClock) -> RunRecord:
    proves = job.output.proves
    with scratch.folder() if proves else nullcontext(Path()) as folder:
        request = _request(job, str(folder / "proof") if proves else None)
        with decided_formula(file, request) as (formula, answer):
            try:
                check_request = replace(request, limits=clock.proof_check_limits())
                result = check_answer(formula, answer, check_request)
            except WrongAnswerError as error:
                return new_record(job, answer, fault=error.fault, wrong=error.what)
            proof = result.proof if Check.PROOF in result.checked else None
            artifact_files = _keep(job, answer.model, folder / "proof" if proof else None)
    artifacts = Artifacts(true=_true_variables(job, file, answer), kept=artifact_files)
    if proof:
        artifacts = replace(artifacts, proof_kind=proof.kind, proof_bytes=proof.bytes)
    return _checked_record(job, result, artifacts)


def _optimize(job: Job, file: FormulaFile, input_format: InputFormat) -> RunRecord:
    """Find the best model of a file that is not CNF; a CNF solver finds any model."""
    from boardsat.workflows.solve.objectives import optimize, solve_as_clauses

    solve = solve_as_clauses if input_format is InputFormat.CNF else optimize
    result = solve(file, _request(job))
    model = result.answer.model
    if model is not None:
        model = model[: file.variables + 1]  # without the auxiliary variables of clauses
    return _checked_record(job, result, Artifacts(kept=_keep(job, model)))


def _keep(job: Job, model: Model | None, proof: Path | None = None) -> tuple[str, ...]:
    """Store a checked model or proof if the job asks for it; return the names of the files."""
    if job.output.keep and model is not None:
        return (save_artifact(job, MODEL, _model_text(model)),)
    if job.output.keep and proof is not None:
        return (save_artifact(job, PROOF, read_pieces(proof)),)
    return ()


def _model_text(model: Model) -> Iterator[bytes]:
    """Yield a model as `s` and `v` lines, the output format of the SAT Competition."""
    yield b"s SATISFIABLE\n"
    literals = literals_of(model)
    for start in range(0, len(literals), LITERALS_PER_LINE):
        line = " ".join(map(str, literals[start : start + LITERALS_PER_LINE]))
        yield f"v {line}\n".encode()
    yield b"v 0\n"


def _keep_board(job: Job, file: FormulaFile, result: CheckedAnswer) -> tuple[str, ...]:
    """Store a board as a model of the formula, for a solver that does not read the formula."""
    if not job.output.keep or result.solution is None:
        return ()
    request = replace(_request(job), solver="cadical", seed=None)
    return _keep(job, find_model(file, result.solution, request))


def _request(job: Job, proof: str | None = None) -> SolveRequest:
    solver, seed = job.identity, job.attempt.seed
    return SolveRequest(
        solver.name, solver.runtime, job.limits, seed, proof, job.core, statistics=True
    )


def _board_record(
    job: Job, result: CheckedAnswer, artifact_files: tuple[str, ...] = ()
) -> RunRecord:
    """Return the record of a solver that reads the board instead of a formula."""
    view = result.solution.view if job.output.board and result.solution else None
    tour = view.order if isinstance(view, Tour) else None
    return _checked_record(job, result, Artifacts(tour=tour, kept=artifact_files))


def _count(job: Job, file: FormulaFile) -> RunRecord:
    solver, seed = job.identity, job.attempt.seed
    file.require_unweighted("no record of a run has", "count it with `boardsat count`")
    result = counter_run.count(file, solver.name, solver.runtime, job.limits, seed, job.core)
    objects = None if result.objects is None else int(result.objects)
    count = ModelCount(objects, result.models, result.exact, result.interval)
    return replace(new_record(job, result.answer), count=count)


def _check_projection(job: Job, file: FormulaFile) -> RunRecord:
    """Check that counting over the projection counts boards, if boards are decoded at all."""
    if not file.header.display.views:
        return new_record(job)
    verdict = projections.projection_verdict(file, _request(job))
    if verdict.validity is projections.Validity.INVALID:
        return new_record(job, fault=f"the projection is invalid: {verdict.reason}")
    return new_record(
        job, reason="" if verdict.validity is projections.Validity.VALID else verdict.reason
    )


def _true_variables(job: Job, file: FormulaFile, answer: Answer) -> tuple[int, ...] | None:
    if answer.model is None or not job.output.board:
        return None
    variables = file.decision_variables()
    return tuple(variables[answer.model[variables] > 0].tolist())


def _checked_record(job: Job, result: CheckedAnswer, artifacts: Artifacts) -> RunRecord:
    # A failed check leaves the answer as it is, unchecked.
    return new_record(
        job,
        result.answer,
        artifacts,
        reason=str(result.failure or ""),
        checked=result.checked,
        unchecked=result.unchecked,
        value=result.value,
    )


def new_record(
    job: Job, answer: Answer | None = None, artifacts: Artifacts = _NO_ARTIFACTS, **outcome: Any
) -> RunRecord:
    """Return the record of a run with its answer; `outcome` has further fields of a `RunOutcome`.

    An answer of None means that there is none, or that no solver was run.
    """
    if answer is None:
        record = unanswered(job, RunOutcome(**outcome), _execution((), {}))
        return replace(record, artifacts=artifacts)
    outcome["reason"] = outcome.get("reason") or answer.reason
    record = unanswered(
        job,
        RunOutcome(status=answer.status.name, end=answer.run.termination, **outcome),
        _execution(answer.run.command, answer.run.statistics),
    )
    return replace(record, artifacts=artifacts, usage=_round_usage(answer.run.usage))


def _execution(command: tuple[str, ...], statistics: Mapping[str, float]) -> Execution:
    """Return the execution of a run that has ended just now."""
    return Execution(command, dict(statistics), host_name(), _processor(), _load(), CLOCK)


@cache
def _processor() -> str:
    """Return the CPU model."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    entries = dict(line.partition(":")[::2] for line in lines)
    models = (model for key, model in entries.items() if key.strip() == "model name")
    return next(models, platform.machine()).strip()


def _load() -> float | None:
    """Return the load average of the last minute per core: runnable processes, the run included."""
    try:
        return round(os.getloadavg()[0] / (os.cpu_count() or 1), 2)
    except OSError:
        return None


def _round_usage(usage: Usage) -> Usage:
    """Round wall-clock times to milliseconds."""
    solver_wall = None if usage.solver_wall is None else round(usage.solver_wall, 3)
    return replace(usage, wall=round(usage.wall, 3), solver_wall=solver_wall)


def _end_once(_number: int, _frame: object) -> None:
    """Interrupt the run at the first signal; ignore later ones, which would disturb cleaning up."""
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)
    raise KeyboardInterrupt


def _confine(core: int | None) -> None:
    """Restrict the rights of this process and its solvers, and bind them to a core.

    This is done once, because it takes longer than solving a small formula.
    """
    native.confine_this_process()
    # A core that this process may not use is reported by the run.
    with suppress(OSError):
        os.sched_setaffinity(0, os.sched_getaffinity(0) if core is None else {core})


def main(perform: Callable[[Job], RunRecord] = perform) -> int:
    """Run the jobs of standard input, one a line; print their records."""
    for number in SIGNALS:
        signal.signal(number, _end_once)
    descendants.set_parent_death_signal(signal.SIGTERM)
    confined = False
    try:
        for line in sys.stdin:
            job = job_from(line)
            if not confined:
                _confine(job.core)
                confined = True
            sys.stdout.write(to_line(perform(job)))
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The pool was killed. The flush at the exit of Python must not fail again.
        discard_output(1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
