"""Hamiltonian cycle of a graph file by clingo, in a separate process.

The logic program is the textbook one: each vertex has a successor and a predecessor, and is
reachable from the first. The process prints a status, and after SATISFIABLE the vertices of the
cycle on a line.
"""

from __future__ import annotations

import sys
from pathlib import Path

import clingo

from bench._cycle_graphs import GraphFile

PROGRAM = """\
vertex(1..n).
arc(U, V) :- edge(U, V).
arc(V, U) :- edge(U, V).
{ next(U, V) : arc(U, V) } = 1 :- vertex(U).
{ next(U, V) : arc(U, V) } = 1 :- vertex(V).
reached(V) :- next(1, V).
reached(V) :- next(U, V), reached(U).
:- vertex(V), not reached(V).
#show next/2.
"""


def main(path: str, seed: int) -> int:
    graph = GraphFile(Path(path))
    control = clingo.Control([f"--seed={seed}", "-c", f"n={graph.vertices}", "--warn=none"])
    control.add("base", [], PROGRAM + "".join(f"edge({u},{v}).\n" for u, v in sorted(graph.edges)))
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        model = handle.model()
        if model is None:
            print("UNSATISFIABLE")
            return 0
        arcs = (
            tuple(argument.number for argument in s.arguments) for s in model.symbols(shown=True)
        )
        successors = dict(arcs)
    cycle = [1]
    while (vertex := successors[cycle[-1]]) != 1:
        cycle.append(vertex)
    print("SATISFIABLE")
    print(*cycle)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
