"""List the solvers: what they can do, and where they can run now.

Examples:
    boardsat solvers
    boardsat solvers --json
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from boardsat.exit_codes import DONE
from boardsat.table import table

EXIT_CODES = DONE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for programs")


def run(options: argparse.Namespace) -> int:
    from adapters import solver_files

    solvers = [_described(solver_files.load(name)) for name in solver_files.names()]
    if options.json:
        print(json.dumps(solvers, indent=2))
        return 0
    rows = [
        [
            s["name"],
            " ".join(s["can"]),
            where,
            entry.get("version") or entry["reason"],
            entry.get("digest", "")[:19],
        ]
        for s in solvers
        for where, entry in s["runtimes"].items()
    ]
    print(table(["solver", "can", "runtime", "version, or why not", "image"], rows))
    return 0


def _described(solver: Any) -> dict[str, Any]:
    from adapters.runtimes import PREFERRED, runtime

    runtimes: dict[str, dict[str, str]] = {}
    for name in PREFERRED:
        where = runtime(name)
        reason = where.available(solver)
        if reason is not None:
            runtimes[name] = {"reason": reason}
            continue
        runtimes[name] = {"version": where.version(solver)}
        if name == "docker":
            from adapters.runtimes.container import digest

            runtimes[name]["digest"] = digest(solver)
    return {
        "name": solver.name,
        "title": solver.title,
        "can": sorted(solver.can),
        "runtimes": runtimes,
    }
