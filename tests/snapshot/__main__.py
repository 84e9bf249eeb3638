"""Behaviour snapshot: record what a refactoring must not change, and compare two recordings.

    PYTHONPATH=tests python -m snapshot record out/before
    PYTHONPATH=tests python -m snapshot record out/after formulas commands
    PYTHONPATH=tests python -m snapshot compare out/before out/after
    PYTHONPATH=tests python -m snapshot bugs
    PYTHONPATH=tests python -m snapshot store out/store
    PYTHONPATH=tests python -m snapshot resume out/store
    PYTHONPATH=tests python -m snapshot coverage out/before [TEST...]

`record` writes one JSON file for each part: `formulas` (SHA-256 of every spec in every format, with
every transform, at two sizes), `commands` (standard output, standard error and exit code of the
commands in commands.txt and of all bad specs), `interface` (signatures of the Python interface),
`wheel` (the same commands from a wheel, and the files of wheel and sdist) and `tests` (test ids).
`bugs` applies each patch of bugs.yaml to a copy of the code and runs the tests that must fail.
`store` makes the results folder of a campaign and an archive; `resume` goes on with a copy of them,
made by earlier code: they must resume and verify, or be refused in one line.
`coverage` measures the branch coverage of the quick tests, or of some, by package.
Recordings are not committed.
"""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from pathlib import Path
from typing import Any

from snapshot import bugs, commands, coverage, formulas, interface, packages, stored

PARTS = {
    "formulas": formulas.record,
    "commands": commands.record,
    "interface": interface.record,
    "wheel": packages.record,
    "tests": packages.record_tests,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="snapshot", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    record = actions.add_parser("record")
    record.add_argument("folder", type=Path)
    record.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    compare = actions.add_parser("compare")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    seeded = actions.add_parser("bugs")
    seeded.add_argument("names", nargs="*", metavar="NAME")
    for name in ("store", "resume"):
        actions.add_parser(name).add_argument("folder", type=Path)
    measured = actions.add_parser("coverage")
    measured.add_argument("folder", type=Path)
    measured.add_argument("tests", nargs="*", metavar="TEST")
    options = parser.parse_args()
    if options.action == "bugs":
        return bugs.run(options.names)
    if options.action == "compare":
        return _compare(options.before, options.after)
    if options.action == "resume":
        return stored.resume(options.folder)
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.action == "store":
        return stored.store(options.folder)
    if options.action == "coverage":
        return coverage.measure(options.folder, options.tests)
    for name in options.parts or PARTS:
        entries = PARTS[name]()
        path = options.folder / f"{name}.json"
        path.write_text(json.dumps(entries, indent=1, sort_keys=True) + "\n", "utf-8")
        print(f"{path}: {len(entries)} entries", flush=True)
    return 0


def _compare(old_folder: Path, new_folder: Path) -> int:
    """Print the lines in which entries differ; exit code 1 if there are any."""
    differences = 0
    for path in sorted(new_folder.glob("*.json")):
        old = json.loads((old_folder / path.name).read_text("utf-8"))
        new = json.loads(path.read_text("utf-8"))
        for key in sorted({*old, *new}):
            if old.get(key) != new.get(key):
                differences += 1
                print(f"{path.stem}: {key}")
                sides = [_lines(entries.get(key)) for entries in (old, new)]
                lines = difflib.unified_diff(*sides, lineterm="", n=0)
                print("\n".join(f"  {line}" for line in list(lines)[2:]))
    print(f"{differences} differences", file=sys.stderr)
    return 1 if differences else 0


def _lines(entry: Any) -> list[str]:
    """Return the lines of an entry, with the name of the stream before each."""
    if not isinstance(entry, dict):
        return [str(entry)]
    return [f"{key}: {line}" for key, value in entry.items() for line in str(value).split("\n")]


if __name__ == "__main__":
    sys.exit(main())
