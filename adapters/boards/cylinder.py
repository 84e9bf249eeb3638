"""Cylinder: a rectangle whose left and right sides are glued."""

from __future__ import annotations

from boardsat.adapters.boards.grid import Sheet


class Cylinder(Sheet):
    cols_glued = True


read = Cylinder.read
