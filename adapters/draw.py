"""Solutions as text for a terminal: numbers, queens, digits, colours, each in its natural form."""

from __future__ import annotations

from typing import Any

from adapters.decode import Labels, Marks, Solution, Tour
from adapters.pieces import letter
from adapters.tiles import Seam, Tiles

Slot = tuple[int, int]
"""A line, and a column counted in halves of a tile."""

_ARROWS = {(1, 0): ">", (-1, 0): "<", (0, 1): "v", (0, -1): "^"}


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


def rows_of(solution: Solution) -> list[Any]:
    """For programs: tiles by rows, and those of several parts part by part; a graph as a list."""
    flat, board = numbers(solution), solution.board
    if not isinstance(board, Tiles):
        return flat
    at = {board.place(cell): number for cell, number in enumerate(flat)}
    parts = [
        [[at.get(place, 0) for place in row] for row in section] for section in board.sections()
    ]
    return parts[0] if len(parts) == 1 else parts


def text(solution: Solution, closed: bool = True) -> str:
    if not isinstance(solution.board, Tiles):
        return _graph(solution, closed)
    return _set(_words(solution, solution.board) | _marks(solution.board.seams()))


def _words(solution: Solution, board: Tiles) -> dict[Slot, str]:
    """What is written on each tile; a friend has its letter, an enemy it beside the number."""
    pieces = board.pieces
    words = {board.slot(place): letter(word) for place, word in pieces.friends.items()}
    for cell, number in enumerate(numbers(solution)):
        place = board.place(cell)
        enemy = letter(pieces.enemies[place]).lower() if place in pieces.enemies else ""
        shown = ("Q" if number else ".") if isinstance(solution.picture, Marks) else str(number)
        words[board.slot(place)] = enemy + shown
    return words


def _marks(seams: list[Seam]) -> dict[Slot, str]:
    """Arrows beside glued sides; the names of the sides, where there are more than two pairs."""
    by_name = len({seam.name for seam in seams}) > 2
    marks = {}
    for seam in seams:
        (x, y), (u, v) = seam.tail, seam.head
        length = int(abs(u - x) + abs(v - y))
        way = (u - x) / length, (v - y) / length
        for step in range(length):
            right = x + way[0] * (step + 0.5) + seam.outward[0] / 2
            down = y + way[1] * (step + 0.5) + seam.outward[1] / 2
            slot = (round(down - 0.5), round(2 * right - 1))
            marks[slot] = seam.name if by_name else _ARROWS[round(way[0]), round(way[1])]
    return marks


def _set(words: dict[Slot, str]) -> str:
    """Words in lines, right-justified under one another."""
    top, left = min(line for line, _ in words), min(half for _, half in words)
    width = max(len(word) for word in words.values()) + 1
    if any((half - left) % 2 for _, half in words):
        width += width % 2
    lines: dict[int, str] = {}
    for (line, half), word in sorted(words.items()):
        end = (half - left) * width // 2 + width - 1
        before = lines.get(line, "")
        lines[line] = before + word.rjust(end - len(before))
    return "\n".join(lines.get(line, "") for line in range(top, max(lines) + 1))


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
