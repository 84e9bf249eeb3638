"""Worker process that verifies a MUS with a second solver.

All groups together must be unsatisfiable. Without any one of them there must be a model, which is
printed, so that the caller can check it against the clauses.
"""

from __future__ import annotations

import sys

from boardsat.adapters.mus.selector_solver import CoreTask, SelectorSolver


def main(library: str, task_path: str) -> int:
    """Verify the MUS of a task and print the results; return the exit code."""
    task = CoreTask.read(task_path)
    solver = SelectorSolver(library, task)
    reply = solver.query(task.selectors)
    if reply.core is None:
        print("satisfiable" if reply.model else "unknown")
        return 1
    print("unsatisfiable", flush=True)
    for group in task.selectors:
        without_group = solver.query(selector for selector in task.selectors if selector != group)
        if without_group.model is None:
            print("needless" if without_group.is_known else "unknown", group, flush=True)
        else:
            print("without", group, *without_group.model, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
