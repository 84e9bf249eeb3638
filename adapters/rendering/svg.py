"""Solutions as SVG pictures: a tour, queens, digits or colours on tiles or a circle of vertices."""

from __future__ import annotations

import html
from typing import NamedTuple

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.boards._pieces import PIECES
from boardsat.adapters.boards._tiles import Tiles
from boardsat.adapters.rendering._cells import cell_contents, clues, fills, round_signs
from boardsat.adapters.rendering._graph_canvas import GraphCanvas
from boardsat.adapters.rendering._strokes import lines, tour
from boardsat.adapters.rendering._svg_elements import PAGE, Canvas
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
