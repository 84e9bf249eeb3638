"""An instance and its board: as rows for programs, as a picture in a notebook."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

from boardsat.adapters.rendering.svg import svg
from boardsat.adapters.rendering.text import rows_of, text
from boardsat.adapters.views.solution import Solution
from boardsat.instance.formula_file import Instance


@dataclass(frozen=True, repr=False, eq=False)
class Drawn:
    instance: Instance
    solution: Solution | None
    """None where there is no board to be drawn."""

    @property
    def board(self) -> list[Any] | None:
        """Rows of numbers, of a graph a number for each node; None where there is no board."""
        return None if self.solution is None else rows_of(self.solution)

    @property
    def vertices(self) -> list[str] | None:
        """What the file of a graph calls each node, in the order of `board`; None for others."""
        return self.instance.vertices

    @property
    def board_text(self) -> str:
        """The board in lines of plain text."""
        closed = self.instance.header.closed
        return "" if self.solution is None else text(self.solution, closed)

    def _repr_svg_(self) -> str | None:
        if self.solution is None:
            return None
        return svg(self.solution, self.instance.header.closed)

    def _repr_html_(self) -> str:
        """The picture in place of the lines of the board, and the words around them."""
        words = str(self)
        if self.solution is not None:
            words = words.replace(self.board_text, "").replace("\n\n", "\n").strip()
        return f"{self._repr_svg_() or ''}<pre>{html.escape(words)}</pre>"
