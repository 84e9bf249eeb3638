"""Torus: a rectangle whose left and right, and top and bottom sides are glued."""

from __future__ import annotations

from boardsat.adapters.boards._sheets import Sheet
from boardsat.adapters.dimacs.header import Header


class Torus(Sheet):
    cols_glued = True
    rows_glued = True


def read(header: Header) -> Torus:
    return Torus.read(header)
