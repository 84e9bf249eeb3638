"""Random graphs and boards of one to six cells: all that counts or finds tours, by brute force.

Each number is an instance: a graph or a board, closed or not, from a start or from any cell, with
enemies or without. Every encoding, logic program and exact counter has to agree on it. Directed
graphs have numbers of their own, and what does not support them has to say so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise, permutations, product
from random import Random
from typing import Any

import numpy as np
import pytest
from helpers.board_geometry import LEAPERS, Pair, oracle
from helpers.formulas import solutions
from helpers.frontier_counts import count_all_paths, count_cycles, count_paths
from helpers.small_graphs import dimacs_text

from boardsat.adapters.boards import begins_anywhere, board_of, start_of
from boardsat.adapters.heuristics import NoTourError, heuristic, search_on, two_colouring
from boardsat.adapters.rules import violations
from boardsat.adapters.views import Tour
from boardsat.adapters.views.decoder import decode
from boardsat.generators import InputError, build, describe, find, program
from boardsat.generators.asp import methods
from boardsat.generators.formula import Formula
from boardsat.generators.sections.parameters import parameters_of
from boardsat.generators.spec.catalogue import encodings_of
from boardsat.instance.formula_file import instance_from_comments
from boardsat.instance.inputs import FormulaInput

NUM_INSTANCES = 5000
NUM_PER_TEST = 25
"""Number of instances in one slow test: a few seconds, far below the limit on a busy machine."""

FLAT = ("grid", "cylinder", "torus", "moebius", "klein")
SIZES: dict[str, list[dict[str, int]]] = {
    **{
        shape: [{"rows": r, "cols": c} for r, c in product(range(1, 8), repeat=2) if r * c <= 8]
        for shape in FLAT
    },
    "box": [{"layers": a, "rows": b, "cols": c} for a, b, c in product((1, 2), (1, 2), (1, 2))],
    "hexagon": [{"n": 1}, {"n": 2}],
    "cube": [{"n": 1}],
}
UNDIRECTED = ("cuts", "undirected", "uve")
"""Encodings without arcs."""

MOST_CELLS = 6
SWITCHES = ("one_direction", "distance", "parity", "no_two_cycles", "degrees")

Order = tuple[int, ...]


@dataclass(frozen=True)
class Small:
    problem: str
    settings: dict[str, Any]
    cells: int
    near: frozenset[Pair]
    guards: frozenset[Pair]
    starts: tuple[int, ...]
    """Cells from which a tour may begin."""
    directed: bool = False

    @property
    def closed(self) -> bool:
        return bool(self.settings["closed"])

    def tours(self) -> set[Order]:
        """Return all tours by brute force; a cycle occurs once for each of its directions."""
        if self.closed and self.cells < (2 if self.directed else 3):
            return set()
        return {order for order in permutations(range(self.cells)) if self._is_tour(order)}

    def _is_tour(self, order: Order) -> bool:
        steps = [*pairwise(order), *([(order[-1], order[0])] if self.closed else [])]
        position_of = order.index
        return (
            order[0] in self.starts
            and self.near.issuperset(steps)
            and all(position_of(enemy) < position_of(guarded) for enemy, guarded in self.guards)
        )

    @property
    def both_ways(self) -> bool:
        """True if the reverse of a tour is a tour too, and both count as one."""
        return self.closed and not self.guards and not self.directed


def small(number: int) -> Small:
    chance = Random(number)
    instance = None
    while instance is None:
        instance = _graph(chance) if chance.random() < 0.5 else _board(chance)
    return instance


def _graph(chance: Random) -> Small:
    n, share = chance.randint(1, MOST_CELLS), chance.choice((0.4, 0.7, 0.9))
    edges = tuple(pair for pair in product(range(n), repeat=2) if pair[0] < pair[1])
    edges = tuple(pair for pair in edges if chance.random() < share)
    near = frozenset({*edges, *((v, u) for u, v in edges)})
    return _asked(chance, "hamilton", {"graph": dimacs_text((n, edges))}, [*range(1, n + 1)], near)


def digraph(number: int) -> Small:
    chance = Random(number)
    n, share = chance.randint(1, 5), chance.choice((0.3, 0.6, 0.9))
    arcs = [(u, v) for u, v in product(range(n), repeat=2) if u != v and chance.random() < share]
    lines = [f"p sp {n} {len(arcs)}", *(f"a {u + 1} {v + 1} 1" for u, v in arcs), ""]
    settings = {"graph": "\n".join(lines)}
    instance = _asked(chance, "hamilton", settings, [*range(1, n + 1)], frozenset(arcs))
    return replace(instance, directed=True)


def _board(chance: Random) -> Small | None:
    shape = chance.choice(sorted(SIZES))
    size = chance.choice(SIZES[shape])
    moves = chance.choice([name for name in LEAPERS if name != "0,5+wazir"])
    sides = {"side": size["n"]} if "n" in size else size
    joined = oracle(shape, sides, moves)
    places = {"hexagon": 3 * sides.get("side", 1) * (sides.get("side", 1) - 1) + 1, "cube": 6}.get(
        shape, int(np.prod([*size.values()]))
    )
    absent = {cell for cell in range(places) if chance.random() < 0.15}
    cells = [cell for cell in range(places) if cell not in absent]
    if not 1 <= len(cells) <= MOST_CELLS:
        return None
    near = frozenset(
        (cells.index(u), cells.index(v)) for u, v in joined if u in cells and v in cells
    )
    friends = {cell for cell in absent if chance.random() < 0.3}
    settings = {"shape": shape, "moves": moves, **size}
    settings["holes"] = ",".join(map(str, sorted(absent - friends)))
    settings["friends"] = ",".join(f"rook@{cell}" for cell in sorted(friends))
    return _asked(chance, "tour", settings, cells, near)


def _asked(
    chance: Random, problem: str, settings: dict[str, Any], places: list[int], near: frozenset[Pair]
) -> Small:
    """Return the question about a board whose free places are numbered as cells."""
    cells = len(places)
    settings["closed"] = closed = chance.random() < 0.5
    guards: frozenset[Pair] = frozenset()
    if problem == "tour" and settings["shape"] == "grid" and cells > 1 and chance.random() < 0.2:
        enemy = chance.randrange(cells)
        settings["enemies"] = f"wazir@{places[enemy]}"
        one_step = oracle("grid", {k: settings[k] for k in ("rows", "cols")}, "wazir")
        guards = frozenset(
            (enemy, places.index(v)) for u, v in one_step if u == places[enemy] and v in places
        )
    how = chance.choice(("usual", "one", "any"))
    if how == "any" and not (closed and guards):
        settings["start"] = "any"
        return Small(problem, settings, cells, near, guards, (0,) if closed else (*range(cells),))
    start = chance.randrange(cells)
    first = 1 if problem == "hamilton" else 0
    if how == "usual" and (places[0] == first or (closed and not guards)):
        start = 0
    else:
        settings["start"] = places[start]
    return Small(problem, settings, cells, near, guards, (start,))


def check(instance: Small, chance: Random) -> None:
    tours = instance.tours()
    objects = len(tours) // (2 if instance.both_ways else 1)
    formulas = [_formula(instance, encoding, chance) for encoding in encodings_of("tour")]
    complete = [built for built in formulas if built is not None]
    for formula in complete:
        if not formula.header.lazy:
            _check_formula(formula, objects, chance)
    for formula in (chance.choice(complete), *(built for built in complete if built.header.lazy)):
        _check_boards(formula, instance, tours)
    if not instance.guards:
        _check_board(instance, tours)
        for method in methods():
            _check_program(instance, method, len(tours), chance)


def _formula(instance: Small, encoding: str, chance: Random) -> Formula | None:
    """Return a formula with random switches; None if the encoding rejects the instance."""
    spec = find(instance.problem, encoding)
    names = {parameter.name for parameter in parameters_of(spec)}
    switches = {name: chance.random() < 0.5 for name in SWITCHES if name in names}
    for settings in (switches, switches | ({"parity": False} if "parity" in names else {})):
        try:
            return build(spec, instance.settings | settings)
        except InputError as error:
            fault = error.fault
    unsupported = "enemies" if instance.guards else "directed graphs"
    assert f"does not support {unsupported}" in fault, (fault, instance)
    assert instance.guards or (instance.directed and encoding in UNDIRECTED), instance
    return None


def _check_formula(formula: Formula, objects: int, chance: Random) -> None:
    header = formula.header
    expected = objects * header.objects["models_per_solution"]
    projection = header.projection.tolist()
    assert sum(1 for _ in solutions(formula, projection)) == expected, header.parameters
    if header.count_preserving and chance.random() < 0.3:
        assert sum(1 for _ in solutions(formula)) == expected, header.parameters
    if chance.random() < 0.02:
        assert _by_ganak(formula, projection) == expected, header.parameters


def _by_ganak(formula: Formula, projection: list[int]) -> int:
    counter = pytest.importorskip("pyganak").Counter(seed=1)
    counter.new_vars(formula.variables)
    for tokens in formula.arrays():
        clause: list[int] = []
        for token in tokens.tolist():
            if token:
                clause.append(token)
                continue
            if not clause:
                return 0
            counter.add_clause(clause)
            clause = []
    counter.add_clause([formula.variables + 1])
    counter.set_sampling_set([*projection, formula.variables + 1])
    return int(counter.count())


def _check_boards(formula: Formula, instance: Small, tours: set[Order]) -> None:
    """Check that the decoded models are the tours, and that the rules accept exactly these."""
    orders = set()
    with FormulaInput(formula).formula_file("solve") as problem:
        for true in solutions(formula, problem.decision_variables().tolist()):
            model = np.full(formula.variables + 1, -1, np.int8)
            model[sorted(true)] = 1
            solution = decode(problem.header, model)
            assert solution is not None and isinstance(solution.view, Tour)
            order = solution.view.order
            wrong = next(
                iter(violations(instance.problem, solution, problem.header.parameters) or ()), ""
            )
            assert (not wrong) == (order in tours), (wrong, order, instance)
            if wrong:
                assert formula.header.lazy, (wrong, instance)
                continue
            orders.add(order)
    if instance.both_ways:
        orders |= {(order[0], *order[:0:-1]) for order in orders}
    assert orders == tours, (formula.header.spec, instance)


def _check_board(instance: Small, tours: set[Order]) -> None:
    """Check the frontier counter and the brute-force search, which read the board alone."""
    spec = find(instance.problem, "binary")
    header = instance_from_comments(describe(spec, instance.settings)).header
    board = board_of(header)
    assert board is not None
    graph = board.cells, board.edges()
    assert board.directed == instance.directed
    if instance.directed:
        pass  # the frontier method refuses it
    elif instance.closed:
        assert count_cycles(*graph) == len(tours) / 2, instance
    elif begins_anywhere(header.parameters):
        assert count_all_paths(*graph) == len(tours), instance
    else:
        assert count_paths(*graph, start_of(header, board)) == len(tours), instance
    search = search_on(board, start_of(header, board), instance.closed, 0)
    try:
        two_colouring.refute(search)
        order = heuristic("backtracking").find(search)
        assert order is not None
        assert tuple(cell for cell in order if cell < board.cells) in tours, instance
    except NoTourError:
        assert not tours, instance


def _check_program(instance: Small, method: str, number: int, chance: Random) -> None:
    clingo = pytest.importorskip("clingo")
    once = chance.random() < 0.5
    settings = instance.settings | {"one_direction": once}
    text = program(find(instance.problem, "binary"), settings, method)
    control = clingo.Control(["0"])
    control.add("base", [], text)
    control.ground([("base", [])])
    with control.solve(yield_=True) as sets:
        found_sets = sum(1 for _ in sets)
    assert found_sets == number // (2 if instance.both_ways and once else 1), (method, instance)


@pytest.mark.parametrize("number", range(6))
def test_some(number: int) -> None:
    check(small(number), Random(number))


@pytest.mark.parametrize("number", range(6))
def test_some_digraphs(number: int) -> None:
    check(digraph(number), Random(number))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, NUM_INSTANCES, NUM_PER_TEST))
def test_all(first: int) -> None:
    for number in range(first, first + NUM_PER_TEST):
        check(small(number), Random(number))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, NUM_INSTANCES // 5, NUM_PER_TEST))
def test_digraphs(first: int) -> None:
    for number in range(first, first + NUM_PER_TEST):
        check(digraph(number), Random(number))
