"""Closed tours of large boards from one file: medians of five shuffles, for CaDiCaL and kissat."""

from __future__ import annotations

from bench._measure import Row, scratch
from bench._shuffled import Case, row

SHUFFLES, SECONDS = 5, 60

QUARTER, HALF = ({"turn": turn, "parity": True} for turn in (90, 180))
CASES = [
    Case("tour/hve", 24, "cadical", "embedded", {}, True),
    Case("tour/hve", 24, "cadical", "docker", {}, True),
    Case("tour/hve", 24, "kissat", "docker", {}, True),
    Case("tour/hve", 30, "cadical", "embedded", {}, False),
    Case("symmetric/binary", 30, "cadical", "docker", QUARTER, True),
    Case("symmetric/binary", 30, "kissat", "docker", QUARTER, True),
    Case("symmetric/binary", 20, "cadical", "docker", HALF, False),
    Case("symmetric/binary", 24, "cadical", "docker", HALF, False),
]


def run() -> list[Row]:
    with scratch() as folder:
        return [row(folder, case, SHUFFLES, SECONDS) for case in CASES]
