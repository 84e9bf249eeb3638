"""The clauses of the file that was read last, for whoever reads them next; bounded, and never old.

Whoever opens a file reads all of it, and whoever checks a model wants the same clauses again; a
campaign has many models of one formula.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator

from boardsat.adapters.dimacs.reader import Cnf, Piece, open_cnf

KEPT_BYTES = 2**25
"""Of clauses in memory; a larger file is read every time."""

SETTLED_NS = 10**8
"""Nanoseconds: the times of files have ticks, some of several milliseconds."""

State = tuple[int, ...]

_kept: dict[tuple[str, State], list[Piece]] = {}
"""Of one file at the most, as it was."""


def pieces_of(path: str) -> Iterator[Piece]:
    """What a file has, from memory if it is the last one and nobody has written to it since."""
    if (known := _kept.get((path, _state(path)))) is not None:
        yield from known
        return
    with open_cnf(path, strict=False) as cnf:
        yield from keeping(cnf, path)


def keeping(cnf: Cnf, path: str, own: bool = False) -> Iterator[Piece]:
    """The pieces of a file that is open; once all are read, they are kept if they are few.

    `own` is a file that this process has written, and nobody else since.
    """
    _kept.clear()
    state = _state(path)
    settled = bool(state) and (own or _is_settled(state))
    read: list[Piece] = []
    size = 0
    for piece in cnf.pieces():
        size += piece.literals.nbytes
        if settled and size <= KEPT_BYTES:
            read.append(piece)
        else:
            read.clear()
        yield piece
    if settled and size <= KEPT_BYTES and _state(path) == state:
        _kept[path, state] = read


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
    return time.time_ns() - max(state[-2:]) > SETTLED_NS
