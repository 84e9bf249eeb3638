"""Base class of results with a board: rows for programs, a picture in a notebook."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

from boardsat.adapters.rendering.svg import svg
from boardsat.adapters.rendering.text import rows_of, text
from boardsat.adapters.views.solution import Solution
from boardsat.instance.formula_file import Instance


@dataclass(frozen=True, repr=False, eq=False)
class BoardResult:
    """Result with an instance and its board."""

    instance: Instance
    solution: Solution | None
    """Decoded board. None if there is none."""

    @property
    def board(self) -> list[Any] | None:
        """Rows of numbers; of a graph a number for each vertex. None if there is no board."""
        return None if self.solution is None else rows_of(self.solution)

    @property
    def vertices(self) -> list[str] | None:
        """Labels of a graph's vertices in the order of `board`. None for other boards."""
        return self.instance.vertices

    @property
    def board_text(self) -> str:
        """Board as plain text. Empty if there is none."""
        closed = self.instance.header.closed
        return "" if self.solution is None else text(self.solution, closed)

    def _repr_svg_(self) -> str | None:
        if self.solution is None:
            return None
        return svg(self.solution, self.instance.header.closed)

    def _repr_html_(self) -> str:
        """Return the text with the picture in place of the board."""
        words = str(self)
        if self.solution is not None:
            words = words.replace(self.board_text, "").replace("\n\n", "\n").strip()
        return f"{self._repr_svg_() or ''}<pre>{html.escape(words)}</pre>"
