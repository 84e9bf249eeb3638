"""Solutions as text for a terminal: numbers, queens, digits, colours, each in its natural form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from boardsat.adapters.boards._pieces import letter
from boardsat.adapters.boards._sheets import Sheet
from boardsat.adapters.boards._tiles import Seam, Tiles
from boardsat.adapters.decode import Labels, Marks, Solution, Tour
from boardsat.adapters.drawing._ruled import ruled

Slot = tuple[int, int]
"""A line, and a column counted in halves of a tile."""

Emphasis = Callable[[str], str]
"""How a terminal shows a word that matters more; it takes no room."""

_ARROWS = {(1, 0): ">", (-1, 0): "<", (0, 1): "v", (0, -1): "^"}


def numbers(solution: Solution) -> list[int | None]:
    """For every cell the number of its move, its value, or 1 where it is marked."""
    board, picture = solution.board, solution.picture
    flat: list[int | None]
    match picture:
        case Tour(order=order):
            place = {cell: number for number, cell in enumerate(order, 1)}
            flat = [place.get(cell, 0) for cell in range(board.cells)]
        case Marks(cells=cells):
            flat = [int(cell in cells) for cell in range(board.cells)]
        case Labels(values=values):
            flat = [part[0] if part else None for part in values]
    return flat


def rows_of(solution: Solution) -> list[Any]:
    """For programs: tiles by rows, and those of several parts part by part; a graph as a list."""
    flat, board = numbers(solution), solution.board
    if not isinstance(board, Tiles):
        return flat
    at = {board.place(cell): number for cell, number in enumerate(flat)}
    nothing = None if isinstance(solution.picture, Labels) else 0
    parts = [
        [[at.get(place, nothing) for place in row] for row in section]
        for section in board.sections()
    ]
    return parts[0] if len(parts) == 1 else parts


def text(solution: Solution, closed: bool = True, emphasis: Emphasis = str) -> str:
    """One board with all marks on it, and one for each of the views that cannot share it."""
    return "\n\n".join(_one(each, closed, emphasis) for each in solution.apart())


def _one(solution: Solution, closed: bool, emphasis: Emphasis) -> str:
    board = solution.board
    if not isinstance(board, Tiles):
        return _graph(solution, closed)
    words = _on_tiles(solution, board)
    strong = {board.slot(board.place(cell)) for cell in solution.given}
    if solution.regions and isinstance(board, Sheet):
        region = {board.place(cell): region for cell, region in enumerate(solution.regions)}
        rows = board.sections()[0]
        return ruled(
            [[words.get(board.slot(place), "") for place in row] for row in rows],
            [[region.get(place, -1) for place in row] for row in rows],
            [[board.slot(place) in strong for place in row] for row in rows],
            emphasis,
        )
    return _set(words | _marks(board.seams()), strong, emphasis)


def cell_words(solution: Solution) -> list[str]:
    """What is written on every cell: a number or a value, and the signs of all marks."""
    words = []
    for cell, number in enumerate(numbers(solution)):
        signs = "".join(letter(marks.sign) for marks in solution.marks if cell in marks.cells)
        if isinstance(solution.picture, Marks):
            words.append(signs or ".")
        else:
            words.append(("." if number is None else str(number)) + signs)
    return words


def _on_tiles(solution: Solution, board: Tiles) -> dict[Slot, str]:
    """What is written on each tile; a friend has its letter, an enemy it beside the number."""
    pieces = board.pieces
    words = {board.slot(place): letter(word) for place, word in pieces.friends.items()}
    for cell, shown in enumerate(cell_words(solution)):
        place = board.place(cell)
        enemy = letter(pieces.enemies[place]).lower() if place in pieces.enemies else ""
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


def _set(words: dict[Slot, str], strong: set[Slot], emphasis: Emphasis) -> str:
    """Words in lines, right-justified under one another."""
    top, left = min(line for line, _ in words), min(half for _, half in words)
    width = max(len(word) for word in words.values()) + 1
    if any((half - left) % 2 for _, half in words):
        width += width % 2
    lines: defaultdict[int, list[str]] = defaultdict(list)
    ends: dict[int, int] = {}
    for slot, word in sorted(words.items()):
        line, half = slot
        end = (half - left) * width // 2 + width - 1
        gap = " " * (end - ends.get(line, 0) - len(word))
        lines[line] += [gap, emphasis(word) if slot in strong else word]
        ends[line] = end
    return "\n".join("".join(lines[line]) for line in range(top, max(lines) + 1))


def _graph(solution: Solution, closed: bool) -> str:
    board, picture = solution.board, solution.picture
    match picture:
        case Tour(order=order):
            names = [board.name(cell) for cell in order]
            line = " -> " if board.directed else " - "
            return line.join([*names, names[0]] if closed and names else names)
        case Marks() if len(solution.marks) == 1:
            return " ".join(board.name(cell) for cell in sorted(picture.cells))
    words = enumerate(cell_words(solution))
    return "\n".join(f"{board.name(cell)}: {'-' if word == '.' else word}" for cell, word in words)
