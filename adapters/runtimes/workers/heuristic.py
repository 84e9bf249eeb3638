"""A tour by a heuristic on the board itself; its file has no clauses."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from boardsat.adapters import heuristics
from boardsat.adapters.answer import Status
from boardsat.adapters.boards import start_of
from boardsat.adapters.heuristics import NoTourError, UnsuitableError, two_colouring
from boardsat.adapters.runtimes.workers.board import read_board
from boardsat.adapters.solver_meter import mark_solver_start, run_measured

PER_LINE = 100


def main(path: str, seed: str, name: str, *choices: str) -> int:
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
        order = method.find(search, *choices)
    except NoTourError as reason:
        return _say(Status.UNSATISFIABLE, f"c {reason}")
    except UnsuitableError as reason:
        return _say(Status.UNKNOWN, f"c {reason}")
    if order is None:
        return _say(Status.UNKNOWN)
    on_board = [cell for cell in order if cell < board.cells]
    return _say(Status.SATISFIABLE, *_lines(on_board))


def _say(status: Status, *lines: str) -> int:
    print(f"s {status.name}", *lines, sep="\n")
    return int(status.value)


def _lines(order: Sequence[int]) -> list[str]:
    """The cells in their order, numbered from 1, and 0 at the end."""
    words = [str(cell + 1) for cell in order]
    lines = range(0, len(words), PER_LINE)
    return [*(f"v {' '.join(words[first : first + PER_LINE])}" for first in lines), "v 0"]


if __name__ == "__main__":
    sys.exit(run_measured(main))
