"""Algorithms on boards against slow implementations of their definitions."""

from __future__ import annotations

import random
from itertools import combinations, count
from math import gcd, prod

import numpy as np
import pytest

from boardsat.generators.algorithms import bind_algorithms
from boardsat.generators.boards import Board, grid
from boardsat.generators.language.values import KeyedSet, Table, TupleSet, Value


def compute(board: Board, name: str, *arguments: int | Table) -> Value:
    return bind_algorithms(board)[name](*arguments)


def random_board(chance: random.Random) -> tuple[Board, list[set[int]]]:
    """Return a random graph as a board, and the neighbours of its vertices."""
    n = chance.randint(1, 14)
    near: list[set[int]] = [set() for _ in range(n)]
    for u, v in combinations(range(n), 2):
        if chance.random() < 0.3:
            near[u].add(v)
            near[v].add(u)
    moves = [(u, v) for u in range(n) for v in sorted(near[u])]
    origin, target = np.array(moves, np.int64).reshape(-1, 2).T
    return Board(n, KeyedSet.adjacency(n, origin, target), {}, {}), near


def eliminate(near: list[set[int]], cells: set[int], by_fill: bool) -> dict[int, list[int]]:
    """Return the neighbours of each cell at its elimination; ties are broken by number."""
    near = [set(neighbours) for neighbours in near]
    neighbours_at_elimination = {}
    while cells:
        cost = {
            cell: sum(w not in near[u] for u, w in combinations(near[cell], 2))
            if by_fill
            else len(near[cell])
            for cell in cells
        }
        eliminated = min(cells, key=lambda cell: (cost[cell], cell))
        cells = cells - {eliminated}
        neighbours_at_elimination[eliminated] = sorted(near[eliminated])
        for u in near[eliminated]:
            near[u] |= near[eliminated]
            near[u] -= {u, eliminated}
    return neighbours_at_elimination


def sets_of(keyed: Value) -> dict[int, list[int]]:
    assert isinstance(keyed, KeyedSet)
    rows = np.split(keyed.columns[0], keyed.starts[1:-1])
    return {key: sorted(row.tolist()) for key, row in enumerate(rows)}


def test_elimination_equals_definition() -> None:
    chance = random.Random(3)
    for _ in range(200):
        board, near = random_board(chance)
        start = chance.randrange(board.cells)
        targets = set(range(board.cells)) - {start}
        without = [set() if cell == start else cells - {start} for cell, cells in enumerate(near)]
        expected = {start: [], **eliminate(without, targets, by_fill=False)}
        assert sets_of(compute(board, "min_degree", start)) == expected
        expected = {start: [], **eliminate(near, targets, by_fill=True)}
        assert sets_of(compute(board, "min_fill", start, 0)) == expected
        linked = [targets if cell == start else cells | {start} for cell, cells in enumerate(near)]
        expected = {start: [], **eliminate(linked, targets, by_fill=True)}
        assert sets_of(compute(board, "min_fill", start, 1)) == expected


def sums(total: int, least: int = 2) -> list[tuple[int, ...]]:
    """Return the partitions of a number into distinct parts."""
    if total == 0:
        return [()]
    return [
        (first, *tail)
        for first in range(least, total + 1)
        for tail in sums(total - first, first + 1)
    ]


@pytest.mark.parametrize("least", [0, 1, 2, 3, 6, 7, 25, 30, 31, 64, 100, 144, 400, 576, 900])
def test_coprime_has_minimum_sum(least: int) -> None:
    board = grid.build(1, 1)
    moduli = compute(board, "coprime", least)
    assert isinstance(moduli, TupleSet)
    numbers = tuple(moduli.columns[0].tolist())

    def fits(numbers: tuple[int, ...]) -> bool:
        are_coprime = all(gcd(a, b) == 1 for a, b in combinations(numbers, 2))
        return are_coprime and prod(numbers) >= least and any(number % 2 == 0 for number in numbers)

    assert fits(numbers)
    assert sum(numbers) == next(total for total in count(2) if any(map(fits, sums(total))))


@pytest.mark.parametrize("bits", range(2, 21))
def test_lfsr_visits_every_nonzero_state(bits: int) -> None:
    table = compute(grid.build(1, 1), "lfsr", bits)
    assert isinstance(table, Table)
    states = table.values
    assert states[0] == 1
    assert np.array_equal(np.sort(states), np.arange(1, 2**bits))
    taps = states[bits % len(states)]
    following = (states << 1 & 2**bits - 1) ^ np.where(states >> bits - 1, taps, 0)
    assert np.array_equal(following, np.roll(states, -1))


def test_lfsr_taps_equal_published_polynomials() -> None:
    """The polynomials are x^6 + x + 1, x^7 + x + 1 and x^8 + x^4 + x^3 + x^2 + 1."""
    board = grid.build(1, 1)
    taps = {}
    for bits in (6, 7, 8):
        states = compute(board, "lfsr", bits)
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
def test_placements_are_all_congruent_sets_of_squares(freedom: int, holes: str) -> None:
    board = grid.build(rows=3, cols=4, holes=holes)
    hole_places = {int(cell) for cell in holes.split(",") if cell}
    cell_of = {label: cell for cell, label in enumerate(sorted({*range(12)} - hole_places))}
    for piece in PIECES:
        drawn = np.full((3, 3), -1)
        drawn[tuple(np.array(piece).T)] = 0
        placements = compute(board, "placements", Table(drawn), freedom)
        assert isinstance(placements, KeyedSet) and placements.shape == (len(cell_of),)
        covered: dict[tuple[int, ...], set[int]] = {}
        for cell in range(len(cell_of)):
            for row in range(placements.starts[cell], placements.starts[cell + 1]):
                key = tuple(int(column[row]) for column in placements.columns)
                covered.setdefault(key, set()).add(cell)
        expected = {
            frozenset(cell_of[r * 4 + c] for r, c in places)
            for places in combinations([divmod(label, 4) for label in cell_of], len(piece))
            if are_congruent({*places}, {*piece}, freedom)
        }
        assert {frozenset(cells) for cells in covered.values()} == expected
        assert len(covered) == len(expected)
        assert all(min(cells) == first for (_, _, first), cells in covered.items())


def are_congruent(squares: set[tuple[int, int]], piece: set[tuple[int, int]], freedom: int) -> bool:
    """Return whether an allowed isometry maps the piece to the squares."""
    maps = [(1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0)]
    maps += [(1, 0, 0, -1), (0, 1, 1, 0), (-1, 0, 0, 1), (0, -1, -1, 0)]
    for a, b, c, d in maps[: (1, 4, 8)[freedom]]:
        moved = {(a * x + b * y, c * x + d * y) for x, y in piece}
        (x, y), (u, v) = min(squares), min(moved)
        if {(p - u + x, q - v + y) for p, q in moved} == squares:
            return True
    return False
