"""A Hamiltonian cycle of a TSPLIB file by CP-SAT's circuit constraint, as a process of its own.

It prints SATISFIABLE after a check of the cycle, UNSATISFIABLE, or UNKNOWN.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ortools.sat.python import cp_model


def edges_of(path: str) -> list[tuple[int, int]]:
    """Return the edges of a TSPLIB file: pairs of numbers from EDGE_DATA_SECTION to -1."""
    words = Path(path).read_text().partition("EDGE_DATA_SECTION")[2].split()
    numbers = list(map(int, words[: words.index("-1")]))
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def main(path: str) -> int:
    model = cp_model.CpModel()
    both = [arc for u, v in edges_of(path) for arc in ((u, v), (v, u))]
    arcs = [(u, v, model.new_bool_var("")) for u, v in both]
    model.add_circuit(arcs)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        print("UNSATISFIABLE")
    elif status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        print("UNKNOWN")
    else:
        following = {u: v for u, v, chosen in arcs if solver.value(chosen)}
        start = vertex = next(iter(following))
        length = 0
        while length == 0 or vertex != start:
            vertex, length = following[vertex], length + 1
        assert length == len({vertex for arc in both for vertex in arc})
        print("SATISFIABLE")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
