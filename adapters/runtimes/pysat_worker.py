"""The child process of the embedded runtime: solves a file, and prints as solvers do."""

from __future__ import annotations

import sys

from pysat.solvers import Solver

from adapters.answer import Status
from adapters.reader import open_cnf


def main(name: str, path: str) -> int:
    with Solver(name) as solver, open_cnf(path, strict=False) as cnf:
        clause: list[int] = []
        for tokens in cnf.chunks():
            for token in tokens.tolist():
                if token:
                    clause.append(token)
                else:
                    solver.add_clause(clause)
                    clause = []
        status = Status.SATISFIABLE if solver.solve() else Status.UNSATISFIABLE
        print(f"s {status.name}")
        if status is Status.SATISFIABLE:
            words = [str(literal) for literal in solver.get_model()]
            for start in range(0, len(words), 12):
                print("v", *words[start : start + 12])
            print("v 0")
    return status.value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
