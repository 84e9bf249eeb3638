"""Frontier counter: Hamiltonian cycles or paths of a board, without a formula."""

from __future__ import annotations

import sys

from boardsat.adapters.boards import read_board
from boardsat.adapters.counters.frontier import count_tours
from boardsat.adapters.counters.tour_problem import tour_problem
from boardsat.adapters.solver_meter import run_measured
from boardsat.adapters.workers._answer_output import print_count, print_error
from boardsat.base.errors import BoardsatError


def main(path: str) -> int:
    """Print the number of tours of the board in a file."""
    try:
        return print_count(count_tours(tour_problem(*read_board(path))))
    except (BoardsatError, MemoryError) as error:
        return print_error(error)


if __name__ == "__main__":
    sys.exit(run_measured(main))
