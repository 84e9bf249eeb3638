"""List the solvers with their capabilities and the runtimes that are available here.

Examples:
    boardsat solvers
    boardsat solvers --json
"""

from __future__ import annotations

import argparse
from typing import Any

from boardsat.terminal.exit_codes import SUCCESS
from boardsat.terminal.table import table

EXIT_CODES = SUCCESS

MAX_SOLVERS_NAMED = 3
"""Maximum number of solvers that a remedy names; larger sets are given by their size."""

ADDITION_MARK = "*"
"""Mark of a version whose additions are listed below the table."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    import json

    from boardsat.adapters import solvers as solver_files
    from boardsat.adapters.runtimes import RUNTIME_NAMES

    solvers = [_to_json(solver_files.load(name)) for name in solver_files.names()]
    if options.json:
        print(json.dumps(solvers, indent=2))
        return 0
    rows = [
        [
            solver["name"],
            " ".join(solver["can"]),
            *(_cell(solver, entry) for entry in solver["runtimes"].values()),
        ]
        for solver in solvers
    ]
    print(table(["solver", "can", *RUNTIME_NAMES], rows))
    additions = [f"{solver['name']}: {solver['additions']}" for solver in solvers]
    if additions := [line for line in additions if not line.endswith(": ")]:
        print(f"\n{ADDITION_MARK} with:", *additions, sep="\n  ")
    if remedies := _remedies(solvers):
        print("\nmissing here:", *remedies, sep="\n  ")
    return 0


def _cell(solver: dict[str, Any], entry: dict[str, str]) -> str:
    """Return the solver's version in a runtime, or why it is missing; `-` if never available."""
    # An answer has `enumeration with cadical 1.9.5`; the column is too narrow for that.
    if entry.get("reason", "").endswith(" on PATH"):
        return "not on PATH"
    version = entry.get("version", "").removeprefix("with ")
    additions = f" with {solver['additions']}"
    if version.endswith(additions):
        version = f"{version.removesuffix(additions)} {ADDITION_MARK}"
    return version or (entry["reason"] if entry["remedy"] else "-")


def _remedies(solvers: list[dict[str, Any]]) -> list[str]:
    """Return the remedies for missing runtimes, each with the solvers that it makes available."""
    solver_names: dict[str, list[str]] = {}
    for solver in solvers:
        for name, entry in solver["runtimes"].items():
            # Which package has a native program depends on the system.
            if entry.get("remedy") and name != "native":
                solver_names.setdefault(f"{name}: {entry['remedy']}", []).append(solver["name"])
    return [f"{remedy} (for {_name_list(names)})" for remedy, names in solver_names.items()]


def _name_list(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= MAX_SOLVERS_NAMED else f"{len(names)} solvers"


def _to_json(solver: Any) -> dict[str, Any]:
    from boardsat.adapters.runtimes import RUNTIME_NAMES, load_runtime

    runtimes: dict[str, dict[str, str]] = {}
    for name in RUNTIME_NAMES:
        solver_runtime = load_runtime(name)
        reason = solver_runtime.unavailable_reason(solver)
        if reason is not None:
            remedy = solver_runtime.remedy(solver) if name in solver.runtimes else ""
            runtimes[name] = {"reason": reason, "remedy": remedy}
            continue
        runtimes[name] = {"version": solver_runtime.version(solver)}
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
