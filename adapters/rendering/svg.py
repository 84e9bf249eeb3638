"""Draw solutions as SVG pictures: lines, tours, pieces, values and colours on boards and graphs."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.boards._board import PIECES, Point, Tiles
from boardsat.adapters.rendering._canvases import Canvas, GraphCanvas, TileCanvas
from boardsat.adapters.rendering._cells import cell_colours, cell_contents, clues, round_signs
from boardsat.adapters.rendering._svg_elements import (
    ARROWHEAD_TO_DISC,
    INK,
    MAX_NUMBERED_CELLS,
    PAGE,
    PATH_COLOUR,
    SIDE,
    START_COLOUR,
    STRONG_COLOURS,
    arrowhead,
    disc,
    escape,
    filled_path,
    named_colour,
    path,
    segment,
    text_element,
)
from boardsat.adapters.rendering.off_board import Boxes, off_board_title
from boardsat.adapters.views import (
    Fills,
    Labels,
    Marks,
    OffBoardView,
    Solution,
    Strokes,
    Tour,
    Walls,
)
from boardsat.base.text import pluralize

_FONTS = "'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif"

_LINE_WIDTH = 3.5

_ARROWHEAD_TO_END = 0.32 * SIDE
"""Distance of an arrowhead from the end of its line, which leaves room for a sign in the cell."""

_LINE_TO_LABEL = 13.0
"""Distance of a line's end from the centre of a cell that has a label."""

_ARROWHEAD_SHARE = 0.6
"""Position of the arrowhead on a move between cells without discs, as a share of the line's length.

It is not at the middle, where many lines cross.
"""


def solution_to_svg(solution: Solution, closed: bool = True) -> str:
    """Return a self-contained SVG picture; views that cannot share a board are stacked.

    Parameters
    ----------
    solution : Solution
        Board and views.
    closed : bool
        True if the views of kind `Tour` are closed: a line leads from the last cell to the first.

    Returns
    -------
    str
        SVG document, with a title for screen readers.
    """
    drawings = [_draw(drawing, closed) for drawing in solution.drawings()]
    width = max(drawing.width for drawing in drawings)
    height = sum(drawing.height for drawing in drawings)
    elements = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="{_FONTS}" role="img">',
        f"<title>{escape(title(solution, closed))}</title>",
        f'<rect width="{width}" height="{height}" fill="{PAGE}"/>',
    ]
    top = 0
    for drawing in drawings:
        if top:
            elements += [f'<g transform="translate(0 {top})">', *drawing.elements, "</g>"]
        else:
            elements += drawing.elements
        top += drawing.height
    return "\n".join([*elements, "</svg>\n"])


class _Drawing(NamedTuple):
    width: int
    height: int
    elements: list[str]


def _draw(solution: Solution, closed: bool) -> _Drawing:
    """Draw a board with all its views, or one view without a board."""
    if isinstance(solution.view, OffBoardView):
        boxes = Boxes(solution.view)
        return _Drawing(boxes.width, boxes.height, boxes.elements)
    colours = cell_colours(solution)
    canvas = _canvas(solution, colours)
    elements = [
        *canvas.background(),
        *_view_elements(solution, canvas, colours, closed),
        *canvas.foreground(),
    ]
    return _Drawing(canvas.width, canvas.height, elements)


def title(solution: Solution, closed: bool) -> str:
    """Return a description of the picture, for screen readers."""
    board = solution.board.title
    match solution.view:
        case Tour(order=order):
            start, end = (solution.board.name(order[k]) for k in (0, -1)) if order else ("", "")
            if closed:
                return f"A closed tour of {board} in {len(order):,} moves, from {start}"
            return f"An open tour of {board}, {pluralize(len(order), 'cell')} from {start} to {end}"
        case Marks():
            counts = [f"{len(v.cells):,} times {v.sign}" for v in solution.of_kind(Marks)]
            return f"{' and '.join(counts)} on {board}"
        case Labels(values=values) | Fills(values=values, has_values=True):
            given_note = (
                f", {len(solution.given_cells):,} of them given" if solution.given_cells else ""
            )
            return f"{sum(map(bool, values)):,} values on {board}{given_note}"
        case Fills(values=values):
            return f"{pluralize(sum(map(bool, values)), 'filled cell')} on {board}"
        case Strokes(pairs=pairs, has_heads=has_heads):
            return f"{pluralize(len(pairs), 'arrow' if has_heads else 'line')} on {board}"
        case Walls(pairs=pairs):
            return f"{pluralize(len(pairs), 'wall')} on {board}"
        case OffBoardView() as view:
            return off_board_title(view)


def _canvas(solution: Solution, colours: dict[int, str]) -> Canvas:
    """Return the canvas of the board, given the colours of cells."""
    board = solution.board
    if isinstance(board, Tiles):
        has_tour = any(isinstance(view, Tour) for view in solution.views)
        has_pieces = has_tour or any(v.sign in PIECES for v in solution.of_kind(Marks))
        style = solution.board_style or ("chess" if has_pieces else "plain")
        return TileCanvas(board, solution, style, colours)
    assert isinstance(board, GraphBoard)
    return GraphCanvas(board)


def _view_elements(
    solution: Solution, canvas: Canvas, colours: dict[int, str], closed: bool
) -> list[str]:
    """Return the SVG elements of all views on a board, the lowest layer first.

    The layers are signs of static views, lines, tours, signs of the model's views, and text.
    """
    has_vertices = solution.has_kind(Labels, Fills, Tour)
    vertices = canvas.vertices() if isinstance(canvas, GraphCanvas) and not has_vertices else []
    elements = [*vertices, *round_signs(solution.static_views, canvas)]
    if vertices:
        labelled = frozenset(range(solution.board.cells))
    else:
        labelled = frozenset(
            cell
            for labels in solution.of_kind(Labels)
            if labels.is_main
            for cell, values in enumerate(labels.values)
            if values
        )
    for strokes in solution.of_kind(Strokes):
        elements += _lines(strokes, canvas, labelled)
    for view in solution.views:
        if isinstance(view, Tour):
            elements += _tour(canvas, view.order, closed)
    elements += round_signs(solution.views, canvas)
    return [*elements, *cell_contents(solution, canvas, colours), *clues(solution, canvas)]


# Lines.


def _lines(strokes: Strokes, canvas: Canvas, labelled: frozenset[int]) -> list[str]:
    """Return lines or arrows: straight ones as one path, others as detours.

    Lines end before the labels of labelled cells.
    """
    colour = named_colour(strokes.colours, 0, STRONG_COLOURS) if strokes.colours else PATH_COLOUR
    pairs = [(a, b) for a, b in strokes.pairs if a != b]
    straight = [pair for pair in pairs if canvas.is_straight(*pair)]
    elements = []
    if straight:
        segments = [
            segment(
                _line_end(canvas.centre(a), canvas.centre(b), a in labelled),
                _line_end(canvas.centre(b), canvas.centre(a), b in labelled),
            )
            for a, b in straight
        ]
        style = f'stroke-width="{_LINE_WIDTH}" stroke-linecap="round"'
        elements.append(path("".join(segments), colour, style))
    if strokes.has_heads and straight:
        heads = "".join(_line_head(canvas.centre(a), canvas.centre(b)) for a, b in straight)
        elements.append(filled_path(heads, colour, f'stroke="{colour}" stroke-width="2"'))
    for a, b in pairs:
        if not canvas.is_straight(a, b):
            elements += canvas.detour(a, b, (a + 1, b + 1))
    return elements


def _line_end(end: Point, other_end: Point, is_labelled: bool) -> Point:
    """Return the end of a line: the centre of a cell, or a point before it if it has a label."""
    x, y = other_end[0] - end[0], other_end[1] - end[1]
    share = _LINE_TO_LABEL / (math.hypot(x, y) or 1.0) if is_labelled else 0.0
    return end[0] + share * x, end[1] + share * y


def _line_head(a: Point, b: Point) -> str:
    x, y = b[0] - a[0], b[1] - a[1]
    share = 1 - max(_ARROWHEAD_TO_END / (math.hypot(x, y) or 1.0), 0.05)
    return arrowhead((a[0] + share * x, a[1] + share * y), (x, y))


# Tours. Numbers stand on discs over the path, so that no line crosses them.


def _tour(canvas: Canvas, order: tuple[int, ...], closed: bool) -> list[str]:
    """Return a tour: path, arrowheads, and numbered cells."""
    if not order:
        return []
    # An unchecked tour may repeat a cell, which is not a line.
    moves = [(a, b) for a, b in pairwise([*order, order[0]] if closed else order) if a != b]
    straight_moves = [move for move in moves if canvas.is_straight(*move)]
    if closed and len(straight_moves) == len(moves):
        commands = _path_commands(canvas, moves[:-1], order[0]) + "Z"
    else:
        commands = _path_commands(canvas, moves, order[0])
    numbers = {cell: number for number, cell in enumerate(order, 1)}
    detours = [
        element
        for a, b in moves
        if not canvas.is_straight(a, b)
        for element in canvas.detour(a, b, (numbers[a], numbers[b]))
    ]
    has_discs = len(order) <= MAX_NUMBERED_CELLS
    width = 2.2 if has_discs else 2.6
    return [
        path(commands, PATH_COLOUR, f'stroke-width="{width}" stroke-linejoin="round" class="tour"'),
        *detours,
        *_move_heads(canvas, straight_moves, has_discs),
        *_stops(canvas, order, closed),
    ]


def _path_commands(canvas: Canvas, moves: list[tuple[int, int]], start: int) -> str:
    """Return the path of all straight moves, with gaps for the others."""
    stops = [(start, "M"), *((b, "L" if canvas.is_straight(a, b) else "M") for a, b in moves)]
    points = ((canvas.centre(cell), command) for cell, command in stops)
    return "".join(f"{command}{x:.1f} {y:.1f}" for (x, y), command in points)


def _move_heads(canvas: Canvas, moves: list[tuple[int, int]], has_discs: bool) -> list[str]:
    """Return a path with an arrowhead for every move."""
    heads = []
    for a, b in moves:
        (x, y), (u, v) = canvas.centre(a), canvas.centre(b)
        share = 1 - ARROWHEAD_TO_DISC / math.dist((x, y), (u, v)) if has_discs else _ARROWHEAD_SHARE
        heads.append(arrowhead((x + share * (u - x), y + share * (v - y)), (u - x, v - y)))
    return [filled_path("".join(heads), PATH_COLOUR)] if heads else []


def _stops(canvas: Canvas, order: tuple[int, ...], closed: bool) -> list[str]:
    """Return numbered discs on all cells; on large boards only the start and the end."""
    colours = {order[0]: START_COLOUR}
    if not closed:
        colours.setdefault(order[-1], PATH_COLOUR)
    if len(order) > MAX_NUMBERED_CELLS:
        return [disc(canvas.centre(cell), 10, colour, PAGE) for cell, colour in colours.items()]
    labels = [canvas.stop_label(cell, number) for number, cell in enumerate(order, 1)]
    longest = max(map(len, labels))
    radius, size = (10.5, 10.5) if longest <= 2 else (12, 9)
    elements = []
    for cell, label in zip(order, labels, strict=True):
        centre = canvas.centre(cell)
        if cell in colours:
            elements.append(disc(centre, radius + 1, colours[cell]))
            elements.append(text_element(centre, label, size, PAGE, 'font-weight="bold"'))
        else:
            elements.append(disc(centre, radius, PAGE, PATH_COLOUR))
            elements.append(text_element(centre, label, size, INK))
    return elements
