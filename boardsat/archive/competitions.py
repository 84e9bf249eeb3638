"""The requirements of competitions, and the candidates for a submission.

The SAT Competition asks each team of its main track for 20 new instances, of which at least 10 are
not solved by MiniSat within a minute and are solved by the team's own solver within an hour. The
Model Counting Competition asks for `c t pmc` and `c p show`, and drops what is counted in seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from boardsat.archive import competition_formats, storage
from boardsat.archive.hardness import Difficulty, Gate
from boardsat.archive.instance_record import InstanceRecord
from boardsat.base.files import write_verbatim
from boardsat.campaign.runner import artifacts
from boardsat.generators.dimacs import document as dimacs


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
        competition_formats.sat_faults,
        _copy,
    ),
    "mc": Competition(
        "Model Counting Competition",
        1,
        1,
        Gate("ganak", 10),
        Gate("ganak", 3600),
        competition_formats.mc_faults,
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
