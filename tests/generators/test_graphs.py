"""Hamiltonian cycles of classic and random graphs, by encodings and by the frontier counter."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import pytest
from helpers.frontier_counts import count_cycles
from helpers.solver_runs import boardsat
from helpers.tour_search import flower_snark


def with_integer_labels(graph: nx.Graph) -> nx.Graph:
    return nx.convert_node_labels_to_integers(graph)


def snark(petals: int) -> nx.Graph:
    return nx.Graph(flower_snark(petals))


CLASSIC: dict[str, tuple[nx.Graph, bool]] = {
    "Petersen": (nx.petersen_graph(), False),
    "Tutte": (nx.tutte_graph(), False),
    "line graph of Petersen": (with_integer_labels(nx.line_graph(nx.petersen_graph())), True),
    "Heawood": (nx.heawood_graph(), True),
    "dodecahedron": (nx.dodecahedral_graph(), True),
    "hypercube": (with_integer_labels(nx.hypercube_graph(4)), True),
    "K(5, 6)": (nx.complete_bipartite_graph(5, 6), False),
    "flower snark J5": (snark(5), False),
    "flower snark J11": (snark(11), False),
    "GP(11, 2)": (nx.generalized_petersen_graph(11, 2), False),
    "GP(13, 2)": (nx.generalized_petersen_graph(13, 2), True),
    "GP(12, 5)": (nx.generalized_petersen_graph(12, 5), True),
}


def solve_status(graph: nx.Graph, encoding: str, folder: Path) -> str:
    path = folder / "graph.txt"
    path.write_text("".join(f"{u} {v}\n" for u, v in graph.edges))
    arguments = ("hamilton", "--enc", encoding, "--set", f"graph={path}", "--runtime", "embedded")
    result: dict[str, str] = json.loads(boardsat("solve", *arguments, "--json").out)
    return result["status"]


def has_cycle(graph: nx.Graph) -> bool:
    return count_cycles(len(graph), list(graph.edges)) > 0


QUICK = ("Petersen", "Tutte", "flower snark J11", "GP(13, 2)")


@pytest.mark.parametrize(
    "encoding",
    ["cuts", *(pytest.param(e, marks=pytest.mark.slow) for e in ("uve", "hve", "relative"))],
)
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in CLASSIC],
)
def test_classic_graph_is_solved_as_published(name: str, encoding: str, tmp_path: Path) -> None:
    graph, hamiltonian = CLASSIC[name]
    assert has_cycle(graph) == hamiltonian
    expected = "SATISFIABLE" if hamiltonian else "UNSATISFIABLE"
    assert solve_status(graph, encoding, tmp_path) == expected


@pytest.mark.parametrize("encoding", ["cuts", pytest.param("uve", marks=pytest.mark.slow)])
def test_random_cubic_graph_is_solved_like_counter(encoding: str, tmp_path: Path) -> None:
    """Most cubic graphs are Hamiltonian, so edges are removed from every second one."""
    results = set()
    for seed in range(8):
        graph = nx.random_regular_graph(3, 16 + 2 * seed, seed)
        if seed % 2:
            graph.remove_edges_from(list(graph.edges)[seed :: 12 - seed])
        expected = has_cycle(graph)
        results.add(expected)
        status = solve_status(graph, encoding, tmp_path)
        assert status == ("SATISFIABLE" if expected else "UNSATISFIABLE")
    assert results == {True, False}
