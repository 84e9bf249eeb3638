"""Klein bottle: a rectangle with left and right glued upside down, and top and bottom glued."""

from __future__ import annotations

from boardsat.adapters.boards._sheets import Sheet
from boardsat.adapters.dimacs.header import Header


class Klein(Sheet):
    cols_glued = True
    rows_glued = True
    twisted = True


def read(header: Header) -> Klein:
    return Klein.read(header)
