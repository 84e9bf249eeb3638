"""Containers where there is no engine: known by its socket alone, as the SDK loads for longer."""

from __future__ import annotations

import os
from pathlib import Path

from boardsat.adapters.runtimes import Outcome, Task
from boardsat.adapters.solvers import Solver
from boardsat.base.errors import SolverError

FAULT = "no engine"
START = (
    f"start Docker, or run {(Path(__file__).parent.parent.parent / 'docker').resolve() / 'engine'}"
)
NO_IMAGE = ("no image", "name one in its file")

_USUAL = "unix:///var/run/docker.sock"


def is_so() -> bool:
    """Whether the engine would listen on a local socket that is not there."""
    scheme, _, path = (os.environ.get("DOCKER_HOST") or _USUAL).partition("://")
    # Of any other address the SDK knows more.
    if scheme != "unix" or not path.startswith("/"):
        return False
    try:
        Path(path).stat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


def available(solver: Solver) -> str:
    return _fault(solver)[0]


def remedy(solver: Solver) -> str:
    return _fault(solver)[1]


def version(_: Solver) -> str:
    raise SolverError(FAULT, START)


def run(_: Solver, __: Task) -> Outcome:
    raise SolverError(FAULT, START)


def _fault(solver: Solver) -> tuple[str, str]:
    return NO_IMAGE if not solver.image else (FAULT, START)
