"""Hamiltonian cycles of 22 graphs: lazy cuts and the static uve, CPU seconds of whole commands."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import networkx as nx

from bench._measure import Row, answer_of, scratch

SECONDS = 20

NO, YES = "UNSATISFIABLE", "SATISFIABLE"


def graphs() -> Iterator[tuple[str, nx.Graph, str]]:
    """With what is known of each; of random cubic graphs nearly all have a cycle."""
    for vertices in (50, 100, 200, 400, 600, 800, 1000):
        yield f"random cubic, {vertices}", nx.random_regular_graph(3, vertices, vertices), YES
    for vertices in (100, 300, 1000):
        yield f"planted in a sparse graph, {vertices}", _planted(vertices), YES
    for spokes in (23, 59, 101):
        yield f"generalised Petersen ({spokes}, 2)", nx.generalized_petersen_graph(spokes, 2), NO
    yield "generalised Petersen (103, 2)", nx.generalized_petersen_graph(103, 2), YES
    for petals in (5, 9, 15, 21, 25):
        yield f"flower snark J{petals}", _flower(petals), NO
    yield "Petersen", nx.petersen_graph(), NO
    yield "Tutte", nx.tutte_graph(), NO
    yield "knight 4x20", _knight(4, 20), NO


def run() -> list[Row]:
    with scratch() as folder:
        return [_row(folder / "graph.txt", *graph) for graph in graphs()]


def _row(path: Path, name: str, graph: nx.Graph, status: str) -> Row:
    path.write_text("".join(f"{u} {v}\n" for u, v in graph.edges))
    arguments = (
        "hamilton",
        "--set",
        f"graph={path}",
        "--runtime",
        "embedded",
        "--cpu",
        str(SECONDS),
    )
    cells = []
    for encoding in ("cuts", "uve"):
        outcome = answer_of("solve", *arguments, "--enc", encoding, "--json")
        answer = json.loads(outcome.output)
        cell = f"{outcome.cpu:.2f} s" if answer["status"] == status else answer["status"]
        cells.append(
            f"{cell}, by {answer['fallback_encoding']}" if answer["fallback_encoding"] else cell
        )
    return Row(
        f"{name}: {status}", cells[0], cells[1], met=cells[0].startswith(tuple("0123456789"))
    )


def _planted(vertices: int) -> nx.Graph:
    """Return a random graph with a planted Hamiltonian cycle and as many other edges."""
    chance = random.Random(vertices)
    order = chance.sample(range(vertices), vertices)
    graph = nx.Graph(zip(order, [*order[1:], order[0]], strict=True))
    while graph.number_of_edges() < 2 * vertices:
        graph.add_edge(*chance.sample(range(vertices), 2))
    return graph


def _flower(petals: int) -> nx.Graph:
    """Stars in a ring, whose tips form a circle and one twice as long."""
    graph = nx.Graph([((i, "hub"), (i, tip)) for i in range(petals) for tip in "abc"])
    nx.add_cycle(graph, [(i, "a") for i in range(petals)])
    nx.add_cycle(graph, [(i, tip) for tip in "bc" for i in range(petals)])
    return nx.convert_node_labels_to_integers(graph)


def _knight(rows: int, cols: int) -> nx.Graph:
    graph = nx.Graph()
    for row, col in nx.grid_2d_graph(rows, cols):
        for down, right in ((1, 2), (2, 1), (1, -2), (2, -1)):
            if 0 <= row + down < rows and 0 <= col + right < cols:
                graph.add_edge(row * cols + col, (row + down) * cols + col + right)
    return graph
