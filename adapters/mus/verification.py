"""Worker process that verifies a MUS with a solver that had no part in finding it.

All groups together are unsatisfiable, and without any one of them there is a model, which is
printed, so that it can be checked against the clauses.
"""

from __future__ import annotations

import sys

from boardsat.adapters.mus.selector_solver import CoreTask, SelectorSolver


def main(library: str, about: str) -> int:
    task = CoreTask.read(about)
    solver = SelectorSolver(library, task)
    together = solver.ask(task.selectors)
    if together.core is None:
        print("satisfiable" if together.model else "unknown")
        return 1
    print("unsatisfiable", flush=True)
    for group in task.selectors:
        found = solver.ask(selector for selector in task.selectors if selector != group)
        if found.model is None:
            print("needless" if found.is_known else "unknown", group, flush=True)
        else:
            print("without", group, *found.model, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
