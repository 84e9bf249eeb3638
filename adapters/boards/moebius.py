"""Moebius strip: a rectangle whose right side is glued to the left one upside down."""

from __future__ import annotations

from boardsat.adapters.boards.grid import Sheet


class Moebius(Sheet):
    cols_glued = True
    twisted = True


read = Moebius.read
