"""Seeded bugs: patch a copy of the code with each bug of bugs.yaml, and run the tests that find it.

An entry gives the text to replace, which must occur in just one file of the packages, its
replacement, and the tests that must fail. The text, not the path, finds the place: modules move.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import yaml

from snapshot.sandbox import ROOT

PACKAGES = ("generators", "adapters", "boardsat", "specs")


def run(names: Sequence[str]) -> int:
    """Try the named bugs, or all; print one line for each, and return 1 if the tests miss one.

    First the same tests run without a bug: there they must pass.
    """
    bugs = yaml.safe_load((Path(__file__).parent / "bugs.yaml").read_text("utf-8"))
    chosen = {name: bugs[name] for name in names or bugs}
    tests = sorted({test for bug in chosen.values() for test in bug["tests"].split()})
    with _copy() as copy:
        if _tests_fail(copy, tests):
            sys.exit("the tests fail without any bug")
    missed = 0
    for name, bug in chosen.items():
        with _copy() as copy:
            _patch(copy, name, bug)
            is_found = _tests_fail(copy, bug["tests"].split())
        missed += not is_found
        print(f"{name}: {'found' if is_found else 'MISSED'}", flush=True)
    return 1 if missed else 0


@contextmanager
def _copy() -> Iterator[Path]:
    """Copy the tracked files to a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="snapshot-") as folder:
        copy = Path(folder, "copy")
        tracked = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
        for path in filter(None, tracked.split("\0")):
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, copy / path, follow_symlinks=False)
        yield copy


def _patch(copy: Path, name: str, bug: dict[str, str]) -> None:
    files = [
        path
        for package in PACKAGES
        for path in (copy / package).rglob("*")
        if path.suffix in (".py", ".yaml") and bug["replace"] in path.read_text("utf-8")
    ]
    if len(files) != 1 or files[0].read_text("utf-8").count(bug["replace"]) != 1:
        sys.exit(f"{name}: the text to replace must occur once, not in {len(files)} files")
    files[0].write_text(files[0].read_text("utf-8").replace(bug["replace"], bug["by"]), "utf-8")


def _tests_fail(copy: Path, tests: Sequence[str]) -> bool:
    """Return whether pytest fails on these tests with the packages of the copy."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-n",
            "2",
            "-m",
            "not slow",
            "-p",
            "no:cacheprovider",
            *tests,
        ],
        check=False,
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy), "PYTHONSAFEPATH": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    # With -x, pytest-xdist stops by an interruption, whose exit code is that of a usage error.
    if done.returncode and "\nFAILED " not in done.stdout:
        sys.exit(f"pytest exited with {done.returncode}: {done.stdout[-500:]}")
    return done.returncode != 0
