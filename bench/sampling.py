"""Samples of the 9,862 closed tours of 6x6: are all equally likely, and how long does one take?"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Hashable, Iterable
from pathlib import Path

import boardsat
from bench._measure import ANSWERS, PYTHON, Row, process, scratch
from boardsat.adapters.counters.asked import AskedTours
from boardsat.adapters.counters.numbering import numbered_tours
from boardsat.adapters.samplers.stream import numbers_below

TOURS = 9_862
SEED = 1
LEAST, SIDE = 0.001, 6
"""The p-value of a sample that is called uniform, and the side of the board."""

DRAWS = {"frontier": 200_000, "enumeration": 20_000, "unigen": 300}


def run() -> list[Row]:
    rows = [_frontier(DRAWS["frontier"])]
    with scratch() as folder:
        path = folder / "tour.cnf"
        formula = boardsat.build("tour", "uve", n=SIDE)
        formula.write(path)
        projection = set(formula.projection or range(1, formula.variables + 1))
        rows += [
            _row(name, *_of_formula(words, path, DRAWS[name], projection))
            for name, words in (("enumeration", ["cadical195"]), ("unigen", []))
        ]
    return rows


def _frontier(draws: int) -> Row:
    begun = time.process_time()
    tours = numbered_tours(AskedTours(SIDE * SIDE, _knights_moves(SIDE), 0, True))
    built = time.process_time()
    orders = tours.orders(numbers_below(tours.total, draws, SEED)).astype("uint8")
    drawn = time.process_time()
    assert tours.total == TOURS
    return _row("frontier", (row.tobytes() for row in orders), built - begun, drawn - built)


def _of_formula(
    words: list[str], path: Path, draws: int, projection: set[int]
) -> tuple[Iterable[Hashable], float, float]:
    """As its process prints them; the time of one draw is what every draw but the first adds."""
    name = "enumeration" if words else "unigen"
    command = [PYTHON, "-m", f"boardsat.adapters.samplers.{name}", *words, str(path)]
    first = process([*command, "1", str(SEED)], ANSWERS)
    whole = process([*command, str(draws), str(SEED)], ANSWERS)
    models = (line.split()[1:] for line in whole.output.splitlines() if line.startswith("v "))
    found = [tuple(w for w in words if abs(int(w)) in projection) for words in models]
    return found, first.cpu, max(0.0, whole.cpu - first.cpu)


def _row(name: str, samples: Iterable[Hashable], first: float, rest: float) -> Row:
    draws = Counter(samples)
    number = draws.total()
    expected = number / TOURS
    missing = TOURS - len(draws)
    squared = sum((n - expected) ** 2 / expected for n in draws.values()) + missing * expected
    p = _p_value(squared, number)
    return Row(
        f"{name}: {number:,} draws, first after {first:.2f} s CPU, {number / rest:,.0f} a second",
        f"chi-squared {squared:,.0f}, p = {p:.3f}",
        f"{TOURS - 1:,} degrees of freedom",
        f"{squared / (TOURS - 1):.3f}",
        f"p > {LEAST}",
        p > LEAST,
    )


def _p_value(squared: float, number: int) -> float:
    """With so many cells the sum is normal; this is its exact mean and deviation."""
    freedom = TOURS - 1
    deviation = math.sqrt(2 * freedom * (1 - 1 / number))
    return math.erfc((squared - freedom) / deviation / math.sqrt(2)) / 2


def _knights_moves(side: int) -> list[tuple[int, int]]:
    squares = [(row, column) for row in range(side) for column in range(side)]
    return [
        (a * side + b, c * side + d)
        for a, b in squares
        for c, d in squares
        if (a, b) < (c, d) and abs(a - c) * abs(b - d) == 2
    ]
