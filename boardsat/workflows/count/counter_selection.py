"""Selection of counters: the named one, exact ones to try, estimators, and suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from boardsat.adapters import solvers
from boardsat.adapters.answer import TerminationReason
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.runtimes import Limits, select_runtime
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.solver import Capability, InputFormat
from boardsat.base.errors import BoardsatError, InputError
from boardsat.generators.spec.catalogue import choices_of, problems
from boardsat.generators.spec.defaults import COUNT
from boardsat.workflows.count.counter_run import CounterOnRuntime, load_counter
from boardsat.workflows.count.options import NO_REFERENCE, CountOptions
from boardsat.workflows.count.reference import PUBLISHED

TIMEOUT_FACTOR = 10
"""Ratio of a suggested time limit to the one that was reached."""

LIMIT_ENDS = (TerminationReason.TIME, TerminationReason.CPU, TerminationReason.MEMORY)
"""Reasons for termination that a higher limit, another counter or encoding may avoid."""


class AvailableSolvers(NamedTuple):
    """Solvers with a runtime on this machine, and the names of those without one."""

    candidates: list[CounterOnRuntime]
    missing: list[str]


def resolve_count_options(options: CountOptions) -> CounterOnRuntime | None:
    """Return the named counter and its runtime; None if the user named none.

    Raise InputError for an option that the counter would ignore. No formula is built for this.
    """
    reference = None
    if options.reference not in (None, NO_REFERENCE, PUBLISHED):
        reference = load_counter(options.reference)
    if options.counter is None:
        return None
    solver = load_counter(options.counter)
    has_estimate = reference is not None and Capability.ESTIMATE in reference.capabilities
    if Capability.COUNT in solver.capabilities and not has_estimate:
        for name, value in (("epsilon", options.epsilon), ("delta", options.delta)):
            if value is not None:
                raise InputError(
                    f"{solver.name} counts exactly; the option is for estimates",
                    "use `--counter approxmc`",
                    f"--{name}",
                )
    if solver.input_format is InputFormat.BOARD and options.allow_invalid_projection:
        raise InputError(
            f"{solver.name} reads the board, which has no projection",
            "omit the option",
            "--allow-invalid-projection",
        )
    named = CounterOnRuntime(solver, select_runtime(solver, options.runtime))
    if not named.takes_seed:
        fault = f"{solver.name} takes no seed"
        if options.seed is not None:
            raise InputError(fault, "omit the option", "--seed")
        if (options.repeat or 1) > 1:
            raise InputError(f"{fault}, so all runs are equal", "omit the option", "--repeat")
    return named


def exact_solvers(
    ability: Capability, problem: str, runtime: str, board_first: bool
) -> AvailableSolvers:
    """Return the exact solvers to try, sorted by the time of their trial.

    Solvers that read the board come first if `board_first`, otherwise last: a formula that the user
    named is counted itself if possible. An empty problem name stands for any formula.
    """
    trials = [solver for solver in _solvers_with(ability, problem) if solver.trial_seconds]
    trials.sort(
        key=lambda solver: (
            (solver.input_format is InputFormat.BOARD) != board_first,
            solver.trial_seconds,
        )
    )
    return _available(trials, runtime)


def available_solvers(ability: Capability, problem: str, runtime: str) -> AvailableSolvers:
    """Return all solvers with a capability, in the order of their names."""
    return _available(_solvers_with(ability, problem), runtime)


def _solvers_with(ability: Capability, problem: str) -> list[Solver]:
    return [
        solver
        for solver in map(solvers.load, solvers.names())
        if ability in solver.capabilities and solver.supports_problem(problem)
    ]


def _available(candidates: Iterable[Solver], runtime: str) -> AvailableSolvers:
    available = AvailableSolvers([], [])
    for solver in candidates:
        try:
            available.candidates.append(CounterOnRuntime(solver, select_runtime(solver, runtime)))
        except BoardsatError:
            available.missing.append(solver.name)
    return available


def count_suggestion(
    named: CounterOnRuntime | None,
    header: Header,
    unfinished: Sequence[CounterOnRuntime],
    limits: Limits,
    end: TerminationReason,
) -> str:
    """Return suggestions how to obtain a count, the best first; empty if no limit was reached."""
    if named is None and (names := board_readers(unfinished)):
        return ", or ".join(f"count exactly, without a limit: --counter {name}" for name in names)
    if end not in LIMIT_ENDS:
        return ""
    longer = longer_timeout(limits, end)
    if named is None:
        suggestions = [*_counting_encoding(header), *longer]
    else:
        suggestions = [*longer, *([] if named.reads_board else ["omit --counter"])]
    return ", or ".join(suggestions) or "try another counter: `boardsat solvers` lists them"


def longer_timeout(limits: Limits, end: TerminationReason) -> list[str]:
    """Return the option that raises the time limit that ended a run; empty if none did."""
    options = {
        TerminationReason.TIME: ("--timeout", limits.wall),
        TerminationReason.CPU: ("--cpu", limits.cpu),
    }
    option, seconds = options.get(end, ("", None))
    return (
        [] if seconds is None else [f"raise the time limit: {option} {TIMEOUT_FACTOR * seconds:g}"]
    )


def board_readers(unfinished: Sequence[CounterOnRuntime]) -> list[str]:
    """Return the names of the solvers that read the board.

    Their time depends on the width of the board, that of enumeration on the number of models.
    """
    return [candidate.name for candidate in unfinished if candidate.reads_board]


def _counting_encoding(header: Header) -> list[str]:
    """Return a suggestion of the encoding for counting; empty if the formula has it."""
    problem, _, encoding = str(header.metadata.get("spec", "")).partition("/")
    if not encoding or problem not in problems():
        return []
    names = choices_of(problem)[COUNT]
    best = names[-1] if header.board.options.get("directed") else names[0]
    return [] if best == encoding else [f"count {problem}/{best}, the encoding for counting"]
