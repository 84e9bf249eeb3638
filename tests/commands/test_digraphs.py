"""Directed graphs from the command line: what follows arcs, and what says that it does not.

All that counts or finds tours is held against brute force in test_small_sweep.py.
"""

from __future__ import annotations

import json
from itertools import combinations, permutations
from math import factorial
from pathlib import Path
from random import Random

import networkx as nx
import pytest
from helpers.counts import counted_or_not
from helpers.formulas import shipped, solutions, text_of
from helpers.solutions import USE_EMBEDDED
from helpers.solver_runs import boardsat
from helpers.validations import EMBEDDED, validated

from boardsat.adapters.boards import board_of
from boardsat.base.errors import BoardsatError, InputError
from boardsat.generators.spec.catalogue import encodings_of
from boardsat.generators.spec.defaults import SOLVE
from boardsat.instance.formula_file import open_formula
from boardsat.instance.header_verification import rebuilds_identically
from boardsat.instance.inputs import CatalogueInput
from boardsat.workflows.validate.metamorphic import BROKEN

UNDIRECTED = ("cuts", "undirected", "uve")
DIRECTED = [encoding for encoding in encodings_of("hamilton") if encoding not in UNDIRECTED]

Arcs = list[tuple[object, object]]

ROUND: Arcs = [("a", "b"), ("b", "c"), ("c", "a"), ("b", "a")]
"""Digraph with one Hamiltonian cycle; the underlying undirected graph is a triangle."""


def text(arcs: Arcs) -> str:
    return "".join(f"{u} -> {v}\n" for u, v in arcs)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "graph.txt"
    path.write_text(text(ROUND))
    return str(path)


def words(file: str, **settings: object) -> list[str]:
    pairs = [f"graph={file}", *(f"{key}={value}" for key, value in settings.items())]
    return [token for pair in pairs for token in ("--set", pair)]


def test_a_directed_graph_is_solved_counted_and_written(file: str, tmp_path: Path) -> None:
    outcome = boardsat("solve", "hamilton", *words(file), *USE_EMBEDDED)
    assert outcome.code == 10
    assert "\na -> b -> c -> a\n" in outcome.out
    assert outcome.out.endswith("\nencoding: hamilton/hve (the default for solving)\n")
    outcome = boardsat("count", "hamilton", *words(file), *USE_EMBEDDED)
    assert outcome.out.startswith("1 Hamiltonian cycle, exactly: ")
    assert "\nencoding: hamilton/hve (the default for counting)\n" in outcome.out
    assert "frontier gave up (the frontier method does not support directed graphs)" in outcome.out
    target = tmp_path / "x.cnf"
    assert boardsat("cnf", "hamilton", *words(file), "-o", target).code == 0
    assert target.read_bytes() == text_of(shipped("hamilton/hve", graph=file))
    board = board_of(open_formula(str(target)).header)
    assert board is not None and board.directed and board.title == "a directed graph of 3 vertices"
    assert [(a, b) for a, b in permutations(range(3), 2) if board.is_move(a, b)] == [
        (0, 1),
        (1, 0),
        (1, 2),
        (2, 0),
    ]
    assert rebuilds_identically(open_formula(str(target)))
    assert boardsat("solve", target, "--solver", "backtracking").code == 10


def test_an_edge_list_without_arrows_keeps_its_defaults(tmp_path: Path) -> None:
    path = tmp_path / "graph.txt"
    path.write_text("a b\nb c\nc a\n")
    outcome = boardsat("solve", "hamilton", *words(str(path)), *USE_EMBEDDED)
    assert "\na - " in outcome.out
    assert outcome.out.endswith("\nencoding: hamilton/cuts (the default for solving)\n")


def test_a_graph_is_not_read_only_to_tell_the_default(file: str) -> None:
    """Reading it may be what has taken too long."""
    source = CatalogueInput("hamilton", settings={"graph": file})
    assert source.encoding_note(SOLVE) == []
    assert source.spec(SOLVE).name == "hamilton/hve"
    assert source.encoding_note(SOLVE) == ["encoding: hamilton/hve (the default for solving)"]


@pytest.mark.parametrize("encoding", UNDIRECTED)
def test_an_encoding_without_directions_is_refused(encoding: str, file: str) -> None:
    outcome = boardsat("solve", "hamilton", "--enc", encoding, *words(file), *USE_EMBEDDED)
    assert outcome.code == 2
    assert (
        f": hamilton/{encoding} does not support directed graphs: its edges are undirected; use "
        "an encoding with moves, such as hamilton/hve or hamilton/binary"
    ) in outcome.one_line()


def test_a_spec_of_the_user_without_directions_is_refused(file: str, tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("title: own\nextends: hamilton/undirected\n")
    outcome = boardsat("solve", tmp_path / "own.yaml", *words(file), *USE_EMBEDDED)
    assert outcome.code == 2
    assert (
        ": own does not support directed graphs: its edges are undirected; give an "
        "undirected graph (declared in specs/hamilton/problem.yaml:"
    ) in outcome.one_line()


def test_counters_and_searches_that_go_both_ways_refuse(file: str) -> None:
    answer = counted_or_not("hamilton", *words(file), "--counter", "frontier")
    assert answer["count"] is None and "directed graphs" in json.dumps(answer)
    for name in ("warnsdorff", "neural"):
        outcome = boardsat("solve", "hamilton", *words(file), "--solver", name)
        assert outcome.code == 0
        assert f"UNKNOWN ({name} does not support directed graphs; try backtracking)" in outcome.out


@pytest.mark.parametrize("encoding", DIRECTED)
def test_two_arcs_are_a_cycle_and_one_edge_is_none(encoding: str) -> None:
    assert number(encoding, [(0, 1), (1, 0)]) == 1
    assert number(encoding, [(0, 1)]) == 0
    assert not any(solutions(shipped(f"hamilton/{encoding}", graph="0 1\n")))


@pytest.mark.parametrize("encoding", DIRECTED)
def test_reversal_of_a_digraph_is_not_a_symmetry(encoding: str) -> None:
    """There are two ways round a triangle of arcs both ways, and no two of them are the same."""
    graph = text([*permutations("abc", 2)])
    for once in ("false", "true"):
        formula = shipped(f"hamilton/{encoding}", graph=graph, one_direction=once)
        assert formula.header.objects["models_per_solution"] == 1
        assert sum(1 for _ in solutions(formula, formula.header.projection.tolist())) == 2


def number(encoding: str, arcs: Arcs, **settings: object) -> int:
    formula = shipped(f"hamilton/{encoding}", graph=text(arcs), **settings)
    return sum(1 for _ in solutions(formula, formula.header.projection.tolist()))


def test_cycles_of_complete_and_de_bruijn_graphs_equal_formulas() -> None:
    """(n - 1)! of n vertices, all joined, and 2 ** (2 ** (k - 1) - k) de Bruijn sequences."""
    assert number("hve", [*permutations(range(5), 2)]) == factorial(4)
    for k, encoding in ((3, "unary"), (4, "hve")):
        steps = [(u, 2 * u % 2**k + bit) for u in range(2**k) for bit in (0, 1)]
        num_cycles = number(encoding, [(u, v) for u, v in steps if u != v])
        assert num_cycles == 2 ** (2 ** (k - 1) - k)


@pytest.mark.parametrize("seed", range(3))
def test_a_tournament_has_an_odd_number_of_paths(seed: int) -> None:
    """Rédei's theorem; and a cycle if it is strongly connected, by Camion's."""
    chance = Random(seed)
    pairs = combinations("abcdef", 2)
    arcs: Arcs = [(u, v) if chance.random() < 0.5 else (v, u) for u, v in pairs]
    assert number("binary", arcs, closed=False, start="any") % 2 == 1
    assert (number("binary", arcs) > 0) == nx.is_strongly_connected(nx.DiGraph(arcs))


@pytest.mark.parametrize("encoding", encodings_of("colouring"))
def test_a_colouring_takes_arcs_for_edges(encoding: str, file: str) -> None:
    formula = shipped(f"colouring/{encoding}", graph=file)
    assert sum(1 for _ in solutions(formula, formula.header.projection.tolist())) == 6
    assert not any(solutions(shipped(f"colouring/{encoding}", graph=file, colours=2)))
    outcome = boardsat("solve", "colouring", "--enc", encoding, *words(file), *USE_EMBEDDED)
    assert outcome.code == 10 and "\nchecked: model, board\n" in outcome.out


def test_parity_is_rejected_for_boards_that_are_not_bipartite(file: str) -> None:
    with pytest.raises(InputError, match="the board must be bipartite"):
        shipped("hamilton/binary", graph=file, parity=True)
    square = text([(0, 1), (1, 2), (2, 3), (3, 0), (2, 1)])
    formula = shipped("hamilton/binary", graph=square, parity=True)
    assert sum(1 for _ in solutions(formula)) == 1


def test_header_value_directed_must_be_boolean(file: str, tmp_path: Path) -> None:
    path = tmp_path / "x.cnf"
    text_before = text_of(shipped("hamilton/hve", graph=file))
    path.write_bytes(text_before.replace(b'"directed": true', b'"directed": 1'))
    with pytest.raises(BoardsatError, match="`directed` must be true or false"):
        board_of(open_formula(str(path)).header, str(path))


@pytest.mark.slow
def test_validation_of_a_digraph_agrees(file: str, tmp_path: Path) -> None:
    solvers = "cadical,minisat,backtracking,clingo,frontier,enumeration"
    code, report = validated(tmp_path, "hamilton", *words(file), *EMBEDDED, solvers)
    assert code != 1 and report["verdict"] == "agree"
    statuses = {run["status"] for run in report["runs"] if run["variant"] != BROKEN}
    assert statuses <= {"SATISFIABLE", "UNKNOWN"}
    assert report["bug_reports"] == report["disagreements"] == []
