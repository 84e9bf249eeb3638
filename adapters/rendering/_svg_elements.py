"""Parts of all pictures: a canvas that knows the cells, text, dots, colours."""

from __future__ import annotations

import html
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from boardsat.adapters.boards._tiles import Point

SIDE = 40
"""Units of a tile's side."""

PAGE, INK, FAINT = "#ffffff", "#26221c", "#8a7d68"
PATH, START = "#2f5d8c", "#b3402e"
STRONG = {
    **{"black": INK, "grey": "#8b8880", "white": PAGE, "red": START, "orange": "#c8741a"},
    **{"yellow": "#c9a400", "green": "#4d7c3a", "teal": "#3f7f86", "blue": PATH},
    **{"purple": "#7b5ea7", "pink": "#c0568f", "brown": "#7a5230"},
}
"""Colours by their names, for lines, signs and letters."""
PALE = {
    **{"black": INK, "grey": "#cfccc6", "white": PAGE, "red": "#e8b0ab", "orange": "#f2c38f"},
    **{"yellow": "#efe09b", "green": "#b5d6a7", "teal": "#a5d5d3", "blue": "#a9c6e3"},
    **{"purple": "#cdb9e0", "pink": "#f0bfd6", "brown": "#dcb999"},
}
"""The same for what lies under letters."""
HUES = tuple(
    PALE[name] for name in ("blue", "orange", "green", "red", "purple", "yellow", "teal", "brown")
)
"""Colours that stay apart, also for most who see fewer; after them the circle of hues."""

HALO = f'stroke="{PAGE}" stroke-width="3" paint-order="stroke"'
"""Around words that a line might touch."""

MAX_NUMBERED_CELLS = 400
"""Cells of a board whose moves have numbers; on larger ones nobody could read them."""

_HEAD = 7.5
"""Length of an arrowhead, of which half is its width to each side."""


BEFORE_DISC = 15.5
"""From the middle of a cell to that of an arrowhead that comes to its disc."""


class Canvas(ABC):
    """A board on a page: its size, what lies under a solution, and where cells and moves are."""

    width: int
    height: int

    @abstractmethod
    def centre(self, cell: int) -> Point: ...

    @abstractmethod
    def ground(self) -> list[str]:
        """The board itself."""

    @abstractmethod
    def name(self, cell: int, number: int) -> str:
        """What to write where a tour comes by."""

    def over(self) -> list[str]:
        """What lies over a solution."""
        return []

    def is_straight(self, a: int, b: int) -> bool:
        """Whether a move is one straight line."""
        return True

    def detour(self, a: int, b: int, numbers: tuple[int, int]) -> list[str]:
        """A move that is not, from a cell with one number to that with the other."""
        return []


def hue(value: int) -> str:
    """A colour for a value from 0 on."""
    if 0 <= value < len(HUES):
        return HUES[value]
    # Steps of the golden angle come near no earlier one for long.
    return f"hsl({(value + 1) * 137.5 % 360:.0f} 55% 78%)"


def colour_of(names: Sequence[str], value: int, palette: Mapping[str, str]) -> str:
    """The colour of a value, where there are names of colours: they come again after the last."""
    return palette[names[value % len(names)]]


def contrast(fill: str) -> str:
    """The colour of letters on it."""
    return PAGE if fill == INK else INK


def lettered(
    at: Point, text: str, size: float, colour: str = INK, more: str = "", anchor: str = "middle"
) -> str:
    """In the middle of a point, or before or after it."""
    return (
        f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" font-size="{size:g}" text-anchor="{anchor}" '
        f'dy="0.35em" fill="{colour}"{more and " " + more}>{html.escape(text, quote=False)}</text>'
    )


def dot(at: Point, radius: float, fill: str, stroke: str = "none") -> str:
    return (
        f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius:g}" fill="{fill}" '
        f'stroke="{stroke}"/>'
    )


def line(d: str, colour: str, more: str = "") -> str:
    """A path that is not filled."""
    return f'<path d="{d}" fill="none" stroke="{colour}"{more and " " + more}/>'


def segment(a: Point, b: Point) -> str:
    return f"M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}"


def arrowhead(at: Point, way: Point) -> str:
    """A part of a path, to be filled: it points along a way, its middle at a point."""
    length = math.hypot(*way) or 1.0
    x, y = way[0] / length * _HEAD / 2, way[1] / length * _HEAD / 2
    tip = at[0] + x, at[1] + y
    left = at[0] - x - y, at[1] - y + x
    right = at[0] - x + y, at[1] - y - x
    return f"M{tip[0]:.1f} {tip[1]:.1f}L{left[0]:.1f} {left[1]:.1f}L{right[0]:.1f} {right[1]:.1f}Z"
