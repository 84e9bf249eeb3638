"""Torus: a rectangle whose left and right, and top and bottom sides are glued."""

from __future__ import annotations

from boardsat.adapters.boards.grid import Sheet


class Torus(Sheet):
    cols_glued = True
    rows_glued = True


read = Torus.read
