"""Solutions as SVG pictures: a tour, queens, digits or colours on tiles or a circle of vertices."""

from __future__ import annotations

from adapters.boards import Graph
from adapters.decode import Labels, Marks, Solution, Tour
from adapters.svg_graphs import GraphCanvas
from adapters.svg_parts import SIDE, Canvas, dot, word
from adapters.svg_tiles import TileCanvas
from adapters.svg_tour import tour
from adapters.tiles import Tiles

_COLOURS = 12
"""How many hues a colouring steps through before it goes round again."""


def svg(solution: Solution, closed: bool = True) -> str:
    """One self-contained picture."""
    canvas = canvas_for(solution)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" '
            f'viewBox="0 0 {canvas.width} {canvas.height}" '
            f'width="{canvas.width}" height="{canvas.height}" font-family="sans-serif">',
            *canvas.ground(),
            *_picture(solution, canvas, closed),
            "</svg>\n",
        ]
    )


def canvas_for(solution: Solution) -> Canvas:
    board = solution.board
    if isinstance(board, Tiles):
        return TileCanvas(board)
    assert isinstance(board, Graph)
    return GraphCanvas(board)


def _picture(solution: Solution, canvas: Canvas, closed: bool) -> list[str]:
    match solution.picture:
        case Tour(order=order):
            return tour(canvas, order, closed)
        case Marks(cells=cells):
            return [word(canvas.centre(cell), "♛", SIDE * 0.8) for cell in sorted(cells)]
        case Labels(values=values):
            labels = []
            for cell, part in enumerate(values):
                if isinstance(canvas, GraphCanvas):
                    hue = 360 * ((part[0] - 1) % _COLOURS) // _COLOURS if part else 0
                    labels.append(dot(canvas.centre(cell), 12, f"hsl({hue} 70% 70%)"))
                shown = str(part[0]) if part else "?"
                labels.append(word(canvas.centre(cell), shown, SIDE * 0.45))
            return labels
    return []
