"""Solutions as SVG pictures: a tour, queens, digits or colours on tiles or a circle of vertices."""

from __future__ import annotations

import html
import math
from itertools import pairwise
from typing import NamedTuple

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.boards._pieces import PIECES
from boardsat.adapters.boards._tiles import Point, Tiles
from boardsat.adapters.rendering._cells import cell_contents, clues, fills, round_signs
from boardsat.adapters.rendering._graph_canvas import GraphCanvas
from boardsat.adapters.rendering._svg_elements import (
    BEFORE_DISC,
    INK,
    MAX_NUMBERED_CELLS,
    PAGE,
    PATH,
    START,
    STRONG,
    Canvas,
    arrowhead,
    colour_of,
    dot,
    lettered,
    line,
    segment,
)
from boardsat.adapters.rendering._tile_canvas import TileCanvas
from boardsat.adapters.rendering.off_board import Boxes, off_board_title
from boardsat.adapters.views.solution import (
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

_WIDTH = 3.5

_BEFORE_END = 0.32
"""Distance of an arrowhead from the end of its line, in sides: the middle may have a sign."""

_FULL = 13.0
"""Distance of a line's end from the middle of a cell that has a label."""

_ON_THE_WAY = 0.6
"""Position of the arrowhead on a move without discs: lines cross in the middle."""


def svg(solution: Solution, closed: bool = True) -> str:
    """One self-contained picture; views that cannot share a board are drawn below one another."""
    drawings = [_drawn(each, closed) for each in solution.drawings()]
    width = max(drawing.width for drawing in drawings)
    height = sum(drawing.height for drawing in drawings)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="{_FONTS}" role="img">',
        f"<title>{html.escape(title(solution, closed), quote=False)}</title>",
        f'<rect width="{width}" height="{height}" fill="{PAGE}"/>',
    ]
    top = 0
    for drawing in drawings:
        shown = drawing.parts
        parts += [f'<g transform="translate(0 {top})">', *shown, "</g>"] if top else shown
        top += drawing.height
    return "\n".join([*parts, "</svg>\n"])


class _Drawing(NamedTuple):
    width: int
    height: int
    parts: list[str]


def _drawn(solution: Solution, closed: bool) -> _Drawing:
    """One board with all that lies on it, or a list or a table."""
    if isinstance(solution.view, OffBoardView):
        boxes = Boxes(solution.view)
        return _Drawing(boxes.width, boxes.height, boxes.parts)
    canvas, coloured = _board(solution)
    parts = [*canvas.ground(), *_picture(solution, canvas, coloured, closed), *canvas.over()]
    return _Drawing(canvas.width, canvas.height, parts)


def title(solution: Solution, closed: bool) -> str:
    """The picture in words, for who cannot see it."""
    where = solution.board.title
    match solution.view:
        case Tour(order=order):
            start, end = (solution.board.name(order[k]) for k in (0, -1)) if order else ("", "")
            if closed:
                return f"A closed tour of {where} in {len(order):,} moves, from {start}"
            return f"An open tour of {where}, {pluralize(len(order), 'cell')} from {start} to {end}"
        case Marks():
            counts = [f"{len(each.cells):,} times {each.sign}" for each in solution.marks]
            return f"{' and '.join(counts)} on {where}"
        case Labels(values=found) | Fills(values=found, has_values=True):
            given = f", {len(solution.given):,} of them given" if solution.given else ""
            return f"{sum(map(bool, found)):,} values on {where}{given}"
        case Fills(values=found):
            return f"{pluralize(sum(map(bool, found)), 'filled cell')} on {where}"
        case Strokes(pairs=pairs, has_heads=has_heads):
            return f"{pluralize(len(pairs), 'arrow' if has_heads else 'line')} on {where}"
        case Walls(pairs=pairs):
            return f"{pluralize(len(pairs), 'wall')} on {where}"
        case OffBoardView() as shown:
            return off_board_title(shown)


def _board(solution: Solution) -> tuple[Canvas, dict[int, str]]:
    """The board on a page, and the colours of its cells."""
    board, coloured = solution.board, fills(solution)
    if isinstance(board, Tiles):
        ground = solution.board_style or ("chess" if _is_chess(solution) else "plain")
        return TileCanvas(board, solution, ground, coloured), coloured
    assert isinstance(board, GraphBoard)
    return GraphCanvas(board), coloured


def _is_chess(solution: Solution) -> bool:
    """Whether pieces move or stand there."""
    if any(isinstance(each, Tour) for each in solution.views):
        return True
    return any(each.sign in PIECES for each in solution.marks)


def _picture(
    solution: Solution, canvas: Canvas, coloured: dict[int, str], closed: bool
) -> list[str]:
    """From below: signs of the question, lines, a tour, signs of the answer, what is written."""
    bare = _bare_vertices(solution, canvas)
    parts = [*bare, *round_signs(solution.static_views, canvas)]
    labels = [each for each in solution.all_views if isinstance(each, Labels) and each.is_main]
    full = frozenset(cell for each in labels for cell, word in enumerate(each.values) if word)
    for each in solution.all_views:
        if isinstance(each, Strokes):
            parts += lines(each, canvas, frozenset(range(solution.board.cells)) if bare else full)
    for each in solution.views:
        if isinstance(each, Tour):
            parts += tour(canvas, each.order, closed)
    parts += round_signs(solution.views, canvas)
    return [*parts, *cell_contents(solution, canvas, coloured), *clues(solution, canvas)]


def _bare_vertices(solution: Solution, canvas: Canvas) -> list[str]:
    """Where neither values nor a tour would show all vertices of a graph."""
    shows_all = any(isinstance(each, Labels | Fills | Tour) for each in solution.all_views)
    return canvas.vertices() if isinstance(canvas, GraphCanvas) and not shows_all else []


# Lines and tours. Numbers of a tour stand on discs over its path, so that no line crosses them.


def lines(shown: Strokes, canvas: Canvas, full: frozenset[int] = frozenset()) -> list[str]:
    """Return the SVG elements of lines or arrows: straight ones as one path, others as detours.

    Lines end before the labels of `full` cells.
    """
    colour = colour_of(shown.colours, 0, STRONG) if shown.colours else PATH
    pairs = [(a, b) for a, b in shown.pairs if a != b]
    straight = [pair for pair in pairs if canvas.is_straight(*pair)]
    ends = [
        (
            _beside(canvas.centre(a), canvas.centre(b), a in full),
            _beside(canvas.centre(b), canvas.centre(a), b in full),
        )
        for a, b in straight
    ]
    parts = []
    if ends:
        style = f'stroke-width="{_WIDTH}" stroke-linecap="round"'
        parts.append(line("".join(segment(a, b) for a, b in ends), colour, style))
    if shown.has_heads and ends:
        heads = "".join(_head(canvas.centre(a), canvas.centre(b)) for a, b in straight)
        parts.append(f'<path d="{heads}" fill="{colour}" stroke="{colour}" stroke-width="2"/>')
    for a, b in pairs:
        if not canvas.is_straight(a, b):
            parts += canvas.detour(a, b, (a + 1, b + 1))
    return parts


def _beside(end: Point, other: Point, is_full: bool) -> Point:
    """Return the end of a line to a cell."""
    way = other[0] - end[0], other[1] - end[1]
    part = _FULL / (math.hypot(*way) or 1.0) if is_full else 0.0
    return end[0] + part * way[0], end[1] + part * way[1]


def _head(a: Point, b: Point) -> str:
    way = b[0] - a[0], b[1] - a[1]
    part = 1 - max(_BEFORE_END * 40 / (math.hypot(*way) or 1.0), 0.05)
    return arrowhead((a[0] + part * way[0], a[1] + part * way[1]), way)


def tour(canvas: Canvas, order: tuple[int, ...], closed: bool) -> list[str]:
    """Return the SVG elements of a tour: path, arrowheads, and numbered cells."""
    if not order:
        return []
    # An unchecked tour may repeat a cell, which is not a line.
    moves = [(a, b) for a, b in pairwise([*order, order[0]] if closed else order) if a != b]
    straight = [canvas.is_straight(a, b) for a, b in moves]
    if closed and all(straight):
        path = _path(canvas, moves[:-1], straight, order[0]) + "Z"
    else:
        path = _path(canvas, moves, straight, order[0])
    number = {cell: place for place, cell in enumerate(order, 1)}
    detours = [
        part
        for (a, b), is_straight in zip(moves, straight, strict=True)
        if not is_straight
        for part in canvas.detour(a, b, (number[a], number[b]))
    ]
    drawn = [move for move, is_straight in zip(moves, straight, strict=True) if is_straight]
    width = 2.2 if len(order) <= MAX_NUMBERED_CELLS else 2.6
    return [
        line(path, PATH, f'stroke-width="{width}" stroke-linejoin="round" class="tour"'),
        *detours,
        *_heads(canvas, drawn, len(order) <= MAX_NUMBERED_CELLS),
        *_stops(canvas, order, closed),
    ]


def _path(canvas: Canvas, moves: list[tuple[int, int]], straight: list[bool], start: int) -> str:
    """Return the path of all straight moves."""
    cells = [(start, "M")]
    cells += [
        (b, "L" if unbroken else "M") for (_, b), unbroken in zip(moves, straight, strict=False)
    ]
    points = ((canvas.centre(cell), letter) for cell, letter in cells)
    return "".join(f"{letter}{x:.1f} {y:.1f}" for (x, y), letter in points)


def _heads(canvas: Canvas, moves: list[tuple[int, int]], has_discs: bool) -> list[str]:
    """Return an arrowhead for every move."""
    heads = []
    for a, b in moves:
        (x, y), (u, v) = canvas.centre(a), canvas.centre(b)
        part = 1 - BEFORE_DISC / math.dist((x, y), (u, v)) if has_discs else _ON_THE_WAY
        heads.append(arrowhead((x + part * (u - x), y + part * (v - y)), (u - x, v - y)))
    return [f'<path d="{"".join(heads)}" fill="{PATH}"/>'] if heads else []


def _stops(canvas: Canvas, order: tuple[int, ...], closed: bool) -> list[str]:
    """Return numbered discs on all cells; on large boards only start and end."""
    colours = {order[0]: START}
    if not closed:
        colours.setdefault(order[-1], PATH)
    if len(order) > MAX_NUMBERED_CELLS:
        return [dot(canvas.centre(cell), 10, colour, PAGE) for cell, colour in colours.items()]
    names = [canvas.name(cell, number) for number, cell in enumerate(order, 1)]
    longest = max(map(len, names))
    parts = []
    for cell, name in zip(order, names, strict=True):
        parts += _stop(canvas.centre(cell), name, longest, colours.get(cell))
    return parts


def _stop(at: Point, name: str, longest: int, colour: str | None) -> list[str]:
    radius, size = (10.5, 10.5) if longest <= 2 else (12, 9)
    if colour:
        return [dot(at, radius + 1, colour), lettered(at, name, size, PAGE, 'font-weight="bold"')]
    return [dot(at, radius, PAGE, PATH), lettered(at, name, size, INK)]
