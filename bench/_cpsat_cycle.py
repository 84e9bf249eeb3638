"""Hamiltonian cycle of a graph file by CP-SAT's circuit constraint, in a separate process.

It prints a status, and after SATISFIABLE the vertices of the cycle on a line.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ortools.sat.python import cp_model

from bench._cycle_graphs import GraphFile


def main(path: str, seed: int) -> int:
    model = cp_model.CpModel()
    edges = sorted(GraphFile(Path(path)).edges)
    arcs = [(*arc, model.new_bool_var("")) for u, v in edges for arc in ((u, v), (v, u))]
    model.add_circuit(arcs)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        print("UNSATISFIABLE")
    elif status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        print("UNKNOWN")
    else:
        successors = {u: v for u, v, arc in arcs if solver.value(arc)}
        cycle = [1]
        while (vertex := successors[cycle[-1]]) != 1:
            cycle.append(vertex)
        print("SATISFIABLE")
        print(*cycle)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
