"""Check of models against every clause and XOR line of the file.

The clauses of the last file are cached: opening a formula reads them before the first check, and a
campaign checks many models of one formula.
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
        ellipsis = " ..." if len(self.literals) > 12 else ""
        literals = " ".join(map(str, self.literals[:12])) + ellipsis
        return f"{'xor line' if self.is_xor else 'clause'} {self.number} ({literals})"


def truth_table(model: Model) -> NDArray[np.bool_]:
    """Return the truth values of all literals; a negative literal indexes them from the end."""
    is_true = np.concatenate([model > 0, model[:0:-1] < 0])
    is_true[0] = False
    return is_true


def first_false_clause(path: str, model: Model) -> FalseClause | None:
    """Return the first clause or XOR line that a model falsifies.

    Parameters
    ----------
    path : str
        Path of the formula file.
    model : Model
        Array of signs: entry v is 1 if variable v is true, and -1 if it is false.

    Returns
    -------
    FalseClause or None
        None if all clauses and XOR lines hold.

    Raises
    ------
    DimacsError
        The file cannot be read, or is malformed.
    """
    is_true = truth_table(model)
    checked = [0, 0]
    for tokens, is_xor in _pieces(path):
        ends = np.flatnonzero(tokens == 0)
        # Number of true literals of each clause, as differences of running totals.
        true_up_to_end = np.cumsum(is_true[tokens])[ends]
        number_true = np.diff(true_up_to_end, prepend=0)
        satisfied = number_true % 2 == 1 if is_xor else number_true > 0
        if not satisfied.all():
            number = int(np.argmin(satisfied))
            start = int(ends[number - 1]) + 1 if number else 0
            literals = tokens[start : ends[number]].tolist()
            return FalseClause(checked[is_xor] + number + 1, literals, is_xor)
        checked[is_xor] += len(ends)
    return None


def has_empty_clause(path: str) -> bool:
    """Return whether the file has an empty clause."""
    # No clause spans two pieces.
    ends_by_piece = (np.flatnonzero(tokens == 0) for tokens, _ in _pieces(path))
    return any((np.diff(clause_ends, prepend=-1) == 1).any() for clause_ends in ends_by_piece)


def _pieces(path: str) -> Iterator[Piece]:
    """Yield the pieces of a file, from the cache if the file has not changed."""
    if (pieces := _cache.get((path, _fingerprint(path)))) is not None:
        for piece in pieces:
            checkpoint()
            yield piece
        return
    with open_cnf(path, strict=False) as cnf:
        yield from cache_clauses(cnf, path)


def cache_clauses(cnf: Cnf, path: str, is_own: bool = False) -> Iterator[Piece]:
    """Yield the pieces of an open file, and cache them if they are small.

    A file is cached only if its last change is so old that any later change would give it other
    times. The age is not tested if only this process writes the file (`is_own`).
    """
    _cache.clear()
    fingerprint = _fingerprint(path)
    age = time.time_ns() - max(fingerprint[-2:], default=0)
    is_cacheable = bool(fingerprint) and (is_own or age > SETTLED_NANOSECONDS)
    pieces: list[Piece] = []
    size = 0
    for piece in cnf.pieces():
        size += piece.literals.nbytes
        if is_cacheable and size <= MAX_CACHED_BYTES:
            pieces.append(piece)
        else:
            pieces.clear()
        yield piece
    if is_cacheable and size <= MAX_CACHED_BYTES and _fingerprint(path) == fingerprint:
        _cache[path, fingerprint] = pieces


def _fingerprint(path: str) -> Fingerprint:
    """Return device, inode, size and times of a regular file, or () otherwise."""
    try:
        status = os.stat(path)  # noqa: PTH116
    except OSError:
        return ()
    if not stat.S_ISREG(status.st_mode):
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
