"""Rankings by PAR-2: the mean time, where what was not solved counts as twice its limit.

The virtual best is whoever is quickest on each task. What somebody adds to it is how much worse it
would be without them.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean

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
