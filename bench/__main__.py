"""`python -m bench [NAME ...]`: run benchmarks and print one table; without names, list them."""

from __future__ import annotations

import argparse
import os
import platform
import signal
import sys
from typing import NoReturn

import bench
from bench._measure import FOLDER, Row
from boardsat.base.registry import Registry
from boardsat.terminal.table import table

_registry = Registry("bench", "benchmark")
names = _registry.names


def summary(name: str) -> str:
    return (_registry.load(name).__doc__ or "").splitlines()[0]


def report(name: str) -> list[Row]:
    """Return the rows of a benchmark; if it cannot run, a row with the reason."""
    print(f"{name}: {summary(name)}", file=sys.stderr, flush=True)
    try:
        rows: list[Row] = _registry.load(name).run()
    except Exception as error:
        return [Row(name, f"{type(error).__name__}: {error}".splitlines()[0])]
    return rows


def stop(number: int, frame: object) -> NoReturn:
    """End by an exception, so that temporary files are removed on the way out."""
    sys.exit(128 + number)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=bench.__doc__,
        epilog="\n".join(f"{name}: {summary(name)}" for name in names()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmark to run, or `all`")
    chosen = parser.parse_args().names
    if not chosen:
        parser.print_help()
        return 0
    if chosen == ["all"]:
        chosen = names()
    for name in chosen:
        if name not in names():
            parser.error(f"no benchmark {name!r}; there are: {', '.join(names())}")
    signal.signal(signal.SIGTERM, stop)
    rows = [row for name in chosen for row in report(name)]
    # Where others work too, wall times are too long, and short processes suffer most.
    load = f"{os.cpu_count()} CPUs, load {os.getloadavg()[1]:.1f}"
    print(f"Python {platform.python_version()}, {load}, files in {FOLDER}")
    print(table(["benchmark", "ours", "theirs", "ratio", "target", "met"], [r.cells for r in rows]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
