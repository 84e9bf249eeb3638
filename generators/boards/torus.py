"""A rectangle whose left and right sides are glued, and top and bottom too."""

from __future__ import annotations

from boardsat.generators.boards._sheets import OPTIONS, Gluing, SheetShape

__all__ = ["OPTIONS", "build", "symmetries"]

_shape = SheetShape("torus", Gluing(left_and_right=True, top_and_bottom=True))
build, symmetries = _shape.build, _shape.symmetries
