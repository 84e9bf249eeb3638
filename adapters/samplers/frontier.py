"""Tours drawn on the board itself, by the frontier method: exactly uniform, without a formula."""

from __future__ import annotations

import sys

from boardsat.adapters.counters.tour_index import index_tours
from boardsat.adapters.counters.tour_problem import tour_problem
from boardsat.adapters.runtimes.workers.board import read_board
from boardsat.adapters.samplers.sample_output import print_fault, print_samples
from boardsat.adapters.samplers.splitmix64 import numbers_below
from boardsat.adapters.solver_meter import run_measured
from boardsat.base.errors import BoardsatError

TOURS_PER_CHUNK = 10_000
"""Tours that are made together: more would take memory, and no less time each."""


def main(path: str, samples: str, seed: str) -> int:
    try:
        tours = index_tours(tour_problem(*read_board(path)))
    except (BoardsatError, MemoryError) as error:
        return print_fault(error)
    numbers = numbers_below(tours.total, int(samples), int(seed)) if tours.total else []
    parts = (
        numbers[start : start + TOURS_PER_CHUNK]
        for start in range(0, len(numbers), TOURS_PER_CHUNK)
    )
    return print_samples(
        tours.total, (order for part in parts for order in (tours.orders(part) + 1).tolist())
    )


if __name__ == "__main__":
    sys.exit(run_measured(main))
