"""SVG elements and colours of pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from boardsat.adapters.boards._board import Point

SIDE = 40
"""Side of a tile in SVG units."""

PAGE, INK, FAINT = "#ffffff", "#26221c", "#8a7d68"
PATH_COLOUR, START_COLOUR = "#2f5d8c", "#b3402e"
STRONG_COLOURS = {
    **{"black": INK, "grey": "#8b8880", "white": PAGE, "red": START_COLOUR, "orange": "#c8741a"},
    **{"yellow": "#c9a400", "green": "#4d7c3a", "teal": "#3f7f86", "blue": PATH_COLOUR},
    **{"purple": "#7b5ea7", "pink": "#c0568f", "brown": "#7a5230"},
}
"""Colours of lines, signs and letters by name."""
PALE_COLOURS = {
    **{"black": INK, "grey": "#cfccc6", "white": PAGE, "red": "#e8b0ab", "orange": "#f2c38f"},
    **{"yellow": "#efe09b", "green": "#b5d6a7", "teal": "#a5d5d3", "blue": "#a9c6e3"},
    **{"purple": "#cdb9e0", "pink": "#f0bfd6", "brown": "#dcb999"},
}
"""Colours of backgrounds by name."""
VALUE_COLOURS = tuple(
    PALE_COLOURS[name]
    for name in ("blue", "orange", "green", "red", "purple", "yellow", "teal", "brown")
)
"""Background colours of the first values; most colour-blind readers can tell them apart, too."""

HALO = f'stroke="{PAGE}" stroke-width="3" paint-order="stroke"'
"""Attributes of text with a halo, which keeps it legible on lines."""

MAX_NUMBERED_CELLS = 400
"""Maximum number of cells for which moves are numbered; on larger boards they are illegible."""

_ARROWHEAD_LENGTH = 7.5
"""Length of an arrowhead in SVG units; its width is the same."""

ARROWHEAD_TO_DISC = 15.5
"""Distance from the centre of a cell with a disc to the middle of an arrowhead before it."""


def value_colour(value: int) -> str:
    """Return a background colour for a value, counted from 0."""
    if 0 <= value < len(VALUE_COLOURS):
        return VALUE_COLOURS[value]
    # Multiples of the golden angle are spread evenly, so similar hues are rare.
    return f"hsl({(value + 1) * 137.5 % 360:.0f} 55% 78%)"


def named_colour(names: Sequence[str], value: int, palette: Mapping[str, str]) -> str:
    """Return the colour of a value, given the names of the colours of 0, 1, ..., cyclically."""
    return palette[names[value % len(names)]]


def contrast(fill: str) -> str:
    """Return a legible colour of letters on a background."""
    return PAGE if fill == INK else INK


def escape(text: str) -> str:
    """Return a text with `&`, `<` and `>` escaped for SVG."""
    # html.escape would do the same, but its module has a table of all characters of HTML.
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def text_element(
    point: Point,
    text: str,
    size: float,
    colour: str = INK,
    attributes: str = "",
    anchor: str = "middle",
) -> str:
    """Return a line of text, vertically centred at a point."""
    return (
        f'<text x="{point[0]:.1f}" y="{point[1]:.1f}" font-size="{size:g}" '
        f'text-anchor="{anchor}" dy="0.35em" fill="{colour}"{attributes and " " + attributes}>'
        f"{escape(text)}</text>"
    )


def disc(centre: Point, radius: float, fill: str, stroke: str = "none") -> str:
    return (
        f'<circle cx="{centre[0]:.1f}" cy="{centre[1]:.1f}" r="{radius:g}" fill="{fill}" '
        f'stroke="{stroke}"/>'
    )


def path(commands: str, colour: str, attributes: str = "") -> str:
    """Return a path that is stroked and not filled."""
    attributes = attributes and " " + attributes
    return f'<path d="{commands}" fill="none" stroke="{colour}"{attributes}/>'


def filled_path(commands: str, colour: str, attributes: str = "") -> str:
    return f'<path d="{commands}" fill="{colour}"{attributes and " " + attributes}/>'


def segment(a: Point, b: Point) -> str:
    """Return the path commands of a line segment."""
    return f"M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}"


def arrowhead(middle: Point, direction: Point) -> str:
    """Return the path commands of an arrowhead, which is to be filled."""
    length = math.hypot(*direction) or 1.0
    x, y = (component / length * _ARROWHEAD_LENGTH / 2 for component in direction)
    tip = middle[0] + x, middle[1] + y
    base = (middle[0] - x - y, middle[1] - y + x), (middle[0] - x + y, middle[1] - y - x)
    corners = "L".join(f"{u:.1f} {v:.1f}" for u, v in (tip, *base))
    return f"M{corners}Z"
