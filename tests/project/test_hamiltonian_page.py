"""Tables of docs/hamiltonian.md, against the runs in docs/hamiltonian/runs.csv."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "docs/site"))

import hamiltonian

RUNS = hamiltonian.read_runs()


def test_tables_are_those_of_the_runs() -> None:
    page = hamiltonian.PAGE.read_text("utf-8")
    assert page == hamiltonian.renewed(page), "python docs/site/hamiltonian.py"


def test_graphs_are_measured_once_per_variant() -> None:
    assert max(Counter((run.variant, run.graph) for run in RUNS).values()) == 1
    now = {run.graph for run in RUNS if run.variant == hamiltonian.NOW}
    assert now == set(range(1, 1002, 2))


def test_solved_graphs_have_method_and_time_within_limit() -> None:
    for run in RUNS:
        assert (run.seconds is None) == (run.method == "")
        assert run.seconds is None or 0 < run.seconds <= run.limit


def test_longer_limit_counts_only_measured_runs() -> None:
    runs = [
        hamiltonian.Run("x", 1, 5, 2.0, "cuts", "a"),
        hamiltonian.Run("x", 3, 60, 7.5, "cuts", "a"),
        hamiltonian.Run("x", 5, 60, None, "", "a"),
        hamiltonian.Run("x", 7, 5, None, "", "a"),
    ]
    cells = [hamiltonian._solved(runs, limit) for limit in (5, 60, 300)]
    assert cells == ["1", "2 (1 not measured)", "2 (2 not measured)"]
