"""Comparisons of solvers, of encodings, and of pairs of both: rankings by PAR-2.

PAR-2 is the mean time, with twice the time limit for a task that is not solved. The virtual best
solver is the fastest one on each task; the contribution of a solver is the time by which the
virtual best would be worse without it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from boardsat.campaign.report.median_runs import MedianRun
from boardsat.campaign.report.questions import InstanceQuestion
from boardsat.campaign.runner.records import COUNT, DECIDE, RunTask

BEST = "virtual best"


@dataclass(frozen=True)
class Score:
    """How somebody did on a task."""

    seconds: float
    """With the penalty, where it is not solved."""
    solved: bool
    status: str = ""
    wrong: int = 0


@dataclass(frozen=True)
class Rank:
    name: str
    par2: float
    solved: int
    satisfiable: int
    unsatisfiable: int
    wrong: int
    quickest: int
    """Tasks that nobody solved sooner."""
    alone: int
    """Tasks that nobody else solved."""
    adds: float
    """By how many seconds the PAR-2 of the virtual best is worse without it."""


@dataclass(frozen=True)
class Ranking:
    tasks: int
    """Those that all were asked: only they tell who is better."""
    left_out: int
    ranks: tuple[Rank, ...]
    best: Rank


Scores = Mapping[str, Mapping[Hashable, Score]]
"""By name and task."""


def ranking(scores: Scores) -> Ranking:
    every = {task for mine in scores.values() for task in mine}
    common = [task for task in every if all(task in mine for mine in scores.values())]
    best = {task: min((mine[task] for mine in scores.values()), key=_order) for task in common}
    ranks = [_rank(name, scores, best) for name in scores]
    ranks.sort(key=lambda rank: (rank.par2, -rank.solved, rank.name))
    return Ranking(
        len(common), len(every) - len(common), tuple(ranks), _summed(BEST, best.values())
    )


def _order(score: Score) -> tuple[bool, float]:
    return not score.solved, score.seconds


def _rank(name: str, scores: Scores, best: Mapping[Hashable, Score]) -> Rank:
    mine = scores[name]
    rivals = [theirs for other, theirs in scores.items() if other != name]
    quickest = alone = 0
    lost = []
    for task, top in best.items():
        others = [theirs[task] for theirs in rivals]
        score = mine[task]
        alone += score.solved and not any(other.solved for other in others)
        quickest += score.solved and _order(score) == _order(top)
        rest = min(others, key=_order).seconds if others else score.seconds
        lost.append(rest - top.seconds)
    return _summed(
        name, (mine[task] for task in best), quickest, alone, fmean(lost) if lost else 0.0
    )


def _summed(
    name: str, scores: Iterable[Score], quickest: int = 0, alone: int = 0, adds: float = 0.0
) -> Rank:
    listed = list(scores)
    solved = [score for score in listed if score.solved]
    return Rank(
        name,
        fmean(score.seconds for score in listed) if listed else math.nan,
        len(solved),
        sum(score.status == "SATISFIABLE" for score in solved),
        sum(score.status == "UNSATISFIABLE" for score in solved),
        sum(score.wrong for score in listed),
        quickest,
        alone,
        adds,
    )


MAX_PAIRS = 60
BETWEEN = " + "


class Kind(StrEnum):
    SOLVERS = "solvers"
    """On each formula."""
    ENCODINGS = "encodings"
    """On each question, by each solver."""
    PAIRS = "encodings and solvers"
    """On each question."""


@dataclass(frozen=True)
class SolverComparison:
    kind: Kind
    task: RunTask
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


def name_in(kind: Kind, run: MedianRun, question: InstanceQuestion) -> str:
    match kind:
        case Kind.SOLVERS:
            return run.solver.name
        case Kind.ENCODINGS:
            return question.way
        case Kind.PAIRS:
            return f"{question.way}{BETWEEN}{run.solver.name}"


def task_in(kind: Kind, run: MedianRun, question: InstanceQuestion) -> Hashable:
    """What solvers have in common; their names are what differs."""
    match kind:
        case Kind.SOLVERS:
            return run.formula
        case Kind.ENCODINGS:
            return question.asks, question.shuffle, run.solver.name
        case Kind.PAIRS:
            return question.asks, question.shuffle


def comparisons(
    runs: Sequence[MedianRun], questions: Mapping[str, InstanceQuestion]
) -> Iterator[SolverComparison]:
    for task in (DECIDE, COUNT):
        mine = [run for run in runs if run.solver.task == task]
        if not mine:
            continue
        yield _compared(Kind.SOLVERS, task, "", mine, questions)
        families: dict[str, list[MedianRun]] = defaultdict(list)
        for run in mine:
            families[questions[run.formula].family].append(run)
        for family, group in families.items():
            ways = {questions[run.formula].way for run in group}
            solvers = {run.solver.name for run in group}
            if len(ways) > 1:
                yield _compared(Kind.ENCODINGS, task, family, group, questions)
            if len(ways) > 1 and len(solvers) > 1 and len(ways) * len(solvers) <= MAX_PAIRS:
                yield _compared(Kind.PAIRS, task, family, group, questions)


def _compared(
    kind: Kind,
    task: RunTask,
    family: str,
    runs: Iterable[MedianRun],
    questions: Mapping[str, InstanceQuestion],
) -> SolverComparison:
    scores: dict[str, dict[Hashable, Score]] = defaultdict(dict)
    for run in runs:
        question = questions[run.formula]
        score = Score(run.seconds, run.solved, run.status, run.wrong)
        scores[name_in(kind, run, question)][task_in(kind, run, question)] = score
    return SolverComparison(kind, task, family, scores, ranking(scores))
