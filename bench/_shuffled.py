"""Times of a solver on several shuffles of the variables and clauses of a formula."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench._measure import Row
from boardsat.adapters.answer import Status
from boardsat.adapters.runtimes import Limits
from boardsat.generators import build, find, transform, write
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.solve.cnf import solve
from boardsat.workflows.solve.request import SolveRequest

FAR = float("inf")


@dataclass(frozen=True)
class ShuffledCase:
    spec: str
    side: int
    solver: str
    runtime: str
    settings: Mapping[str, object] = field(default_factory=dict)
    aimed_at: bool = False


def row(folder: Path, case: ShuffledCase, shuffles: int, seconds: float) -> Row:
    """Return the median of the CPU seconds of runs with a time limit."""
    formula = build(find(case.spec), {"n": case.side, **case.settings})
    path = str(folder / "formula.cnf")
    times: list[float] = []
    for seed in range(1, shuffles + 1):
        # When most of them have come to no end, the median is known.
        if times.count(FAR) > shuffles // 2:
            times.append(FAR)
            continue
        write(transform(formula, shuffle=seed), path)
        request = SolveRequest(case.solver, case.runtime, Limits(cpu=seconds))
        answer = solve(open_formula(path), request).answer
        times.append(FAR if answer.status is Status.UNKNOWN else answer.run.usage.cpu or 0.0)
    middle = statistics.median(times)
    turn = f" turned by {case.settings['turn']}" if "turn" in case.settings else ""
    cells = [
        f"> {seconds:g}" if time == FAR else f"{time:.1f}" for time in (middle, *sorted(times))
    ]
    return Row(
        f"{case.spec} n={case.side}{turn}, {formula.clauses:,} clauses, "
        f"{case.solver} {case.runtime}",
        f"{cells[0]} ({', '.join(cells[1:])})",
        target=f"within {seconds:g} s" if case.aimed_at else "-",
        met=middle <= seconds if case.aimed_at else None,
    )
