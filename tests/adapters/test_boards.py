"""Moves, holes and attacked cells of every board, in both halves and by a second definition."""

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
    build_board,
    guard_pairs,
    move_pairs,
    oracle,
    rebuild_board,
    signed_leaps,
    walk,
)
from helpers.formulas import mostly_slow

from boardsat.adapters import boards as adapter_boards
from boardsat.generators import boards


def test_oracles_cover_every_shape() -> None:
    assert {*ORACLES, "graph"} == set(boards.names()) == set(adapter_boards.names())


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        pytest.param(*case, marks=[pytest.mark.slow] if max(case[1].values()) > 2 else [])
        for case in CASES
    ],
    ids=str,
)
def test_moves_agree_with_the_oracle(shape: str, size: dict[str, int]) -> None:
    for moves in LEAPERS:
        expected = oracle(shape, size, moves)
        board = build_board(shape, **size, moves=moves)
        assert move_pairs(board) == sorted(expected), moves
        assert {(j, i) for i, j in expected} == expected, "every move has its reverse"
        adapter_board = rebuild_board(board)
        assert adapter_board.cells == board.cells
        assert adapter_board.edges() == sorted(pair for pair in expected if pair[0] < pair[1])
        cells = range(adapter_board.cells)
        assert {(i, j) for i, j in product(cells, cells) if adapter_board.is_move(i, j)} == expected


@pytest.mark.parametrize("moves", ["knight", "ferz", "zebra"])
def test_rotation_of_a_cube_preserves_its_moves(moves: str) -> None:
    """Rotate by 90 degrees about the vertical axis: four faces are permuted, two are rotated."""
    side = 3
    m = side - 1
    squares = list(product(range(6), range(side), range(side)))
    next_face = {LEFT: BACK, FRONT: LEFT, RIGHT: FRONT, BACK: RIGHT}
    images = []
    for face, r, c in squares:
        rotated = (face, c, m - r) if face == UP else (face, m - c, r)
        images.append(squares.index((next_face[face], r, c) if face in next_face else rotated))
    pairs = set(move_pairs(build_board("cube", side=side, moves=moves)))
    assert {(images[i], images[j]) for i, j in pairs} == pairs


# Holes and pieces.


@pytest.mark.parametrize(("shape", "size"), CASES, ids=str)
def test_cells_and_moves_skip_holes_and_friends(shape: str, size: dict[str, int]) -> None:
    num_tiles = build_board(shape, **size).cells
    if num_tiles < 4:
        return
    holes, friend = {1, num_tiles - 1}, num_tiles // 2
    free_tiles = [tile for tile in range(num_tiles) if tile not in holes | {friend}]
    cell_at = {tile: cell for cell, tile in enumerate(free_tiles)}
    expected = sorted(
        (cell_at[i], cell_at[j])
        for i, j in oracle(shape, size, "king")
        if i in cell_at and j in cell_at
    )
    if not expected:
        return
    board = build_board(
        shape, **size, moves="king", holes=f"1, {num_tiles - 1}", friends=f"rook@{friend}"
    )
    assert (board.cells, board.places) == (len(free_tiles), num_tiles)
    assert [board.cell(tile) for tile in free_tiles] == list(range(len(free_tiles)))
    assert board.cell(1) == -1
    assert move_pairs(board) == expected
    adapter_board = rebuild_board(board)
    assert adapter_board.edges() == [pair for pair in expected if pair[0] < pair[1]]
    assert [adapter_board.cell_at(tile) for tile in free_tiles] == list(range(len(free_tiles)))


def slides(shape: str, size: dict[str, int], tile: int, absent: set[int], piece: str) -> set[int]:
    """Return the tiles that a rook or a bishop attacks, by steps of an oracle in one direction."""
    if shape == "cube":
        assert piece == "rook"
        side = size["side"]
        starts = [(*list(product(range(6), range(side), range(side)))[tile], h) for h in range(4)]
        attacked: set[int] = set()
        for start in starts:
            walker: Walker = start
            for _ in range(4 * side):
                walker = walk(walker, side)
                target = (walker[0] * side + walker[1]) * side + walker[2]
                if target in absent or target == tile:
                    break
                attacked.add(target)
        return attacked
    rows, cols = size["rows"], size["cols"]
    attacked = set()
    for step in signed_leaps((0, 1) if piece == "rook" else (1, 1)):
        (r, c), (down, right) = divmod(tile, cols), step
        while True:
            r, c = r + down, c + right
            if shape in ("torus", "klein"):
                r %= rows
            if shape != "grid" and not 0 <= c < cols:
                c %= cols
                if shape in ("moebius", "klein"):
                    r, down = rows - 1 - r, -down
            target = r * cols + c
            if not (0 <= r < rows and 0 <= c < cols) or target in absent or target == tile:
                break
            attacked.add(target)
    return attacked


SHEETS = ("grid", "cylinder", "torus", "moebius", "klein")
"""Shapes on which lines continue along rows, columns and diagonals."""


@pytest.mark.parametrize(("shape", "size"), mostly_slow(CASES, CASES[::4]), ids=str)
def test_attacked_cells_agree_with_the_oracle(shape: str, size: dict[str, int]) -> None:
    """Both halves agree on all pieces, and with the oracle where it is defined."""
    num_tiles = build_board(shape, **size).cells
    if num_tiles < 4:
        return
    hole = num_tiles // 3
    for piece in ("rook", "bishop", "queen", "knight", "king", "camel"):
        for tile in {0, 1, num_tiles // 2, num_tiles - 1} - {hole}:
            options = {"holes": str(hole), "enemies": f"{piece}@{tile}"}
            board = build_board(shape, **size, **options)
            guards = guard_pairs(board)
            assert guards == rebuild_board(board).guards(), (piece, tile)
            expected: set[int] | None = None
            if piece in LEAPERS:
                expected = {j for i, j in oracle(shape, size, piece) if i == tile} - {hole}
            elif (shape, piece) == ("cube", "rook") or (shape in SHEETS and piece != "queen"):
                expected = slides(shape, size, tile, {hole}, piece)
            if expected is not None:
                enemy = board.cell(tile)
                assert guards == [(enemy, board.cell(j)) for j in sorted(expected)], (piece, tile)


def test_queen_and_bishop_in_a_box_attack_in_all_directions() -> None:
    board = build_board("box", layers=3, rows=3, cols=3, enemies="queen@13")
    assert len(guard_pairs(board)) == 26
    board = build_board("box", layers=5, rows=5, cols=5, enemies="bishop@62")
    assert len(guard_pairs(board)) == 2 * (12 + 8)
