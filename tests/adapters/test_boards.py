"""Every board: its moves by a second definition, its guards, tours, drawings and errors."""

from __future__ import annotations

from itertools import product

import pytest
from helpers.board_geometry import (
    BACK,
    CASES,
    FRONT,
    LEAPERS,
    LEFT,
    ORACLES,
    RIGHT,
    UP,
    Walker,
    generated,
    guards_of,
    oracle,
    pairs_of,
    rebuilt,
    signed,
    walk,
)
from helpers.formulas import mostly_slow

from boardsat.adapters import boards as drawn_boards
from boardsat.generators import boards


def test_every_shape_is_tested() -> None:
    assert {*ORACLES, "graph"} == set(boards.names()) == set(drawn_boards.names())


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        pytest.param(*case, marks=[pytest.mark.slow] if max(case[1].values()) > 2 else [])
        for case in CASES
    ],
    ids=str,
)
def test_moves(shape: str, size: dict[str, int]) -> None:
    for moves in LEAPERS:
        expected = oracle(shape, size, moves)
        board = generated(shape, **size, moves=moves)
        assert pairs_of(board) == sorted(expected), moves
        assert {(j, i) for i, j in expected} == expected, "a move has a way back"
        drawn = rebuilt(board)
        assert drawn.cells == board.cells
        assert drawn.edges() == sorted(pair for pair in expected if pair[0] < pair[1])
        cells = range(drawn.cells)
        assert {(i, j) for i, j in product(cells, cells) if drawn.is_move(i, j)} == expected


@pytest.mark.parametrize("moves", ["knight", "ferz", "zebra"])
def test_turning_a_cube_keeps_its_moves(moves: str) -> None:
    """A quarter turn about the axis from up to down, by hand: faces move on, two of them turn."""
    side = 3
    m = side - 1
    at = list(product(range(6), range(side), range(side)))
    on = {LEFT: BACK, FRONT: LEFT, RIGHT: FRONT, BACK: RIGHT}
    turned = []
    for face, r, c in at:
        where = (face, c, m - r) if face == UP else (face, m - c, r)
        turned.append(at.index((on[face], r, c) if face in on else where))
    pairs = set(pairs_of(generated("cube", side=side, moves=moves)))
    assert {(turned[i], turned[j]) for i, j in pairs} == pairs


# Holes and pieces.


@pytest.mark.parametrize(("shape", "size"), CASES, ids=str)
def test_holes(shape: str, size: dict[str, int]) -> None:
    places = generated(shape, **size).cells
    if places < 4:
        return
    holes, friend = {1, places - 1}, places // 2
    free = [place for place in range(places) if place not in holes | {friend}]
    cell_at = {place: cell for cell, place in enumerate(free)}
    expected = sorted(
        (cell_at[i], cell_at[j])
        for i, j in oracle(shape, size, "king")
        if i in cell_at and j in cell_at
    )
    if not expected:
        return
    board = generated(
        shape, **size, moves="king", holes=f"1, {places - 1}", friends=f"rook@{friend}"
    )
    assert (board.cells, board.places) == (len(free), places)
    assert [board.cell(place) for place in free] == list(range(len(free)))
    assert board.cell(1) == -1
    assert pairs_of(board) == expected
    drawn = rebuilt(board)
    assert drawn.edges() == [pair for pair in expected if pair[0] < pair[1]]
    assert [drawn.cell_at(place) for place in free] == list(range(len(free)))


def slides(shape: str, size: dict[str, int], place: int, absent: set[int], word: str) -> set[int]:
    """What a rook or a bishop attacks, by steps of an oracle that go on as they began."""
    if shape == "cube":
        assert word == "rook"
        side = size["side"]
        starts = [(*list(product(range(6), range(side), range(side)))[place], h) for h in range(4)]
        found: set[int] = set()
        for start in starts:
            walker: Walker = start
            for _ in range(4 * side):
                walker = walk(walker, side)
                there = (walker[0] * side + walker[1]) * side + walker[2]
                if there in absent or there == place:
                    break
                found.add(there)
        return found
    rows, cols = size["rows"], size["cols"]
    found = set()
    for step in signed((0, 1) if word == "rook" else (1, 1)):
        (r, c), (down, right) = divmod(place, cols), step
        while True:
            r, c = r + down, c + right
            if shape in ("torus", "klein"):
                r %= rows
            if shape != "grid" and not 0 <= c < cols:
                c %= cols
                if shape in ("moebius", "klein"):
                    r, down = rows - 1 - r, -down
            there = r * cols + c
            if not (0 <= r < rows and 0 <= c < cols) or there in absent or there == place:
                break
            found.add(there)
    return found


TWO_WAYS = ("grid", "cylinder", "torus", "moebius", "klein")
"""Where rows and columns tell how a line goes on."""


@pytest.mark.parametrize(("shape", "size"), mostly_slow(CASES, CASES[::4]), ids=str)
def test_what_enemies_attack(shape: str, size: dict[str, int]) -> None:
    """The two halves agree on all pieces, and where it is written down above, with the oracle."""
    places = generated(shape, **size).cells
    if places < 4:
        return
    hole = places // 3
    for word in ("rook", "bishop", "queen", "knight", "king", "camel"):
        for place in {0, 1, places // 2, places - 1} - {hole}:
            options = {"holes": str(hole), "enemies": f"{word}@{place}"}
            board = generated(shape, **size, **options)
            found = guards_of(board)
            assert found == rebuilt(board).guards(), (word, place)
            expected: set[int] | None = None
            if word in LEAPERS:
                expected = {j for i, j in oracle(shape, size, word) if i == place} - {hole}
            elif (shape, word) == ("cube", "rook") or (shape in TWO_WAYS and word != "queen"):
                expected = slides(shape, size, place, {hole}, word)
            if expected is not None:
                enemy = board.cell(place)
                assert found == [(enemy, board.cell(j)) for j in sorted(expected)], (word, place)


def test_a_queen_in_a_box_goes_all_26_ways() -> None:
    board = generated("box", layers=3, rows=3, cols=3, enemies="queen@13")
    assert len(guards_of(board)) == 26
    board = generated("box", layers=5, rows=5, cols=5, enemies="bishop@62")
    assert len(guards_of(board)) == 2 * (12 + 8)
