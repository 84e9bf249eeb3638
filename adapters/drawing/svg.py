"""Solutions as SVG pictures: a tour, queens, digits or colours on tiles or a circle of vertices."""

from __future__ import annotations

import html

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.boards._tiles import Tiles
from boardsat.adapters.counts import counted
from boardsat.adapters.decode import Labels, Marks, Solution, Tour
from boardsat.adapters.drawing._cells import marks, values
from boardsat.adapters.drawing._graphs import GraphCanvas
from boardsat.adapters.drawing._parts import PAGE, Canvas
from boardsat.adapters.drawing._tiles import TileCanvas
from boardsat.adapters.drawing._tour import tour

_FONTS = "'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif"


def svg(solution: Solution, closed: bool = True) -> str:
    """One self-contained picture; views that cannot share a board are drawn below one another."""
    drawings = [(each, _canvas(each)) for each in solution.apart()]
    width = max(canvas.width for _, canvas in drawings)
    height = sum(canvas.height for _, canvas in drawings)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="{_FONTS}" role="img">',
        f"<title>{html.escape(title(solution, closed), quote=False)}</title>",
        f'<rect width="{width}" height="{height}" fill="{PAGE}"/>',
    ]
    top = 0
    for each, canvas in drawings:
        drawn = [*canvas.ground(), *_picture(each, canvas, closed), *canvas.over()]
        parts += [f'<g transform="translate(0 {top})">', *drawn, "</g>"] if top else drawn
        top += canvas.height
    return "\n".join([*parts, "</svg>\n"])


def title(solution: Solution, closed: bool) -> str:
    """The picture in words, for who cannot see it."""
    where = solution.board.title
    match solution.picture:
        case Tour(order=order):
            start, end = (solution.board.name(order[k]) for k in (0, -1)) if order else ("", "")
            if closed:
                return f"A closed tour of {where} in {len(order):,} moves, from {start}"
            return f"An open tour of {where}, {counted(len(order), 'cell')} from {start} to {end}"
        case Marks():
            counts = [f"{len(each.cells):,} times {each.sign}" for each in solution.marks]
            return f"{' and '.join(counts)} on {where}"
        case Labels(values=found):
            given = f", {len(solution.given):,} of them given" if solution.given else ""
            return f"{sum(map(bool, found)):,} values on {where}{given}"


def _canvas(solution: Solution) -> Canvas:
    board = solution.board
    if isinstance(board, Tiles):
        return TileCanvas(board, _is_chess(solution), solution.regions, solution.given)
    assert isinstance(board, GraphBoard)
    return GraphCanvas(board)


def _is_chess(solution: Solution) -> bool:
    """Whether pieces move or stand there."""
    if isinstance(solution.picture, Tour):
        return True
    return any(len(each.sign) > 1 for each in solution.marks)


def _picture(solution: Solution, canvas: Canvas, closed: bool) -> list[str]:
    shown: list[str] = []
    match solution.picture:
        case Tour(order=order):
            shown = tour(canvas, order, closed)
        case Labels() as labels:
            shown = values(labels, solution, canvas)
    return [*shown, *marks(solution, canvas)]
