"""A rectangle whose right side is glued to the left one upside down."""

from __future__ import annotations

from adapters.header import Header
from adapters.sheets import Sheet


class Moebius(Sheet):
    cols_glued = True
    twisted = True


def read(header: Header) -> Moebius:
    return Moebius.read(header.board)
