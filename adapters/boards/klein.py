"""A rectangle with left and right glued upside down, top and bottom as they are."""

from __future__ import annotations

from adapters.header import Header
from adapters.sheets import Sheet


class Klein(Sheet):
    cols_glued = True
    rows_glued = True
    twisted = True


def read(header: Header) -> Klein:
    return Klein.read(header.board)
