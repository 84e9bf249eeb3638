"""Median run of a solver on an instance over seeds and repetitions, and groups of them by size.

Of an even number it is the slower one of the two in the middle, so an instance counts as solved
if more than half of its runs have solved it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from boardsat.campaign.parser import DEFAULT_TIMEOUT
from boardsat.campaign.report.measurement import is_contended
from boardsat.campaign.report.questions import FILES, InstanceQuestion
from boardsat.campaign.runner.records import RunRecord, RunTask

SETUP_DIGITS = 8
"""Number of digits of a setup's hash in a name."""
PENALTY = 2
"""What was not solved counts as so many times its limit."""


@dataclass(frozen=True)
class RankedSolver:
    """A solver as it was run: another version, runtime or limit is another one."""

    name: str
    task: RunTask
    limit: float


@dataclass(frozen=True)
class MedianRun:
    formula: str
    solver: RankedSolver
    status: str
    solved: bool
    seconds: float
    """Its time, or the penalty."""
    runs: int
    right: int
    """Of the runs, how many have solved it."""
    wrong: int
    least: float
    most: float
    contended: int = 0
    """Number of runs that other processes on the machine have slowed down."""


def counts_cpu(record: RunRecord) -> bool:
    """Whether its CPU time is what counts: it was limited, so that other work might go on."""
    measured = record.usage.scored_cpu is not None
    return record.limits.cpu is not None and (measured or not record.solved)


def limit_of(record: RunRecord) -> float:
    """Seconds of what counts."""
    return (record.limits.cpu if counts_cpu(record) else record.limits.wall) or DEFAULT_TIMEOUT


def time_of(record: RunRecord) -> float:
    """Seconds of what counts, without the start of Python for an embedded solver."""
    return (record.usage.scored_cpu or 0.0) if counts_cpu(record) else record.usage.scored_wall


def penalised(record: RunRecord) -> float:
    """Seconds as PAR-2 counts them: what has no answer, or a wrong one, is twice its limit."""
    return time_of(record) if record.solved else PENALTY * limit_of(record)


def median_runs(records: Iterable[RunRecord]) -> list[MedianRun]:
    listed = list(records)
    named = _ranked_solvers(listed)
    groups: dict[tuple[str, RankedSolver], list[RunRecord]] = defaultdict(list)
    for record in listed:
        groups[record.question.formula, named[_setup(record)]].append(record)
    return [_middle(formula, who, group) for (formula, who), group in groups.items()]


def _middle(formula: str, who: RankedSolver, group: list[RunRecord]) -> MedianRun:
    ordered = sorted(group, key=penalised)
    middle = ordered[len(ordered) // 2]
    return MedianRun(
        formula,
        who,
        middle.outcome.status,
        middle.solved,
        penalised(middle),
        len(group),
        sum(record.solved for record in group),
        sum(bool(record.outcome.fault) for record in group),
        penalised(ordered[0]),
        penalised(ordered[-1]),
        sum(map(is_contended, group)),
    )


def _setup(record: RunRecord) -> tuple[str, ...]:
    """What tells solvers apart: the name first, then what may differ under one name."""
    details = (
        record.identity.version,
        record.identity.runtime,
        limits_of(record),
        record.identity.setup[:SETUP_DIGITS],
    )
    return record.question.task, record.identity.label, *details


def limits_of(record: RunRecord) -> str:
    """All of them, in words."""
    limits = [f"{record.limits.wall or DEFAULT_TIMEOUT:g} s"]
    if record.limits.cpu is not None:
        limits.append(f"{record.limits.cpu:g} s of CPU")
    if record.limits.memory is not None:
        limits.append(f"{record.limits.memory / 2**20:g} MB")
    return ", ".join(limits)


def _ranked_solvers(records: Iterable[RunRecord]) -> dict[tuple[str, ...], RankedSolver]:
    """A name says no more than it must to tell two of a task apart."""
    limits = {_setup(record): limit_of(record) for record in records}
    found = {}
    for setup, limit in limits.items():
        task, name, *details, command_hash = setup
        alike = [other for other in limits if other[:2] == setup[:2]]
        differing = [
            detail
            for place, detail in enumerate(details, 2)
            if len({other[place] for other in alike}) > 1
        ]
        if sum(other[:-1] == setup[:-1] for other in alike) > 1:
            differing.append(f"setup {command_hash}")
        found[setup] = RankedSolver(", ".join([name, *differing]), RunTask(task), limit)
    return found


@dataclass(frozen=True)
class Group:
    """What some solver did on instances of one family, encoding and size."""

    family: str
    way: str
    size: float
    solver: str
    task: RunTask
    instances: int
    solved: int
    median: float
    """Of middle runs with the penalty, the slower one of two."""

    @property
    def is_mostly_solved(self) -> bool:
        return 2 * self.solved > self.instances


def grouped(runs: Iterable[MedianRun], questions: Mapping[str, InstanceQuestion]) -> list[Group]:
    """Sorted by family, encoding and size."""
    groups: dict[tuple[str, str, float, str, RunTask], list[MedianRun]] = defaultdict(list)
    for run in runs:
        asked = questions[run.formula]
        who = run.solver
        groups[asked.family, asked.way, size_of(asked), who.name, who.task].append(run)
    return sorted(
        (_group(*key, members) for key, members in groups.items()),
        key=lambda group: (group.family, group.way, group.size),
    )


def size_of(asked: InstanceQuestion) -> float:
    """Formulas from elsewhere are grouped by the power of ten of their variables."""
    if asked.size is None:
        return 0
    return 10 ** (len(str(int(asked.size))) - 1) if asked.family == FILES else asked.size


def _group(
    family: str, way: str, size: float, solver: str, task: RunTask, members: list[MedianRun]
) -> Group:
    times = sorted(run.seconds for run in members)
    solved = sum(run.solved for run in members)
    middle = times[len(times) // 2]
    return Group(family, way, size, solver, task, len(members), solved, middle)
