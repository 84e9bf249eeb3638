"""Moebius strip: rectangle whose left and right sides are glued upside down."""

from __future__ import annotations

from boardsat.generators.boards.grid import OPTIONS, Gluing, SheetShape

__all__ = ["OPTIONS", "build", "symmetries"]

_shape = SheetShape("moebius", Gluing(left_and_right=True, upside_down=True))
build, symmetries = _shape.build, _shape.symmetries
