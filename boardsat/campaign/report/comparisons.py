"""Who is compared with whom: solvers, the encodings of a problem, and both together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from boardsat.campaign.report.median_runs import MiddleRun
from boardsat.campaign.report.questions import InstanceQuestion
from boardsat.campaign.report.ranking import Ranking, Score, Scores, ranking
from boardsat.campaign.runner.records import COUNT, DECIDE
from boardsat.campaign.runner.records import Question as Task

MOST_PAIRS = 60
BETWEEN = " + "


class Kind(StrEnum):
    SOLVERS = "solvers"
    """On each formula."""
    ENCODINGS = "encodings"
    """On each question, by each solver."""
    PAIRS = "encodings and solvers"
    """On each question."""


@dataclass(frozen=True)
class Contest:
    kind: Kind
    task: Task
    family: str
    """Empty for all of them."""
    scores: Scores
    ranking: Ranking

    @property
    def title(self) -> str:
        counting = self.task == COUNT
        words = str(self.kind).replace("solvers", "counters") if counting else str(self.kind)
        if self.kind is Kind.ENCODINGS and counting:
            words += " for counting"
        return f"{words} of {self.family}" if self.family else words

    @property
    def names(self) -> list[str]:
        """The best first."""
        return [rank.name for rank in self.ranking.ranks]


def name_in(kind: Kind, run: MiddleRun, question: InstanceQuestion) -> str:
    match kind:
        case Kind.SOLVERS:
            return run.contestant.name
        case Kind.ENCODINGS:
            return question.way
        case Kind.PAIRS:
            return f"{question.way}{BETWEEN}{run.contestant.name}"


def task_in(kind: Kind, run: MiddleRun, question: InstanceQuestion) -> Hashable:
    """What contestants have in common; their names are what differs."""
    match kind:
        case Kind.SOLVERS:
            return run.formula
        case Kind.ENCODINGS:
            return question.asks, question.shuffle, run.contestant.name
        case Kind.PAIRS:
            return question.asks, question.shuffle


def contests(
    runs: Sequence[MiddleRun], questions: Mapping[str, InstanceQuestion]
) -> Iterator[Contest]:
    for task in (DECIDE, COUNT):
        mine = [run for run in runs if run.contestant.task == task]
        if not mine:
            continue
        yield _compared(Kind.SOLVERS, task, "", mine, questions)
        families: dict[str, list[MiddleRun]] = defaultdict(list)
        for run in mine:
            families[questions[run.formula].family].append(run)
        for family, group in families.items():
            ways = {questions[run.formula].way for run in group}
            solvers = {run.contestant.name for run in group}
            if len(ways) > 1:
                yield _compared(Kind.ENCODINGS, task, family, group, questions)
            if len(ways) > 1 and len(solvers) > 1 and len(ways) * len(solvers) <= MOST_PAIRS:
                yield _compared(Kind.PAIRS, task, family, group, questions)


def _compared(
    kind: Kind,
    task: Task,
    family: str,
    runs: Iterable[MiddleRun],
    questions: Mapping[str, InstanceQuestion],
) -> Contest:
    scores: dict[str, dict[Hashable, Score]] = defaultdict(dict)
    for run in runs:
        question = questions[run.formula]
        score = Score(run.seconds, run.solved, run.status, run.wrong)
        scores[name_in(kind, run, question)][task_in(kind, run, question)] = score
    return Contest(kind, task, family, scores, ranking(scores))
