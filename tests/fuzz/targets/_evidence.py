"""Forged evidence of an archive: consistent except for a few values."""

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
    """Return consistent evidence of another answer than the correct one."""
    evidence = copy.deepcopy(true)
    count = chance.choice(COUNTS)
    status = UNKNOWN if count is None else SOME if count else NONE
    evidence.update(status=status, count=count)
    if status != SOME:
        evidence["model"] = None
    for run in evidence["solved"]:
        checked = ["model"] if evidence["model"] else []
        run.update(status=status, checked=checked, unchecked=["proof"] * (status == NONE))
    for run in evidence["counted"]:
        run.update(objects=count, models=count)
    for _ in range(chance.choice((0, 0, 1, 1, 2, 3))):
        _spoil(evidence, chance)
    return evidence


def _spoil(evidence: Entries, chance: Random) -> None:
    """Replace one value of the evidence by another of the same kind."""
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
    changes: tuple[Callable[[], object], ...] = (
        lambda: _change(evidence, of_whole, chance),
        lambda: [_change(run, of_solver, chance) for run in evidence["solved"]],
        lambda: [_change(run, of_counter, chance) for run in evidence["counted"]],
        lambda: evidence.update({chance.choice(("solved", "counted")): []}),
    )
    chance.choice(changes)()


def _change(entries: Entries, choices: dict[str, tuple[Any, ...]], chance: Random) -> None:
    key = chance.choice([*choices])
    entries[key] = copy.deepcopy(chance.choice(choices[key]))
