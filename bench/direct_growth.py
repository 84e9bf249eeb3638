"""The direct encoding of the 20x20 tour (1.07 GB), against that of the 14x14: time and memory."""

from __future__ import annotations

from pathlib import Path

import jinja2  # noqa: F401  Imported here, so that no measurement has to.

from bench._measure import PYTHON, Row, best_of, process, scratch
from boardsat.generators import build, find, write

SLOWER = 1.5
MEMORY = 100_000_000


def run() -> list[Row]:
    with scratch() as folder:
        clauses = [build(find("tour", "direct"), {"n": n}).clauses for n in (20, 14)]
        seconds = best_of(4, lambda: _generate(20, folder), lambda: _generate(14, folder))
        target = str(_target(20, folder))
        command = ["cnf", "tour", "--enc", "direct", "-n", "20", "-o", target]
        outcome = process([PYTHON, "-m", "bench._peak_memory", *command])
    large, small = (1e9 * s / c for s, c in zip(seconds, clauses, strict=True))
    peak = int(outcome.output.splitlines()[-1])
    return [
        Row(
            "direct 20x20, time a clause, and at 14x14",
            f"{large:.1f} ns",
            f"{small:.1f} ns",
            f"{large / small:.2f}",
            f"at most {SLOWER}",
            large / small <= SLOWER,
        ),
        Row(
            "direct 20x20, peak memory",
            f"{peak / 1e6:.0f} MB",
            target=f"at most {MEMORY / 1e6:.0f} MB",
            met=peak <= MEMORY,
        ),
    ]


def _generate(n: int, folder: Path) -> None:
    write(build(find("tour", "direct"), {"n": n}), str(_target(n, folder)))


def _target(n: int, folder: Path) -> Path:
    """Return a file for each size, since replacing a file includes freeing its pages."""
    return folder / f"{n}.cnf"
