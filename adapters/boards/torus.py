"""A rectangle with left and right glued, and top and bottom too."""

from __future__ import annotations

from adapters.header import Header
from adapters.pieces import leaps_of, pieces_of
from adapters.sheets import Sheet


class Torus(Sheet):
    cols_glued = True
    rows_glued = True


def read(header: Header) -> Torus:
    about = header.board
    return Torus(about["rows"], about["cols"], leaps_of(about), pieces_of(about))
