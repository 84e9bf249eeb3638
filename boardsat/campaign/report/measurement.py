"""Measured times: what they contain for each runtime, and which were distorted by other processes.

A solver computes all the time, so alone on its core it has nearly all of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from boardsat.adapters.answer import TerminationReason
from boardsat.adapters.solvers.solver import RuntimeName
from boardsat.base.text import pluralize
from boardsat.campaign.runner.records import RunRecord

MIN_CPU_SHARE = 0.8
"""Below it a run takes a quarter longer than alone, which is more than many rankings differ by."""
MIN_SECONDS = 1.0
"""Shorter runs mostly start processes and read files, which leaves a core idle."""
MAX_LOAD = 1.25
"""Runnable processes per core: 1 for a run on every core, and a quarter for other work."""

CONTENTS = {
    RuntimeName.EMBEDDED: "the library alone, reading the formula included, without the start of "
    "Python",
    RuntimeName.NATIVE: "the process of the program from start to end",
    RuntimeName.DOCKER: "the program in its container, without creating the container",
}
"""What the times of a runtime contain."""


def is_starved(record: RunRecord) -> bool:
    """Return whether a run whose wall-clock time counts had too small a share of a core.

    The CPU time of a container that is stopped is only sampled, so that its share says little.
    """
    return (
        record.cpu_share is not None
        and record.cpu_share < MIN_CPU_SHARE
        and record.usage.scored_wall >= MIN_SECONDS
        and (record.limits.cpu is None or record.outcome.end is TerminationReason.TIME)
        and record.identity.runtime != RuntimeName.DOCKER
    )


def is_overloaded(record: RunRecord) -> bool:
    """Return whether the machine had more runnable processes than cores."""
    return record.execution.load is not None and record.execution.load > MAX_LOAD


def is_contended(record: RunRecord) -> bool:
    """Return whether other processes have made the times of a run unreliable."""
    return is_starved(record) or is_overloaded(record)


BUSY = "busy machine"
"""Words before a warning in a text."""


def warnings(records: Sequence[RunRecord]) -> list[str]:
    """Return a line for each sign of a busy machine."""
    lines = []
    if starved := [record for record in records if is_starved(record)]:
        least = min(record.cpu_share or 0.0 for record in starved)
        lines.append(
            f"{_part(starved, records)} had less than {MIN_CPU_SHARE:.0%} of a CPU "
            f"core (least: {least:.0%}), and their wall-clock time counts: a time limit may have "
            "fallen too early; repeat them in a new folder on a quiet machine, or limit CPU time"
        )
    if overloaded := [record for record in records if is_overloaded(record)]:
        most = max(record.execution.load or 0.0 for record in overloaded)
        lines.append(
            f"{_part(overloaded, records)} ended while the machine had more than {MAX_LOAD:g} "
            f"runnable processes for each core (most: {most:.1f})"
        )
    return lines


def _part(some: Sequence[RunRecord], records: Sequence[RunRecord]) -> str:
    return f"{len(some):,} of {pluralize(len(records), 'run')} ({len(some) / len(records):.0%})"


def mixed_runtimes(records: Iterable[RunRecord]) -> str:
    """Return a line if solvers of several runtimes are compared; empty otherwise."""
    solvers: dict[str, dict[str, None]] = defaultdict(dict)
    for record in records:
        if record.identity.runtime in CONTENTS:
            solvers[record.identity.runtime][record.identity.label] = None
    if len(solvers) < 2:
        return ""
    parts = (
        f"{runtime} solvers ({', '.join(sorted(names))}): {CONTENTS[RuntimeName(runtime)]}"
        for runtime, names in sorted(solvers.items())
    )
    return f"runtimes are mixed, and times are measured for {'; for '.join(parts)}"


def timing_notes(records: Sequence[RunRecord], outdated: str) -> list[str]:
    """Return the lines that a text has about the times of runs, and about ignored records."""
    lines = (outdated, mixed_runtimes(records), *(f"{BUSY}: {w}" for w in warnings(records)))
    return [line for line in lines if line]
