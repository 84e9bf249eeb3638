"""Connectivity of edges and cells, one cycle: every encoding and the cuts, against brute force."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.formulas import clauses_of, count, extendable_assignments, make, mostly_slow
from helpers.lazy_tours import models_and_cuts

from boardsat.adapters.lazy_cuts.cut_validation import cut_checker
from boardsat.adapters.lazy_cuts.lazy_constraints import read_lazy_constraints
from boardsat.generators import Formula, encodings, write
from boardsat.instance.formula_file import open_formula

ENCODINGS = encodings.names("connected")
Pair = tuple[int, int]


def count_components(vertices: Collection[int], edges: Collection[Pair]) -> int:
    """Return the number of components of a graph, by union of sets."""
    sets = [{vertex} for vertex in vertices]
    for u, v in edges:
        component_of_u = next(component for component in sets if u in component)
        component_of_v = next(component for component in sets if v in component)
        if component_of_u is not component_of_v:
            component_of_u |= component_of_v
            sets.remove(component_of_v)
    return len(sets)


def ends(edges: Collection[Pair]) -> list[int]:
    return [end for edge in edges for end in edge]


def is_connected(edges: Collection[Pair], every: Collection[Pair]) -> bool:
    return count_components(set(ends(every)), edges) <= 1


def is_touching(edges: Collection[Pair], every: Collection[Pair]) -> bool:
    return count_components(set(ends(edges)), edges) <= 1


def is_one_cycle(edges: Collection[Pair], every: Collection[Pair]) -> bool:
    degrees = [ends(edges).count(vertex) for vertex in set(ends(edges))]
    return bool(edges) and set(degrees) == {2} and count_components(set(ends(edges)), edges) == 1


Demand = tuple[dict[str, Any], Callable[[Collection[Pair], Collection[Pair]], bool]]
EDGES: list[Demand] = [
    ({"connected": "E[i, j]"}, is_connected),
    ({"connected": "E[i, j]", "vertices": "touched"}, is_touching),
    ({"one_cycle": "E[i, j]"}, is_one_cycle),
]


def grid(rows: int, cols: int) -> list[Pair]:
    across = [(r * cols + c, r * cols + c + 1) for r in range(rows) for c in range(cols - 1)]
    down = [(r * cols + c, (r + 1) * cols + c) for r in range(rows - 1) for c in range(cols)]
    return sorted(across + down)


GRAPHS: dict[str, list[Pair]] = {
    "an edge": [(0, 1)],
    "triangle": [(0, 1), (0, 2), (1, 2)],
    "2x3": grid(2, 3),
    "complete": list(combinations(range(5), 2)),
    "two triangles": [*combinations(range(3), 2), *combinations(range(3, 6), 2)],
    "a tail": [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4)],
    "far": [(3, 7), (7, 9), (3, 9)],
    "3x3": grid(3, 3),
}


def formula(edges: Sequence[Pair], demand: dict[str, Any], **options: Any) -> Formula:
    """On a graph whose edges are the pairs of a definition, numbered in their order."""
    listed = " or ".join(f"(i == {u} and j == {v})" for u, v in edges)
    size = max(ends(edges)) + 1
    variables = {"E": {"for": f"i in range({size}), j in range({size})", "if": listed}}
    return make(count_preserving="true", variables=variables, constraints=[demand | options])


def chosen_of(row: int, edges: Sequence[Pair]) -> list[Pair]:
    return [edge for index, edge in enumerate(edges) if row >> index & 1]


# Encodings.


SIZES = mostly_slow(list(GRAPHS), [name for name in GRAPHS if name not in ("3x3", "complete")])


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("graph", SIZES)
@pytest.mark.parametrize(("demand", "holds"), EDGES, ids=["all", "touched", "cycle"])
def test_edges(demand: dict[str, Any], holds: Any, graph: str, encoding: str) -> None:
    edges = GRAPHS[graph]
    cnf = formula(edges, demand, encoding=encoding)
    expected = {r for r in range(2 ** len(edges)) if holds(chosen_of(r, edges), edges)}
    assignments = list(extendable_assignments(len(edges), clauses_of(cnf)))
    assert {row for row, _ in assignments} == expected
    assert (
        all(single for _, single in assignments)
        == encodings.load("connected", encoding).COUNT_PRESERVING
    )
    assert cnf.header.count_preserving


CELLS = ["W[i]", "not W[i]"]


def on_board(
    rows: int, cols: int, demand: dict[str, Any], of: str = "W", **options: Any
) -> Formula:
    board = {"shape": "grid", "rows": str(rows), "cols": str(cols), "moves": "wazir"}
    bindings = "i in cells" if of == "W" else "(i, j) in edges"
    variables = {of: {"for": bindings} | options}
    return make(count_preserving="true", board=board, variables=variables, constraints=[demand])


def lines_inside(cells: Collection[int], rows: int, cols: int) -> list[Pair]:
    return [(u, v) for u, v in grid(rows, cols) if u in cells and v in cells]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 3), (2, 3), (3, 3)])
def test_cells(rows: int, cols: int, cells: str, encoding: str) -> None:
    size = rows * cols
    formula = on_board(rows, cols, {"connected": cells, "encoding": encoding})
    assignments = list(extendable_assignments(size, clauses_of(formula)))
    expected = set()
    for row in range(2**size):
        chosen = {i for i in range(size) if (row >> i & 1) == (cells[0] == "W")}
        if count_components(chosen, lines_inside(chosen, rows, cols)) <= 1:
            expected.add(row)
    assert {row for row, _ in assignments} == expected and all(single for _, single in assignments)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("cells", CELLS)
def test_cell_without_variable_is_false(cells: str, encoding: str) -> None:
    """The middle of 3x3 is never chosen, or always."""
    demand = {"connected": cells, "encoding": encoding}
    formula = on_board(3, 3, demand, **{"if": "i != 4 and i != 0"})
    cells_present = [1, 2, 3, 5, 6, 7, 8]
    expected = 0
    for row in range(2 ** len(cells_present)):
        true = {cell for index, cell in enumerate(cells_present) if row >> index & 1}
        chosen = true if cells[0] == "W" else set(range(9)) - true
        expected += count_components(chosen, lines_inside(chosen, 3, 3)) <= 1
    assert count(formula) == expected


@pytest.mark.parametrize(
    ("side", "cycles"), [(2, 1), (3, 13), (4, 213), pytest.param(5, 9349, marks=pytest.mark.slow)]
)
def test_cycles_of_grids_as_published(side: int, cycles: int) -> None:
    """OEIS A140517, the number of cycles in a grid graph."""
    formula = on_board(side, side, {"one_cycle": "E[i, j]"}, of="E")
    assert count(formula) == cycles


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_cycle_through_a_vertex_of_many_edges(encoding: str) -> None:
    edges = [*((0, k) for k in range(1, 10)), (1, 2), (2, 3), (7, 8)]
    cnf = formula(edges, {"one_cycle": "E[i, j]"}, encoding=encoding)
    rows = range(2 ** len(edges))
    assert count(cnf) == sum(is_one_cycle(chosen_of(row, edges), edges) for row in rows) == 4


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_parallel_edges_are_a_cycle(encoding: str) -> None:
    """Each of the edges of a triangle is there twice: 3 cycles of two of them, and 8 of three."""
    formula = make(
        count_preserving="true",
        variables={"E": {"for": "i in range(3), j in range(3), k in range(2)", "if": "i < j"}},
        constraints=[
            {"one_cycle": [{"edges": "E[i, j, k]", "from": "i", "to": "j"}], "encoding": encoding}
        ],
    )
    assert count(formula) == 3 + 8


def test_animals_as_published() -> None:
    """OEIS A059525: nonempty connected sets of cells of a board."""
    for (rows, cols), number in {(2, 2): 13, (2, 3): 40, (3, 3): 218, (3, 4): 1126}.items():
        assert count(on_board(rows, cols, {"connected": "W[i]"})) == number + 1


# Cuts.


def breaks(row: int, clause: Sequence[int]) -> bool:
    return not any((row >> abs(x) - 1 & 1) == (x > 0) for x in clause)


@pytest.mark.parametrize("graph", SIZES)
@pytest.mark.parametrize(("demand", "holds"), EDGES, ids=["all", "touched", "cycle"])
def test_cuts_of_edges(demand: dict[str, Any], holds: Any, graph: str, tmp_path: Path) -> None:
    edges = GRAPHS[graph]
    cnf = formula(edges, demand, lazy="true")
    assert cnf.variables == len(edges) and not cnf.header.count_preserving
    assignments, cuts = models_and_cuts(cnf, tmp_path)
    expected = {r for r in range(2 ** len(edges)) if holds(chosen_of(r, edges), edges)}
    assert assignments == expected
    assert not any(breaks(row, cut) for cut in cuts for row in expected)


@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.parametrize("holes", [{}, {"if": "i % 5 != 3"}])
def test_cuts_of_cells(cells: str, holes: dict[str, str], tmp_path: Path) -> None:
    plain = on_board(3, 3, {"connected": cells}, **holes)
    lazy = on_board(3, 3, {"connected": cells, "lazy": "true"}, **holes)
    expected = {row for row, _ in extendable_assignments(lazy.variables, clauses_of(plain))}
    assignments, cuts = models_and_cuts(lazy, tmp_path)
    assert assignments == expected and cuts
    assert not any(breaks(row, cut) for cut in cuts for row in expected)


def cuts_that_follow(graph: Any, size: int, rows: Collection[int]) -> Iterator[tuple[Any, bool]]:
    for length in range(6):
        for variables in combinations(range(1, size + 1), length):
            for signs in np.ndindex(*[2] * length):
                clause = [v if s else -v for v, s in zip(variables, signs, strict=True)]
                yield clause, not any(breaks(row, clause) for row in rows)


@pytest.mark.parametrize("kind", ["cells", "others", "edges"])
def test_cuts_are_implied_by_the_constraint(kind: str, tmp_path: Path) -> None:
    """Every short clause over a small board is judged; one that models break is never a cut."""
    if kind == "edges":
        edges = GRAPHS["2x3"]
        cnf = formula(edges, EDGES[1][0], lazy="true")
        rows = {r for r in range(2**7) if is_touching(chosen_of(r, edges), edges)}
    else:
        demand = {"connected": "W[i]" if kind == "cells" else "not W[i]"}
        cnf = on_board(2, 3, demand | {"lazy": "true"})
        plain = on_board(2, 3, demand)
        rows = {row for row, _ in extendable_assignments(6, clauses_of(plain))}
    path = str(tmp_path / "lazy.cnf")
    write(cnf, path)
    (graph,) = read_lazy_constraints(open_formula(path).header).graphs
    judge, accepted = cut_checker(graph), 0
    for clause, follows in cuts_that_follow(graph, cnf.variables, rows):
        accepted += judge.is_cut(clause)
        assert follows or not judge.is_cut(clause), clause
    assert accepted
