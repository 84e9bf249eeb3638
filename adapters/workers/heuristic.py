"""Heuristic search for a tour on the board, without a formula."""

from __future__ import annotations

import gc
import sys

from boardsat.adapters import heuristics
from boardsat.adapters.boards import read_board, start_of
from boardsat.adapters.heuristics import NoTourError, UnsuitableError, two_colouring
from boardsat.adapters.solver_meter import mark_solver_start, run_measured
from boardsat.adapters.workers._answer_output import print_status, print_values


def main(path: str, seed: str, name: str, *options: str) -> int:
    """Print a tour of the board in a file, found by a heuristic with its options."""
    # A large board is millions of small lists, none of them garbage.
    gc.disable()
    method = heuristics.heuristic(name)
    mark_solver_start()
    header, board = read_board(path)
    start, closed = start_of(header, board), header.closed
    search = heuristics.search_on(board, start, closed, int(seed))
    try:
        if board.guards():
            raise UnsuitableError("heuristics do not support enemies")
        if header.parameters.get("fix"):
            raise UnsuitableError("heuristics do not support fix")
        if board.directed and not getattr(method, "FOLLOWS_ARCS", False):
            raise UnsuitableError(f"{name} does not support directed graphs; try backtracking")
        two_colouring.refute(search)
        order = method.find(search, *options)
    except NoTourError as error:
        return print_status("UNSATISFIABLE", str(error))
    except UnsuitableError as error:
        return print_status("UNKNOWN", str(error))
    if order is None:
        return print_status("UNKNOWN")
    code = print_status("SATISFIABLE")
    print_values([cell + 1 for cell in order if cell < board.cells])
    return code


if __name__ == "__main__":
    sys.exit(run_measured(main))
