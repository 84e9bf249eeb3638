"""Tours drawn on the board itself, by the frontier method: exactly uniform, without a formula."""

from __future__ import annotations

import sys

from boardsat.adapters.counters.tour_index import numbered_tours
from boardsat.adapters.counters.tour_problem import asked_tours
from boardsat.adapters.processes.solver_meter import run_measured
from boardsat.adapters.runtimes.workers.board import read_board
from boardsat.adapters.samplers.sample_output import print_fault, print_samples
from boardsat.adapters.samplers.splitmix64 import numbers_below
from boardsat.base.errors import BoardsatError

AT_ONCE = 10_000
"""Tours that are made together: more would take memory, and no less time each."""


def main(path: str, samples: str, seed: str) -> int:
    try:
        tours = numbered_tours(asked_tours(*read_board(path)))
    except (BoardsatError, MemoryError) as error:
        return print_fault(error)
    numbers = numbers_below(tours.total, int(samples), int(seed)) if tours.total else []
    parts = (numbers[start : start + AT_ONCE] for start in range(0, len(numbers), AT_ONCE))
    return print_samples(
        tours.total, (order for part in parts for order in (tours.orders(part) + 1).tolist())
    )


if __name__ == "__main__":
    sys.exit(run_measured(main))
