"""A rectangle whose right side is glued to the left one upside down."""

from __future__ import annotations

from adapters.header import Header
from adapters.pieces import leaps_of, pieces_of
from adapters.sheets import Sheet


class Moebius(Sheet):
    cols_glued = True
    twisted = True


def read(header: Header) -> Moebius:
    about = header.board
    return Moebius(about["rows"], about["cols"], leaps_of(about), pieces_of(about))
