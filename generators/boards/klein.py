"""Klein bottle: left and right sides are glued upside down, top and bottom directly."""

from __future__ import annotations

from boardsat.generators.boards.grid import OPTIONS, Gluing, SheetShape

__all__ = ["OPTIONS", "build", "symmetries"]

_shape = SheetShape("klein", Gluing(left_and_right=True, upside_down=True, top_and_bottom=True))
build, symmetries = _shape.build, _shape.symmetries
