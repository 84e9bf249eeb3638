"""Cylinder: a rectangle whose left and right sides are glued."""

from __future__ import annotations

from boardsat.adapters.boards._sheets import Sheet
from boardsat.adapters.dimacs.header import Header


class Cylinder(Sheet):
    cols_glued = True


def read(header: Header) -> Cylinder:
    return Cylinder.read(header)
