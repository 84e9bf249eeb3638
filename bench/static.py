"""Closed tours of large boards from one file: medians of five shuffles, for CaDiCaL and kissat."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from adapters.answer import Status
from adapters.runtimes import Limits
from bench._measure import Row, scratch
from boardsat.problem import open_problem
from boardsat.solving import Request, solve
from generators import build, find, transform, write

SHUFFLES, SECONDS = 5, 60
FAR = float("inf")


class Case(NamedTuple):
    spec: str
    side: int
    solver: str
    runtime: str
    settings: Mapping[str, object]
    aimed_at: bool


QUARTER, HALF = ({"turn": turn, "parity": True} for turn in (90, 180))
CASES = [
    Case("tour/hve", 24, "cadical", "embedded", {}, True),
    Case("tour/hve", 24, "cadical", "docker", {}, True),
    Case("tour/hve", 24, "kissat", "docker", {}, True),
    Case("tour/hve", 30, "cadical", "embedded", {}, False),
    Case("symmetric/binary", 30, "cadical", "docker", QUARTER, True),
    Case("symmetric/binary", 30, "kissat", "docker", QUARTER, True),
    Case("symmetric/binary", 20, "cadical", "docker", HALF, False),
    Case("symmetric/binary", 24, "cadical", "docker", HALF, False),
]


def run() -> list[Row]:
    with scratch() as folder:
        return [_row(folder / "tour.cnf", case) for case in CASES]


def _row(path: Path, case: Case) -> Row:
    formula = build(find(case.spec), {"n": case.side, **case.settings})
    times = []
    for seed in range(1, SHUFFLES + 1):
        write(transform(formula, shuffle=seed), str(path))
        request = Request(case.solver, case.runtime, Limits(cpu=SECONDS))
        answer = solve(open_problem(str(path)), request).answer
        times.append(answer.usage.cpu or 0.0 if answer.status is Status.SATISFIABLE else FAR)
    middle = statistics.median(times)
    turn = f" turned by {case.settings['turn']}" if case.settings else ""
    return Row(
        f"{case.spec} {case.side}x{case.side}{turn}, {formula.clauses:,} clauses, "
        f"{case.solver} {case.runtime}",
        f"{_shown(middle)} ({', '.join(map(_shown, sorted(times)))})",
        target=f"within {SECONDS} s" if case.aimed_at else "-",
        met=middle <= SECONDS if case.aimed_at else None,
    )


def _shown(seconds: float) -> str:
    return f"> {SECONDS}" if seconds == FAR else f"{seconds:.1f}"
