"""Evidence as a forger writes it: one story that goes together, but for a few words."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

SOME, BEST, NONE, UNKNOWN = "SATISFIABLE", "OPTIMUM", "UNSATISFIABLE", "UNKNOWN"
COUNTS = (None, 0, 1, 2, 3, 10**30)
CHECKS = (
    *([], ["model"], ["board"], ["model", "board"], ["proof"], ["count"], ["cuts (3)"]),
    *(["model", "cost"], ["model", "optimum (least possible cost)"]),
)
INTERVALS = (None, [0, 9], [2, 2], [3, 1], [3, 4])

Entries = dict[str, Any]


def forged(true: Entries, chance: Random) -> Entries:
    """Another answer than the true one, as all would tell it who were asked."""
    told = copy.deepcopy(true)
    count = chance.choice(COUNTS)
    status = UNKNOWN if count is None else SOME if count else NONE
    told.update(status=status, count=count)
    if status != SOME:
        told["model"] = None
    for said in told["solved"]:
        checked = ["model"] if told["model"] else []
        said.update(status=status, checked=checked, unchecked=["proof"] * (status == NONE))
    for said in told["counted"]:
        said.update(objects=count, models=count)
    for _ in range(chance.choice((0, 0, 1, 1, 2, 3))):
        _spoil(told, chance)
    return told


def _spoil(told: Entries, chance: Random) -> None:
    """One word is another, of those that could stand there."""
    of_whole: dict[str, tuple[Any, ...]] = {
        "status": (SOME, BEST, NONE, UNKNOWN),
        "count": COUNTS,
        "model": (None, "two-1.model.xz"),
        "proof": (None, "two-2.drat.xz"),
        "proof_kind": (None, "drat", "lrat"),
        "proof_bytes": (None, 0, 100),
    }
    of_solver: dict[str, tuple[Any, ...]] = {
        "status": (SOME, BEST, NONE, UNKNOWN),
        "checked": CHECKS,
        "unchecked": CHECKS,
        "value": (0, 2),
        "end": ("finished", "time limit", "crash"),
        "solver": ("cadical", "kissat"),
    }
    of_counter: dict[str, tuple[Any, ...]] = {
        "objects": COUNTS,
        "models": COUNTS,
        "exact": (True, False),
        "interval": INTERVALS,
        "epsilon": (None, 0.8),
        "end": ("finished", "time limit"),
    }
    ways: tuple[Callable[[], object], ...] = (
        lambda: _change(told, of_whole, chance),
        lambda: [_change(said, of_solver, chance) for said in told["solved"]],
        lambda: [_change(said, of_counter, chance) for said in told["counted"]],
        lambda: told.update({chance.choice(("solved", "counted")): []}),
    )
    chance.choice(ways)()


def _change(entries: Entries, choices: dict[str, tuple[Any, ...]], chance: Random) -> None:
    key = chance.choice([*choices])
    entries[key] = copy.deepcopy(chance.choice(choices[key]))
