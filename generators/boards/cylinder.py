"""Cylinder: rectangle whose left and right sides are glued."""

from __future__ import annotations

from boardsat.generators.boards.grid import OPTIONS, Gluing, SheetShape

__all__ = ["OPTIONS", "build", "symmetries"]

_shape = SheetShape("cylinder", Gluing(left_and_right=True))
build, symmetries = _shape.build, _shape.symmetries
