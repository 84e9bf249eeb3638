"""A rectangle with its left and right sides glued."""

from __future__ import annotations

from adapters.header import Header
from adapters.pieces import leaps_of, pieces_of
from adapters.sheets import Sheet


class Cylinder(Sheet):
    cols_glued = True


def read(header: Header) -> Cylinder:
    about = header.board
    return Cylinder(about["rows"], about["cols"], leaps_of(about), pieces_of(about))
