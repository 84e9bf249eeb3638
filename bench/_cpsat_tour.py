"""Closed knight's tour by the circuit constraint of CP-SAT, in a separate process."""

from __future__ import annotations

import sys

from ortools.sat.python import cp_model

LEAPS = [(r, c) for r in (-2, -1, 1, 2) for c in (-2, -1, 1, 2) if abs(r) != abs(c)]


def main(side: int, seed: int) -> int:
    model = cp_model.CpModel()
    arcs = [
        (row * side + column, (row + r) * side + column + c, model.new_bool_var(""))
        for row in range(side)
        for column in range(side)
        for r, c in LEAPS
        if 0 <= row + r < side and 0 <= column + c < side
    ]
    model.add_circuit(arcs)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        print("none")
        return 0
    following = {origin: target for origin, target, move in arcs if solver.value(move)}
    cell, length = following[0], 1
    while cell:
        cell, length = following[cell], length + 1
    assert length == side * side
    print("tour")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
