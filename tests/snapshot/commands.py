"""Output, error and exit code of the commands in commands.txt, and of every bad spec.

A line of commands.txt is a command; `---` begins a new scratch folder, `{name}` stands for every
problem, `{problem}` for every problem with its small settings, and `{command}` for every command.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from snapshot.formulas import sizes
from snapshot.sandbox import ROOT, Entry, environment, in_fork, outcome, scratch_folder

HERE = Path(__file__).parent
BAD = ROOT / "tests/bad"


def lines() -> list[list[str]]:
    """Return the commands of each scratch folder."""
    text = (HERE / "commands.txt").read_text("utf-8")
    body = "\n".join(line for line in text.splitlines() if line and not line.startswith("#"))
    return [
        [full for line in block.strip().splitlines() for full in _expanded(line)]
        for block in body.split("---\n")
    ]


def _expanded(line: str) -> list[str]:
    names = sorted(path.name for path in (ROOT / "specs").iterdir() if path.is_dir())
    if "{name}" in line:
        return [line.replace("{name}", name) for name in names]
    if "{problem}" in line:
        return [
            line.replace("{problem}", shlex.join([name, *sizes(name)["small"]])) for name in names
        ]
    if "{command}" in line:
        files = sorted((ROOT / "boardsat/commands").glob("[!_]*.py"))
        return [line.replace("{command}", path.stem) for path in files]
    return [line]


def record(
    start: Callable[[Sequence[str]], int] = in_fork, bad_specs: bool = True
) -> dict[str, Entry]:
    """Run every command, and return what each printed by its line."""
    os.environ.update(environment())
    entries = {}
    for number, block in enumerate(lines()):
        with scratch_folder() as folder:
            for line in block:
                entries[f"{number}: {line}"] = outcome(line, folder, start)
    if bad_specs:
        with scratch_folder() as folder:
            for spec in sorted(BAD.rglob("*.yaml")):
                first = spec.read_bytes().split(b"\n")[0].decode("utf-8", "replace")
                options = first.split(" FILE ", 1)[1] if first.startswith("# boardsat cnf") else ""
                line = f"cnf {shlex.quote(str(spec))} {options}"
                entries[f"bad: {spec.stem}"] = outcome(line, folder, start)
    return entries
