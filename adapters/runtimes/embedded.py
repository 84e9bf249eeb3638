"""Solvers that are Python libraries, each run in a child process that can be limited and killed."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

from adapters.runtimes import Outcome, Task, native
from adapters.solver_files import Solver

WORKERS = "adapters.runtimes.workers"


def available(solver: Solver) -> str | None:
    if solver.embedded is None:
        return "not embedded"
    try:
        importlib.metadata.version(solver.package)
    except importlib.metadata.PackageNotFoundError:
        return f"{solver.package} is not installed"
    return None


def version(solver: Solver) -> str:
    package = f"{solver.package} {importlib.metadata.version(solver.package)}"
    return f"{solver.library} of {package}" if solver.library else package


def run(solver: Solver, task: Task) -> Outcome:
    worker, *words = solver.embedded_line(**task.words(str(Path(task.file).resolve()), None))
    return native.run_command((sys.executable, "-m", f"{WORKERS}.{worker}", *words), task)
