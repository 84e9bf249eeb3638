"""Draw solutions as text for a terminal: numbers, queens, digits or colours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from boardsat.adapters.boards._pieces import letter
from boardsat.adapters.boards._sheets import Sheet
from boardsat.adapters.boards._tiles import Seam, Tiles
from boardsat.adapters.rendering._borders import page_text
from boardsat.adapters.rendering._cell_text import (
    cell_words,
    given_cells,
    graph_text,
    page_of,
    pair_lines,
)
from boardsat.adapters.rendering.off_board import off_board_data, off_board_text
from boardsat.adapters.views.solution import (
    Fills,
    Labels,
    Marks,
    OffBoardView,
    Pair,
    Solution,
    Strokes,
    Tour,
    Walls,
)

Slot = tuple[int, int]
"""Line, and column in half tiles."""

Emphasis = Callable[[str], str]
"""Function that emphasizes a word without changing its width."""

_ARROWS = {(1, 0): ">", (-1, 0): "<", (0, 1): "v", (0, -1): "^"}


def numbers(solution: Solution) -> list[int | None]:
    """Return for every cell the number of its move, its value, or 1 if it is marked."""
    board, picture = solution.board, solution.view
    flat: list[int | None] = []
    match picture:
        case Tour(order=order):
            place = {cell: number for number, cell in enumerate(order, 1)}
            flat = [place.get(cell, 0) for cell in range(board.cells)]
        case Marks(cells=cells):
            flat = [int(cell in cells) for cell in range(board.cells)]
        case Fills(values=values, has_values=False):
            flat = [int(bool(part)) for part in values]
        case Labels(values=values) | Fills(values=values):
            flat = [part[0] if part else None for part in values]
    return flat


def rows_of(solution: Solution) -> list[Any]:
    """Return a solution as JSON data: tiles by rows (and sections), vertices as a list.

    Lines and walls are pairs of cells; labels beside rows or columns are a list.
    """
    picture, board = solution.view, solution.board
    if isinstance(picture, OffBoardView):
        return off_board_data(picture)
    if isinstance(picture, Strokes | Walls):
        return [list(pair) for pair in picture.pairs]
    if isinstance(picture, Labels) and picture.place not in ("cell", "corner"):
        return [list(part) for part in picture.values]
    flat = numbers(solution)
    if not isinstance(board, Tiles):
        return flat
    at = {board.place(cell): number for cell, number in enumerate(flat)}
    nothing = None if isinstance(picture, Labels) else 0
    parts = [
        [[at.get(place, nothing) for place in row] for row in section]
        for section in board.sections()
    ]
    return parts[0] if len(parts) == 1 else parts


def text(solution: Solution, closed: bool = True, emphasis: Emphasis = str) -> str:
    """One board with all views on it, and one for each of those that are to stand apart."""
    return "\n\n".join(_one(each, closed, emphasis) for each in solution.drawings())


def _one(solution: Solution, closed: bool, emphasis: Emphasis) -> str:
    board = solution.board
    if isinstance(solution.view, OffBoardView):
        return off_board_text(solution.view)
    if not isinstance(board, Tiles):
        return graph_text(solution, closed)
    words = _on_tiles(board, cell_words(solution))
    strong = {board.slot(board.place(cell)) for cell in given_cells(solution)}
    if isinstance(board, Sheet) and (shown := page_of(solution, board, words, strong)):
        page, rest = shown
        return "\n".join([page_text(page, emphasis), *pair_lines(solution.board, rest)])
    lines = [each for each in solution.all_views if isinstance(each, Strokes)]
    if steps := step_words(solution):
        words, lines = _on_tiles(board, steps), []
    return "\n".join(
        [_set(words | _marks(board.seams()), strong, emphasis), *pair_lines(board, lines)]
    )


def _on_tiles(board: Tiles, cells: Sequence[str]) -> dict[Slot, str]:
    """What is written on each tile; a friend has its letter, an enemy it beside the number."""
    pieces = board.pieces
    words = {board.slot(place): letter(word) for place, word in pieces.friends.items()}
    for cell, shown in enumerate(cells):
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


def step_words(solution: Solution) -> list[str]:
    """Return the numbers of steps, if the only view is lines that form a path or cycle."""
    lines = [each for each in solution.all_views if isinstance(each, Strokes)]
    if len(lines) != 1 or len(solution.all_views) > 1 or lines[0].has_heads:
        return []
    number = {cell: step for step, cell in enumerate(_in_order(lines[0].pairs), 1)}
    return [str(number.get(cell, ".")) for cell in range(solution.board.cells)] if number else []


def _in_order(pairs: Sequence[Pair]) -> list[int]:
    """Return the cells of a path or cycle in order; empty if the pairs form neither."""
    beside: defaultdict[int, list[int]] = defaultdict(list)
    for a, b in pairs:
        beside[a].append(b)
        beside[b].append(a)
    if not beside or max(map(len, beside.values())) > 2:
        return []
    ends = [cell for cell, others in beside.items() if len(others) == 1]
    order = [min(ends or beside)]
    before = -1
    while following := [cell for cell in beside[order[-1]] if cell != before]:
        before = order[-1]
        if (after := min(following)) == order[0]:
            break
        order.append(after)
    return order if len(order) == len(beside) else []
