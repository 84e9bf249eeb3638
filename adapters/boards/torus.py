"""A rectangle with left and right glued, and top and bottom too."""

from __future__ import annotations

from boardsat.adapters.boards._sheets import Sheet
from boardsat.adapters.dimacs.header import Header


class Torus(Sheet):
    cols_glued = True
    rows_glued = True


def read(header: Header) -> Torus:
    return Torus.read(header)
