"""Oracles for the geometry of boards, and cases for tests of boards."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from typing import Any

from boardsat.adapters.boards import board_of
from boardsat.adapters.boards._board import Tiles
from boardsat.adapters.dimacs.header import BoardDescription, Header
from boardsat.generators import boards
from boardsat.generators.boards import Board

Pair = tuple[int, int]
Leap = tuple[int, ...]
LEAPERS: dict[str, list[Leap]] = {
    "wazir": [(0, 1)],
    "ferz": [(1, 1)],
    "dabbaba": [(0, 2)],
    "knight": [(1, 2)],
    "alfil": [(2, 2)],
    "threeleaper": [(0, 3)],
    "camel": [(1, 3)],
    "zebra": [(2, 3)],
    "giraffe": [(1, 4)],
    "antelope": [(3, 4)],
    "king": [(0, 1), (1, 1)],
    "knight+camel": [(1, 2), (1, 3)],
    "0,5+wazir": [(0, 5), (0, 1)],
}

# Oracles test every pair of places for a leap.


def signed_leaps(leap: Leap) -> set[Pair]:
    a, b = leap
    return {(s * x, t * y) for x, y in ((a, b), (b, a)) for s in (1, -1) for t in (1, -1)}


def grid(leap: Leap, rows: int, cols: int) -> set[Pair]:
    at = list(product(range(rows), range(cols)))
    return {
        (i, j)
        for i, (r, c) in enumerate(at)
        for j, (s, d) in enumerate(at)
        if sorted((abs(r - s), abs(c - d))) == sorted(leap)
    }


def glued_rectangle(
    leap: Leap, rows: int, cols: int, row_period: int, col_period: int
) -> set[Pair]:
    """Return the leaps on a plane with periodic rows and columns; period 0: not periodic."""
    at = list(product(range(rows), range(cols)))

    def is_zero(difference: int, period: int) -> bool:
        return difference % period == 0 if period else difference == 0

    return {
        (i, j)
        for i, (r, c) in enumerate(at)
        for j, (s, d) in enumerate(at)
        if any(
            is_zero(r + down - s, row_period) and is_zero(c + right - d, col_period)
            for down, right in signed_leaps(leap)
        )
    }


def twisted_rectangle(leap: Leap, rows: int, cols: int, row_period: int) -> set[Pair]:
    """Return the leaps on a cylinder or torus of double length whose halves are identified."""
    doubled = glued_rectangle(leap, rows, 2 * cols, row_period, 2 * cols)

    def identify(cell: int) -> int:
        r, c = divmod(cell, 2 * cols)
        return r * cols + c if c < cols else (rows - 1 - r) * cols + c - cols

    return {(identify(i), identify(j)) for i, j in doubled}


def box(leap: Leap, layers: int, rows: int, cols: int) -> set[Pair]:
    at = list(product(range(layers), range(rows), range(cols)))
    offsets = sorted((*[0] * (3 - len(leap)), *leap))
    return {
        (i, j)
        for i, p in enumerate(at)
        for j, q in enumerate(at)
        if sorted(abs(x - y) for x, y in zip(p, q, strict=True)) == offsets
    }


def hexagon(leap: Leap, side: int) -> set[Pair]:
    """Return the leaps by Euclidean distance, which differs for all leaps of LEAPERS."""
    points = [
        (y * 3**0.5 / 2, x + y / 2)
        for y, x in product(range(-side + 1, side), repeat=2)
        if abs(x + y) < side
    ]
    points.sort()
    a, b = leap
    return {
        (i, j)
        for i, (y, x) in enumerate(points)
        for j, (v, u) in enumerate(points)
        if abs((y - v) ** 2 + (x - u) ** 2 - (a * a + a * b + b * b)) < 1e-6
    }


UP, LEFT, FRONT, RIGHT, BACK, DOWN = range(6)
N, E, S, W = range(4)

Walker = tuple[int, int, int, int]
"""Face, row, column and heading on a cube."""


def walk(walker: Walker, side: int) -> Walker:
    """Return the walker one square ahead; the table lists the neighbour of each edge of a face."""
    face, r, c, heading = walker
    m = side - 1
    r, c = r + (heading == S) - (heading == N), c + (heading == E) - (heading == W)
    if 0 <= r <= m and 0 <= c <= m:
        return face, r, c, heading
    r, c = min(max(r, 0), m), min(max(c, 0), m)
    return {
        (UP, N): (BACK, 0, m - c, S),
        (UP, E): (RIGHT, 0, m - r, S),
        (UP, S): (FRONT, 0, c, S),
        (UP, W): (LEFT, 0, r, S),
        (LEFT, N): (UP, c, 0, E),
        (LEFT, E): (FRONT, r, 0, E),
        (LEFT, S): (DOWN, m - c, 0, E),
        (LEFT, W): (BACK, r, m, W),
        (FRONT, N): (UP, m, c, N),
        (FRONT, E): (RIGHT, r, 0, E),
        (FRONT, S): (DOWN, 0, c, S),
        (FRONT, W): (LEFT, r, m, W),
        (RIGHT, N): (UP, m - c, m, W),
        (RIGHT, E): (BACK, r, 0, E),
        (RIGHT, S): (DOWN, c, m, W),
        (RIGHT, W): (FRONT, r, m, W),
        (BACK, N): (UP, 0, m - c, S),
        (BACK, E): (LEFT, r, 0, E),
        (BACK, S): (DOWN, m, m - c, N),
        (BACK, W): (RIGHT, r, m, W),
        (DOWN, N): (FRONT, m, c, N),
        (DOWN, E): (RIGHT, m, r, N),
        (DOWN, S): (BACK, m, m - c, N),
        (DOWN, W): (LEFT, m, m - r, N),
    }[face, heading]


def cube(leap: Leap, side: int) -> set[Pair]:
    leaps = set()
    for index, (face, r, c) in enumerate(product(range(6), range(side), range(side))):
        for heading, turn, (a, b) in product(range(4), (1, 3), (leap, leap[::-1])):
            walker: Walker = (face, r, c, heading)
            for _ in range(a):
                walker = walk(walker, side)
            walker = (*walker[:3], (walker[3] + turn) % 4)
            for _ in range(b):
                walker = walk(walker, side)
            leaps.add((index, (walker[0] * side + walker[1]) * side + walker[2]))
    return leaps


ORACLES: dict[str, Callable[..., set[Pair]]] = {
    "grid": grid,
    "cylinder": lambda leap, rows, cols: glued_rectangle(leap, rows, cols, 0, cols),
    "torus": lambda leap, rows, cols: glued_rectangle(leap, rows, cols, rows, cols),
    "moebius": lambda leap, rows, cols: twisted_rectangle(leap, rows, cols, 0),
    "klein": lambda leap, rows, cols: twisted_rectangle(leap, rows, cols, rows),
    "box": box,
    "hexagon": hexagon,
    "cube": cube,
}
FLAT = [{"rows": r, "cols": c} for r, c in ((1, 1), (1, 4), (2, 2), (3, 4), (4, 3), (5, 6), (2, 7))]
SIZES: dict[str, list[dict[str, int]]] = {
    **dict.fromkeys(("grid", "cylinder", "torus", "moebius", "klein"), FLAT),
    "box": [
        {"layers": n, "rows": r, "cols": c}
        for n, r, c in ((1, 1, 1), (1, 3, 4), (2, 2, 3), (3, 3, 3), (4, 2, 5))
    ],
    "hexagon": [{"side": n} for n in (1, 2, 3, 5)],
    "cube": [{"side": n} for n in (1, 2, 3, 4)],
}
CASES = [(shape, size) for shape, sizes in SIZES.items() for size in sizes]


def leaps_of(shape: str, moves: str) -> list[Leap]:
    return [*LEAPERS[moves], (1, 1, 1)] if (shape, moves) == ("box", "king") else LEAPERS[moves]


def oracle(shape: str, size: dict[str, int], moves: str) -> set[Pair]:
    """Return all moves between distinct places."""
    leaps = leaps_of(shape, moves)
    return {(i, j) for leap in leaps for i, j in ORACLES[shape](leap, *size.values()) if i != j}


def build_board(shape: str, **options: Any) -> Board:
    board: Board = boards.load(shape).build(**options)
    return board


def rebuild_board(board: Board) -> Tiles:
    """Return the board that adapters build from the header of a file."""
    tiles = board_of(Header(board=BoardDescription(json.loads(json.dumps(board.description)))))
    assert isinstance(tiles, Tiles)
    return tiles


def move_pairs(board: Board) -> list[Pair]:
    origin, target = board.moves.columns
    return list(zip(origin.tolist(), target.tolist(), strict=True))


def guard_pairs(board: Board) -> list[Pair]:
    enemy, guarded = board.guards.columns
    return list(zip(enemy.tolist(), guarded.tolist(), strict=True))


SMALL: list[tuple[str, dict[str, Any]]] = [
    ("grid", {"rows": 3, "cols": 4, "moves": "king", "holes": "5,6"}),
    (
        "grid",
        {"rows": 4, "cols": 4, "moves": "wazir", "holes": "5,6", "friends": "pawn@9,king@10"},
    ),
    ("cylinder", {"rows": 3, "cols": 4, "moves": "knight"}),
    ("torus", {"rows": 3, "cols": 3, "moves": "knight"}),
    ("torus", {"rows": 2, "cols": 4, "moves": "camel"}),
    ("moebius", {"rows": 3, "cols": 4, "moves": "knight"}),
    ("moebius", {"rows": 2, "cols": 5, "moves": "wazir"}),
    ("klein", {"rows": 2, "cols": 4, "moves": "knight"}),
    ("klein", {"rows": 3, "cols": 3, "moves": "wazir", "holes": "4"}),
    ("box", {"layers": 2, "rows": 2, "cols": 3, "moves": "wazir"}),
    ("hexagon", {"side": 2, "moves": "wazir"}),
    ("hexagon", {"side": 3, "moves": "wazir", "holes": "0,2,9,7,11,16,18"}),
    ("cube", {"side": 1, "moves": "wazir"}),
    ("cube", {"side": 2, "moves": "wazir", "holes": "0,1,2,3,20,21,22,23"}),
]


def settings_for(shape: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of `--set`, where the side of a board is `n`."""
    return {"shape": shape, **{"n" if k == "side" else k: v for k, v in options.items()}}
