"""The tours of a board, counted on the board itself; its file has no clauses."""

from __future__ import annotations

import sys

from boardsat.adapters.boards import begins_anywhere, start_of
from boardsat.adapters.counters.frontier import count_all_paths, count_cycles, count_paths
from boardsat.adapters.errors import AdapterError
from boardsat.adapters.runtimes.workers.board import read_board
from boardsat.adapters.runtimes.workers.formula import print_count


def main(path: str) -> int:
    header, board = read_board(path)
    if board.guards():
        print("frontier counts tours without regard to enemies", file=sys.stderr)
        return 1
    if header.parameters.get("fix"):
        print("frontier counts tours without regard to fix", file=sys.stderr)
        return 1
    if board.directed:
        print("frontier counts on graphs without arcs; use a counter of formulas", file=sys.stderr)
        return 1
    try:
        if header.closed:
            count = count_cycles(board.cells, board.edges())
        elif begins_anywhere(header.parameters):
            count = count_all_paths(board.cells, board.edges())
        else:
            count = count_paths(board.cells, board.edges(), start_of(header, board))
    except (AdapterError, MemoryError) as error:
        print(error, file=sys.stderr)
        return 1
    return print_count(count)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
