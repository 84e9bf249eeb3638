"""Solutions as text for a terminal: numbers, queens, digits, colours, each in its natural form."""

from __future__ import annotations

from adapters.boards import Grid
from adapters.decode import Labels, Marks, Solution, Tour


def numbers(solution: Solution) -> list[int]:
    """A number for every cell: of the move from 1, of the value from 1, or 1 where marked."""
    board, picture = solution.board, solution.picture
    match picture:
        case Tour(order=order):
            place = {cell: number for number, cell in enumerate(order, 1)}
            flat = [place.get(cell, 0) for cell in range(board.cells)]
        case Marks(cells=cells):
            flat = [int(cell in cells) for cell in range(board.cells)]
        case Labels(values=values):
            flat = [part[0] + 1 if part else 0 for part in values]
    return flat


def rows_of(solution: Solution) -> list[list[int]] | list[int]:
    """For programs: a grid by rows, a graph as a list."""
    flat = numbers(solution)
    return _by_rows(solution.board, flat) if isinstance(solution.board, Grid) else flat


def _by_rows(board: Grid, flat: list[int]) -> list[list[int]]:
    return [flat[r * board.cols : (r + 1) * board.cols] for r in range(board.rows)]


def text(solution: Solution, closed: bool = True) -> str:
    board = solution.board
    if not isinstance(board, Grid):
        return _graph(solution, closed)
    rows = _by_rows(board, numbers(solution))
    if isinstance(solution.picture, Marks):
        shown = [["Q" if value else "." for value in row] for row in rows]
    else:
        shown = [[str(value) for value in row] for row in rows]
    width = max(len(cell) for row in shown for cell in row)
    return "\n".join(" ".join(cell.rjust(width) for cell in row) for row in shown)


def _graph(solution: Solution, closed: bool) -> str:
    board, picture = solution.board, solution.picture
    match picture:
        case Tour(order=order):
            names = [board.name(cell) for cell in order]
            return " - ".join([*names, names[0]] if closed and names else names)
        case Marks(cells=cells):
            return " ".join(board.name(cell) for cell in sorted(cells))
        case Labels(values=values):
            return "\n".join(
                f"{board.name(cell)}: {part[0] + 1 if part else '-'}"
                for cell, part in enumerate(values)
            )
