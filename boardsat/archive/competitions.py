"""Requirements of competitions: numbers, hardness, file formats, and candidates for a submission.

The SAT Competition asks each team of its main track for 20 new instances, of which at least 10 are
not solved by MiniSat within a minute and are solved by the team's own solver within an hour. The
Model Counting Competition asks for `c t pmc` and `c p show`, and drops what is counted in seconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from boardsat.adapters.dimacs.reader import Literals, open_cnf
from boardsat.adapters.dimacs.text import DimacsError
from boardsat.archive import storage
from boardsat.archive.hardness import Difficulty, Gate
from boardsat.archive.instance_record import InstanceRecord
from boardsat.base.files import write_verbatim
from boardsat.base.text import pluralize
from boardsat.campaign.runner import artifacts
from boardsat.generators.dimacs import document as dimacs

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.,+-]*\.cnf\.xz")


def name_faults(path: Path) -> Iterator[str]:
    """A name that no shell and no script of an organiser stumbles over."""
    if not NAME.fullmatch(path.name):
        yield "its name has other signs than letters, digits and _.,+-"


def sat_faults(path: Path) -> Iterator[str]:
    """The SAT Competition: exact counts, every variable in use, no variable twice in a clause."""
    yield from name_faults(path)
    try:
        with open_cnf(path) as cnf:
            used = np.zeros(cnf.variables + 1, np.bool_)
            twice = False
            for tokens in cnf.chunks():
                used[np.abs(tokens)] = True
                twice = twice or _repeats(tokens)
    except DimacsError as error:
        yield str(error)
        return
    unused = np.flatnonzero(~used[1:]) + 1
    if len(unused):
        number = pluralize(len(unused), "variable stands", "variables stand")
        yield f"{number} in no clause, first {unused[0]}"
    if twice:
        yield "a clause has the same variable twice"


def _repeats(tokens: Literals) -> bool:
    """Whether a clause of these has a variable twice, with the same sign or not."""
    clause = np.cumsum(tokens == 0)
    inside = tokens != 0
    order = np.lexsort((np.abs(tokens[inside]), clause[inside]))
    of, variable = clause[inside][order], np.abs(tokens[inside])[order]
    return bool(((of[1:] == of[:-1]) & (variable[1:] == variable[:-1])).any())


def mc_faults(path: Path) -> Iterator[str]:
    """The Model Counting Competition: `c t mc`, or `c t pmc` and the variables in `c p show`."""
    yield from name_faults(path)
    try:
        with open_cnf(path) as cnf:
            for _ in cnf.chunks():
                pass
    except DimacsError as error:
        yield str(error)
        return
    kinds = [line for line in cnf.comments if line.startswith("t ")]
    shown = [line.split() for line in cnf.later_comments if line.startswith("p show ")]
    if kinds not in (["t mc"], ["t pmc"]):
        yield "it does not say once `c t mc` or `c t pmc`"
    elif (kinds == ["t pmc"]) != (len(shown) == 1):
        yield "`c t pmc` goes with one line `c p show`"
    elif shown:
        words = shown[0][2:]
        numbers = [int(word) for word in words[:-1] if word.isdecimal()]
        if words[-1] != "0" or len(numbers) != len(words) - 1 or len({*numbers}) != len(numbers):
            yield "`c p show` is not a list of different variables that ends with 0"
        elif numbers and not 0 < min(numbers) <= max(numbers) <= cnf.variables:
            yield "`c p show` has a variable that the header has not"
    if any(line.startswith("ind ") for line in cnf.comments):
        yield "`c ind` stands beside what the competition asks for"


@dataclass(frozen=True)
class Competition:
    name: str
    instances: int
    """How many it asks for."""
    interesting: int
    """How many of them must be neither too easy nor too hard."""
    plain: Gate
    ours: Gate
    faults: Callable[[Path], Iterator[str]]
    write: Callable[[Path, InstanceRecord, Path], None]


def _copy(folder: Path, record: InstanceRecord, target: Path) -> None:
    write_verbatim(artifacts.blocks(folder / record.formula), str(target))


def _for_counting(_folder: Path, record: InstanceRecord, target: Path) -> None:
    """The same formula, saying that it is to be counted, and over which variables."""
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
        Gate("minisat", 60),
        Gate("kissat", 3600),
        sat_faults,
        _copy,
    ),
    "mc": Competition(
        "Model Counting Competition",
        1,
        1,
        Gate("ganak", 10),
        Gate("ganak", 3600),
        mc_faults,
        _for_counting,
    ),
}


@dataclass(frozen=True)
class Candidate:
    """An instance that might be submitted."""

    record: InstanceRecord
    path: Path
    faults: tuple[str, ...]
    difficulty: Difficulty
