"""What to do where there is no count: another counter, another encoding, or more time."""

from __future__ import annotations

from collections.abc import Sequence

from boardsat.adapters.answer import End
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.runtimes import Limits
from boardsat.generators.spec.catalogue import choices_of, problems
from boardsat.generators.spec.defaults import COUNT
from boardsat.workflows.count.counter_run import PlacedCounter
from boardsat.workflows.count.counter_selection import CountPlan

MORE = 10
"""Times the limit that was not enough."""

LIMITED = (End.TIME, End.CPU, End.MEMORY)
"""Ends of runs that a higher limit, another counter or another encoding may avoid."""


def remedy(
    plan: CountPlan,
    header: Header,
    unfinished: Sequence[PlacedCounter],
    limits: Limits,
    end: End,
) -> str:
    """Return the remedies, the best first; empty if the last counter failed within its limits.

    More time does not help where a count has too many digits.
    """
    if plan.named is None and (exact := _exactly(unfinished)):
        return ", or ".join(exact)
    if end not in LIMITED:
        return ""
    longer = more_time(limits, end)
    if plan.named is None:
        ways = [*_as_meant(header), *longer]
    else:
        better = [] if plan.named.solver.reads == "board" else ["leave --counter out"]
        ways = [*longer, *better]
    return ", or ".join(ways) or "try another counter: `boardsat solvers` lists them"


def more_time(limits: Limits, end: End) -> list[str]:
    """Return the option that raises the time limit by which a run ended, if it was one."""
    options = {End.TIME: ("--timeout", limits.wall), End.CPU: ("--cpu", limits.cpu)}
    option, seconds = options.get(end, ("", None))
    return [] if seconds is None else [f"give it more time: {option} {MORE * seconds:g}"]


def on_boards(unfinished: Sequence[PlacedCounter]) -> list[str]:
    """On a board the time of an exact count depends on its width, not on how many there are.

    A search through models may take as long as there are models, and is not advised.
    """
    return [each.solver.name for each in unfinished if each.solver.reads == "board"]


def _exactly(unfinished: Sequence[PlacedCounter]) -> list[str]:
    names = on_boards(unfinished)
    return [f"count exactly, without a limit: --counter {name}" for name in names]


def _as_meant(header: Header) -> list[str]:
    """The encoding for counting, where another was named."""
    problem, _, encoding = str(header.about.get("spec", "")).partition("/")
    if not encoding or problem not in problems():
        return []
    names = choices_of(problem)[COUNT]
    meant = names[-1] if header.board.get("directed") else names[0]
    return [] if meant == encoding else [f"count {problem}/{meant}, the encoding for counting"]
