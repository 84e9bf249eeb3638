"""A rectangle of squares, numbered row by row from the top left, and a leaper that moves on it."""

from __future__ import annotations

import re

import numpy as np

from generators.arrays import Ints
from generators.boards import Board, neighbours_from
from generators.errors import InputError, choose_from
from generators.limits import check_materialised
from generators.values import KeyedSet, Table, TupleSet, Value

OPTIONS = {"rows": int, "cols": int, "moves": str}

LEAPERS = {
    "wazir": "0,1",
    "ferz": "1,1",
    "dabbaba": "0,2",
    "knight": "1,2",
    "alfil": "2,2",
    "threeleaper": "0,3",
    "camel": "1,3",
    "zebra": "2,3",
    "giraffe": "1,4",
    "antelope": "3,4",
    "king": "0,1+1,1",
}


def build(rows: int, cols: int, moves: str = "") -> Board:
    if rows < 1 or cols < 1:
        raise InputError(f"a board of {rows} x {cols} squares", "give at least one row and column")
    steps = offsets(moves)
    check_materialised(rows * cols * (1 + len(steps)), "the board", "")
    cells = rows * cols
    row, column = np.divmod(np.arange(cells), cols)
    description = {"shape": "grid", "rows": rows, "cols": cols, "moves": steps.tolist()}
    names: dict[str, Value] = {
        "squares": TupleSet((np.arange(cells),)),
        "row": Table(row),
        "column": Table(column),
        "ranks": _lines(row, rows),
        "files": _lines(column, cols),
        "diagonals": _lines(row - column + cols - 1, rows + cols - 1),
        "antidiagonals": _lines(row + column, rows + cols - 1),
    }
    neighbours = _neighbours(row, column, rows, cols, steps)
    if moves and not len(neighbours.columns[0]):
        raise InputError(f"a {moves} has no move on a {rows} x {cols} board", "enlarge the board")
    return Board(cells, neighbours, names, description)


def _lines(number: Ints, lines: int) -> KeyedSet:
    return KeyedSet.group(number, (lines,), [np.arange(len(number))])


def _neighbours(row: Ints, column: Ints, rows: int, cols: int, steps: Ints) -> KeyedSet:
    to_row = row[:, None] + steps[:, 0]
    to_column = column[:, None] + steps[:, 1]
    inside = (to_row >= 0) & (to_row < rows) & (to_column >= 0) & (to_column < cols)
    origin = np.nonzero(inside)[0]
    return neighbours_from(len(row), origin, (to_row * cols + to_column)[inside])


def offsets(moves: str) -> Ints:
    """The steps of a leaper: a name, `a,b` for all ways of going a and b, or a sum of such."""
    steps: set[tuple[int, int]] = set()
    for part in moves.replace(" ", "").split("+") if moves else []:
        for pair in LEAPERS.get(part, part).split("+"):
            match = re.fullmatch(r"(\d{1,4}),(\d{1,4})", pair)
            if match is None:
                raise InputError(
                    f"no leaper {part!r}",
                    f"write offsets like 1,2, or {choose_from(part, LEAPERS)}",
                )
            a, b = int(match[1]), int(match[2])
            steps |= {(s * x, t * y) for x, y in ((a, b), (b, a)) for s in (1, -1) for t in (1, -1)}
    return np.array(sorted(steps - {(0, 0)}), np.int64).reshape(-1, 2)
