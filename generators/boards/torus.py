"""Torus: rectangle whose left and right, and top and bottom sides are glued."""

from __future__ import annotations

from boardsat.generators.boards.grid import OPTIONS, Gluing, SheetShape

__all__ = ["OPTIONS", "build", "symmetries"]

_shape = SheetShape("torus", Gluing(left_and_right=True, top_and_bottom=True))
build, symmetries = _shape.build, _shape.symmetries
