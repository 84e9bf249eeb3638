"""Seeded bugs: patch a copy of the code with each bug of bugs.yaml, and run the tests that find it.

An entry gives the text to replace, which must occur in just one file of the packages, its
replacement, and the tests that must fail. The text, not the path, finds the place: modules move.
"""

from __future__ import annotations

import os
import re
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
BUGS: dict[str, dict[str, str]] = yaml.safe_load(
    Path(__file__).with_name("bugs.yaml").read_text("utf-8")
)


def run(names: Sequence[str]) -> int:
    """Try the named bugs, or all; print the test that finds each, and return 1 if one is missed.

    First the same tests run without a bug: there they must pass.
    """
    chosen = {name: BUGS[name] for name in names or BUGS}
    tests = sorted({test for bug in chosen.values() for test in bug["tests"].split()})
    with _copy() as copy:
        if failed := _failed_test(copy, tests):
            sys.exit(f"the tests fail without any bug: {failed}")
    missed = 0
    for name, bug in chosen.items():
        with _copy() as copy:
            _patch(copy, name, bug)
            failed = _failed_test(copy, bug["tests"].split())
        missed += failed is None
        print(f"{name}: {f'found by {failed}' if failed else 'MISSED'}", flush=True)
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


def sources(root: Path) -> Iterator[Path]:
    """Yield the files of the packages."""
    for package in PACKAGES:
        for path in (root / package).rglob("*"):
            if path.suffix in (".py", ".yaml"):
                yield path


def _patch(copy: Path, name: str, bug: dict[str, str]) -> None:
    files = [path for path in sources(copy) if bug["replace"] in path.read_text("utf-8")]
    if len(files) != 1 or files[0].read_text("utf-8").count(bug["replace"]) != 1:
        sys.exit(f"{name}: the text to replace must occur once, not in {len(files)} files")
    files[0].write_text(files[0].read_text("utf-8").replace(bug["replace"], bug["by"]), "utf-8")


def _failed_test(copy: Path, tests: Sequence[str]) -> str | None:
    """Run the tests on the packages of the copy; return the first that fails, or None."""
    command = [sys.executable, *("-m", "pytest", "-x", "-n", "2", "-m", "not slow")]
    outcome = subprocess.run(
        [*command, "-p", "no:cacheprovider", *tests],
        check=False,
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy), "PYTHONSAFEPATH": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    failed = re.search(r"^FAILED (\S+)", outcome.stdout, re.M)
    # With -x, pytest-xdist stops by an interruption, whose exit code is that of a usage error.
    if outcome.returncode and failed is None:
        sys.exit(f"pytest exited with {outcome.returncode}: {outcome.stdout[-500:]}")
    return failed[1] if failed else None
