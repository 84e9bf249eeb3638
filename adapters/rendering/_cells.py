"""Draw the content of cells in SVG: colours, signs of marks, values, and clues at the margins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from boardsat.adapters.boards import Board
from boardsat.adapters.boards._board import Point, piece_symbol
from boardsat.adapters.boards.grid import Sheet
from boardsat.adapters.rendering._canvases import Canvas, GraphCanvas, TileCanvas
from boardsat.adapters.rendering._cell_text import cell_texts, cells_with_givens, margin_texts
from boardsat.adapters.rendering._svg_elements import (
    HALO,
    INK,
    PAGE,
    PALE_COLOURS,
    PATH_COLOUR,
    SIDE,
    STRONG_COLOURS,
    VALUE_COLOURS,
    contrast,
    disc,
    named_colour,
    path,
    segment,
    text_element,
    value_colour,
)
from boardsat.adapters.views import (
    MARGINS,
    Fills,
    Labels,
    Marks,
    Solution,
    Strokes,
    View,
)

_MARK_COLOURS = ("blue", "red", "green", "purple", "orange", "teal")
"""Default colours of views of marks."""

_ROUND_SIGNS = ("circle", "disc", "dot", "cross")
"""Signs that are drawn in the centre of a cell, even if it has other content."""

_CORNERS = {
    **{"top left": (-1, -1), "top right": (1, -1)},
    **{"bottom left": (-1, 1), "bottom right": (1, 1)},
}
"""Directions from the centre of a cell to its corners: to the right, and down."""

Draw = Callable[[Point, float], list[str]]
"""Function that draws one sign, given its centre and scale."""


def cell_contents(solution: Solution, canvas: Canvas, fills: Mapping[int, str]) -> list[str]:
    """Return the signs and values of cells; several in one cell are drawn side by side."""
    if isinstance(canvas, GraphCanvas) and solution.has_kind(Labels, Fills):
        return _vertices(solution, canvas, fills)
    contents: defaultdict[int, list[Draw]] = defaultdict(list)
    elements: list[str] = []
    for labels in solution.of_kind(Labels):
        if labels.position != "cell":
            continue
        if labels.alignment in _CORNERS:
            elements += _corner_values(labels, canvas, fills)
        else:
            _add_values(labels, solution, fills, contents)
    for number, marks in enumerate(solution.of_kind(Marks)):
        if marks.sign not in _ROUND_SIGNS:
            for cell in marks.cells:
                contents[cell].append(_mark(marks, number))
    for cell, signs in sorted(contents.items()):
        x, y = canvas.centre(cell)
        for number, draw in enumerate(signs):
            shift = SIDE * 0.9 / len(signs) * (number - (len(signs) - 1) / 2)
            elements += draw((x + shift, y), 1 if len(signs) == 1 else 1.1 / len(signs))
    return elements


def round_signs(views: Sequence[View], canvas: Canvas) -> list[str]:
    """Return the circles, discs, dots and crosses of views."""
    elements = []
    for view in views:
        if isinstance(view, Marks) and view.sign in _ROUND_SIGNS:
            colour = STRONG_COLOURS[view.colours[0]] if view.colours else INK
            for cell in sorted(view.cells):
                elements.append(_round_sign(view.sign, canvas.centre(cell), colour))
    return elements


def _round_sign(name: str, centre: Point, colour: str) -> str:
    match name:
        case "circle":
            return disc(centre, 13, PAGE, colour)
        case "disc":
            return disc(centre, 13, colour, INK)
        case "dot":
            return disc(centre, 5, colour)
    x, y = centre
    arm = 8
    falling = segment((x - arm, y - arm), (x + arm, y + arm))
    rising = segment((x - arm, y + arm), (x + arm, y - arm))
    return path(falling + rising, colour, 'stroke-width="2"')


def _mark(marks: Marks, number: int) -> Draw:
    """Return the function that draws a mark: a chess piece, or a sign on a disc.

    The number of the view determines its default colour.
    """
    names = marks.colours
    if len(marks.sign) > 1:
        # The black piece, whose outline is filled, can be seen on squares of either colour.
        is_white = names[:1] == ("white",)
        symbol = piece_symbol(marks.sign, enemy=not is_white)
        ink = STRONG_COLOURS[names[0]] if names and not is_white else INK
        return lambda centre, scale: [
            text_element(centre, symbol, round(SIDE * 0.78 * scale, 1), ink)
        ]
    colour = STRONG_COLOURS[names[0] if names else _MARK_COLOURS[number % len(_MARK_COLOURS)]]
    ink, rim = (INK, [INK]) if colour == PAGE else (PAGE, [])
    return lambda centre, scale: [
        disc(centre, round(12.5 * scale, 1), colour, *rim),
        text_element(centre, marks.sign, round(15 * scale, 1), ink, 'font-weight="bold"'),
    ]


def _add_values(
    labels: Labels, solution: Solution, fills: Mapping[int, str], contents: dict[int, list[Draw]]
) -> None:
    """Add the values of cells to their contents; given values are bold and black."""
    givens = cells_with_givens(solution)
    halo = HALO if solution.of_kind(Strokes) else ""
    longest = max((len(labels.word(values[0])) for values in labels.values if values), default=1)
    size = SIDE * {1: 0.55, 2: 0.48, 3: 0.38}.get(longest, 0.28)
    for cell, values in enumerate(labels.values):
        if values:
            colour = contrast(fills[cell]) if cell in fills else INK
            if labels.colours:
                colour = named_colour(labels.colours, values[0], STRONG_COLOURS)
            elif givens and cell not in givens and colour == INK:
                colour = PATH_COLOUR
            attributes = 'font-weight="bold"' if cell in givens else "" if cell in fills else halo
            contents[cell].append(_value(labels.word(values[0]), size, colour, attributes))


def _value(text: str, size: float, colour: str, attributes: str) -> Draw:
    return lambda centre, scale: [
        text_element(
            centre, text, size if scale == 1 else round(size * scale, 1), colour, attributes
        )
    ]


def _corner_values(labels: Labels, canvas: Canvas, fills: Mapping[int, str]) -> list[str]:
    """Return values in small letters in a corner of their cells."""
    elements = []
    right, down = _CORNERS[labels.alignment]
    for cell, values in enumerate(labels.values):
        if values:
            (x, y), text = canvas.centre(cell), labels.word(values[0])
            colour = contrast(fills.get(cell, PAGE))
            if labels.colours:
                colour = named_colour(labels.colours, values[0], STRONG_COLOURS)
            # Flush with the side of the cell, whatever the length of the text.
            shift = SIDE / 2 - 4 - 3.1 * len(text)
            point = (x + right * shift, y + down * 0.29 * SIDE)
            elements.append(text_element(point, text, 11, colour))
    return elements


def clues(solution: Solution, canvas: Canvas) -> list[str]:
    """Return the labels at corners of cells, and at the margins of rows and columns."""
    if not isinstance(canvas, TileCanvas):
        return []
    elements = [
        text_element(canvas.corner(cell), labels.word(values[0]), 20, INK)
        for labels in solution.of_kind(Labels)
        if labels.position == "corner"
        for cell, values in enumerate(labels.values)
        if values
    ]
    for side in MARGINS:
        for number, texts in enumerate(margin_texts(solution, side)):
            elements += canvas.clue(side, number, texts)
    return elements


def _vertices(solution: Solution, canvas: GraphCanvas, fills: Mapping[int, str]) -> list[str]:
    """Return the vertices of a graph with their values, each value in a different colour."""
    elements = []
    labels = next((view for view in solution.of_kind(Labels) if view.position == "cell"), None)
    for cell, text in enumerate(cell_texts(solution)):
        fill = fills.get(cell, PAGE)
        if labels is not None and cell not in fills and labels.values[cell]:
            value = labels.values[cell][0]
            fill = value_colour(value - 1)
            if labels.colours:
                fill = named_colour(labels.colours, value, STRONG_COLOURS)
        elements += canvas.vertex(cell, "?" if text == "." and labels else text.strip("."), fill)
    return elements


def cell_colours(solution: Solution) -> dict[int, str]:
    """Return the background colours of filled cells; later views take precedence."""
    colours: dict[int, str] = {}
    for fills in solution.of_kind(Fills):
        values = {cell: values[0] for cell, values in enumerate(fills.values) if values}
        colours |= _fill_colours(fills, values, solution.board)
    return colours


def _fill_colours(fills: Fills, values: dict[int, int], board: Board) -> dict[int, str]:
    """Return the colour of every filled cell, given its value."""
    if fills.colours:
        return {
            cell: named_colour(fills.colours, value, PALE_COLOURS) for cell, value in values.items()
        }
    if not fills.has_values:
        return dict.fromkeys(values, PALE_COLOURS["grey"])
    lowest, highest = min(values.values(), default=0), max(values.values(), default=0)
    if lowest >= 0 and highest - min(lowest, 1) < len(VALUE_COLOURS):
        # Values begin at 0 or at 1.
        return {cell: value_colour(value - min(lowest, 1)) for cell, value in values.items()}
    colours = _greedy_colours(values, _adjacent_cells(board))
    return {cell: value_colour(colours[value]) for cell, value in values.items()}


def _adjacent_cells(board: Board) -> list[tuple[int, int]]:
    """Return the pairs of cells that share a side on a sheet, or a move on other boards."""
    if not isinstance(board, Sheet):
        return board.edges()
    cells = {board.tile_of(cell): cell for cell in range(board.cells)}
    return [
        (cell, cells[tile + step])
        for tile, cell in cells.items()
        for step in (1, board.cols)
        if tile + step in cells and (step > 1 or (tile + 1) % board.cols)
    ]


def _greedy_colours(values: dict[int, int], pairs: list[tuple[int, int]]) -> dict[int, int]:
    """Colour the values greedily, so that the values of adjacent cells have different colours."""
    adjacent: defaultdict[int, set[int]] = defaultdict(set)
    for a, b in pairs:
        if a in values and b in values and values[a] != values[b]:
            adjacent[values[a]].add(values[b])
            adjacent[values[b]].add(values[a])
    colours: dict[int, int] = {}
    for value in dict.fromkeys(values.values()):
        used = {colours[neighbour] for neighbour in adjacent[value] if neighbour in colours}
        colours[value] = next(k for k in range(len(used) + 1) if k not in used)
    return colours
