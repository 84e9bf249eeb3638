"""The content of single cells in a picture: signs of marks, and values."""

from __future__ import annotations

from boardsat.adapters.boards._pieces import sign
from boardsat.adapters.decode import Labels, Marks, Solution
from boardsat.adapters.drawing._graphs import GraphCanvas
from boardsat.adapters.drawing._parts import INK, PAGE, PATH, SIDE, START, Canvas, dot, lettered

_MARKS = (PATH, START, "#4d7c3a", "#7b5ea7", "#b7791f", "#3f7f86")
"""A colour for each view of marks that shows a letter."""


def marks(solution: Solution, canvas: Canvas) -> list[str]:
    """Pieces as they are, other signs on a disc; those of one cell side by side."""
    parts = []
    for cell in range(solution.board.cells):
        here = [k for k, each in enumerate(solution.marks) if cell in each.cells]
        x, y = canvas.centre(cell)
        for place, number in enumerate(here):
            aside = SIDE * 0.9 / len(here) * (place - (len(here) - 1) / 2)
            scale = 1 if len(here) == 1 else 1.1 / len(here)
            parts += _mark((x + aside, y), solution.marks[number], number, scale)
    return parts


def _mark(at: tuple[float, float], shown: Marks, number: int, scale: float) -> list[str]:
    if len(shown.sign) > 1:
        # The black piece, whose outline is filled, can be seen on squares of either colour.
        return [lettered(at, sign(shown.sign, enemy=True), round(SIDE * 0.78 * scale, 1), INK)]
    colour = _MARKS[number % len(_MARKS)]
    return [
        dot(at, round(12.5 * scale, 1), colour),
        lettered(at, shown.sign, round(15 * scale, 1), PAGE, 'font-weight="bold"'),
    ]


def values(labels: Labels, solution: Solution, canvas: Canvas) -> list[str]:
    """The value of every cell; what the question gives is bold and black."""
    if isinstance(canvas, GraphCanvas):
        return [
            part
            for cell, found in enumerate(labels.values)
            for part in canvas.coloured(cell, found[0] if found else None)
        ]
    longest = max((len(str(found[0])) for found in labels.values if found), default=1)
    size = SIDE * {1: 0.55, 2: 0.48, 3: 0.38}.get(longest, 0.28)
    parts = []
    for cell, found in enumerate(labels.values):
        is_given = cell in solution.given
        colour = INK if is_given or not solution.given else PATH
        more = 'font-weight="bold"' if is_given else ""
        if found:
            parts.append(lettered(canvas.centre(cell), str(found[0]), size, colour, more))
    return parts
