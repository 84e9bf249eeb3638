"""Solutions as SVG pictures: a chequered board with a tour's path, queens, digits or colours."""

from __future__ import annotations

import math

from adapters.boards import Grid
from adapters.decode import Labels, Marks, Solution, Tour

SIDE = 40
"""Units of a square's side."""

_LIGHT, _DARK, _PATH, _START = "#f3ead9", "#d9c6a5", "#1f4e79", "#b3261e"
_COLOURS = 12
"""How many hues a colouring steps through before it goes round again."""


def svg(solution: Solution, closed: bool = True) -> str:
    """One self-contained picture."""
    if isinstance(solution.board, Grid):
        width, height = solution.board.cols * SIDE, solution.board.rows * SIDE
        parts = _squares(solution.board)
    else:
        width = height = max(200, 14 * solution.board.cells)
        parts = _edges(solution, width)
    parts += _picture(solution, closed, width)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="sans-serif">',
            *parts,
            "</svg>\n",
        ]
    )


def _centre(solution: Solution, cell: int, width: int) -> tuple[float, float]:
    """The middle of a square; the vertices of a graph stand on a circle."""
    board = solution.board
    if isinstance(board, Grid):
        return (cell % board.cols + 0.5) * SIDE, (cell // board.cols + 0.5) * SIDE
    angle = 2 * math.pi * cell / board.cells
    radius = width / 2 - SIDE / 2
    return width / 2 + radius * math.sin(angle), width / 2 - radius * math.cos(angle)


def _squares(board: Grid) -> list[str]:
    return [
        f'<rect x="{c * SIDE}" y="{r * SIDE}" width="{SIDE}" height="{SIDE}" '
        f'fill="{_DARK if (r + c) % 2 else _LIGHT}"/>'
        for r in range(board.rows)
        for c in range(board.cols)
    ]


def _edges(solution: Solution, width: int) -> list[str]:
    board = solution.board
    assert not isinstance(board, Grid)
    lines = []
    for u, v in sorted(board.joined):
        (a, b), (c, d) = _centre(solution, u, width), _centre(solution, v, width)
        lines.append(f'<path d="M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}" stroke="#ccc"/>')
    return lines


def _picture(solution: Solution, closed: bool, width: int) -> list[str]:
    match solution.picture:
        case Tour(order=order):
            return _tour(solution, order, closed, width)
        case Marks(cells=cells):
            return [_word(solution, cell, "♛", width, SIDE * 0.8) for cell in sorted(cells)]
        case Labels(values=values):
            labels = []
            for cell, part in enumerate(values):
                if not isinstance(solution.board, Grid):
                    x, y = _centre(solution, cell, width)
                    hue = 360 * (part[0] % _COLOURS) // _COLOURS if part else 0
                    labels.append(
                        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="12" fill="hsl({hue} 70% 70%)"/>'
                    )
                shown = str(part[0] + 1) if part else "?"
                labels.append(_word(solution, cell, shown, width, SIDE * 0.45))
            return labels
    return []


def _tour(solution: Solution, order: tuple[int, ...], closed: bool, width: int) -> list[str]:
    """The path, closed or open, its start marked; with move numbers, or the names of vertices."""
    if not order:
        return []
    points = [_centre(solution, cell, width) for cell in order]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + ("Z" if closed else "")
    (x, y), (u, v) = points[0], points[-1]
    parts = [
        f'<path d="{path}" fill="none" stroke="{_PATH}" stroke-width="2.5" '
        'stroke-linejoin="round" opacity="0.75"/>',
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" fill="{_START}"/>',
    ]
    if not closed:
        parts.append(
            f'<rect x="{u - 6:.1f}" y="{v - 6:.1f}" width="12" height="12" fill="{_PATH}"/>'
        )
    if isinstance(solution.board, Grid):
        parts += [
            f'<text x="{x - SIDE / 2 + 3:.1f}" y="{y - SIDE / 2 + 11:.1f}" font-size="9" '
            f'fill="#555">{number}</text>'
            for number, (x, y) in enumerate(points, 1)
        ]
    else:
        parts += [
            _vertex(solution, cell, width, _START if cell == order[0] else _PATH)
            for cell in range(solution.board.cells)
        ]
    return parts


def _vertex(solution: Solution, cell: int, width: int, colour: str) -> str:
    """The name of a vertex, on a disc that lets it be read where edges cross."""
    x, y = _centre(solution, cell, width)
    disc = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="10" fill="#fff" stroke="{colour}"/>'
    return f"{disc}\n{_word(solution, cell, solution.board.name(cell), width, 11)}"


def _word(solution: Solution, cell: int, word: str, width: int, size: float) -> str:
    x, y = _centre(solution, cell, width)
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.0f}" text-anchor="middle" '
        f'dy="0.35em">{word}</text>'
    )
