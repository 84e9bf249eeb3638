"""Draw the content of cells in SVG: colours, signs of marks, values, and clues beside the board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from boardsat.adapters.boards import Board
from boardsat.adapters.boards._pieces import sign
from boardsat.adapters.boards._sheets import Sheet
from boardsat.adapters.boards._tiles import Point
from boardsat.adapters.rendering._cell_text import cell_words, given_cells, margin_words
from boardsat.adapters.rendering._graph_canvas import GraphCanvas
from boardsat.adapters.rendering._svg_elements import (
    HALO,
    HUES,
    INK,
    PAGE,
    PALE,
    PATH,
    SIDE,
    STRONG,
    Canvas,
    colour_of,
    contrast,
    dot,
    hue,
    lettered,
    line,
    segment,
)
from boardsat.adapters.rendering._tile_canvas import TileCanvas
from boardsat.adapters.views.solution import (
    MARGINS,
    Fills,
    Labels,
    Marks,
    Solution,
    Strokes,
    View,
)

_MARKS = ("blue", "red", "green", "purple", "orange", "teal")
"""Default colours of views of marks."""

_ROUND = ("circle", "disc", "dot", "cross")
"""Signs that are centred in a cell, together with other signs."""

_SPOTS = {
    **{"top left": (-1, -1), "top right": (1, -1)},
    **{"bottom left": (-1, 1), "bottom right": (1, 1)},
}
"""Directions of the corners of a cell: right, down."""

Draw = Callable[[Point, float], list[str]]
"""Function that draws one sign at a point, scaled."""


def cell_contents(solution: Solution, canvas: Canvas, fills: Mapping[int, str]) -> list[str]:
    """Return the signs and values of cells; several of one cell stand side by side."""
    if isinstance(canvas, GraphCanvas) and (solution.labels or solution.fills):
        return _vertices(solution, canvas, fills)
    standing: defaultdict[int, list[Draw]] = defaultdict(list)
    parts: list[str] = []
    for labels in [each for each in solution.labels if each.place == "cell"]:
        if labels.at in _SPOTS:
            parts += _in_spots(labels, canvas, fills)
        else:
            _stand(labels, solution, fills, standing)
    for number, marks in enumerate(solution.marks):
        if marks.sign not in _ROUND:
            for cell in marks.cells:
                standing[cell].append(_mark(marks, number))
    for cell, things in sorted(standing.items()):
        x, y = canvas.centre(cell)
        for place, thing in enumerate(things):
            aside = SIDE * 0.9 / len(things) * (place - (len(things) - 1) / 2)
            parts += thing((x + aside, y), 1 if len(things) == 1 else 1.1 / len(things))
    return parts


def round_signs(pictures: Sequence[View], canvas: Canvas) -> list[str]:
    """Return the circles, discs, dots and crosses of views."""
    parts = []
    for each in pictures:
        if isinstance(each, Marks) and each.sign in _ROUND:
            colour = STRONG[each.colours[0]] if each.colours else INK
            for cell in sorted(each.cells):
                parts.append(_round_sign(each.sign, canvas.centre(cell), colour))
    return parts


def _round_sign(name: str, at: Point, colour: str) -> str:
    x, y = at
    match name:
        case "circle":
            return dot(at, 13, PAGE, colour)
        case "disc":
            return dot(at, 13, colour, INK)
        case "dot":
            return dot(at, 5, colour)
    arm = 8
    strokes = segment((x - arm, y - arm), (x + arm, y + arm))
    return line(
        strokes + segment((x - arm, y + arm), (x + arm, y - arm)), colour, 'stroke-width="2"'
    )


def _mark(shown: Marks, number: int) -> Draw:
    """Return the drawing of a mark: a chess piece, or a sign on a disc."""
    names = shown.colours
    if len(shown.sign) > 1:
        # The black piece, whose outline is filled, can be seen on squares of either colour.
        is_white = names[:1] == ("white",)
        piece, colour = sign(shown.sign, enemy=not is_white), STRONG[names[0]] if names else INK
        colour = INK if is_white else colour
        return lambda at, scale: [lettered(at, piece, round(SIDE * 0.78 * scale, 1), colour)]
    colour = STRONG[names[0] if names else _MARKS[number % len(_MARKS)]]
    ink = INK if colour == PAGE else PAGE
    return lambda at, scale: [
        dot(at, round(12.5 * scale, 1), colour, *([INK] if colour == PAGE else [])),
        lettered(at, shown.sign, round(15 * scale, 1), ink, 'font-weight="bold"'),
    ]


def _stand(
    labels: Labels, solution: Solution, fills: Mapping[int, str], standing: dict[int, list[Draw]]
) -> None:
    """Add the values of cells to `standing`; given values are bold and black."""
    given = given_cells(solution)
    halo = HALO if any(isinstance(each, Strokes) for each in solution.all_views) else ""
    longest = max((len(labels.word(part[0])) for part in labels.values if part), default=1)
    size = SIDE * {1: 0.55, 2: 0.48, 3: 0.38}.get(longest, 0.28)
    for cell, part in enumerate(labels.values):
        if part:
            colour = contrast(fills[cell]) if cell in fills else INK
            if labels.colours:
                colour = colour_of(labels.colours, part[0], STRONG)
            elif given and cell not in given and colour == INK:
                colour = PATH
            more = 'font-weight="bold"' if cell in given else "" if cell in fills else halo
            standing[cell].append(_word(labels.word(part[0]), size, colour, more))


def _word(word: str, size: float, colour: str, more: str) -> Draw:
    return lambda at, scale: [
        lettered(at, word, size if scale == 1 else round(size * scale, 1), colour, more)
    ]


def _in_spots(labels: Labels, canvas: Canvas, fills: Mapping[int, str]) -> list[str]:
    """Return values in small letters in a corner of their cells."""
    parts = []
    right, down = _SPOTS[labels.at]
    for cell, part in enumerate(labels.values):
        if part:
            (x, y), word = canvas.centre(cell), labels.word(part[0])
            colour = contrast(fills.get(cell, PAGE))
            if labels.colours:
                colour = colour_of(labels.colours, part[0], STRONG)
            # Flush with the side of the cell, however long the word is.
            aside = SIDE / 2 - 4 - 3.1 * len(word)
            parts.append(lettered((x + right * aside, y + down * 0.29 * SIDE), word, 11, colour))
    return parts


def clues(solution: Solution, canvas: Canvas) -> list[str]:
    """Return the labels at corners of cells and beside rows and columns."""
    if not isinstance(canvas, TileCanvas):
        return []
    parts = []
    for labels in [each for each in solution.labels if each.place == "corner"]:
        for cell, part in enumerate(labels.values):
            if part:
                parts.append(lettered(canvas.corner(cell), labels.word(part[0]), 20, INK))
    for side in MARGINS:
        for number, words in enumerate(margin_words(solution, side)):
            parts += canvas.clue(side, number, words)
    return parts


def _vertices(solution: Solution, canvas: GraphCanvas, fills: Mapping[int, str]) -> list[str]:
    """Return the vertices of a graph with their values, each value in a different colour."""
    parts = []
    first = next((each for each in solution.labels if each.place == "cell"), None)
    for cell, word in enumerate(cell_words(solution)):
        fill = fills.get(cell, PAGE)
        if first is not None and cell not in fills and first.values[cell]:
            value = first.values[cell][0]
            fill = colour_of(first.colours, value, STRONG) if first.colours else hue(value - 1)
        parts += canvas.coloured(cell, "?" if word == "." and first else word.strip("."), fill)
    return parts


def fills(solution: Solution) -> dict[int, str]:
    """Return the colours of cells; later views take precedence."""
    found: dict[int, str] = {}
    for each in solution.fills:
        told = {cell: part[0] for cell, part in enumerate(each.values) if part}
        found |= _coloured(each, told, solution.board)
    return found


def _coloured(shown: Fills, told: dict[int, int], board: Board) -> dict[int, str]:
    if shown.colours:
        return {cell: colour_of(shown.colours, value, PALE) for cell, value in told.items()}
    if not shown.has_values:
        return dict.fromkeys(told, PALE["grey"])
    least, most = min(told.values(), default=0), max(told.values(), default=0)
    if least >= 0 and most - min(least, 1) < len(HUES):
        # Values begin at 0 or at 1.
        return {cell: hue(value - min(least, 1)) for cell, value in told.items()}
    colours = _greedy_colours(told, _neighbours(board))
    return {cell: hue(colours[value]) for cell, value in told.items()}


def _neighbours(board: Board) -> list[tuple[int, int]]:
    if not isinstance(board, Sheet):
        return board.edges()
    cell = {board.place(cell): cell for cell in range(board.cells)}
    return [
        (here, cell[place + step])
        for place, here in cell.items()
        for step in (1, board.cols)
        if place + step in cell and (step > 1 or (place + 1) % board.cols)
    ]


def _greedy_colours(told: dict[int, int], neighbours: list[tuple[int, int]]) -> dict[int, int]:
    """Colour the values greedily, so that neighbouring regions differ."""
    touching: defaultdict[int, set[int]] = defaultdict(set)
    for a, b in neighbours:
        if a in told and b in told and told[a] != told[b]:
            touching[told[a]].add(told[b])
            touching[told[b]].add(told[a])
    colours: dict[int, int] = {}
    for value in dict.fromkeys(told.values()):
        taken = {colours[other] for other in touching[value] if other in colours}
        colours[value] = next(k for k in range(len(taken) + 1) if k not in taken)
    return colours
