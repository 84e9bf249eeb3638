"""Whether a worker on another host does the same as here: boardsat, Python and every solver.

The question goes to `python -m boardsat.campaign.runner.cluster.handshake` on that host as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from boardsat.campaign.runner.solver_selection import Choice, can_check_proofs
from boardsat.version import version


def question(chosen: Iterable[Choice], proof: bool) -> str:
    """What a worker is asked."""
    about = {
        "boardsat": version(),
        "python": _python(),
        "solvers": [[one.name, one.runtime, one.version, one.setup] for one in chosen],
        "proof": proof,
    }
    return json.dumps(about)


def fault(asked: dict[str, Any]) -> str:
    """Why this one cannot do it, with the remedy; empty where it can."""
    if asked["boardsat"] != version():
        return f"boardsat {version()}, not {asked['boardsat']}; install the same there"
    if asked["python"] != _python():
        return f"Python {_python()}, not {asked['python']}; use the same there"
    for name, runtime, told, setup in asked["solvers"]:
        if found := _solver_fault(name, runtime, told, setup):
            return found
    if asked["proof"] and not can_check_proofs():
        return "proofs cannot be checked; install drat-trim there"
    return ""


def _solver_fault(name: str, runtime: str, told: str, setup: str) -> str:
    from boardsat.base.errors import BoardsatError
    from boardsat.campaign.runner.solver_selection import choice

    try:
        found = choice(name, runtime, checker=False)
    except (BoardsatError, OSError) as error:
        return f"{name}: {error}"
    if found.version != told:
        return f"{name} {found.version}, not {told}; install the same there"
    if found.setup != setup:
        return f"another {name}, or another image of it; use the same there"
    return ""


def _python() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


if __name__ == "__main__":
    print(json.dumps(fault(json.load(sys.stdin))))
