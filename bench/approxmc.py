"""Closed knight's tours estimated by ApproxMC, its library and its container, with ten seeds each.

The library is newer than the program that the container has, and needs a sixth of its time.
"""

from __future__ import annotations

from pathlib import Path

from bench._measure import Row, scratch
from boardsat.adapters.runtimes import Limits
from boardsat.generators import build, find, write
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.count import counter_run as counting
from boardsat.workflows.count.reference import Agreement, published_reference, verdict

TARGETS = {(6, 6): 3, (6, 7): 15, (6, 8): 120}
CASES = [
    ("embedded", (6, 6)),
    ("embedded", (6, 7)),
    ("embedded", (6, 8)),
    ("docker", (6, 6)),
    ("docker", (6, 7)),
]
SEEDS, INSIDE = 10, 8


def run() -> list[Row]:
    with scratch() as folder:
        return [_row(folder, runtime, *size) for runtime, size in CASES]


def _row(folder: Path, runtime: str, rows: int, cols: int) -> Row:
    target = TARGETS[rows, cols]
    path = str(folder / "tour.cnf")
    write(build(find("tour", "undirected"), {"rows": rows, "cols": cols}), path)
    problem = open_formula(path)
    limits, seeds = Limits(wall=10 * target), range(1, SEEDS + 1)
    counts = [counting.count(problem, "approxmc", runtime, limits, seed) for seed in seeds]
    exact = published_reference(problem.header.counting.objects)
    inside = sum(verdict(counted, exact) is Agreement.INSIDE for counted in counts)
    times = sorted(counted.answer.run.usage.cpu or 0.0 for counted in counts)
    middle = counting.median(counts).objects
    assert exact.objects
    return Row(
        f"approxmc {rows}x{cols} {runtime}: {inside} of {SEEDS} seeds inside",
        f"{times[len(times) // 2]:.1f} s CPU, at most {times[-1]:.1f}",
        f"{exact.objects:,} exactly",
        f"median {(middle or 0) / exact.objects:.2f} of exact",
        f"within {target} s, {INSIDE} inside",
        inside >= INSIDE and times[len(times) // 2] <= target,
    )
