"""Klein bottle: a rectangle with left and right glued upside down, and top and bottom glued."""

from __future__ import annotations

from boardsat.adapters.boards.grid import Sheet


class Klein(Sheet):
    cols_glued = True
    rows_glued = True
    twisted = True


read = Klein.read
