"""The tours of a board, counted on the board itself; its file has no clauses."""

from __future__ import annotations

import sys
from pathlib import Path

from boardsat.adapters.boards import board_of, start_of
from boardsat.adapters.counters.frontier import count_cycles, count_paths
from boardsat.adapters.dimacs.header import read_header
from boardsat.adapters.errors import AdapterError
from boardsat.adapters.runtimes.workers.formula import print_count


def main(path: str) -> int:
    header = read_header(Path(path).read_text("ascii").removeprefix("c ").split("\nc "))
    board = board_of(header)
    assert board is not None
    if board.guards():
        print("frontier counts tours without regard to enemies", file=sys.stderr)
        return 1
    try:
        if header.closed:
            count = count_cycles(board.cells, board.edges())
        else:
            count = count_paths(board.cells, board.edges(), start_of(header, board))
    except (AdapterError, MemoryError) as error:
        print(error, file=sys.stderr)
        return 1
    return print_count(count)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
