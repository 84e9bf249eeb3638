"""Tables that are written once and read here and there: large ones lie in a file without a name."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardsat.base.errors import SolverError

Table = NDArray[Any]

SMALL = 2**16
"""Bytes of a table that stays in memory."""

_OBJECT = 64
"""Bytes of a number that fits no word, about."""


class Shelf:
    """The file is gone with its process, however that ends."""

    def __init__(self, room: float) -> None:
        self.room = room
        """Bytes that may stay in memory."""
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._end = 0

    def put(self, table: Table) -> Callable[[], Table]:
        """What gives the table back. It is mapped only while somebody reads it."""
        if table.dtype == object or table.nbytes < SMALL:
            self.room -= table.size * _OBJECT if table.dtype == object else table.nbytes
            if self.room < 0:
                raise SolverError("its tables are too large for the memory", "give it more")
            return lambda: table
        kind, shape, begin = table.dtype, table.shape, self._end
        try:
            self._file.write(np.ascontiguousarray(table).data)
            self._file.flush()
        except OSError as error:
            raise SolverError(
                f"its tables are too large for the disk: {error.strerror}",
                "free some space there, or set TMPDIR to another folder",
                tempfile.gettempdir(),
            ) from None
        self._end += table.nbytes
        return lambda: np.memmap(self._file, kind, "r", begin, shape)
