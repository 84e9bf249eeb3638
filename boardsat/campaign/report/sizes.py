"""Families by size: how many are solved and how long it takes, as size grows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from boardsat.campaign.report.median_runs import MiddleRun
from boardsat.campaign.report.questions import FILES, InstanceQuestion
from boardsat.campaign.runner.records import Question as Task


@dataclass(frozen=True)
class Group:
    """What some contestant did on instances of one family, encoding and size."""

    family: str
    way: str
    size: float
    contestant: str
    task: Task
    instances: int
    solved: int
    median: float
    """Of middle runs with the penalty, the slower one of two."""

    @property
    def is_mostly_solved(self) -> bool:
        return 2 * self.solved > self.instances


def grouped(runs: Iterable[MiddleRun], questions: Mapping[str, InstanceQuestion]) -> list[Group]:
    """Sorted by family, encoding and size."""
    groups: dict[tuple[str, str, float, str, Task], list[MiddleRun]] = defaultdict(list)
    for run in runs:
        asked = questions[run.formula]
        who = run.contestant
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
    family: str, way: str, size: float, contestant: str, task: Task, members: list[MiddleRun]
) -> Group:
    times = sorted(run.seconds for run in members)
    solved = sum(run.solved for run in members)
    middle = times[len(times) // 2]
    return Group(family, way, size, contestant, task, len(members), solved, middle)
