"""Competitions: number of instances, file format, and hardness by two timed solvers.

The SAT Competition asks each team of its main track for 20 new instances, of which at least 10 are
not solved by MiniSat within a minute and are solved by the team's own solver within an hour. The
Model Counting Competition requires `c t pmc` and `c p show`, and drops instances that are counted
within seconds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import chain
from pathlib import Path

import numpy as np

from boardsat.adapters import solvers
from boardsat.adapters.answer import Status
from boardsat.adapters.dimacs.reader import Literals, open_cnf
from boardsat.adapters.dimacs.text import DimacsError
from boardsat.adapters.runtimes import Limits
from boardsat.archive import storage
from boardsat.archive.instance_record import InstanceRecord
from boardsat.base import json_data
from boardsat.base.files import read_pieces, write_verbatim
from boardsat.base.json_data import MalformedError
from boardsat.base.text import pluralize
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.generators.dimacs import document as dimacs
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.count import counter_run
from boardsat.workflows.solve.cnf import solve
from boardsat.workflows.solve.request import SolveRequest

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.,+-]*\.cnf\.xz")
"""Pattern of file names that need no quotes in a shell."""


class Hardness(StrEnum):
    """Hardness of an instance as reports name it, in the order of preference for a submission."""

    INTERESTING = "interesting"
    UNMEASURED = "not measured"
    HARD = "too hard"
    EASY = "too easy"


@dataclass(frozen=True)
class TimedSolver:
    """Solver or counter with a time limit."""

    solver: str
    seconds: float

    def __str__(self) -> str:
        # With the time, because both solvers of a competition may be the same one.
        return f"{self.solver} in {self.seconds:g} s"


@dataclass(frozen=True)
class Difficulty:
    """Hardness of an instance, and the times that the two solvers of a competition took."""

    hardness: Hardness
    plain: float | None = None
    """Seconds of the plain solver. None if it was not run or did not solve the instance."""
    ours: float | None = None
    """Seconds of the strong solver. None if it was not run or did not solve the instance."""


class HardnessTest:
    """Measurement of hardness: an instance is interesting if only the strong solver solves it.

    Runs take up to hours, so the time of each is stored in a file as soon as it has ended, and the
    same run is never repeated.

    Parameters
    ----------
    plain, ours : TimedSolver
        Solver that must not solve an instance, and solver that must.
    file : Path
        JSON file with the times of earlier runs; a damaged one is replaced.
    """

    def __init__(self, plain: TimedSolver, ours: TimedSolver, file: Path) -> None:
        self.plain, self.ours, self.file = plain, ours, file
        self.seconds: dict[str, float | None] = {}
        if file.is_file():
            with suppress(MalformedError):
                stored_times = storage.read(file, storage.RECORD_BYTES)
                self.seconds = json_data.decode(dict[str, float | None], stored_times)

    def measure(self, path: Path) -> Difficulty:
        """Run the plain solver on a formula, then the strong one if the plain one failed."""
        plain_seconds = self._seconds(path, self.plain)
        if plain_seconds is not None:
            return Difficulty(Hardness.EASY, plain_seconds)
        seconds = self._seconds(path, self.ours)
        hardness = Hardness.HARD if seconds is None else Hardness.INTERESTING
        return Difficulty(hardness, None, seconds)

    def _seconds(self, path: Path, solver: TimedSolver) -> float | None:
        key = json.dumps([sha256(path), *asdict(solver).values()])
        if key not in self.seconds:
            self.seconds[key] = solve_time(path, solver)
            storage.write(self.file, [(json.dumps(self.seconds, indent=1) + "\n").encode()])
        return self.seconds[key]


def solve_time(path: Path, solver: TimedSolver) -> float | None:
    """Return the seconds until a checked answer; None if the time limit was reached."""
    formula = open_formula(str(path))
    limits = Limits(wall=solver.seconds)
    if solvers.load(solver.solver).is_counter:
        count = counter_run.count(formula, solver.solver, limits=limits)
        answer, is_solved = count.answer, count.objects is not None
    else:
        answer = solve(formula, SolveRequest(solver.solver, limits=limits)).answer
        is_solved = answer.status is not Status.UNKNOWN
    return round(answer.run.usage.scored_wall, 2) if is_solved else None


def name_faults(path: Path) -> Iterator[str]:
    """Yield a fault if the name of a file might break a shell script of the organizers."""
    if not NAME.fullmatch(path.name):
        yield "the file name has characters other than letters, digits and _.,+-"


def sat_faults(path: Path) -> Iterator[str]:
    """Yield violations of the SAT Competition's rules for formula files.

    Counts in the `p cnf` line must be exact, every variable must occur, and no clause may contain a
    variable twice.
    """
    yield from name_faults(path)
    try:
        with open_cnf(path) as cnf:
            is_used = np.zeros(cnf.variables + 1, np.bool_)
            has_repeats = False
            for tokens in cnf.chunks():
                is_used[np.abs(tokens)] = True
                has_repeats = has_repeats or _has_repeated_variable(tokens)
    except DimacsError as error:
        yield str(error)
        return
    unused = np.flatnonzero(~is_used[1:]) + 1
    if len(unused):
        number = pluralize(len(unused), "variable occurs", "variables occur")
        yield f"{number} in no clause, first {unused[0]}"
    if has_repeats:
        yield "a clause has the same variable twice"


def _has_repeated_variable(tokens: Literals) -> bool:
    """Return whether a clause has a variable twice, with the same sign or not."""
    is_literal = tokens != 0
    clauses = np.cumsum(~is_literal)[is_literal]
    variables = np.abs(tokens[is_literal])
    order = np.lexsort((variables, clauses))
    clauses, variables = clauses[order], variables[order]
    return bool(((clauses[1:] == clauses[:-1]) & (variables[1:] == variables[:-1])).any())


def mc_faults(path: Path) -> Iterator[str]:
    """Yield violations of the Model Counting Competition's rules for formula files.

    A file has `c t mc`, or `c t pmc` and its projection as one line `c p show`.
    """
    yield from name_faults(path)
    try:
        with open_cnf(path) as cnf:
            for _ in cnf.chunks():
                pass
    except DimacsError as error:
        yield str(error)
        return
    tracks = [line for line in cnf.comments if line.startswith("t ")]
    projections = [line.split() for line in cnf.later_comments if line.startswith("p show ")]
    if tracks not in (["t mc"], ["t pmc"]):
        yield "it must have one line `c t mc` or `c t pmc`"
    elif (tracks == ["t pmc"]) != (len(projections) == 1):
        yield "one line `c p show` is required with `c t pmc`, and none with `c t mc`"
    elif projections:
        tokens = projections[0][2:]
        variables = [int(token) for token in tokens[:-1] if token.isdecimal()]
        is_list = tokens[-1] == "0" and len({*variables}) == len(variables) == len(tokens) - 1
        if not is_list:
            yield "`c p show` is not a list of different variables that ends with 0"
        elif variables and not 0 < min(variables) <= max(variables) <= cnf.variables:
            yield f"a variable of `c p show` is outside 1 to {cnf.variables}, the range of `p cnf`"
    if any(line.startswith("ind ") for line in cnf.comments):
        yield "`c ind` is not allowed in addition to `c p show`"


@dataclass(frozen=True)
class Competition:
    """Requirements of a competition."""

    name: str
    instances: int
    """Number of instances in a submission."""
    interesting: int
    """Number of submitted instances that must be neither too easy nor too hard."""
    plain: TimedSolver
    """Solver that must not solve an interesting instance."""
    ours: TimedSolver
    """Solver that must solve an interesting instance."""
    faults: Callable[[Path], Iterator[str]]
    """Function that yields the violations of the rules for files."""
    write: Callable[[Path, InstanceRecord, Path], None]
    """Function that writes an instance of an archive to a file in the competition's format."""


def _copy(folder: Path, record: InstanceRecord, target: Path) -> None:
    write_verbatim(read_pieces(folder / record.formula), str(target))


def _write_for_counting(_folder: Path, record: InstanceRecord, target: Path) -> None:
    """Write the formula with the track and the projection as the competition expects them."""
    formula = record.recipe.formula()
    if formula.header.projection is None:
        pieces = chain([b"c t mc\n"], dimacs.document(formula, "none"))
    else:
        pieces = chain(dimacs.document(formula, "show"))
    storage.write(target, pieces)


COMPETITIONS = {
    "sat": Competition(
        "SAT Competition 2026",
        20,
        10,
        TimedSolver("minisat", 60),
        TimedSolver("kissat", 3600),
        sat_faults,
        _copy,
    ),
    "mc": Competition(
        "Model Counting Competition",
        1,
        1,
        TimedSolver("ganak", 10),
        TimedSolver("ganak", 3600),
        mc_faults,
        _write_for_counting,
    ),
}


@dataclass(frozen=True)
class Candidate:
    """Instance that may be submitted."""

    record: InstanceRecord
    path: Path
    """Formula file in the competition's format."""
    faults: tuple[str, ...]
    """Violations of the competition's rules."""
    difficulty: Difficulty
