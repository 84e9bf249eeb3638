"""Median run of a solver on an instance over seeds and repetitions, and medians by size.

For an even number of runs the median is the slower one of the two in the middle, so an instance
counts as solved if more than half of its runs have solved it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter

from boardsat.campaign.parser import DEFAULT_TIMEOUT
from boardsat.campaign.report.classification import FILES, ClassifiedInstance
from boardsat.campaign.report.measurement import is_contended
from boardsat.campaign.runner.records import RunRecord, RunTask

SETUP_DIGITS = 8
"""Number of digits of a setup's hash in a name."""
PENALTY = 2
"""Factor: an unsolved run counts as this many times its time limit (PAR-2)."""


@dataclass(frozen=True)
class RankedSolver:
    """Solver in rankings: one name with two versions, runtimes or limits is two ranked solvers."""

    name: str
    """Name of the solver, and properties that distinguish ranked solvers of the same name."""
    task: RunTask
    limit: float
    """Limit in seconds on the scored time, which is CPU or wall-clock time."""


@dataclass(frozen=True)
class MedianRun:
    """Median over the runs of a solver on a formula."""

    formula: str
    solver: RankedSolver
    status: str
    solved: bool
    seconds: float
    """Scored time in seconds; the penalty if unsolved."""
    num_runs: int
    num_solved: int
    num_wrong: int
    min_seconds: float
    max_seconds: float
    num_contended: int = 0
    """Number of runs that other processes on the machine have slowed down."""


def counts_cpu(record: RunRecord) -> bool:
    """Return whether CPU time is scored instead of wall-clock time.

    CPU time is scored if it was limited; other processes hardly affect it.
    """
    is_measured = record.usage.scored_cpu is not None
    return record.limits.cpu is not None and (is_measured or not record.solved)


def scored_limit(record: RunRecord) -> float:
    """Return the limit in seconds of the scored time."""
    return (record.limits.cpu if counts_cpu(record) else record.limits.wall) or DEFAULT_TIMEOUT


def scored_time(record: RunRecord) -> float:
    """Return the scored time in seconds, without the start of Python for an embedded solver."""
    return (record.usage.scored_cpu or 0.0) if counts_cpu(record) else record.usage.scored_wall


def penalized_time(record: RunRecord) -> float:
    """Return the seconds for PAR-2: twice the limit if the answer is missing or wrong."""
    return scored_time(record) if record.solved else PENALTY * scored_limit(record)


def median_runs(records: Iterable[RunRecord]) -> list[MedianRun]:
    """Return the median run of each solver on each formula."""
    listed = list(records)
    solvers = _ranked_solvers(listed)
    groups: dict[tuple[str, RankedSolver], list[RunRecord]] = defaultdict(list)
    for record in listed:
        groups[record.question.formula, solvers[_setup(record)]].append(record)
    return [_median_run(formula, solver, group) for (formula, solver), group in groups.items()]


def _median_run(formula: str, solver: RankedSolver, group: list[RunRecord]) -> MedianRun:
    ordered = sorted(group, key=penalized_time)
    median = ordered[len(ordered) // 2]
    return MedianRun(
        formula,
        solver,
        median.outcome.status,
        median.solved,
        penalized_time(median),
        len(group),
        sum(record.solved for record in group),
        sum(bool(record.outcome.fault) for record in group),
        penalized_time(ordered[0]),
        penalized_time(ordered[-1]),
        sum(map(is_contended, group)),
    )


def _setup(record: RunRecord) -> tuple[str, ...]:
    """Return the key of a ranked solver: task, name, version, runtime, limits and setup hash."""
    details = (
        record.identity.version,
        record.identity.runtime,
        limits_text(record),
        record.identity.setup[:SETUP_DIGITS],
    )
    return record.question.task, record.identity.label, *details


def limits_text(record: RunRecord) -> str:
    """Return all limits of a run as text, with units."""
    limits = [f"{record.limits.wall or DEFAULT_TIMEOUT:g} s"]
    if record.limits.cpu is not None:
        limits.append(f"{record.limits.cpu:g} s of CPU")
    if record.limits.memory is not None:
        limits.append(f"{record.limits.memory / 2**20:g} MB")
    return ", ".join(limits)


def _ranked_solvers(records: Iterable[RunRecord]) -> dict[tuple[str, ...], RankedSolver]:
    """Return the ranked solvers by their setups, with the shortest names that are unique."""
    limits = {_setup(record): scored_limit(record) for record in records}
    solvers = {}
    for setup, limit in limits.items():
        task, name, *details, setup_hash = setup
        namesakes = [namesake for namesake in limits if namesake[:2] == setup[:2]]
        distinguishing = [
            detail
            for position, detail in enumerate(details, 2)
            if len({namesake[position] for namesake in namesakes}) > 1
        ]
        if sum(namesake[:-1] == setup[:-1] for namesake in namesakes) > 1:
            distinguishing.append(f"setup {setup_hash}")
        solvers[setup] = RankedSolver(", ".join([name, *distinguishing]), RunTask(task), limit)
    return solvers


@dataclass(frozen=True)
class SizeMedian:
    """Median of a solver over the instances of one family, encoding and size."""

    family: str
    encoding: str
    size: float
    solver: str
    task: RunTask
    num_instances: int
    num_solved: int
    median: float
    """Median of the penalized times in seconds; the longer of two middle ones."""

    @property
    def is_mostly_solved(self) -> bool:
        return 2 * self.num_solved > self.num_instances


def medians_by_size(
    runs: Iterable[MedianRun], instances: Mapping[str, ClassifiedInstance]
) -> list[SizeMedian]:
    """Return the medians of all solvers, sorted by family, encoding and size.

    `instances` are the classified instances by the hashes of their formulas.
    """
    groups: dict[tuple[str, str, float, str, RunTask], list[MedianRun]] = defaultdict(list)
    for run in runs:
        instance, solver = instances[run.formula], run.solver
        key = instance.family, instance.encoding, _rounded_size(instance), solver.name, solver.task
        groups[key].append(run)
    medians = []
    for key, members in groups.items():
        times = sorted(run.seconds for run in members)
        num_solved = sum(run.solved for run in members)
        medians.append(SizeMedian(*key, len(members), num_solved, times[len(times) // 2]))
    return sorted(medians, key=attrgetter("family", "encoding", "size"))


def _rounded_size(instance: ClassifiedInstance) -> float:
    """Return the size; for files of the user, the number of variables, down to a power of ten."""
    if instance.size is None:
        return 0
    if instance.family == FILES:
        return int(10 ** (len(str(int(instance.size))) - 1))
    return instance.size
