"""The hardness of an instance: not solved soon by one solver, but solved in time by another.

Competitions want instances that a plain solver does not solve at once and a good one does at last.
Runs take up to hours, so each is kept in a file when it is done, and never made twice.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from boardsat.adapters import solvers
from boardsat.adapters.answer import Status
from boardsat.adapters.runtimes import Limits
from boardsat.archive import storage
from boardsat.base import json_data
from boardsat.base.json_data import MalformedError
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.count import counter_run as counting
from boardsat.workflows.solve.cnf import solve
from boardsat.workflows.solve.request import SolveRequest


class Hardness(StrEnum):
    """Of an instance, in the words that reports use; the best to submit first."""

    INTERESTING = "interesting"
    UNMEASURED = "not measured"
    HARD = "too hard"
    EASY = "too easy"


@dataclass(frozen=True)
class Gate:
    """Who is asked, and for how many seconds."""

    solver: str
    seconds: float

    def __str__(self) -> str:
        """The same solver may stand at both."""
        return f"{self.solver} in {self.seconds:g} s"


@dataclass(frozen=True)
class Difficulty:
    """The seconds that each took; None where it was not solved, or not asked."""

    word: Hardness
    plain: float | None = None
    ours: float | None = None


class Gates:
    """The two gates, and what has gone through them."""

    def __init__(self, plain: Gate, ours: Gate, notes: Path) -> None:
        self.plain, self.ours, self.notes = plain, ours, notes
        self.known: dict[str, float | None] = {}
        if notes.is_file():
            # What cannot be read is measured again.
            with suppress(MalformedError):
                data = storage.read(notes, storage.RECORD_BYTES)
                self.known = json_data.decode(dict[str, float | None], data)

    def pass_through(self, path: Path) -> Difficulty:
        first = self._seconds(path, self.plain)
        if first is not None:
            return Difficulty(Hardness.EASY, first)
        second = self._seconds(path, self.ours)
        return Difficulty(Hardness.HARD if second is None else Hardness.INTERESTING, None, second)

    def _seconds(self, path: Path, gate: Gate) -> float | None:
        key = json.dumps([sha256(path), *asdict(gate).values()])
        if key not in self.known:
            self.known[key] = _run(path, gate)
            storage.write(self.notes, [(json.dumps(self.known, indent=1) + "\n").encode()])
        return self.known[key]


def _run(path: Path, gate: Gate) -> float | None:
    """The seconds until an answer, which is checked; None where there is none in time."""
    problem = open_formula(str(path))
    limits = Limits(wall=gate.seconds)
    if solvers.load(gate.solver).counts:
        found = counting.count(problem, gate.solver, limits=limits)
        return None if found.objects is None else round(found.answer.run.usage.scored_wall, 2)
    answer = solve(problem, SolveRequest(gate.solver, limits=limits)).answer
    return None if answer.status is Status.UNKNOWN else round(answer.run.usage.scored_wall, 2)
