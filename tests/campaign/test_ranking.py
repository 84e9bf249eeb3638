"""Rankings compared with numbers computed by hand and with an independent implementation."""

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
    """Return the score of a run with a limit of ten seconds; a longer one is unsolved."""
    return Score(20.0, False, OPEN) if seconds > 10 else Score(seconds, True, status)


HAND = {
    "a": {1: score(1), 2: score(8, NO), 3: score(99), 4: score(2)},
    "b": {1: score(3), 2: score(2, NO), 3: score(99)},
    "c": {1: score(5), 2: score(99), 3: score(9)},
}


def test_ranking_of_hand_computed_scores():
    """Tasks 1 to 3 are common to all; the virtual best takes 1, 2 and 9 seconds."""
    result = ranking(HAND)
    assert (result.tasks, result.omitted) == (3, 1)
    ranks = {rank.name: rank for rank in result.ranks}
    assert [rank.name for rank in result.ranks] == ["b", "a", "c"]
    assert ranks["a"].par2 == pytest.approx((1 + 8 + 20) / 3)
    assert ranks["b"].par2 == pytest.approx((3 + 2 + 20) / 3)
    assert ranks["c"].par2 == pytest.approx((5 + 20 + 9) / 3)
    assert (
        result.virtual_best.par2 == pytest.approx((1 + 2 + 9) / 3)
        and result.virtual_best.solved == 3
    )
    assert [(r.solved, r.satisfiable, r.unsatisfiable) for r in result.ranks] == [
        *((2, 1, 1), (2, 1, 1), (2, 2, 0))
    ]
    assert {name: rank.unique for name, rank in ranks.items()} == {"a": 0, "b": 0, "c": 1}
    assert {name: rank.fastest for name, rank in ranks.items()} == {"a": 1, "b": 1, "c": 1}
    # Without a the best of task 1 is 3, without b task 2 takes 8, without c task 3 is unsolved.
    for name, seconds in (("a", 2), ("b", 6), ("c", 11)):
        assert ranks[name].contribution == pytest.approx(seconds / 3)


def test_ranking_of_single_solver_counts_its_tasks_as_unique():
    (rank,) = ranking({"a": {1: score(1)}}).ranks
    assert rank.par2 == 1 and rank.unique == 1 and rank.contribution == 0


def test_ranking_without_common_tasks_has_no_par2():
    disjoint = ranking({"a": {1: score(1)}, "b": {2: score(1)}})
    assert disjoint.tasks == 0 and disjoint.omitted == 2 and math.isnan(disjoint.ranks[0].par2)


def test_ranking_agrees_with_independent_implementation():
    rng = random.Random(1)
    names, tasks = "abcd", range(50)
    times = {n: [min(rng.expovariate(0.15), 11) for _ in tasks] for n in names}
    result = ranking({n: {t: score(times[n][t]) for t in tasks} for n in names})

    def par2(*solvers: str) -> float:
        best = [min(times[n][t] for n in solvers) for t in tasks]
        return sum(x if x <= 10 else 20 for x in best) / len(best)

    assert result.virtual_best.par2 == pytest.approx(par2(*names))
    for rank in result.ranks:
        rivals = [n for n in names if n != rank.name]
        assert rank.par2 == pytest.approx(par2(rank.name))
        assert rank.contribution == pytest.approx(par2(*rivals) - par2(*names))
        assert rank.solved == sum(x <= 10 for x in times[rank.name])
        assert rank.unique == sum(
            times[rank.name][t] <= 10 < min(times[n][t] for n in rivals) for t in tasks
        )


def record(seed: int, wall: float, status: str = YES, **fields: object) -> RunRecord:
    defaults = {
        "key": f"{fields}{seed}",
        "problem": "",
        "encoding": "",
        "variant": "",
        "expected": None,
    }
    defaults |= {"formula": "f", "solver": "s", "task": DECIDE, "runtime": "native", "version": "1"}
    defaults |= {"limit": 10.0, "seed": seed, "wall": wall, "status": status}
    return record_of(**{**defaults, **fields})


def test_median_runs_of_several_seeds_are_the_slower_median():
    (odd,) = median_runs(
        [record(1, 3), record(2, 10, OPEN, end=TerminationReason.TIME), record(3, 1)]
    )
    assert (odd.seconds, odd.solved, odd.num_runs, odd.num_solved) == (3, True, 3, 2)
    assert (odd.min_seconds, odd.max_seconds) == (1, 20)
    (even,) = median_runs([record(1, 3), record(2, 10, OPEN)])
    assert (even.seconds, even.solved) == (20, False), "half is not more than half"
    (lost_run,) = median_runs([record(1, 0.0, OPEN, reason="lost: its worker died 3 times")])
    assert lost_run.seconds == 20
    (wrong,) = median_runs([record(1, 0.1, YES, fault="the model is none")])
    assert (wrong.seconds, wrong.solved, wrong.num_wrong) == (20, False, 1)


def test_median_runs_with_different_version_or_limit_are_separate():
    runs = median_runs(
        [record(1, 1), record(1, 1, version="2"), record(1, 1, solver="t"), record(1, 1, limit=60)]
    )
    assert {run.solver.name for run in runs} == {"s, 1, 10 s", "s, 2, 10 s", "s, 1, 60 s", "t"}


def test_median_runs_with_cpu_limit_score_cpu_time():
    """On a busy machine the wall-clock time is much longer than the CPU time."""
    (run,) = median_runs([record(1, 50, cpu=3.0, cpu_limit=5.0, limit=100.0)])
    assert (run.seconds, run.solver.limit) == (3, 5)
    (run,) = median_runs([record(1, 50, OPEN, cpu=5.1, cpu_limit=5.0, limit=100.0)])
    assert run.seconds == 10
    (run,) = median_runs(
        [record(1, 0, OPEN, end=TerminationReason.GIVEN_UP, cpu_limit=5.0, limit=100.0)]
    )
    assert run.seconds == 10
    # Some runtimes cannot measure CPU time.
    (run,) = median_runs([record(1, 2, cpu_limit=5.0, limit=100.0)])
    assert run.seconds == 2
