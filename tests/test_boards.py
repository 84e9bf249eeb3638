"""Every board: its moves by a second definition, its guards, tours, drawings and errors."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from pysat.solvers import Solver
from support import clauses_of, counted, mostly_slow, shipped, text_of, whole

from boardsat.adapters import boards as drawn_boards
from boardsat.adapters import rules
from boardsat.adapters.boards import board_of
from boardsat.adapters.boards._tiles import Tiles
from boardsat.adapters.counters.frontier import count_cycles, count_paths
from boardsat.adapters.decode import Solution, Tour, decode
from boardsat.adapters.dimacs.header import Header, read_header
from boardsat.adapters.drawing.svg import svg
from boardsat.adapters.drawing.text import rows_of, text
from boardsat.generators import Formula, InputError, boards, build, find
from boardsat.generators.algorithms import colour, distance
from boardsat.generators.boards import Board

TOURS = [name for name in whole() if name.startswith("tour/")]
GUARDED = [
    name
    for name in TOURS
    if any("guards" in str(constraint) for constraint in find(name).constraints)
]

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

# The geometry a second time: which places a leap joins, asked of every pair of places.


def signed(leap: Leap) -> set[Pair]:
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


def glued(leap: Leap, rows: int, cols: int, row_period: int, col_period: int) -> set[Pair]:
    """On a plane where rows and columns come again after their periods; 0: they never do."""
    at = list(product(range(rows), range(cols)))

    def same(difference: int, period: int) -> bool:
        return difference % period == 0 if period else difference == 0

    return {
        (i, j)
        for i, (r, c) in enumerate(at)
        for j, (s, d) in enumerate(at)
        if any(
            same(r + down - s, row_period) and same(c + right - d, col_period)
            for down, right in signed(leap)
        )
    }


def twisted(leap: Leap, rows: int, cols: int, row_period: int) -> set[Pair]:
    """Half of a cylinder or torus twice as long, in which opposite squares are the same."""
    doubled = glued(leap, rows, 2 * cols, row_period, 2 * cols)

    def once(place: int) -> int:
        r, c = divmod(place, 2 * cols)
        return r * cols + c if c < cols else (rows - 1 - r) * cols + c - cols

    return {(once(i), once(j)) for i, j in doubled}


def box(leap: Leap, layers: int, rows: int, cols: int) -> set[Pair]:
    at = list(product(range(layers), range(rows), range(cols)))
    wanted = sorted((*[0] * (3 - len(leap)), *leap))
    return {
        (i, j)
        for i, p in enumerate(at)
        for j, q in enumerate(at)
        if sorted(abs(x - y) for x, y in zip(p, q, strict=True)) == wanted
    }


def hexagon(leap: Leap, side: int) -> set[Pair]:
    """By distances in the plane: no two of our leaps are equally long there."""
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
"""On a cube: face, row, column, heading."""


def walk(walker: Walker, side: int) -> Walker:
    """One square ahead; what lies beyond each edge of each face is written down one by one."""
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
    found = set()
    for place, (face, r, c) in enumerate(product(range(6), range(side), range(side))):
        for heading, turn, (a, b) in product(range(4), (1, 3), (leap, leap[::-1])):
            walker: Walker = (face, r, c, heading)
            for _ in range(a):
                walker = walk(walker, side)
            walker = (*walker[:3], (walker[3] + turn) % 4)
            for _ in range(b):
                walker = walk(walker, side)
            found.add((place, (walker[0] * side + walker[1]) * side + walker[2]))
    return found


ORACLES: dict[str, Callable[..., set[Pair]]] = {
    "grid": grid,
    "cylinder": lambda leap, rows, cols: glued(leap, rows, cols, 0, cols),
    "torus": lambda leap, rows, cols: glued(leap, rows, cols, rows, cols),
    "moebius": lambda leap, rows, cols: twisted(leap, rows, cols, 0),
    "klein": lambda leap, rows, cols: twisted(leap, rows, cols, rows),
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
    """All moves between different places."""
    leaps = leaps_of(shape, moves)
    return {(i, j) for leap in leaps for i, j in ORACLES[shape](leap, *size.values()) if i != j}


def generated(shape: str, **options: Any) -> Board:
    board: Board = boards.shape(shape, "").build(**options)
    return board


def rebuilt(board: Board) -> Tiles:
    """The board that adapters make of what the header of a file says."""
    made = board_of(Header(board=json.loads(json.dumps(board.description))))
    assert isinstance(made, Tiles)
    return made


def pairs_of(board: Board) -> list[Pair]:
    origin, target = board.moves.columns
    return list(zip(origin.tolist(), target.tolist(), strict=True))


def test_every_shape_is_tested() -> None:
    assert {*ORACLES, "graph"} == set(boards.shapes()) == set(drawn_boards.shapes())


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
        if not expected:
            with pytest.raises(InputError, match="has no move"):
                generated(shape, **size, moves=moves)
            continue
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


def guards_of(board: Board) -> list[Pair]:
    enemy, guarded = board.guards.columns
    return list(zip(enemy.tolist(), guarded.tolist(), strict=True))


@pytest.mark.parametrize(("shape", "size"), mostly_slow(CASES, CASES[::2]), ids=str)
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


# Tours.


def search(neighbours: list[list[int]], start: int, closed: bool) -> Iterator[tuple[int, ...]]:
    stack: list[tuple[int, ...]] = [(start,)]
    while stack:
        path = stack.pop()
        if len(path) == len(neighbours):
            if not closed or start in neighbours[path[-1]]:
                yield path
            continue
        stack += [(*path, cell) for cell in neighbours[path[-1]] if cell not in path]


def solved(formula: Formula) -> Iterator[tuple[Header, Solution]]:
    """Every board, decoded from the text of the file alone, and checked by the rules."""
    comments = [line[2:] for line in text_of(formula).decode().splitlines() if line[:2] == "c "]
    header = read_header(comments)
    with Solver("minisat22", bootstrap_with=clauses_of(formula)) as solver:
        while solver.solve():
            # A variable in no clause is missing from the model.
            model = np.zeros(formula.variables + 1, np.int64)
            for literal in solver.get_model():
                model[abs(literal)] = literal
            solution = decode(header, model)
            assert solution is not None
            assert not list(rules.faults("tour", solution, header.parameters) or ["no rules"])
            yield header, solution
            solver.add_clause([-int(model[k]) or k for k in counted(formula)])


def orders(formula: Formula) -> list[tuple[int, ...]]:
    found = []
    for _, solution in solved(formula):
        assert isinstance(solution.picture, Tour)
        found.append(solution.picture.order)
    assert len(set(found)) == len(found)
    return sorted(found)


def expected_orders(board: Board, start: int, closed: bool) -> list[tuple[int, ...]]:
    near: list[list[int]] = [[] for _ in range(board.cells)]
    for i, j in pairs_of(board):
        near[i].append(j)
    return sorted(
        order
        for order in search(near, start, closed)
        if all(order.index(enemy) < order.index(cell) for enemy, cell in guards_of(board))
    )


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
    """As `--set` gives them: the side of a board is `n`."""
    return {"shape": shape, **{"n" if k == "side" else k: v for k, v in options.items()}}


@pytest.mark.parametrize("closed", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("shape", "options"), mostly_slow(SMALL, SMALL[::4]), ids=str)
def test_all_tours(shape: str, options: dict[str, Any], closed: bool) -> None:
    board = generated(shape, **options)
    start = max(place for place in range(board.places) if board.cell(place) >= 0)
    expected = expected_orders(board, board.cell(start), closed)
    settings = {**settings_for(shape, options), "closed": closed, "start": start, "distance": True}
    for name in TOURS:
        known = {parameter.name for parameter in find(name).parameters}
        formula = shipped(name, **{k: v for k, v in settings.items() if k in known})
        if formula.header.decode[0]["view"] == "edges":
            # It has each closed tour once, in no direction; two cells there and back are none.
            ways = {min(order, (order[0], *order[:0:-1])) for order in orders(formula)}
            both = {min(order, (order[0], *order[:0:-1])) for order in expected}
            assert not closed or ways == (both if board.cells > 2 else set()), name
            assert closed or orders(formula) == expected, name
        else:
            assert orders(formula) == expected, name
    edges = rebuilt(board).edges()
    if closed:
        assert len(expected) == 2 * count_cycles(board.cells, edges)
    else:
        assert len(expected) == count_paths(board.cells, edges, board.cell(start))


def test_some_small_boards_have_tours() -> None:
    """Lest the comparison above compare nothing."""
    counts = [
        len(expected_orders(generated(shape, **options), 0, closed))
        for shape, options in SMALL
        for closed in (True, False)
    ]
    assert sum(count > 0 for count in counts) > len(counts) * 2 // 3


ENEMIES: list[tuple[str, dict[str, Any], int]] = [
    ("grid", {"rows": 3, "cols": 3, "moves": "king", "enemies": "bishop@2"}, 0),
    ("grid", {"rows": 3, "cols": 3, "moves": "king", "enemies": "knight@5"}, 0),
    ("grid", {"rows": 3, "cols": 3, "moves": "king", "enemies": "rook@8", "friends": "rook@5"}, 0),
    ("grid", {"rows": 3, "cols": 3, "moves": "king", "enemies": "rook@0"}, 0),
    ("grid", {"rows": 3, "cols": 3, "moves": "king", "enemies": "rook@2,bishop@0"}, 4),
    (
        "grid",
        {"rows": 3, "cols": 4, "moves": "king", "enemies": "rook@6,knight@3", "holes": "5"},
        0,
    ),
    ("torus", {"rows": 3, "cols": 3, "moves": "knight", "enemies": "wazir@4", "holes": "8"}, 0),
    ("klein", {"rows": 3, "cols": 3, "moves": "knight", "enemies": "dabbaba@5", "holes": "8"}, 0),
    ("hexagon", {"side": 2, "moves": "king", "enemies": "knight@6,wazir@5"}, 0),
    ("box", {"layers": 2, "rows": 2, "cols": 2, "moves": "wazir", "enemies": "bishop@1"}, 0),
    ("cube", {"side": 1, "moves": "wazir", "enemies": "dabbaba@4"}, 0),
]


@pytest.mark.parametrize("closed", mostly_slow([True, False], [False]))
@pytest.mark.parametrize(
    ("shape", "options", "start"), mostly_slow(ENEMIES, ENEMIES[1::3]), ids=str
)
def test_tours_among_enemies(shape: str, options: dict[str, Any], start: int, closed: bool) -> None:
    board = generated(shape, **options)
    expected = expected_orders(board, board.cell(start), closed)
    assert GUARDED
    for name, far in product(GUARDED, (True, False)):
        formula = shipped(
            name,
            **settings_for(shape, options),
            closed=closed,
            start=start,
            one_direction=True,
            distance=far,
        )
        assert orders(formula) == expected, name
        assert formula.header.objects is not None
        if board.guards.size:
            assert formula.header.objects["models_each"] == 1


def test_some_boards_with_enemies_have_tours_and_some_have_none() -> None:
    counts = [
        len(expected_orders(board, board.cell(start), False))
        for shape, options, start in ENEMIES
        for board in (generated(shape, **options),)
    ]
    assert sum(count == 0 for count in counts) >= 2
    assert sum(count > 0 for count in counts) >= 6


def test_the_rules_see_a_guarded_cell_that_comes_too_soon() -> None:
    board = generated("grid", rows=2, cols=2, moves="king", enemies="wazir@3")
    drawn = rebuilt(board)
    parameters = {"start": 0, "closed": True}
    assert not list(rules.faults("tour", Solution(drawn, Tour((0, 3, 1, 2))), parameters) or [])
    faults = list(rules.faults("tour", Solution(drawn, Tour((0, 1, 3, 2))), parameters) or [])
    assert faults == ["b2 is visited before the enemy on b1"]


def test_an_encoding_without_positions_says_so() -> None:
    spec = find("tour/unary")
    constraints = tuple(c for c in spec.constraints if "guards" not in str(c.bindings))
    blind = spec._replace(constraints=constraints, name="tour/blind")
    build(blind, {"n": 5})
    with pytest.raises(InputError, match="tour/blind does not support enemies"):
        build(blind, {"n": 5, "enemies": "rook@12"})


# Algorithms, names and published counts.


@pytest.mark.parametrize(("shape", "size"), CASES, ids=str)
def test_distance_and_colour(shape: str, size: dict[str, int]) -> None:
    for moves in ("wazir", "knight", "king"):
        pairs = oracle(shape, size, moves)
        if not pairs:
            continue
        board = generated(shape, **size, moves=moves)
        near: dict[int, list[int]] = {place: [] for place in range(board.cells)}
        for i, j in pairs:
            near[i].append(j)
        far, queue = {0: 0}, deque([0])
        while queue:
            i = queue.popleft()
            for j in near[i]:
                if j not in far:
                    far[j] = far[i] + 1
                    queue.append(j)
        expected = [far.get(place, board.cells) for place in range(board.cells)]
        assert distance.compute(board, 0).values.tolist() == expected
        try:
            hue = colour.compute(board).values.tolist()
        except InputError as error:
            assert "no two-colouring" in str(error)
            # An odd cycle: two neighbours that are equally far from some cell.
            assert any(
                a % 2 == b % 2
                for start in range(board.cells)
                for table in (distance.compute(board, start).values.tolist(),)
                for a, b in ((table[i], table[j]) for i, j in pairs)
                if max(a, b) < board.cells
            )
        else:
            assert all(hue[i] != hue[j] for i, j in pairs)


@pytest.mark.parametrize(
    ("settings", "stem", "published"),
    [
        ({"n": 6}, "tour-6x6-closed-binary", 9862),
        ({"rows": 10, "cols": 3}, "tour-10x3-closed-binary", 16),
        ({"n": 6, "holes": "1,2"}, "tour-6x6-hole1-hole2-closed-binary", None),
        ({"n": 6, "enemies": "rook@35"}, "tour-6x6-enemy-rook35-closed-binary", None),
        ({"n": 6, "shape": "torus"}, "tour-torus-6x6-closed-binary", None),
        ({"n": 4, "shape": "cube"}, "tour-cube-4-closed-binary", None),
        ({"n": 3, "shape": "box"}, "tour-box-3x3x3-closed-binary", None),
    ],
    ids=str,
)
def test_names_and_published_counts(
    settings: dict[str, Any], stem: str, published: int | None
) -> None:
    header = shipped("tour/binary", **settings).header
    assert header.stem == stem
    assert header.objects is not None
    assert header.objects.get("published") == published


# Drawings.

DRAWN = [
    *((shape, {**SIZES[shape][-1], "moves": "knight"}) for shape in ORACLES),
    ("grid", {"rows": 4, "cols": 5, "moves": "knight", "holes": "0,7", "friends": "queen@9"}),
    ("cube", {"side": 2, "moves": "knight", "enemies": "queen@5", "holes": "3"}),
    ("torus", {"rows": 4, "cols": 4, "moves": "knight", "enemies": "knight@5", "holes": "0"}),
]


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(("shape", "options"), DRAWN, ids=str)
def test_drawings(shape: str, options: dict[str, Any], closed: bool) -> None:
    board = rebuilt(generated(shape, **options))
    # Any order will do for a drawing, and this one has moves of all kinds.
    order = tuple(np.random.default_rng(1).permutation(board.cells).tolist())
    solution = Solution(board, Tour(order))
    shown = text(solution, closed)
    numbers = [int(number) for number in re.findall(r"\d+", shown)]
    assert sorted(numbers) == list(range(1, board.cells + 1))
    assert not any(line != line.rstrip() for line in shown.splitlines())
    letters = re.findall("[A-Z]", shown)
    assert letters == [word[0].upper() for word in board.pieces.friends.values()]

    flat = np.array(re.findall(r"\d+", json.dumps(rows_of(solution))), np.int64)
    assert sorted(flat[flat > 0].tolist()) == sorted(numbers)
    assert len(flat) == board.places

    root = ElementTree.fromstring(svg(solution, closed))
    kinds = {kind: [e for e in root if e.tag.endswith(kind)] for kind in ("rect", "polygon")}
    tiles = [(e.get("x"), e.get("y")) for e in kinds["rect"] if e.get("width") == "40"]
    tiles += [(e.get("points"), "") for e in kinds["polygon"]]
    assert len(tiles) == len(set(tiles)) == board.cells + len(board.pieces.friends)
    box = [float(number) for number in root.get("viewBox", "").split()]
    for element in root:
        for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", element.get("d", "")):
            assert -20 <= float(x) <= box[2] + 20 and -20 <= float(y) <= box[3] + 20


@pytest.mark.parametrize("shape", list(ORACLES))
def test_every_glued_side_has_its_partner(shape: str) -> None:
    board = rebuilt(generated(shape, **SIZES[shape][-1], moves="king"))
    names = [seam.name for seam in board.seams()]
    assert all(names.count(name) == 2 for name in names)
    assert bool(names) == (shape in ("cylinder", "torus", "moebius", "klein", "cube"))


@pytest.mark.parametrize("shape", ["cylinder", "torus", "moebius", "klein"])
def test_a_move_across_a_glued_side_is_drawn_from_both_ends(shape: str) -> None:
    """A stub leaves from each of the two squares; followed to its length, it meets the other."""
    size = {"rows": 5, "cols": 6}
    board = rebuilt(generated(shape, **size, moves="knight"))
    plain = grid((1, 2), 5, 6)
    for a, b in board.edges():
        strokes = board.strokes(a, b)
        if (a, b) in plain:
            assert strokes == [[board.middle(a), board.middle(b)]]
            continue
        assert [stroke[0] for stroke in strokes] == [board.middle(a), board.middle(b)]
        for (x, y), (u, v) in strokes:
            assert not (0 < u < 6 and 0 < v < 5), "it leaves the board"
            slope = sorted((abs(u - x), abs(v - y)))
            assert abs(slope[1] - 2 * slope[0]) < 1e-9, "it goes as a knight does"


def test_text_of_every_kind() -> None:
    """Small ones whole, as a person sees them."""
    for shape, options, expected in (
        ("grid", {"rows": 2, "cols": 3, "holes": "1", "friends": "pawn@5"}, "1   2\n3 4 P"),
        ("torus", {"rows": 2, "cols": 2}, "  > >\n^ 1 2 ^\n^ 3 4 ^\n  > >"),
        ("moebius", {"rows": 2, "cols": 2}, "^ 1 2 v\n^ 3 4 v"),
        ("box", {"layers": 2, "rows": 2, "cols": 2}, "1 2   5 6\n3 4   7 8"),
        ("hexagon", {"side": 2}, " 1 2\n3 4 5\n 6 7"),
        ("cube", {"side": 1}, "    a\n  b 1 c a\ne 2 3 4 5 e\n  d 6 f g\n    g"),
    ):
        board = rebuilt(generated(shape, **options, moves="king"))
        assert text(Solution(board, Tour(tuple(range(board.cells))))) == expected, shape


PAGE = (Path(__file__).parent.parent / "docs" / "boards.md").read_text()
SHOWN = re.findall(r"```tour shape=(\w+) ([^\n]*)\n(.*?)\n```", PAGE, re.S)


@pytest.mark.parametrize(("shape", "options", "shown"), SHOWN)
def test_the_drawings_in_the_documentation(shape: str, options: str, shown: str) -> None:
    """Each is a closed tour of the board that stands above it, drawn as we draw it."""
    given = dict(word.split("=") for word in options.split())
    board = rebuilt(
        generated(
            shape, **{k: int(v) if v.isdecimal() and k != "holes" else v for k, v in given.items()}
        )
    )
    cells = range(board.cells)
    reading = re.findall(r"\d+", text(Solution(board, Tour(tuple(cells)))))
    number = dict(zip(map(int, reading), map(int, re.findall(r"\d+", shown)), strict=True))
    order = tuple(sorted(cells, key=lambda cell: number[cell + 1]))
    solution = Solution(board, Tour(order))
    faults = rules.faults("tour", solution, {"start": board.place(order[0]), "closed": True})
    assert not list(faults or ["no rules"])
    assert text(solution) == shown


def test_every_shape_is_documented() -> None:
    assert {shape for shape, _, _ in SHOWN} == set(ORACLES)


# What a user may get wrong.

WRONG = {
    "shape=tours": "shape=tours: not one of the choices; did you mean 'torus'?",
    "shape=graph": "shape=graph: not one of the choices; choose from: ",
    "layers=2": "layers=2: a grid board has no `layers`; leave it out, or use another shape",
    "shape=cube rows=3": "rows=3: a cube board has no `rows`; leave it out, or use another shape",
    "shape=hexagon cols=3": "cols=3: a hexagon board has no `cols`; leave it out, ",
    "holes=64": "holes=64: no place '64' on the board; places are 0 to 63, or a square from a1",
    "holes=x": "no place 'x' on the board; places are 0 to 63, or a square",
    "holes=1,1": "holes=1,1: two things on b8; remove one of them (declared in ",
    "holes=1 friends=rook@1": "friends=rook@1: two things on b8; remove one of them",
    "friends=rook@2,pawn@2": "friends=rook@2,pawn@2: two things on c8; remove one of them",
    "holes=0": ": start = a8 is a hole; set start to a free place",
    "start=64": "start=64: start = 64 is not on the board; give a number from 0 to 63, or a square",
    "start=-1": "start = -1 is not on the board; give a number from 0 to 63",
    "enemies=rook": "enemies=rook: 'rook' has no place; write rook@e7",
    "enemies=rock@5": "no piece 'rock' can stand there; did you mean 'rook'?",
    "enemies=pawn@5": "no piece 'pawn' can stand there; choose from: ",
    "enemies=rook@5x": "no place '5x' on the board; places are 0 to 63",
    "shape=hexagon n=3 holes=19": "no place '19' on the board; places are 0 to 18 (",
    "shape=hexagon n=3 holes=2,2": "two things on place 2; ",
    "shape=torus moves=1,1,1": "no leaper '1,1,1'; write offsets like 1,2, or choose from: ",
    "shape=cube n=1000 moves=king": "the board would have at least 102,000,000 elements; ",
    "n=2 holes=0,1 friends=rook@2,rook@3": "a board without any cell; leave some places free",
    "shape=torus n=3 parity=true": "this board has no two-colouring that every move changes; ",
}


@pytest.mark.parametrize("settings", WRONG)
def test_one_line_for_what_is_wrong(settings: str) -> None:
    with pytest.raises(InputError) as caught:
        shipped("tour/unary", **dict(word.split("=", 1) for word in settings.split()))
    assert WRONG[settings] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_parameter_behind_another_is_not_refused() -> None:
    """`n` is the side of a cube, and on a grid the default of rows and cols."""
    assert shipped("tour/direct", n=3, moves="king").variables == 81
    assert shipped("tour/direct", n=2, shape="cube").variables == 24 * 24
