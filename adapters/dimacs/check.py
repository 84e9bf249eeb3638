"""Models checked against every clause and xor line of the file, with a reader of its own.

The clauses of the last file are kept for the next model: a campaign has many of one formula.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.answer import Model
from boardsat.adapters.dimacs.reader import Literals, open_cnf

KEPT_BYTES = 2**25
"""Of clauses in memory; a larger file is read for every model."""

SETTLED_NS = 10**8
"""Nanoseconds: the times of files have ticks, some of several milliseconds."""


class Clauses(NamedTuple):
    """Some that follow one another in a file, all of one kind."""

    literals: Literals
    """With a 0 after each clause."""
    ends: NDArray[np.intp]
    """Where these zeros are."""
    are_xor: bool


State = tuple[int, ...]

_kept: dict[tuple[str, State], list[Clauses]] = {}
"""Of one file at the most, as it was."""


class FalseClause(NamedTuple):
    """A clause or an xor line that a model does not satisfy."""

    number: int
    """From 1, among those of its kind."""
    literals: list[int]
    is_xor: bool = False

    def __str__(self) -> str:
        shown = " ".join(map(str, self.literals[:12])) + (" ..." if len(self.literals) > 12 else "")
        return f"{'xor line' if self.is_xor else 'clause'} {self.number} ({shown})"


def first_false_clause(path: str, model: Model) -> FalseClause | None:
    """The first clause or xor line that the model does not satisfy."""
    # One table for both signs: a negative literal counts from the end.
    holds = np.concatenate([model > 0, model[:0:-1] < 0])
    holds[0] = False
    passed = [0, 0]
    for tokens, ends, is_xor in _clauses(path):
        true = holds[tokens]
        # How many true literals there are up to each end tells how many each clause has.
        upto = np.cumsum(true)[ends]
        number_true = np.diff(upto, prepend=0)
        satisfied = number_true % 2 == 1 if is_xor else number_true > 0
        if not satisfied.all():
            number = int(np.argmin(satisfied))
            start = int(ends[number - 1]) + 1 if number else 0
            literals = tokens[start : ends[number]].tolist()
            return FalseClause(passed[is_xor] + number + 1, literals, is_xor)
        passed[is_xor] += len(ends)
    return None


def _clauses(path: str) -> Iterator[Clauses]:
    """Those of a file, from memory if it is the last one and nobody has written to it since."""
    file = (path, _state(path))
    if (known := _kept.get(file)) is not None:
        yield from known
        return
    _kept.clear()
    settled = _is_settled(file[1])
    read: list[Clauses] = []
    size = 0
    with open_cnf(path, strict=False) as cnf:
        for tokens, is_xor in cnf.pieces():
            found = Clauses(tokens, np.flatnonzero(tokens == 0), is_xor)
            size += found.literals.nbytes + found.ends.nbytes
            if size <= KEPT_BYTES:
                read.append(found)
            else:
                read.clear()
            yield found
    if settled and size <= KEPT_BYTES and _state(path) == file[1]:
        _kept[file] = read


def _state(path: str) -> State:
    """What changes when a file is replaced or written to; nothing where it is no plain file."""
    try:
        found = os.stat(path)  # noqa: PTH116
    except OSError:
        return ()
    if not stat.S_ISREG(found.st_mode):
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _is_settled(state: State) -> bool:
    """Whether the clock of the file system has gone on since: a write would be seen."""
    return bool(state) and time.time_ns() - max(state[-2:]) > SETTLED_NS


def has_empty_clause(path: str) -> bool:
    """Whether a clause has no literal, so that no model can satisfy it."""
    with open_cnf(path, strict=False) as cnf:
        # Every chunk ends with the end of a clause.
        ends = (np.flatnonzero(tokens == 0) for tokens, _ in cnf.pieces())
        return any((np.diff(places, prepend=-1) == 1).any() for places in ends)
