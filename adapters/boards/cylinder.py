"""A rectangle with its left and right sides glued."""

from __future__ import annotations

from adapters.header import Header
from adapters.sheets import Sheet


class Cylinder(Sheet):
    cols_glued = True


def read(header: Header) -> Cylinder:
    return Cylinder.read(header.board)
