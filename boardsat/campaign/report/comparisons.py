"""Comparisons of solvers, of encodings, and of pairs of both: rankings by PAR-2.

PAR-2 is the mean time, where an unsolved task counts as twice its time limit. The virtual best
solver is the fastest one on each task. The contribution of a solver is the amount by which the
PAR-2 of the virtual best would be worse without it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from boardsat.campaign.report.classification import ClassifiedInstance
from boardsat.campaign.report.median_runs import MedianRun
from boardsat.campaign.runner.records import COUNT, DECIDE, RunTask

VIRTUAL_BEST = "virtual best"


@dataclass(frozen=True)
class Score:
    """Time and status of a competitor (a solver, an encoding or a pair) on a task."""

    seconds: float
    """Time in seconds; the penalty if unsolved."""
    solved: bool
    status: str = ""
    num_wrong: int = 0
    """Number of wrong answers."""


@dataclass(frozen=True)
class Rank:
    """Row of a ranking: sums over all common tasks."""

    name: str
    par2: float
    """PAR-2 in seconds. NaN without tasks."""
    solved: int
    satisfiable: int
    unsatisfiable: int
    wrong: int
    fastest: int
    """Number of tasks that no competitor has solved faster."""
    unique: int
    """Number of tasks that no other competitor has solved."""
    contribution: float
    """Seconds by which the PAR-2 of the virtual best would be worse without this row."""


@dataclass(frozen=True)
class Ranking:
    """Competitors by PAR-2 over their common tasks."""

    tasks: int
    """Number of tasks that all competitors were given: only these are compared."""
    omitted: int
    """Number of tasks that only some competitors were given."""
    ranks: tuple[Rank, ...]
    virtual_best: Rank


Scores = Mapping[str, Mapping[Hashable, Score]]
"""Scores by names of competitors and tasks."""


def ranking(scores: Scores) -> Ranking:
    """Return the ranking of competitors, best first; equal PAR-2 is ordered by solved tasks."""
    tasks = {task for own_scores in scores.values() for task in own_scores}
    common = [task for task in tasks if all(task in own_scores for own_scores in scores.values())]
    best = {
        task: min((own_scores[task] for own_scores in scores.values()), key=_speed)
        for task in common
    }
    ranks = [_rank(name, scores, best) for name in scores]
    ranks.sort(key=lambda rank: (rank.par2, -rank.solved, rank.name))
    return Ranking(
        len(common),
        len(tasks) - len(common),
        tuple(ranks),
        _summary(VIRTUAL_BEST, best.values()),
    )


def _speed(score: Score) -> tuple[bool, float]:
    """Return a sort key: solved before unsolved, then by time."""
    return not score.solved, score.seconds


def _rank(name: str, scores: Scores, best: Mapping[Hashable, Score]) -> Rank:
    """Return the row of a competitor; `best` has the virtual best score of each common task."""
    own_scores = scores[name]
    rival_scores = [scores[rival] for rival in scores if rival != name]
    fastest = unique = 0
    losses = []
    for task, best_score in best.items():
        rivals = [scores_by_task[task] for scores_by_task in rival_scores]
        score = own_scores[task]
        unique += score.solved and not any(rival.solved for rival in rivals)
        fastest += score.solved and _speed(score) == _speed(best_score)
        best_rival = min(rivals, key=_speed, default=score)
        losses.append(best_rival.seconds - best_score.seconds)
    contribution = fmean(losses) if losses else 0.0
    return _summary(name, (own_scores[task] for task in best), fastest, unique, contribution)


def _summary(
    name: str,
    scores: Iterable[Score],
    fastest: int = 0,
    unique: int = 0,
    contribution: float = 0.0,
) -> Rank:
    listed = list(scores)
    solved = [score for score in listed if score.solved]
    return Rank(
        name,
        fmean(score.seconds for score in listed) if listed else math.nan,
        len(solved),
        sum(score.status == "SATISFIABLE" for score in solved),
        sum(score.status == "UNSATISFIABLE" for score in solved),
        sum(score.num_wrong for score in listed),
        fastest,
        unique,
        contribution,
    )


MAX_PAIRS = 60
PAIR_SEPARATOR = " + "


class ComparisonKind(StrEnum):
    """Kind of comparison: which competitors are compared, on which tasks."""

    SOLVERS = "solvers"
    """Solvers; a task is a formula."""
    ENCODINGS = "encodings"
    """Encodings; a task is a question for a solver."""
    PAIRS = "encodings and solvers"
    """Pairs of encoding and solver; a task is a question."""


@dataclass(frozen=True)
class SolverComparison:
    """Scores of the competitors on all tasks, and their ranking."""

    kind: ComparisonKind
    task: RunTask
    family: str
    """Family of the instances. Empty for all families."""
    scores: Scores
    ranking: Ranking

    @property
    def title(self) -> str:
        counting = self.task == COUNT
        title = str(self.kind).replace("solvers", "counters") if counting else str(self.kind)
        if self.kind is ComparisonKind.ENCODINGS and counting:
            title += " for counting"
        return f"{title} of {self.family}" if self.family else title

    @property
    def names(self) -> list[str]:
        """Names of the competitors, best first."""
        return [rank.name for rank in self.ranking.ranks]


def _competitor_and_task(
    kind: ComparisonKind, run: MedianRun, instance: ClassifiedInstance
) -> tuple[str, Hashable]:
    encoding, solver = instance.encoding, run.solver.name
    question = instance.question, instance.shuffle
    match kind:
        case ComparisonKind.SOLVERS:
            return solver, run.formula
        case ComparisonKind.ENCODINGS:
            return encoding, (*question, solver)
        case ComparisonKind.PAIRS:
            return f"{encoding}{PAIR_SEPARATOR}{solver}", question


def comparisons(
    runs: Sequence[MedianRun], instances: Mapping[str, ClassifiedInstance]
) -> Iterator[SolverComparison]:
    """Yield all comparisons of several competitors, and one of all solvers for each run task.

    `instances` are the classified instances by the hashes of their formulas.
    """
    for task in (DECIDE, COUNT):
        task_runs = [run for run in runs if run.solver.task == task]
        if not task_runs:
            continue
        yield _compare(ComparisonKind.SOLVERS, task, "", task_runs, instances)
        families: dict[str, list[MedianRun]] = defaultdict(list)
        for run in task_runs:
            families[instances[run.formula].family].append(run)
        for family, family_runs in families.items():
            encodings = {instances[run.formula].encoding for run in family_runs}
            solvers = {run.solver.name for run in family_runs}
            if len(encodings) < 2:
                continue
            yield _compare(ComparisonKind.ENCODINGS, task, family, family_runs, instances)
            if len(solvers) > 1 and len(encodings) * len(solvers) <= MAX_PAIRS:
                yield _compare(ComparisonKind.PAIRS, task, family, family_runs, instances)


def _compare(
    kind: ComparisonKind,
    task: RunTask,
    family: str,
    runs: Iterable[MedianRun],
    instances: Mapping[str, ClassifiedInstance],
) -> SolverComparison:
    scores: dict[str, dict[Hashable, Score]] = defaultdict(dict)
    for run in runs:
        competitor, solved_task = _competitor_and_task(kind, run, instances[run.formula])
        score = Score(run.seconds, run.solved, run.status, run.num_wrong)
        scores[competitor][solved_task] = score
    return SolverComparison(kind, task, family, scores, ranking(scores))
