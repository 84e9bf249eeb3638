"""Check models against every clause and XOR line of the file.

The clauses of the last file that was read are kept for the next model: whoever opens a file has
read it already, and a campaign has many models of one formula.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from boardsat.adapters.answer import Model
from boardsat.adapters.dimacs.reader import Cnf, Piece, open_cnf
from boardsat.base.limits import checkpoint

MAX_CACHED_BYTES = 2**25
"""Larger formulas are read again for every model."""

SETTLED_NANOSECONDS = 10**8
"""Resolution of file times: some file systems have several milliseconds."""

Fingerprint = tuple[int, ...]

_cache: dict[tuple[str, Fingerprint], list[Piece]] = {}
"""Pieces of at most one file, by its path and fingerprint."""


class FalseClause(NamedTuple):
    """Clause or XOR line that a model falsifies."""

    number: int
    """Number among the clauses or among the XOR lines, from 1."""
    literals: list[int]
    is_xor: bool = False

    def __str__(self) -> str:
        shown = " ".join(map(str, self.literals[:12])) + (" ..." if len(self.literals) > 12 else "")
        return f"{'xor line' if self.is_xor else 'clause'} {self.number} ({shown})"


def first_false_clause(path: str, model: Model) -> FalseClause | None:
    """Return the first clause or XOR line that the model falsifies; None if there is none."""
    # One table for both signs: a negative literal counts from the end.
    holds = np.concatenate([model > 0, model[:0:-1] < 0])
    holds[0] = False
    passed = [0, 0]
    for tokens, is_xor in _pieces(path):
        ends = np.flatnonzero(tokens == 0)
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


def has_empty_clause(path: str) -> bool:
    """Return whether the file has an empty clause."""
    # Every piece ends with the end of a clause.
    ends = (np.flatnonzero(tokens == 0) for tokens, _ in _pieces(path))
    return any((np.diff(places, prepend=-1) == 1).any() for places in ends)


def _pieces(path: str) -> Iterator[Piece]:
    """Yield the pieces of a file, from the cache if the file has not changed."""
    if (known := _cache.get((path, _fingerprint(path)))) is not None:
        for piece in known:
            checkpoint()
            yield piece
        return
    with open_cnf(path, strict=False) as cnf:
        yield from cache_clauses(cnf, path)


def cache_clauses(cnf: Cnf, path: str, own: bool = False) -> Iterator[Piece]:
    """Yield the pieces of an open file, and cache them if they are small.

    `own` is a file that this process has written, and nobody else since.
    """
    _cache.clear()
    state = _fingerprint(path)
    settled = bool(state) and (own or _is_settled(state))
    read: list[Piece] = []
    size = 0
    for piece in cnf.pieces():
        size += piece.literals.nbytes
        if settled and size <= MAX_CACHED_BYTES:
            read.append(piece)
        else:
            read.clear()
        yield piece
    if settled and size <= MAX_CACHED_BYTES and _fingerprint(path) == state:
        _cache[path, state] = read


def _fingerprint(path: str) -> Fingerprint:
    """Return device, inode, size and times of a regular file, or () otherwise."""
    try:
        found = os.stat(path)  # noqa: PTH116
    except OSError:
        return ()
    if not stat.S_ISREG(found.st_mode):
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _is_settled(state: Fingerprint) -> bool:
    """Return whether another write would change the times of the file."""
    return time.time_ns() - max(state[-2:]) > SETTLED_NANOSECONDS
