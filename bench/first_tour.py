"""The first closed knight's tour: boardsat beside CP-SAT and clingo, whole commands.

Each figure is the CPU time of a process and its children, with all it imports: the median of some
seeds, which take turns. A file with shuffled variables is solved in the order of the board.

FIRST_TOUR_SIDES in the environment lists the sides of the boards, as `30 50 100 200`.
"""

from __future__ import annotations

import importlib.util
import math
import os
import resource
import signal
import statistics
from collections.abc import Callable, Sequence

from bench._measure import ANSWERS, PYTHON, Row, process, scratch
from boardsat.generators import build, find, transform, write

SEEDS = (1, 2, 3)
SIDES = "8 20 30 50 100 200"
MAX_SEEDED_SIDE = 50
"""Side of the largest board that is solved with each of the seeds; larger ones with the first."""
TIMES = {30: 5, 50: 5, 100: 30}
"""Minimum ratio of CP-SAT's time to that of boardsat."""

SECONDS = 120
"""CPU limit of a process."""
ENDED = (-signal.SIGXCPU, -signal.SIGKILL)
"""Exit codes of processes that reached the limit."""

METHODS = ("reachability-degrees", "acyclic")
"""The logic programs that find closed tours of large boards."""

SOLVE = ("-m", "boardsat", "solve")
EMBEDDED = ("--runtime", "embedded")
CHECKED = "checked: model, board"


def run() -> list[Row]:
    sides = map(int, os.environ.get("FIRST_TOUR_SIDES", SIDES).split())
    return [*(row for side in sides for row in _side(side)), _shuffled(100, 2.0)]


def _side(side: int) -> list[Row]:
    rivals: dict[str, Callable[[int], float | None]] = {
        f"clingo {method}": lambda seed, method=method: _clingo(side, seed, method)
        for method in METHODS
    }
    rivals["plain clingo"] = lambda seed: _plain_clingo(side, seed)
    if importlib.util.find_spec("ortools"):
        rivals["CP-SAT circuit"] = lambda seed: _cp_sat(side, seed)
    ours: list[float | None] = []
    theirs: dict[str, list[float | None]] = {name: [] for name in rivals}
    _boardsat(side, 0)
    for seed in SEEDS if side <= MAX_SEEDED_SIDE else SEEDS[:1]:
        ours.append(_boardsat(side, seed))
        for name, rival in rivals.items():
            theirs[name].append(rival(seed))
    return [_row(side, name, ours, found) for name, found in theirs.items()]


def _row(side: int, name: str, ours: Sequence[float | None], theirs: Sequence[float | None]) -> Row:
    mine = _median(ours)
    other = _median(theirs)
    wanted = TIMES.get(side, 1) if "CP-SAT" in name else 1
    limit = min(SECONDS if other is None else other, SECONDS)
    ratio = limit / mine if mine else 0.0
    return Row(
        f"closed {side}x{side}, boardsat and {name}",
        _shown(mine),
        _shown(other),
        ratio=f"{'over ' if other is None else ''}{ratio:.1f} times",
        target=f"{wanted} times",
        # Somebody who found nothing may be slower by more than can be seen.
        met=None if other is None and ratio < wanted else ratio >= wanted,
    )


def _shuffled(side: int, seconds: float) -> Row:
    found = []
    with scratch() as folder:
        path = str(folder / "shuffled.cnf")
        for seed in SEEDS:
            write(transform(build(find("tour/cuts"), {"n": side}), shuffle=seed), path)
            found.append(_cpu(*SOLVE, path, *EMBEDDED, wanted=CHECKED))
    mine = _median(found)
    return Row(
        f"closed {side}x{side}, from a file with shuffled variables",
        _shown(mine),
        target=f"at most {seconds:g} s",
        met=mine is not None and mine <= seconds,
    )


def _median(found: Sequence[float | None]) -> float | None:
    """Return the median time; a seed without a tour counts as longer than all others."""
    middle = statistics.median_high(math.inf if each is None else each for each in found)
    return None if middle == math.inf else middle


def _shown(seconds: float | None) -> str:
    return f"none in {SECONDS} s" if seconds is None else f"{seconds:.2f} s"


def _boardsat(side: int, seed: int | None) -> float | None:
    chosen = ("--seed", str(seed)) if seed else ()
    limits = (*EMBEDDED, "--cpu", str(SECONDS))
    return _cpu(*SOLVE, "tour", "-n", str(side), *limits, *chosen, wanted=f"{CHECKED}\n")


def _clingo(side: int, seed: int, method: str) -> float | None:
    words = ("-n", str(side), "--solver", "clingo", "--method", method, "--seed", str(seed))
    limits = (*EMBEDDED, "--cpu", str(SECONDS))
    return _cpu(*SOLVE, "tour", *words, *limits, wanted="checked: board\n")


def _plain_clingo(side: int, seed: int) -> float | None:
    """On a program that is written already; nothing is checked, nor shown but atoms."""
    with scratch() as folder:
        path = str(folder / "tour.lp")
        process([PYTHON, "-m", "boardsat", "asp", "tour", "-n", str(side), "-o", path])
        words = (f"--seed={seed}", "--rand-freq=0.01", "--verbose=0")
        return _cpu("-m", "clingo", path, *words, wanted="\nSATISFIABLE")


def _cp_sat(side: int, seed: int) -> float | None:
    return _cpu("-m", "bench._cpsat_tour", str(side), str(seed), wanted="tour\n")


def _cpu(*words: str, wanted: str) -> float | None:
    """Return the CPU seconds of a process and its children; None if it reached the limit."""
    done = process([PYTHON, *words], (*ANSWERS, *ENDED), _limit_cpu)
    return done.cpu if wanted in done.output and done.cpu <= SECONDS else None


def _limit_cpu() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
