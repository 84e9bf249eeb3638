"""Rankings against numbers computed by hand, and against a few lines of other code."""

from __future__ import annotations

import math
import random

import pytest
from helpers.validations import record_of

from boardsat.adapters.answer import TerminationReason
from boardsat.campaign.report.comparisons import Score, ranking
from boardsat.campaign.report.median_runs import median_runs
from boardsat.campaign.runner.records import DECIDE, RunRecord

YES, NO, OPEN = "SATISFIABLE", "UNSATISFIABLE", "UNKNOWN"


def score(seconds: float, status: str = YES) -> Score:
    """Of a run with a limit of ten seconds; none is no answer."""
    return Score(20.0, False, OPEN) if seconds > 10 else Score(seconds, True, status)


HAND = {
    "a": {1: score(1), 2: score(8, NO), 3: score(99), 4: score(2)},
    "b": {1: score(3), 2: score(2, NO), 3: score(99)},
    "c": {1: score(5), 2: score(99), 3: score(9)},
}


def test_by_hand():
    """Only tasks 1 to 3 were tried by all; the virtual best takes 1, 2 and 9 seconds."""
    found = ranking(HAND)
    assert (found.tasks, found.left_out) == (3, 1)
    ranks = {rank.name: rank for rank in found.ranks}
    assert [rank.name for rank in found.ranks] == ["b", "a", "c"]
    assert ranks["a"].par2 == pytest.approx((1 + 8 + 20) / 3)
    assert ranks["b"].par2 == pytest.approx((3 + 2 + 20) / 3)
    assert ranks["c"].par2 == pytest.approx((5 + 20 + 9) / 3)
    assert found.best.par2 == pytest.approx((1 + 2 + 9) / 3) and found.best.solved == 3
    assert [(r.solved, r.satisfiable, r.unsatisfiable) for r in found.ranks] == [
        *((2, 1, 1), (2, 1, 1), (2, 2, 0))
    ]
    assert {name: rank.alone for name, rank in ranks.items()} == {"a": 0, "b": 0, "c": 1}
    assert {name: rank.quickest for name, rank in ranks.items()} == {"a": 1, "b": 1, "c": 1}
    # Without a the best of task 1 is 3, without b task 2 takes 8, without c nobody solves task 3.
    for name, lost in (("a", 2), ("b", 6), ("c", 11)):
        assert ranks[name].adds == pytest.approx(lost / 3)


def test_one_alone_and_nothing_in_common():
    alone = ranking({"a": {1: score(1)}})
    assert alone.ranks[0].par2 == 1 and alone.ranks[0].alone == 1 and alone.ranks[0].adds == 0
    apart = ranking({"a": {1: score(1)}, "b": {2: score(1)}})
    assert apart.tasks == 0 and apart.left_out == 2 and math.isnan(apart.ranks[0].par2)


def test_against_other_code():
    chance = random.Random(1)
    names, tasks = "abcd", range(50)
    times = {n: [min(chance.expovariate(0.15), 11) for _ in tasks] for n in names}
    found = ranking({n: {t: score(times[n][t]) for t in tasks} for n in names})

    def par2(*who: str) -> float:
        best = [min(times[n][t] for n in who) for t in tasks]
        return sum(x if x <= 10 else 20 for x in best) / len(best)

    assert found.best.par2 == pytest.approx(par2(*names))
    for rank in found.ranks:
        others = [n for n in names if n != rank.name]
        assert rank.par2 == pytest.approx(par2(rank.name))
        assert rank.adds == pytest.approx(par2(*others) - par2(*names))
        assert rank.solved == sum(x <= 10 for x in times[rank.name])
        assert rank.alone == sum(
            times[rank.name][t] <= 10 < min(times[n][t] for n in others) for t in tasks
        )


def record(seed: int, wall: float, status: str = YES, **more: object) -> RunRecord:
    about = {"key": f"{more}{seed}", "problem": "", "encoding": "", "variant": "", "expected": None}
    about |= {"formula": "f", "solver": "s", "task": DECIDE, "runtime": "native", "version": "1"}
    about |= {"limit": 10.0, "seed": seed, "wall": wall, "status": status}
    return record_of(**{**about, **more})


def test_runs_of_many_seeds_stand_as_the_middle_one():
    (odd,) = median_runs(
        [record(1, 3), record(2, 10, OPEN, end=TerminationReason.TIME), record(3, 1)]
    )
    assert (odd.seconds, odd.solved, odd.runs, odd.right) == (3, True, 3, 2)
    assert (odd.least, odd.most) == (1, 20)
    (even,) = median_runs([record(1, 3), record(2, 10, OPEN)])
    assert (even.seconds, even.solved) == (20, False), "half is not more than half"
    (lost,) = median_runs([record(1, 0.0, OPEN, reason="lost: its worker died 3 times")])
    assert lost.seconds == 20
    (wrong,) = median_runs([record(1, 0.1, YES, fault="the model is none")])
    assert (wrong.seconds, wrong.solved, wrong.wrong) == (20, False, 1)


def test_another_version_or_limit_is_ranked_separately():
    found = median_runs(
        [record(1, 1), record(1, 1, version="2"), record(1, 1, solver="t"), record(1, 1, limit=60)]
    )
    assert {run.solver.name for run in found} == {"s, 1, 10 s", "s, 2, 10 s", "s, 1, 60 s", "t"}


def test_where_cpu_time_is_limited_it_is_what_counts():
    """A busy machine makes wall times long."""
    (run,) = median_runs([record(1, 50, cpu=3.0, cpu_limit=5.0, limit=100.0)])
    assert (run.seconds, run.solver.limit) == (3, 5)
    (run,) = median_runs([record(1, 50, OPEN, cpu=5.1, cpu_limit=5.0, limit=100.0)])
    assert run.seconds == 10
    (run,) = median_runs(
        [record(1, 0, OPEN, end=TerminationReason.GIVEN_UP, cpu_limit=5.0, limit=100.0)]
    )
    assert run.seconds == 10
    # Some runtimes cannot tell.
    (run,) = median_runs([record(1, 2, cpu_limit=5.0, limit=100.0)])
    assert run.seconds == 2
