"""Rectangle of squares, numbered row by row from the top left."""

from __future__ import annotations

from boardsat.generators.boards._sheets import OPTIONS, Gluing, SheetShape

__all__ = ["OPTIONS", "build", "symmetries"]

_shape = SheetShape("grid", Gluing())
build, symmetries = _shape.build, _shape.symmetries
