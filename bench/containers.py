"""Solver in a container of boardsat, compared with `docker run` on the same file; wall time."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Callable

from bench._measure import Row, scratch
from boardsat.adapters import solvers
from boardsat.adapters.runtimes import Task, container, images
from boardsat.generators import build, find, write

TARGET = 1.3
TURNS = 7


def run() -> list[Row]:
    solver = solvers.load("cadical")
    reason = container.unavailable_reason(solver)
    if reason is not None:
        return [Row("container, of docker run", reason)]
    with scratch() as folder:
        path = folder / "tour.cnf"
        write(build(find("tour", "binary"), {"n": 8}), str(path))
        by_hand = [
            "docker", "run", "--rm", "--network=none", "-v", f"{path}:/formula.cnf:ro",
            images.tag_of(solver.image), "cadical", "-q", "/formula.cnf",
        ]  # fmt: skip
        ours, theirs = _in_turn(
            lambda: container.run(solver, Task(str(path))),
            lambda: subprocess.run(by_hand, capture_output=True, check=False),
        )
    ratio = ours / theirs
    return [
        Row(
            "container, of docker run (median wall)",
            f"{ours:.2f} s",
            f"{theirs:.2f} s",
            f"{ratio:.2f}",
            f"at most {TARGET}",
            ratio <= TARGET,
        )
    ]


def _in_turn(*jobs: Callable[[], object]) -> list[float]:
    seconds_of: list[list[float]] = [[] for _ in jobs]
    for _ in range(TURNS):
        for job, times in zip(jobs, seconds_of, strict=True):
            begun = time.perf_counter()
            job()
            times.append(time.perf_counter() - begun)
    return [statistics.median(times) for times in seconds_of]
