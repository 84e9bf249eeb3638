"""Measurement quality: work that the times of each runtime include, and signs of a busy machine.

A solver computes without pauses, so if it is alone on its core, its CPU time is nearly its
wall-clock time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from boardsat.adapters.answer import TerminationReason
from boardsat.adapters.solvers.solver import RuntimeName
from boardsat.base.text import pluralize
from boardsat.campaign.runner.records import RunRecord

MIN_CPU_SHARE = 0.8
"""Share of a core below which a run counts as starved: at 0.8 it takes a quarter longer than alone
on the core, which is more than the difference between many neighbours in a ranking.
"""
MIN_SECONDS = 1.0
"""Wall-clock time in seconds from which a run may count as starved: shorter runs mostly start
processes and read files, which leaves a core idle.
"""
MAX_LOAD = 1.25
"""Load per core above which a machine is busy: 1 for a run on every core, 0.25 for other work."""

TIME_CONTENTS = {
    RuntimeName.EMBEDDED: "the library alone, reading the formula included, without the start of "
    "Python",
    RuntimeName.NATIVE: "the process of the program from start to end",
    RuntimeName.DOCKER: "the program in its container, without creating the container",
}
"""Work that the measured times of each runtime include."""


def is_starved(record: RunRecord) -> bool:
    """Return whether a run scored by wall-clock time had too small a share of a core.

    The CPU time of a container that is stopped is only sampled, so its share is unreliable.
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
"""Prefix of a warning on the terminal."""


def warnings(records: Sequence[RunRecord]) -> list[str]:
    """Return a line for each sign of a busy machine."""
    lines = []
    if starved := [record for record in records if is_starved(record)]:
        min_share = min(record.cpu_share or 0.0 for record in starved)
        lines.append(
            f"{_share_text(starved, records)} had less than {MIN_CPU_SHARE:.0%} of a CPU core "
            f"(minimum: {min_share:.0%}), and their wall-clock time is scored: a time limit may "
            "have ended them too early; repeat them in a new folder on an idle machine, or limit "
            "CPU time"
        )
    if overloaded := [record for record in records if is_overloaded(record)]:
        max_load = max(record.execution.load or 0.0 for record in overloaded)
        lines.append(
            f"{_share_text(overloaded, records)} ended while the machine had more than "
            f"{MAX_LOAD:g} runnable processes for each core (maximum: {max_load:.1f})"
        )
    return lines


def _share_text(selected: Sequence[RunRecord], records: Sequence[RunRecord]) -> str:
    share = len(selected) / len(records)
    return f"{len(selected):,} of {pluralize(len(records), 'run')} ({share:.0%})"


def mixed_runtimes(records: Iterable[RunRecord]) -> str:
    """Return a line if solvers of several runtimes are compared; empty otherwise."""
    solvers: dict[str, dict[str, None]] = defaultdict(dict)
    for record in records:
        if record.identity.runtime in TIME_CONTENTS:
            solvers[record.identity.runtime][record.identity.label] = None
    if len(solvers) < 2:
        return ""
    descriptions = (
        f"{runtime} solvers ({', '.join(sorted(names))}): {TIME_CONTENTS[RuntimeName(runtime)]}"
        for runtime, names in sorted(solvers.items())
    )
    return f"runtimes are mixed, and times are measured for {'; for '.join(descriptions)}"


def timing_notes(records: Sequence[RunRecord], outdated: str) -> list[str]:
    """Return the lines about the times of runs, and about ignored records, for the terminal."""
    lines = (outdated, mixed_runtimes(records), *(f"{BUSY}: {line}" for line in warnings(records)))
    return [line for line in lines if line]
