"""List the solvers: what they can do, and where they can run now.

Examples:
    boardsat solvers
    boardsat solvers --json
"""

from __future__ import annotations

import argparse
from typing import Any

from boardsat.terminal.exit_codes import DONE
from boardsat.terminal.table import table

EXIT_CODES = DONE

FEW = 3
"""Solvers that are named in a line; of more, their number is enough."""

MORE = "*"
"""Mark of a version whose additions are listed below the table."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    import json

    from boardsat.adapters import solvers as solver_files
    from boardsat.adapters.runtimes import RUNTIME_NAMES

    solvers = [_described(solver_files.load(name)) for name in solver_files.names()]
    if options.json:
        print(json.dumps(solvers, indent=2))
        return 0
    rows = [
        [s["name"], " ".join(s["can"]), *(_cell(s, entry) for entry in s["runtimes"].values())]
        for s in solvers
    ]
    print(table(["solver", "can", *RUNTIME_NAMES], rows))
    if additions := [f"{s['name']}: {s['additions']}" for s in solvers if s["additions"]]:
        print(f"\n{MORE} with:", *additions, sep="\n  ")
    if remedies := _remedies(solvers):
        print("\nwhat is missing here:", *remedies, sep="\n  ")
    return 0


def _cell(solver: dict[str, Any], entry: dict[str, str]) -> str:
    """The version of a solver in a runtime, or why it has none; a dash where it never has."""
    # `enumeration with cadical 1.9.5` reads well in an answer; a column has little room.
    version = entry.get("version", "").removeprefix("with ")
    additions = f" with {solver['additions']}"
    if version.endswith(additions):
        version = f"{version.removesuffix(additions)} {MORE}"
    return version or (entry["reason"] if entry["remedy"] else "-")


def _remedies(solvers: list[dict[str, Any]]) -> list[str]:
    """What would help, for each the solvers that it would help to run."""
    helped: dict[str, list[str]] = {}
    for s in solvers:
        for name, entry in s["runtimes"].items():
            # What programs there are for a machine is not ours to say.
            if entry.get("remedy") and name != "native":
                helped.setdefault(f"{name}: {entry['remedy']}", []).append(s["name"])
    return [f"{remedy} (for {_listed(names)})" for remedy, names in helped.items()]


def _listed(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= FEW else f"{len(names)} solvers"


def _described(solver: Any) -> dict[str, Any]:
    from boardsat.adapters.runtimes import RUNTIME_NAMES, load_runtime

    runtimes: dict[str, dict[str, str]] = {}
    for name in RUNTIME_NAMES:
        where = load_runtime(name)
        reason = where.unavailable_reason(solver)
        if reason is not None:
            remedy = where.remedy(solver) if name in solver.runtimes else ""
            runtimes[name] = {"reason": reason, "remedy": remedy}
            continue
        runtimes[name] = {"version": where.version(solver)}
        if name == "docker":
            from boardsat.adapters.runtimes.container import image_digest

            runtimes[name]["digest"] = image_digest(solver)
    return {
        "name": solver.name,
        "title": solver.title,
        "additions": solver.additions,
        "can": sorted(solver.capabilities),
        "runtimes": runtimes,
    }
