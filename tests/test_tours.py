"""Tours: the numbers of the paper's Table 1, published counts, and every model a valid tour."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

import pytest
from pysat.solvers import Solver
from support import (
    GRAPHS,
    clauses_of,
    count,
    counted,
    members,
    mostly_slow,
    satisfiable,
    shipped,
    solutions,
)

from boardsat.generators import Formula, find
from boardsat.generators.catalogue import encodings_of
from boardsat.generators.sections.parameters import parameters_of

# Those without a direction are in test_undirected.py.
DIRECTED = [
    encoding
    for encoding in encodings_of("tour")
    if find("tour", encoding).decode[0].kind in ("order", "arcs")
]
TOURS = [f"tour/{encoding}" for encoding in DIRECTED]
HAMILTON = [f"hamilton/{encoding}" for encoding in DIRECTED]

Neighbours = list[list[int]]
Tour = tuple[int, ...]


@cache
def has(name: str, parameter: str) -> bool:
    return any(p.name == parameter for p in parameters_of(find(name)))


def known(name: str, **settings: Any) -> Formula:
    """The formula of a spec; switches that it does not have are left out."""
    return shipped(name, **{key: value for key, value in settings.items() if has(name, key)})


def leaper(rows: int, cols: int, *steps: tuple[int, int]) -> Neighbours:
    """The cells that each cell of a board reaches by going a and b in two directions."""
    pairs = {pair for a, b in steps for pair in ((a, b), (b, a))}
    cells = list(product(range(rows), range(cols)))
    return [
        [
            cells.index((x, y))
            for x, y in cells
            if (abs(x - r), abs(y - c)) in pairs and (x, y) != (r, c)
        ]
        for r, c in cells
    ]


def search(neighbours: Neighbours, start: int, closed: bool) -> Iterator[Tour]:
    """All tours by going wherever one can."""

    def go_on(path: Tour) -> Iterator[Tour]:
        if len(path) == len(neighbours):
            if not closed or path[0] in neighbours[path[-1]]:
                yield path
            return
        for cell in neighbours[path[-1]]:
            if cell not in path:
                yield from go_on((*path, cell))

    return go_on((start,))


def tours(formula: Formula, start: int = 0) -> list[Tour]:
    """A tour for each model that is counted, read by the view that the header names."""
    (view,) = formula.header.decode
    index_of = {number: index for index, number in members(formula, view["variable"]).items()}
    return [
        tour_of([index_of[v] for v in model if v in index_of], view, start)
        for model in solutions(formula, counted(formula))
    ]


def tour_of(indices: list[tuple[int, ...]], view: dict[str, Any], start: int) -> Tour:
    if view["view"] == "order":
        cell_at = {index[view["position"]]: index[view["cell"]] for index in indices}
        assert len(cell_at) == len(indices)
        return tuple(cell_at[p] for p in range(len(cell_at)))
    following = {index[view["from"]]: index[view["to"]] for index in indices}
    assert len(following) == len(indices)
    tour = [start]
    while following.get(tour[-1], start) != start:
        tour.append(following[tour[-1]])
    assert len(indices) - len(tour) in (0, -1), "moves beside the tour"
    return tuple(tour)


def check_tours(found: list[Tour], neighbours: Neighbours, start: int, closed: bool) -> None:
    """Each is a tour, and none is there twice."""
    for tour in found:
        assert sorted(tour) == list(range(len(neighbours)))
        assert tour[0] == start
        assert all(b in neighbours[a] for a, b in pairwise(tour))
        assert not closed or tour[0] in neighbours[tour[-1]]
    assert len(set(found)) == len(found)


# Sizes.

TABLE_1 = """
    6 | 1296 46692 | 1291 22784 | 370 5605
    8 | 4096 262208 | 4055 127236 | 714 12161
    10 | 10000 1000100 | 9855 482250 | 1269 24669
    12 | 20736 2986128 | 20375 1433980 | 2024 43385
    14 | 38416 7529732 | 37699 3610940 | 2808 62021
"""
PAPER = {
    (int(cells[0]), name): tuple(map(int, cell.split()))
    for cells in (line.split("|") for line in TABLE_1.strip().splitlines())
    for name, cell in zip(("direct", "unary", "binary"), cells[1:], strict=True)
}
UNITS = {"direct": 2, "unary": 1, "binary": 0}
"""The table leaves unit clauses out."""


@pytest.mark.parametrize(("n", "encoding"), PAPER)
def test_the_numbers_of_the_paper(n: int, encoding: str) -> None:
    formula = shipped(f"tour/{encoding}", n=n)
    assert (formula.variables, formula.clauses - formula.units) == PAPER[n, encoding]
    assert formula.units == UNITS[encoding]


def distances(neighbours: Neighbours) -> list[int]:
    """Of every cell from cell 0."""
    found, reached = {0: 0}, [0]
    for i in reached:
        for j in neighbours[i]:
            if j not in found:
                found[j] = found[i] + 1
                reached.append(j)
    return [found[i] for i in range(len(neighbours))]


def pairs(k: int) -> int:
    return k * (k - 1) // 2


@pytest.mark.parametrize("n", [4, 5, 6, 7, 9, 11])
def test_closed_forms(n: int) -> None:
    neighbours = leaper(n, n, (1, 2))
    d, squares = distances(neighbours), n * n
    degrees = [len(near) for near in neighbours]
    moves, m = 8 * (n - 1) * (n - 2), (squares - 1).bit_length()
    assert sum(degrees) == moves
    one_move = 2 * sum(1 + pairs(degree) for degree in degrees)
    domains = [range(d[i], squares - d[i] + 1) if i else range(squares) for i in range(squares)]
    advances = sum(
        p in domains[i] and p + 1 in domains[j]
        for i in range(1, squares)
        for j in neighbours[i]
        if j
        for p in range(1, squares - 1)
    )
    expected = {
        "direct": (
            squares**2,
            2 * squares * (1 + pairs(squares)) + squares * (squares - 1),
        ),
        "unary": (
            moves + sum(map(len, domains)),
            one_move + sum(1 + pairs(len(dom)) for dom in domains) + 2 * degrees[0] + advances,
        ),
        "binary": (
            moves + (squares - 1) * m,
            one_move
            + 2 * degrees[0] * m
            + (moves - 2 * degrees[0]) * (6 * m - 6)
            + sum(2 * distance - 1 for distance in d[1:]),
        ),
    }
    for encoding, numbers in expected.items():
        formula = shipped(f"tour/{encoding}", n=n)
        assert (formula.variables, formula.clauses - UNITS[encoding]) == numbers, encoding


# Published counts.


def switches(*names: str, quick: tuple[bool, ...] = (False, True)) -> list[Any]:
    """All off, all on, and the mixed ones, which are many."""
    settings = product([False, True], repeat=len(names))
    return [
        pytest.param(
            dict(zip(names, values, strict=True)),
            marks=[] if any(set(values) == {each} for each in quick) else [pytest.mark.slow],
        )
        for values in settings
    ]


@pytest.mark.parametrize("name", TOURS)
@pytest.mark.parametrize(
    "options", switches("distance", "parity", "no_two_cycles", quick=(True,)), ids=str
)
def test_open_tours_of_five_by_five(name: str, options: dict[str, bool]) -> None:
    found = tours(known(name, n=5, closed=False, **options))
    assert len(found) == 304
    check_tours(found, leaper(5, 5, (1, 2)), 0, closed=False)


@pytest.mark.parametrize("name", TOURS)
@pytest.mark.parametrize(
    "options", switches("distance", "parity", "no_two_cycles", "one_direction"), ids=str
)
def test_closed_tours_of_five_by_six(name: str, options: dict[str, bool]) -> None:
    found = tours(known(name, rows=5, cols=6, **options))
    assert len(found) == (8 if options["one_direction"] else 16)
    check_tours(found, leaper(5, 6, (1, 2)), 0, closed=True)
    if options["one_direction"]:
        assert not {tour[1:] for tour in found} & {tour[:0:-1] for tour in found}


@pytest.mark.parametrize("name", TOURS)
@pytest.mark.parametrize("one_direction", [False, True])
def test_closed_tours_of_three_by_ten(name: str, one_direction: bool) -> None:
    found = tours(known(name, rows=3, cols=10, one_direction=one_direction))
    assert len(found) == (16 if one_direction else 32)
    check_tours(found, leaper(3, 10, (1, 2)), 0, closed=True)


@pytest.mark.parametrize("name", TOURS)
@pytest.mark.parametrize(("start", "number"), [(12, 64), (6, 56), (2, 56), (1, 0)])
def test_open_tours_from_any_square(name: str, start: int, number: int) -> None:
    """Of the 1728 on 5x5; none begins on a square of the colour that has fewer."""
    found = tours(known(name, n=5, closed=False, parity=True, start=start), start)
    assert len(found) == number
    check_tours(found, leaper(5, 5, (1, 2)), start, closed=False)


@pytest.mark.parametrize("name", TOURS)
def test_a_closed_tour_begins_anywhere(name: str) -> None:
    found = tours(known(name, rows=5, cols=6, start=14, parity=True, one_direction=True), 14)
    assert len(found) == 8
    check_tours(found, leaper(5, 6, (1, 2)), 14, closed=True)


@pytest.mark.parametrize("name", mostly_slow(TOURS, TOURS[::2]))
def test_eight_by_eight_has_a_tour(name: str) -> None:
    assert satisfiable(known(name, n=8, distance=True, parity=True, no_two_cycles=True))


@pytest.mark.parametrize("name", TOURS)
def test_whether_counts_are_kept(name: str) -> None:
    """Other variables follow from the projection where a spec says so, and only there."""
    formula = known(name, rows=3, cols=4, moves="wazir", distance=False)
    tours = count(formula, formula.header.projection.tolist())
    assert tours == 2 * 2
    assert (count(formula) == tours) == formula.header.keeps_counts


@pytest.mark.parametrize("name", mostly_slow(TOURS, TOURS[::3]))
def test_closed_tours_of_three_by_twelve(name: str) -> None:
    found = tours(known(name, rows=3, cols=12, one_direction=True))
    assert len(found) == 176
    check_tours(found, leaper(3, 12, (1, 2)), 0, closed=True)


@pytest.mark.slow
def test_closed_tours_of_six_by_six() -> None:
    formula = shipped("tour/binary", n=6, parity=True, one_direction=True)
    moves = set(members(formula, "H").values())
    found = 0
    with Solver("cadical153", bootstrap_with=clauses_of(formula)) as solver:
        while solver.solve():
            found += 1
            # All tours have equally many moves, so that these exclude no other.
            solver.add_clause([-v for v in solver.get_model() if v in moves])
    assert found == 9862


@pytest.mark.parametrize("name", TOURS)
@pytest.mark.parametrize("options", switches("distance", "parity", quick=(False,)), ids=str)
def test_boards_without_a_tour(name: str, options: dict[str, bool]) -> None:
    """A closed tour changes the colour an even number of times; 3x3 has a centre without moves."""
    assert not satisfiable(known(name, n=5, **options))
    for n, closed in product((3, 4), (True, False)):
        assert not satisfiable(known(name, n=n, closed=closed, **options))


@pytest.mark.parametrize("name", [name for name in TOURS if has(name, "parity")])
def test_parity_refutes_odd_boards_at_once(name: str) -> None:
    assert not satisfiable(known(name, n=9, parity=True))


# Against search, on other boards and graphs.

BOARDS: list[tuple[int, int, str, list[tuple[int, int]]]] = [
    (2, 3, "wazir", [(0, 1)]),
    (3, 4, "0,1", [(0, 1)]),
    (3, 3, "king", [(0, 1), (1, 1)]),
    (3, 3, "knight+wazir", [(1, 2), (0, 1)]),
    (3, 4, "knight", [(1, 2)]),
    (2, 5, "1,3+wazir", [(1, 3), (0, 1)]),
    (4, 3, "camel+0,1", [(1, 3), (0, 1)]),
    (3, 4, "ferz", [(1, 1)]),
    (1, 2, "wazir", [(0, 1)]),
]


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(("rows", "cols", "moves", "steps"), mostly_slow(BOARDS, BOARDS[1::4]))
def test_other_leapers(
    rows: int, cols: int, moves: str, steps: Sequence[tuple[int, int]], closed: bool
) -> None:
    neighbours = leaper(rows, cols, *steps)
    for start in (0, rows * cols // 2):
        expected = sorted(search(neighbours, start, closed))
        for name in TOURS:
            formula = known(name, rows=rows, cols=cols, moves=moves, start=start, closed=closed)
            assert sorted(tours(formula, start)) == expected, name


def cycle(n: int) -> list[tuple[int, int]]:
    return [(k, (k + 1) % n) for k in range(n)]


GRAPH_EDGES = {
    "one": [],
    "edge": [(0, 1)],
    "path": [(0, 1), (1, 2), (2, 3)],
    "star": [(0, 1), (0, 2), (0, 3)],
    "apart": [(0, 1), (2, 3)],
    "cycle": cycle(7),
    "wheel": [*cycle(5), *((5, k) for k in range(5))],
    "four": list(combinations(range(4), 2)),
    "five": list(combinations(range(5), 2)),
    "bipartite": list(product(range(3), range(3, 6))),
}


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("graph", mostly_slow(GRAPH_EDGES, ("one", "apart", "wheel")))
def test_small_graphs(graph: str, closed: bool, tmp_path: Path) -> None:
    edges = GRAPH_EDGES[graph]
    check_graph(max((v for edge in edges for v in edge), default=0) + 1, edges, closed, tmp_path)


@pytest.mark.slow
def test_random_graphs(tmp_path: Path) -> None:
    chance = random.Random(2)
    cycles = 0
    for _ in range(6):
        n = chance.randint(3, 6)
        every = list(combinations(range(n), 2))
        edges = chance.sample(every, chance.randint(min(n, len(every)), len(every)))
        cycles += check_graph(n, edges, True, tmp_path) > 0
        check_graph(n, edges, False, tmp_path)
    assert cycles > 2


def check_graph(n: int, edges: Sequence[tuple[int, int]], closed: bool, folder: Path) -> int:
    """All encodings find all cycles or paths from the first and last vertex; gives their number."""
    lines = [f"p edge {n} {len(edges)}", *(f"e {u + 1} {v + 1}" for u, v in edges)]
    path = folder / "graph.col"
    path.write_text("\n".join(lines) + "\n")
    near: Neighbours = [[] for _ in range(n)]
    for u, v in edges:
        near[u].append(v)
        near[v].append(u)
    for start in {0, n - 1}:
        expected = sorted(search(near, start, closed))
        for name, distance in product(HAMILTON, (True, False)):
            if distance and not has(name, "distance"):
                continue
            formula = known(name, graph=path, closed=closed, start=start, distance=distance)
            assert sorted(tours(formula, start)) == expected, (name, start, distance)
    return len(expected)


@pytest.mark.parametrize("name", HAMILTON)
def test_named_graphs(name: str) -> None:
    petersen, cube = GRAPHS / "petersen.col", GRAPHS / "cube.hcp"
    assert not satisfiable(known(name, graph=petersen))
    for number, settings in [
        (24, {"graph": petersen, "closed": False}),
        (12, {"graph": cube}),
        (6, {"graph": cube, "parity": True, "one_direction": True}),
        (18, {"graph": cube, "closed": False}),
    ]:
        assert len(tours(known(name, **settings))) == number
