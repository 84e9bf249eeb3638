"""Two edges of every vertex of a graph with 206,571 edges, against PySAT's sequential counters."""

from __future__ import annotations

import random
from itertools import combinations

from bench._measure import BOARDSAT, PYTHON, Row, best_process, process, scratch

VERTICES, EDGES = 909, 206_571
TARGET = 5


def run() -> list[Row]:
    """Whole processes, from the file of the graph to the formula."""
    with scratch() as folder:
        graph, ours, theirs = folder / "graph.txt", folder / "ours.cnf", folder / "theirs.cnf"
        pairs = list(combinations(range(1, VERTICES + 1), 2))
        edges = sorted(random.Random(1).sample(pairs, EDGES))
        graph.write_text("".join(f"{u} {v}\n" for u, v in edges))
        slow = process([PYTHON, "-m", "bench._pysat_bounds", str(graph), str(theirs)])
        problem = ["hamilton", "--enc", "cuts", "--set", f"graph={graph}"]
        fast = best_process(3, [BOARDSAT, "cnf", *problem, "-o", str(ours)], ours)
    return [
        Row(
            f"bounds of {VERTICES} vertices, PySAT",
            f"{fast.cpu:.1f} s",
            f"{slow.cpu:.1f} s",
            f"{slow.cpu / fast.cpu:.1f} times",
            f"at most {TARGET} s",
            fast.cpu <= TARGET,
        )
    ]
