"""Table 2 of Karthikeyan, Chheda and Ruan 2024, with their projections and correct ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench._measure import Row, scratch
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.runtimes import Limits
from boardsat.generators import build, find, write
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.count import counter_run as counting
from boardsat.workflows.count import projections
from boardsat.workflows.count.reference import Agreement, published_reference
from boardsat.workflows.count.reference import verdict as compared
from boardsat.workflows.solve.request import SolveRequest

SECONDS = 60
"""For each of validating and counting; the paper had up to 5,000 on the largest board."""

Variables = Iterable[int]


def everything(header: Header) -> Variables:
    return range(1, 1 + max(int(v.ids.max()) for v in header.variables.values()))


def every(step: int, last: int) -> Callable[[Header], Variables]:
    return lambda header: range(1, last + 1, step)


def at_positions(*positions: int) -> Callable[[Header], Variables]:
    """Return the variables of these nodes of the circuit, which the paper numbers from 1."""

    def chosen(header: Header) -> Variables:
        variable = header.variables["V"]
        _, position = np.unravel_index(variable.keys, variable.shape)
        return [int(v) for v in variable.ids[np.isin(position + 1, positions)]]

    return chosen


@dataclass(frozen=True)
class CountCase:
    board: str
    settings: dict[str, object]
    encoding: str
    theirs: str
    projection: Callable[[Header], Variables]
    description: str


OPEN = {"n": 5, "closed": False}
SIX, EIGHT = {"n": 6}, {"n": 8}
ONE_WAY = {"one_direction": True}
FIVE = at_positions(12, 24, 36, 48, 60)
CASES = [
    CountCase("5x5 open", OPEN, "direct", "288", everything, "all variables"),
    CountCase("5x5 open", OPEN, "unary", "296", everything, "all variables"),
    CountCase("5x5 open", OPEN, "binary", "304", everything, "all variables"),
    CountCase(
        "6x6", SIX | ONE_WAY, "direct", "6,656", at_positions(4, 8, 16, 20, 24, 32), "6 nodes"
    ),
    CountCase("6x6", SIX, "unary", "6,400", every(4, 157), "every 4th to 157"),
    CountCase("6x6", SIX, "binary", "9,216", every(1, 161), "the first 161"),
    CountCase(
        "8x8", EIGHT | ONE_WAY, "direct", "16,777,216", at_positions(12, 24, 36, 48, 60), "5 nodes"
    ),
    CountCase("8x8", EIGHT, "unary", "timeout", every(16, 305), "every 16th to 305"),
    CountCase("8x8", EIGHT, "binary", "755,914,244,096", every(4, 317), "every 4th to 317"),
]
RIGHT = [("5x5 open", OPEN), ("6x6", SIX), ("8x8", EIGHT)]


def run() -> list[Row]:
    rows = []
    with scratch() as folder:
        for case in CASES:
            path = _written(folder, case.encoding, case.settings, "none")
            chosen = case.projection(open_formula(path).header)
            lines = f"c ind {' '.join(map(str, chosen))} 0\n"
            Path(path).write_text(lines + Path(path).read_text())
            name = f"{case.board} {case.encoding}, {case.description}"
            rows.append(_row(name, open_formula(path), f"{case.theirs} in the paper"))
        for board, settings in RIGHT:
            for encoding in ("direct", "unary", "binary", "undirected"):
                problem = open_formula(_written(folder, encoding, settings, "ind"))
                rows.append(_row(f"{board} {encoding}, its own projection", problem, ""))
    return rows


def _written(folder: Path, encoding: str, settings: dict[str, object], projection: str) -> str:
    path = str(folder / "tour.cnf")
    write(build(find("tour", encoding), settings), path, projection)
    return path


def _row(name: str, problem: FormulaFile, theirs: str) -> Row:
    """Return a row with the validity of a projection, and the count over it."""
    verdict = projections.projection_verdict(
        problem, SolveRequest("cadical", limits=Limits(wall=SECONDS))
    )
    counted = counting.count(problem, "approxmc", "embedded", Limits(wall=SECONDS), seed=1)
    exact = published_reference(problem.header.counting.objects)
    assert exact.objects is not None
    ours, ratio = f"none in {SECONDS} s", "-"
    if counted.objects is not None:
        ours = f"{counted.objects:,} in {counted.answer.run.usage.cpu or 0:.1f} s"
        ratio = f"{counted.objects / exact.objects:.3g} of exact"
    right = verdict.validity is projections.Validity.VALID
    return Row(
        f"table 2: {name}: {verdict.validity}",
        ours,
        theirs or f"{exact.objects:,} exactly",
        ratio,
        "inside" if right else "-",
        compared(counted, exact) is Agreement.INSIDE if right and counted.objects else None,
    )
