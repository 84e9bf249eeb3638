"""One call for every solver and runtime: run it on a file, read its output, trust nothing."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise

from boardsat.adapters import command_clock
from boardsat.adapters.answer import Answer, CutRounds, SolverRun, Status, TerminationReason, Usage
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
from boardsat.adapters.solvers.output_lines import (
    LongCountError,
    parse_statistics_line,
    split_lines,
)
from boardsat.adapters.solvers.output_parsers import (
    PARSERS,
    CompetitionParser,
    DratParser,
)
from boardsat.adapters.solvers.solver import RuntimeName
from boardsat.base.errors import BoardsatError, SolverError


def run_solver(
    solver: Solver, runtime_name: str, task: Task, variables: int, wanted: str | None = None
) -> Answer:
    """Run a solver in what is left of the command's limits, and return its unchecked answer.

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
    wanted : str, optional
        Runtime that the user requested, to report why another was selected.

    Raises
    ------
    SolverError
        The output is malformed, or contradicts the exit code.
    LimitError
        A limit of the command is reached before its first solver.
    """
    clock = command_clock.current_clock()
    if clock is not None:
        task = replace(task, limits=clock.start_solver(task.limits))
    where = load_runtime(runtime_name)
    # Before the run: an error after it must not take the answer away.
    version = where.version(solver)
    late = _too_late(task.limits)
    outcome = late or where.run(solver, task)
    # The worker of a solver prints as competitions ask, even where its program does not.
    own = runtime_name != RuntimeName.EMBEDDED or solver.output_format != "minisat"
    dialect = solver.output_format if own else "competition"
    dialect = "incremental" if task.cuts else "sampling" if task.samples else dialect
    if (
        outcome.termination is TerminationReason.FINISHED
        and outcome.exit_code not in PARSERS[dialect].exit_codes
    ):
        outcome = replace(outcome, termination=TerminationReason.CRASH)
    answer = parse_output(dialect, variables, outcome)
    with _last_lines(outcome):
        found = answer.status is not None and answer.status.has_model
        model = answer.model() if found else None
        tour = answer.tour() if found else None
    is_explained = answer.reason or answer.status not in (None, Status.UNKNOWN)
    run = SolverRun(
        solver.name,
        version,
        runtime_name,
        outcome.termination,
        outcome.exit_code,
        outcome.usage,
        outcome.command,
        answer.statistics,
        skipped_runtimes(solver, runtime_name, wanted or runtime_name),
        outcome.proof_error,
    )
    if clock is not None:
        clock.charge_solver(outcome.usage)
    return Answer(
        answer.status or Status.UNKNOWN,
        answer.reason if is_explained else _reason(outcome),
        run,
        model,
        tour,
        answer.count,
        answer.weighted_count,
        answer.cost,
        tuple(answer.answer_sets),
        tuple(answer.samples),
        CutRounds(answer.rounds, tuple(answer.cuts), answer.stop_reason, answer.joined),
    )


def _too_late(limits: Limits) -> Outcome | None:
    """How a run without time would end: to start it takes more than it may have."""
    for end, seconds in (
        (TerminationReason.TIME, limits.wall),
        (TerminationReason.CPU, limits.cpu),
    ):
        if seconds is not None and seconds <= MIN_TIME_LIMIT:
            return Outcome(ProgramOutput(), ProgramOutput(), end, 0, Usage(0.0, 0.0), ())
    return None


def parse_output(dialect: str, variables: int, outcome: Outcome) -> CompetitionParser:
    """What the output says; the status line and the exit code must agree."""
    said = PARSERS[dialect](variables)
    code = outcome.exit_code
    if outcome.termination is not TerminationReason.FINISHED or code not in said.exit_codes:
        # Whatever it printed until then, it did not finish, and may have stopped inside a word.
        for line, _ in pairwise(split_lines(outcome.output.pieces())):
            said.statistics |= parse_statistics_line(line)
        return said
    with _last_lines(outcome):
        for line in split_lines(outcome.output.pieces()):
            said.feed(line)
        said.check_consistency()
    meant = said.exit_codes[code]
    if said.status is None and meant is None:
        raise SolverError(f"the solver printed no answer: {_tail(outcome)}", "run it by hand")
    if said.status is None and meant is not Status.UNKNOWN:
        raise SolverError(
            f"the solver printed no answer with exit code {code}: {_tail(outcome)}",
            "run it by hand",
        )
    if said.status is not None and meant is not None and said.status is not meant:
        raise SolverError(
            f"the solver contradicts itself: it says {said.status.name} with exit code {code}",
            "run it by hand",
        )
    return said


def proof_is_verified(outcome: Outcome, dialect: str = "drat") -> bool:
    """What a proof checker found: one clear verdict of a run that came to its end, or an error."""
    said = PARSERS[dialect](0)
    if not isinstance(said, DratParser):
        raise SolverError(f"{dialect} is no dialect of a checker", "see docs/adding-a-solver.md")
    with _last_lines(outcome):
        for line in split_lines(outcome.output.pieces()):
            said.feed(line)
    code = None if said.verified is None else said.ends[said.verified]
    if (
        said.verified is None
        or outcome.termination is not TerminationReason.FINISHED
        or outcome.exit_code != code
    ):
        how = outcome.termination.value
        if outcome.termination is TerminationReason.FINISHED:
            how = f"exit code {outcome.exit_code}"
        raise SolverError(
            f"the proof was not checked ({how}): {_tail(outcome)}",
            "give it more time or memory, or run the checker by hand",
        )
    return said.verified


def _reason(outcome: Outcome) -> str:
    if outcome.termination is TerminationReason.FINISHED:
        return "the solver gave up"
    if outcome.termination is TerminationReason.SIGNAL:
        number = -outcome.exit_code
        return f"{outcome.termination.value}, {number} {signal.strsignal(number)}: {_tail(outcome)}"
    if outcome.termination is TerminationReason.CRASH:
        return f"{outcome.termination.value}, exit code {outcome.exit_code}: {_tail(outcome)}"
    return str(outcome.termination.value)


@contextmanager
def _last_lines(outcome: Outcome) -> Iterator[None]:
    """Keep the end of an output that makes no sense, for it is gone with the error."""
    try:
        yield
    except LongCountError:
        raise
    except BoardsatError as error:
        raise SolverError(f"{error.fault}: {outcome.output.tail()}", "run it by hand") from None


def _tail(outcome: Outcome) -> str:
    return outcome.errors.tail() or outcome.output.tail() or "it printed nothing"
