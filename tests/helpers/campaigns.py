"""Small campaigns for tests, and their results."""

from __future__ import annotations

from pathlib import Path

from boardsat.campaign.folder import read_results
from boardsat.campaign.runner.records import RunRecord
from helpers.validations import record_with, solver_file

UNSAT = "echo 's UNSATISFIABLE'; exit 20"
"""A solver that answers at once."""

ONE = ("--jobs", 1)
"""Most of what a small campaign takes is the start of its workers."""


def written(folder: Path, text: str, name: str = "campaign.yaml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def quick(folder: Path, script: str = UNSAT, seeds: int = 3, name: str = "quick") -> Path:
    """Boards without a solution, and a solver whose every run is the script."""
    file = Path(solver_file(folder, name, script))
    file.write_text(file.read_text().replace("{{ file }}", "{{ file }} {{ seed }}"))
    numbers = ", ".join(map(str, range(seeds)))
    return written(
        folder,
        f"""\
instances:
  - {{problem: queens, set: {{n: [2, 3]}}}}
solvers: [{name}.yaml]
runtime: native
seeds: [{numbers}]
limits: {{timeout: 30}}
""",
    )


def records(folder: Path) -> list[RunRecord]:
    return list(read_results(folder)[1].records.values())


def lasting(record: RunRecord) -> RunRecord:
    """Return the record without times, memory, load and place of execution, which vary."""
    used = dict.fromkeys(("cpu", "memory", "solver_wall", "solver_cpu", "solver_memory", "load"))
    return record_with(record, **used, wall=0.0, tries=1, command=(), statistics={})
