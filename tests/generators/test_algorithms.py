"""What the algorithms of boards give, against slow ones that follow their definitions."""

from __future__ import annotations

import random
from itertools import combinations, count
from math import gcd, prod

import numpy as np
import pytest

from boardsat.generators.algorithms import offered_by
from boardsat.generators.boards import Board, grid
from boardsat.generators.language.values import KeyedSet, Table, TupleSet, Value


def computed(board: Board, name: str, *arguments: int | Table) -> Value:
    return offered_by(board)[name](*arguments)


def random_board(chance: random.Random) -> tuple[Board, list[set[int]]]:
    """A graph, and the neighbours of every vertex."""
    n = chance.randint(1, 14)
    near: list[set[int]] = [set() for _ in range(n)]
    for u, v in combinations(range(n), 2):
        if chance.random() < 0.3:
            near[u].add(v)
            near[v].add(u)
    moves = [(u, v) for u in range(n) for v in sorted(near[u])]
    origin, target = np.array(moves, np.int64).reshape(-1, 2).T
    return Board(n, KeyedSet.adjacency(n, origin, target), {}, {}), near


def eliminated(near: list[set[int]], left: set[int], by_fill: bool) -> dict[int, list[int]]:
    """The neighbours of each cell when it goes; of two that are as cheap the smaller goes first."""
    near = [set(cells) for cells in near]
    later = {}
    while left:
        cost = {
            cell: sum(w not in near[u] for u, w in combinations(near[cell], 2))
            if by_fill
            else len(near[cell])
            for cell in left
        }
        gone = min(left, key=lambda cell: (cost[cell], cell))
        left = left - {gone}
        later[gone] = sorted(near[gone])
        for u in near[gone]:
            near[u] |= near[gone]
            near[u] -= {u, gone}
    return later


def sets_of(keyed: Value) -> dict[int, list[int]]:
    assert isinstance(keyed, KeyedSet)
    parts = np.split(keyed.columns[0], keyed.starts[1:-1])
    return {key: sorted(part.tolist()) for key, part in enumerate(parts)}


def test_elimination_follows_its_rule() -> None:
    chance = random.Random(3)
    for _ in range(200):
        board, near = random_board(chance)
        start = chance.randrange(board.cells)
        others = set(range(board.cells)) - {start}
        without = [set() if cell == start else cells - {start} for cell, cells in enumerate(near)]
        expected = {start: [], **eliminated(without, others, by_fill=False)}
        assert sets_of(computed(board, "min_degree", start)) == expected
        expected = {start: [], **eliminated(near, others, by_fill=True)}
        assert sets_of(computed(board, "min_fill", start, 0)) == expected
        linked = [others if cell == start else cells | {start} for cell, cells in enumerate(near)]
        expected = {start: [], **eliminated(linked, others, by_fill=True)}
        assert sets_of(computed(board, "min_fill", start, 1)) == expected


def sums(total: int, least: int = 2) -> list[tuple[int, ...]]:
    """All ways to write a number as a sum of different ones."""
    if total == 0:
        return [()]
    return [
        (part, *rest) for part in range(least, total + 1) for rest in sums(total - part, part + 1)
    ]


@pytest.mark.parametrize("least", [0, 1, 2, 3, 6, 7, 25, 30, 31, 64, 100, 144, 400, 576, 900])
def test_coprime_has_the_least_sum(least: int) -> None:
    board = grid.build(1, 1)
    found = computed(board, "coprime", least)
    assert isinstance(found, TupleSet)
    numbers = tuple(found.columns[0].tolist())

    def fits(numbers: tuple[int, ...]) -> bool:
        apart = all(gcd(a, b) == 1 for a, b in combinations(numbers, 2))
        return apart and prod(numbers) >= least and any(number % 2 == 0 for number in numbers)

    assert fits(numbers)
    assert sum(numbers) == next(total for total in count(2) if any(map(fits, sums(total))))


@pytest.mark.parametrize("bits", range(2, 21))
def test_a_shift_register_meets_every_number(bits: int) -> None:
    found = computed(grid.build(1, 1), "lfsr", bits)
    assert isinstance(found, Table)
    states = found.values
    assert states[0] == 1
    assert np.array_equal(np.sort(states), np.arange(1, 2**bits))
    taps = states[bits % len(states)]
    following = (states << 1 & 2**bits - 1) ^ np.where(states >> bits - 1, taps, 0)
    assert np.array_equal(following, np.roll(states, -1))


def test_known_taps() -> None:
    """Of the primitive polynomials x^6 + x + 1, x^7 + x + 1 and x^8 + x^4 + x^3 + x^2 + 1."""
    board = grid.build(1, 1)
    taps = {}
    for bits in (6, 7, 8):
        states = computed(board, "lfsr", bits)
        assert isinstance(states, Table)
        taps[bits] = [k for k in range(1, bits) if states.values[bits] >> k & 1]
    assert taps == {6: [1], 7: [1], 8: [2, 3, 4]}


PIECES = [
    [(0, 0)],
    [(0, 0), (0, 1), (1, 1)],
    [(0, 0), (1, 0), (2, 0), (2, 1)],
    [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)],
    [(0, 0), (1, 2)],
]


@pytest.mark.parametrize("freedom", [0, 1, 2])
@pytest.mark.parametrize("holes", ["", "1,7"])
def test_placements_are_all_sets_of_squares_that_look_like_the_piece(
    freedom: int, holes: str
) -> None:
    board = grid.build(rows=3, cols=4, holes=holes)
    gone = {int(place) for place in holes.split(",") if place}
    cell_of = {place: cell for cell, place in enumerate(sorted({*range(12)} - gone))}
    for piece in PIECES:
        drawn = np.full((3, 3), -1)
        drawn[tuple(np.array(piece).T)] = 0
        found = computed(board, "placements", Table(drawn), freedom)
        assert isinstance(found, KeyedSet) and found.shape == (len(cell_of),)
        covered: dict[tuple[int, ...], set[int]] = {}
        for cell in range(len(cell_of)):
            for item in range(found.starts[cell], found.starts[cell + 1]):
                key = tuple(int(column[item]) for column in found.columns)
                covered.setdefault(key, set()).add(cell)
        expected = {
            frozenset(cell_of[r * 4 + c] for r, c in places)
            for places in combinations([divmod(place, 4) for place in cell_of], len(piece))
            if alike({*places}, {*piece}, freedom)
        }
        assert {frozenset(cells) for cells in covered.values()} == expected
        assert len(covered) == len(expected)
        assert all(min(cells) == first for (_, _, first), cells in covered.items())


def alike(one: set[tuple[int, int]], other: set[tuple[int, int]], freedom: int) -> bool:
    """Whether some map of the plane leads one to the other."""
    maps = [(1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0)]
    maps += [(1, 0, 0, -1), (0, 1, 1, 0), (-1, 0, 0, 1), (0, -1, -1, 0)]
    for a, b, c, d in maps[: (1, 4, 8)[freedom]]:
        moved = {(a * x + b * y, c * x + d * y) for x, y in other}
        (x, y), (u, v) = min(one), min(moved)
        if {(p - u + x, q - v + y) for p, q in moved} == one:
            return True
    return False
