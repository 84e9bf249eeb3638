"""Solvers of python-sat, each run in a child process that can be limited and killed."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys
from pathlib import Path

from adapters.runtimes import Outcome, Task, native
from adapters.solver_files import Solver


def available(solver: Solver) -> str | None:
    if solver.embedded is None:
        return "not in python-sat"
    return None if importlib.util.find_spec("pysat") else "python-sat is not installed"


def version(solver: Solver) -> str:
    return f"{solver.embedded} of python-sat {importlib.metadata.version('python-sat')}"


def run(solver: Solver, task: Task) -> Outcome:
    assert solver.embedded is not None
    worker = (sys.executable, "-m", "adapters.runtimes.pysat_worker")
    seed = () if task.seed is None else (str(task.seed),)
    command = (*worker, solver.embedded, str(Path(task.file).resolve()), *seed)
    return native.run_command(command, task)
