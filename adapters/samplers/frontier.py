"""Exactly uniform sampling of tours on the board by the frontier method, without a formula."""

from __future__ import annotations

import sys

from boardsat.adapters.boards import read_board
from boardsat.adapters.counters.tour_index import index_tours
from boardsat.adapters.counters.tour_problem import tour_problem
from boardsat.adapters.samplers import numbers_below
from boardsat.adapters.solver_meter import run_measured
from boardsat.adapters.workers._answer_output import print_error, print_samples
from boardsat.base.errors import BoardsatError

TOURS_PER_CHUNK = 10_000
"""Number of tours drawn together; larger chunks take more memory, and as much time per tour."""


def main(path: str, samples: str, seed: str) -> int:
    """Print samples and the number of tours; return the exit code."""
    try:
        tours = index_tours(tour_problem(*read_board(path)))
    except (BoardsatError, MemoryError) as error:
        return print_error(error)
    numbers = numbers_below(tours.total, int(samples), int(seed)) if tours.total else []
    chunks = (
        numbers[start : start + TOURS_PER_CHUNK]
        for start in range(0, len(numbers), TOURS_PER_CHUNK)
    )
    return print_samples(
        tours.total, (order for chunk in chunks for order in (tours.orders(chunk) + 1).tolist())
    )


if __name__ == "__main__":
    sys.exit(run_measured(main))
