"""Samples of the 9,862 closed tours of 6x6 and of 8 queens: uniformity and speed."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import NamedTuple

import boardsat
from bench._measure import ANSWERS, PYTHON, Row, process, scratch
from boardsat.adapters import solvers
from boardsat.adapters.counters.tour_index import index_tours
from boardsat.adapters.counters.tour_problem import TourProblem
from boardsat.adapters.samplers import numbers_below

SEED = 1
LEAST = 0.001
"""The p-value of a sample that is called uniform."""

TOURS, SIDE, ON_BOARD = 9_862, 6, 200_000


class Question(NamedTuple):
    """Sampling task: a formula and its number of solutions."""

    sampler: str
    problem: str
    encoding: str | None
    n: int
    cells: int
    draws: int


OF_FORMULAS = (
    Question("enumeration", "tour", "uve", SIDE, TOURS, 20_000),
    Question("unigen", "tour", "uve", SIDE, TOURS, 300),
    Question("unigen", "queens", None, 8, 92, 1_000),
)


def run() -> list[Row]:
    return [_tours_on_the_board(), *map(_of_formula, OF_FORMULAS)]


def _tours_on_the_board() -> Row:
    begun = time.process_time()
    tours = index_tours(TourProblem(SIDE * SIDE, _knights_moves(SIDE), 0, True))
    built = time.process_time()
    orders = tours.orders(numbers_below(tours.total, ON_BOARD, SEED)).astype("uint8")
    drawn = time.process_time()
    samples = (row.tobytes() for row in orders)
    return _row("frontier, tour 6", samples, TOURS, built - begun, drawn - built)


def _of_formula(question: Question) -> Row:
    """Return the samples; the time of one draw is the increment of each draw after the first."""
    formula = boardsat.build(question.problem, question.encoding, n=question.n)
    projection = set(formula.projection or range(1, formula.num_variables + 1))
    with scratch() as folder:
        path = folder / "formula.cnf"
        formula.write(path)
        sampler = solvers.load(question.sampler)
        runs = []
        for draws in (1, question.draws):
            name, *arguments = sampler.sampling_line(file=str(path), samples=draws, seed=SEED)
            module = f"boardsat.adapters.samplers.{name}"
            runs.append(process([PYTHON, "-m", module, *arguments], ANSWERS))
    first, all_draws = runs
    models = (line.split()[1:] for line in all_draws.output.splitlines() if line.startswith("v "))
    samples = (tuple(w for w in model if abs(int(w)) in projection) for model in models)
    name = f"{question.sampler}, {question.problem} {question.n}"
    return _row(name, samples, question.cells, first.cpu, all_draws.cpu - first.cpu)


def _row(name: str, samples: Iterable[Hashable], cells: int, first: float, later: float) -> Row:
    draws = Counter(samples)
    number = draws.total()
    expected = number / cells
    missing = cells - len(draws)
    squared = sum((n - expected) ** 2 / expected for n in draws.values()) + missing * expected
    p = _p_value(squared, cells - 1)
    return Row(
        f"{name}: {number:,} draws, first in {first:.2f} s CPU, then {number / later:,.0f}/s",
        f"chi-squared {squared:,.0f}, p = {p:.3f}",
        f"{cells - 1:,} degrees of freedom",
        f"{squared / (cells - 1):.3f}",
        f"p > {LEAST}",
        p > LEAST,
    )


def _p_value(squared: float, freedom: int) -> float:
    """Return the p-value of a chi-squared sum (Wilson and Hilferty's cube root)."""
    spread = 2 / (9 * freedom)
    deviations = ((squared / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return math.erfc(deviations / math.sqrt(2)) / 2


def _knights_moves(side: int) -> list[tuple[int, int]]:
    squares = [(row, column) for row in range(side) for column in range(side)]
    return [
        (a * side + b, c * side + d)
        for a, b in squares
        for c, d in squares
        if (a, b) < (c, d) and abs(a - c) * abs(b - d) == 2
    ]
