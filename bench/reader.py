"""Reading a DIMACS file strictly, with all its checks: the direct encoding of the 14x14 tour."""

from __future__ import annotations

from bench._measure import Row, best_of, scratch
from boardsat.adapters.dimacs.reader import validate
from boardsat.generators import build, find, write

TARGET = 100


def run() -> list[Row]:
    with scratch() as folder:
        path = folder / "tour.cnf"
        size = write(build(find("tour", "direct"), {"n": 14}), str(path))
        seconds, plain = best_of(5, lambda: validate(path), path.read_bytes)
    speed = size / seconds / 1e6
    return [
        Row(
            "reading, of plain reading",
            f"{speed:,.0f} MB/s",
            f"{size / plain / 1e6:,.0f} MB/s",
            f"{plain / seconds:.0%}",
            f"at least {TARGET} MB/s",
            speed >= TARGET,
        )
    ]
