"""Run a solver in a runtime, and parse its output into an answer that is not checked yet."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise

from boardsat.adapters.answer import Answer, CutRounds, SolverRun, Status, TerminationReason, Usage
from boardsat.adapters.command_clock import current_clock
from boardsat.adapters.runtimes import (
    MIN_TIME_LIMIT,
    Limits,
    Outcome,
    Task,
    load_runtime,
    skipped_runtimes,
)
from boardsat.adapters.runtimes.program_output import ProgramOutput
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.output_parsers import (
    PARSERS,
    CompetitionParser,
    DratParser,
    LongCountError,
    parse_statistics_line,
    split_lines,
)
from boardsat.adapters.solvers.solver import RuntimeName
from boardsat.base.errors import BoardsatError, SolverError


def run_solver(
    solver: Solver,
    runtime_name: str,
    task: Task,
    variables: int,
    requested_runtime: str | None = None,
) -> Answer:
    """Run a solver within the remaining limits of the command, and return its unchecked answer.

    Parameters
    ----------
    solver : Solver
        Solver to run.
    runtime_name : str
        Runtime to use.
    task : Task
        Input file, limits and what is requested.
    variables : int
        Number of variables; number of cells for solvers that read the board.
    requested_runtime : str, optional
        Runtime that the user requested, to report why another was selected.

    Returns
    -------
    Answer
        Status UNKNOWN if a limit was reached or the solver crashed.

    Raises
    ------
    SolverError
        The output is malformed, or contradicts the exit code.
    LimitError
        A limit of the command is reached before its first solver starts.
    """
    clock = current_clock.get()
    if clock is not None:
        task = replace(task, limits=clock.start_solver(task.limits))
    runtime = load_runtime(runtime_name)
    # Before the run: an error after it must not take the answer away.
    version = runtime.version(solver)
    outcome = _expired_outcome(task.limits) or runtime.run(solver, task)
    dialect = _dialect(solver, runtime_name, task)
    if (
        outcome.termination is TerminationReason.FINISHED
        and outcome.exit_code not in PARSERS[dialect].exit_codes
    ):
        outcome = replace(outcome, termination=TerminationReason.CRASH)
    parser = parse_output(dialect, variables, outcome)
    with _output_in_errors(outcome):
        has_model = parser.status is not None and parser.status.has_model
        model = parser.model() if has_model else None
        tour = parser.tour() if has_model else None
    is_explained = parser.reason or parser.status not in (None, Status.UNKNOWN)
    run = SolverRun(
        solver.name,
        version,
        runtime_name,
        outcome.termination,
        outcome.exit_code,
        outcome.usage,
        outcome.command,
        parser.statistics,
        skipped_runtimes(solver, runtime_name, requested_runtime or runtime_name),
        outcome.proof_error,
    )
    if clock is not None:
        clock.charge_solver(outcome.usage)
    return Answer(
        parser.status or Status.UNKNOWN,
        parser.reason if is_explained else _unknown_reason(outcome),
        run,
        model,
        tour,
        parser.count,
        parser.weighted_count,
        parser.cost,
        tuple(parser.answer_sets),
        tuple(parser.samples),
        CutRounds(
            parser.rounds,
            tuple(parser.cuts),
            parser.stop_reason,
            parser.joined,
            method=parser.method,
            slices=tuple(parser.slices),
        ),
    )


def _dialect(solver: Solver, runtime_name: str, task: Task) -> str:
    """Return the dialect of the output, which depends on the task and the runtime."""
    if task.cuts:
        return "incremental"
    if task.samples:
        return "sampling"
    # Workers print in the format of the competition, although the program MiniSat does not.
    if runtime_name == RuntimeName.EMBEDDED and solver.output_format == "minisat":
        return "competition"
    return solver.output_format


def _expired_outcome(limits: Limits) -> Outcome | None:
    """Return the outcome of a run whose time limit has passed before it starts; None otherwise."""
    for reason, seconds in (
        (TerminationReason.TIME, limits.wall),
        (TerminationReason.CPU, limits.cpu),
    ):
        if seconds is not None and seconds <= MIN_TIME_LIMIT:
            return Outcome(ProgramOutput(), ProgramOutput(), reason, 0, Usage(0.0, 0.0), ())
    return None


def parse_output(dialect: str, variables: int, outcome: Outcome) -> CompetitionParser:
    """Parse the output of a run; if it did not finish, parse only the statistics.

    Parameters
    ----------
    dialect : str
        Name of the output parser.
    variables : int
        Number of variables, or of cells if the solver reads boards.
    outcome : Outcome
        Output, exit code and end of the run.

    Returns
    -------
    CompetitionParser
        Parser that has read the output.

    Raises
    ------
    SolverError
        The output is malformed, has no status, or contradicts the exit code.
    """
    parser = PARSERS[dialect](variables)
    code = outcome.exit_code
    if outcome.termination is not TerminationReason.FINISHED or code not in parser.exit_codes:
        # The last line is skipped: the solver may have stopped within a number.
        for line, _ in pairwise(split_lines(outcome.output.pieces())):
            parser.statistics |= parse_statistics_line(line)
        return parser
    with _output_in_errors(outcome):
        for line in split_lines(outcome.output.pieces()):
            parser.feed(line)
        parser.check_consistency()
    status = parser.exit_codes[code]
    if parser.status is None and status is None:
        raise SolverError(f"the solver printed no answer: {_tail(outcome)}")
    if parser.status is None and status is not Status.UNKNOWN:
        raise SolverError(f"the solver printed no answer with exit code {code}: {_tail(outcome)}")
    if parser.status is not None and status is not None and parser.status is not status:
        raise SolverError(
            f"the solver contradicts itself: it says {parser.status.name} with exit code {code}"
        )
    return parser


def proof_is_verified(outcome: Outcome, dialect: str = "drat") -> bool:
    """Return the verdict of a proof checker.

    Parameters
    ----------
    outcome : Outcome
        Output, exit code and end of the checker's run.
    dialect : str
        Name of the output parser: `drat` or `lrat`.

    Raises
    ------
    SolverError
        The run did not finish, the output has no verdict, or the exit code contradicts it.
    """
    parser = PARSERS[dialect](0)
    if not isinstance(parser, DratParser):
        raise SolverError(
            f"the dialect of a proof checker must be drat or lrat (got {dialect})",
            "see docs/adding-a-solver.md",
        )
    with _output_in_errors(outcome):
        for line in split_lines(outcome.output.pieces()):
            parser.feed(line)
    reason, code, verdict = outcome.termination, outcome.exit_code, parser.verified
    is_finished = reason is TerminationReason.FINISHED
    if verdict is None or not is_finished or code != parser.verdict_exit_codes[verdict]:
        end = f"exit code {code}" if is_finished else reason.value
        fault = f"the proof was not checked ({end}): {_tail(outcome)}"
        raise SolverError(fault, _LIMIT_REMEDIES.get(reason, ""))
    return verdict


_LIMIT_REMEDIES = {
    TerminationReason.TIME: "raise --timeout",
    TerminationReason.CPU: "raise --cpu",
    TerminationReason.MEMORY: "raise --memory",
}


def _unknown_reason(outcome: Outcome) -> str:
    """Return the reason for the status UNKNOWN, with the last lines of the output after a crash."""
    if outcome.termination is TerminationReason.FINISHED:
        return "the solver gave up"
    if outcome.termination is TerminationReason.SIGNAL:
        number = -outcome.exit_code
        return f"{outcome.termination.value}, {number} {signal.strsignal(number)}: {_tail(outcome)}"
    if outcome.termination is TerminationReason.CRASH:
        return f"{outcome.termination.value}, exit code {outcome.exit_code}: {_tail(outcome)}"
    return str(outcome.termination.value)


@contextmanager
def _output_in_errors(outcome: Outcome) -> Iterator[None]:
    """Add the last lines of the output to the errors of a parser; the output is not stored."""
    try:
        yield
    except LongCountError:
        raise
    except BoardsatError as error:
        raise SolverError(f"{error.fault}: {outcome.output.tail()}") from None


def _tail(outcome: Outcome) -> str:
    """Return the last lines of standard error; if it is empty, those of standard output."""
    return outcome.errors.tail() or outcome.output.tail() or "it printed nothing"
