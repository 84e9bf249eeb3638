"""Closed tours of large boards from one file: medians of five shuffles, for CaDiCaL and kissat."""

from __future__ import annotations

from bench._measure import Row, scratch
from bench._shuffled import ShuffledCase, row

SHUFFLES, SECONDS = 5, 60

QUARTER, HALF = ({"turn": turn, "parity": True} for turn in (90, 180))
CASES = [
    ShuffledCase("tour/hve", 24, "cadical", "embedded", {}, True),
    ShuffledCase("tour/hve", 24, "cadical", "docker", {}, True),
    ShuffledCase("tour/hve", 24, "kissat", "docker", {}, True),
    ShuffledCase("tour/hve", 30, "cadical", "embedded", {}, False),
    ShuffledCase("symmetric/binary", 30, "cadical", "docker", QUARTER, True),
    ShuffledCase("symmetric/binary", 30, "kissat", "docker", QUARTER, True),
    ShuffledCase("symmetric/binary", 20, "cadical", "docker", HALF, False),
    ShuffledCase("symmetric/binary", 24, "cadical", "docker", HALF, False),
]


def run() -> list[Row]:
    with scratch() as folder:
        return [row(folder, case, SHUFFLES, SECONDS) for case in CASES]
