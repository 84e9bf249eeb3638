"""Selection of a counter: the named one, exact ones to try, an estimator, or one to suggest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from boardsat.adapters import solvers
from boardsat.adapters.answer import TerminationReason
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.runtimes import Limits, choose
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.capabilities import Capability, InputFormat
from boardsat.base.errors import BoardsatError, InputError
from boardsat.generators.spec.catalogue import choices_of, problems
from boardsat.generators.spec.defaults import COUNT
from boardsat.workflows.count.counter_run import CounterOnRuntime, load_counter
from boardsat.workflows.count.options import NO_REFERENCE, CountOptions
from boardsat.workflows.count.reference import PUBLISHED

TIMEOUT_FACTOR = 10
"""Ratio of a suggested time limit to the one that was reached."""

LIMIT_ENDS = (TerminationReason.TIME, TerminationReason.CPU, TerminationReason.MEMORY)
"""Ends of runs that a higher limit, another counter or another encoding may avoid."""


class AvailableSolvers(NamedTuple):
    """Solvers that can run here, and names of those that cannot."""

    candidates: list[CounterOnRuntime]
    missing: list[str]


def resolve_count_options(options: CountOptions) -> CounterOnRuntime | None:
    """Return the named counter and its runtime; None if none is named.

    Raise InputError for an option that the counter could only ignore, before anything is built.
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
                raise InputError(f"{solver.name} counts exactly", "leave it out", f"--{name}")
    if solver.input_format is InputFormat.BOARD and options.allow_invalid_projection:
        raise InputError(
            f"{solver.name} reads no formula", "leave it out", "--allow-invalid-projection"
        )
    named = CounterOnRuntime(solver, choose(solver, options.runtime))
    if not named.takes_seed:
        fault = f"{solver.name} takes no seed"
        if options.seed is not None:
            raise InputError(fault, "leave it out", "--seed")
        if (options.repeat or 1) > 1:
            raise InputError(f"{fault}, and would count the same again", "leave it out", "--repeat")
    return named


def exact_solvers(
    ability: Capability, problem: str, runtime: str, board_first: bool
) -> AvailableSolvers:
    """Return the solvers to try on a problem of the catalogue, the quickest to give up first.

    Those that read the board come first if the problem alone is named, otherwise last: a named
    formula is to be counted itself if that is quick. An empty problem name stands for any formula.
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
        if ability in solver.capabilities and solver.is_for(problem)
    ]


def _available(candidates: Iterable[Solver], runtime: str) -> AvailableSolvers:
    available = AvailableSolvers([], [])
    for solver in candidates:
        try:
            available.candidates.append(CounterOnRuntime(solver, choose(solver, runtime)))
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
    """Return how to get a count, the best way first; empty if no limit was reached.

    More time does not help if a count has too many digits.
    """
    if named is None and (names := board_readers(unfinished)):
        return ", or ".join(f"count exactly, without a limit: --counter {name}" for name in names)
    if end not in LIMIT_ENDS:
        return ""
    longer = longer_timeout(limits, end)
    if named is None:
        suggestions = [*_counting_encoding(header), *longer]
    else:
        suggestions = [*longer, *([] if named.reads_board else ["leave --counter out"])]
    return ", or ".join(suggestions) or "try another counter: `boardsat solvers` lists them"


def longer_timeout(limits: Limits, end: TerminationReason) -> list[str]:
    """Return the option that raises the time limit by which a run ended; empty if none did."""
    options = {
        TerminationReason.TIME: ("--timeout", limits.wall),
        TerminationReason.CPU: ("--cpu", limits.cpu),
    }
    option, seconds = options.get(end, ("", None))
    return [] if seconds is None else [f"give it more time: {option} {TIMEOUT_FACTOR * seconds:g}"]


def board_readers(unfinished: Sequence[CounterOnRuntime]) -> list[str]:
    """Return the names of the solvers that read the board: their time depends on its width alone.

    A search through models may take as long as there are models, and is not suggested.
    """
    return [candidate.name for candidate in unfinished if candidate.reads_board]


def _counting_encoding(header: Header) -> list[str]:
    """Return the suggestion of the encoding for counting; empty if it was counted."""
    problem, _, encoding = str(header.about.get("spec", "")).partition("/")
    if not encoding or problem not in problems():
        return []
    names = choices_of(problem)[COUNT]
    best = names[-1] if header.board.options.get("directed") else names[0]
    return [] if best == encoding else [f"count {problem}/{best}, the encoding for counting"]
