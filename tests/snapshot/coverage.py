"""Branch coverage of the packages by the quick tests, in this process and in all that it starts.

It needs the package `coverage`, 7.10 or later, which is not among the developers' dependencies.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from snapshot.sandbox import ROOT

PACKAGES = ("generators", "adapters", "boardsat")
SETTINGS = """\
[run]
branch = True
parallel = True
patch = subprocess, _exit
data_file = {folder}/data
source = {source}
"""
QUICK = ("-m", "not slow and not outside", "-p", "no:cacheprovider")


def measure(folder: Path, tests: Sequence[str]) -> int:
    """Write folder/coverage.json with the branches of every package, and print them."""
    with tempfile.TemporaryDirectory(prefix="snapshot-") as scratch:
        settings = Path(scratch, "coveragerc")
        source = ",".join(str(ROOT / package) for package in PACKAGES)
        settings.write_text(SETTINGS.format(folder=scratch, source=source), "utf-8")
        environment = os.environ | {"COVERAGE_RCFILE": str(settings)}
        run = [sys.executable, "-m", "coverage", "run", "-m", "pytest", *QUICK, *tests]
        code = subprocess.run(run, cwd=ROOT, env=environment, check=False).returncode
        for arguments in (("combine", "-q"), ("json", "-q", "-o", f"{scratch}/report.json")):
            command = [sys.executable, "-m", "coverage", *arguments]
            subprocess.run(command, cwd=ROOT, env=environment, check=True)
        report = json.loads(Path(scratch, "report.json").read_text("utf-8"))
    entries = _by_package(report["files"])
    (folder / "coverage.json").write_text(json.dumps(entries, indent=1) + "\n", "utf-8")
    for package, counts in entries.items():
        print(f"{package}: {counts['covered']} of {counts['branches']} branches")
    return code


def _by_package(files: dict[str, dict[str, dict[str, int]]]) -> dict[str, dict[str, int]]:
    branches: Counter[str] = Counter()
    covered: Counter[str] = Counter()
    for path, entry in files.items():
        # The two halves are links inside boardsat/, too.
        folders = Path(path).resolve().relative_to(ROOT).parts
        for package in {"/".join(folders[:2]) if len(folders) > 2 else folders[0], "all"}:
            branches[package] += entry["summary"]["num_branches"]
            covered[package] += entry["summary"]["covered_branches"]
    return {
        package: {"branches": branches[package], "covered": covered[package]}
        for package in sorted(branches)
    }
