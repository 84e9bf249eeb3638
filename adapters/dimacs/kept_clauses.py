"""The clauses of the last file are kept for the next model: a campaign has many of one formula."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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


def clauses_of(path: str) -> Iterator[Clauses]:
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
