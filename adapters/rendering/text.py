"""Draw solutions as text for a terminal, and convert them to JSON data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from boardsat.adapters.boards._board import Seam, Tiles, piece_letter
from boardsat.adapters.boards.grid import Sheet
from boardsat.adapters.rendering._borders import page_text
from boardsat.adapters.rendering._cell_text import (
    cell_texts,
    cells_with_givens,
    graph_text,
    page_of,
    pair_lines,
)
from boardsat.adapters.rendering.off_board import off_board_data, off_board_text
from boardsat.adapters.views import (
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


def cell_numbers(solution: Solution) -> list[int | None]:
    """Return for every cell the number of its move, its value, or 1 if it is marked.

    A cell without a move or mark has 0, one without a value None.
    """
    cells = range(solution.board.cells)
    match solution.view:
        case Tour(order=order):
            moves = {cell: number for number, cell in enumerate(order, 1)}
            return [moves.get(cell, 0) for cell in cells]
        case Marks(cells=marked):
            return [int(cell in marked) for cell in cells]
        case Fills(values=values, has_values=False):
            return [int(bool(entry)) for entry in values]
        case Labels(values=values) | Fills(values=values):
            return [entry[0] if entry else None for entry in values]
    return []


def solution_to_json(solution: Solution) -> list[Any]:
    """Return the first view of a solution as JSON data.

    Returns
    -------
    list
        Numbers of the cells: rows of tiles (a list of rows for each section, if the board has
        several), or one number for each vertex of a graph. Lines and walls are pairs of cells.
        Labels of rows, columns and views without a board are lists.
    """
    view, board = solution.view, solution.board
    if isinstance(view, OffBoardView):
        return off_board_data(view)
    if isinstance(view, Strokes | Walls):
        return [list(pair) for pair in view.pairs]
    if isinstance(view, Labels) and view.position not in ("cell", "corner"):
        return [list(values) for values in view.values]
    numbers = cell_numbers(solution)
    if not isinstance(board, Tiles):
        return numbers
    tile_numbers = {board.tile_of(cell): number for cell, number in enumerate(numbers)}
    hole = None if isinstance(view, Labels) else 0
    sections = [
        [[tile_numbers.get(tile, hole) for tile in row] for row in section]
        for section in board.sections()
    ]
    return sections[0] if len(sections) == 1 else sections


def solution_to_text(solution: Solution, closed: bool = True, emphasis: Emphasis = str) -> str:
    """Return a solution as text; views that cannot share a board are separated by empty lines.

    Parameters
    ----------
    solution : Solution
        Board and views.
    closed : bool
        True if a tour is closed.
    emphasis : callable
        Function that emphasizes a word without changing its width; applied to given cells.
    """
    return "\n\n".join(_drawing(drawing, closed, emphasis) for drawing in solution.drawings())


def _drawing(solution: Solution, closed: bool, emphasis: Emphasis) -> str:
    """Return a board with all its views, or one view without a board."""
    board = solution.board
    if isinstance(solution.view, OffBoardView):
        return off_board_text(solution.view)
    if not isinstance(board, Tiles):
        return graph_text(solution, closed)
    slot_texts = _slot_texts(board, cell_texts(solution))
    emphasized = {board.slot(board.tile_of(cell)) for cell in cells_with_givens(solution)}
    if isinstance(board, Sheet) and (
        page_and_lines := page_of(solution, board, slot_texts, emphasized)
    ):
        page, lines = page_and_lines
        return "\n".join([page_text(page, emphasis), *pair_lines(board, lines)])
    lines = solution.of_kind(Strokes)
    if steps := step_texts(solution):
        slot_texts, lines = _slot_texts(board, steps), []
    board_text = _justify(slot_texts | _seam_texts(board.seams()), emphasized, emphasis)
    return "\n".join([board_text, *pair_lines(board, lines)])


def _slot_texts(board: Tiles, texts: Sequence[str]) -> dict[Slot, str]:
    """Return the text of each tile: a letter for a friend, a small one before an enemy's cell."""
    pieces = board.pieces
    slot_texts = {board.slot(tile): piece_letter(name) for tile, name in pieces.friends.items()}
    for cell, cell_text in enumerate(texts):
        tile = board.tile_of(cell)
        enemy = piece_letter(pieces.enemies[tile]).lower() if tile in pieces.enemies else ""
        slot_texts[board.slot(tile)] = enemy + cell_text
    return slot_texts


def _seam_texts(seams: list[Seam]) -> dict[Slot, str]:
    """Return arrows along glued sides, or the names of the sides if there are over two pairs."""
    has_names = len({seam.name for seam in seams}) > 2
    slot_texts = {}
    for seam in seams:
        (x, y), (u, v) = seam.tail, seam.head
        length = int(abs(u - x) + abs(v - y))
        direction = (u - x) / length, (v - y) / length
        for step in range(length):
            right = x + direction[0] * (step + 0.5) + seam.outward[0] / 2
            down = y + direction[1] * (step + 0.5) + seam.outward[1] / 2
            slot = (round(down - 0.5), round(2 * right - 1))
            arrow = _ARROWS[round(direction[0]), round(direction[1])]
            slot_texts[slot] = seam.name if has_names else arrow
    return slot_texts


def _justify(slot_texts: dict[Slot, str], emphasized: set[Slot], emphasis: Emphasis) -> str:
    """Return words as lines, right-justified in columns of equal width."""
    top, first_half = min(line for line, _ in slot_texts), min(half for _, half in slot_texts)
    width = max(len(slot_text) for slot_text in slot_texts.values()) + 1
    if any((half - first_half) % 2 for _, half in slot_texts):
        width += width % 2
    lines: defaultdict[int, list[str]] = defaultdict(list)
    ends: dict[int, int] = {}
    for slot, slot_text in sorted(slot_texts.items()):
        line, half = slot
        end = (half - first_half) * width // 2 + width - 1
        gap = " " * (end - ends.get(line, 0) - len(slot_text))
        lines[line] += [gap, emphasis(slot_text) if slot in emphasized else slot_text]
        ends[line] = end
    return "\n".join("".join(lines[line]) for line in range(top, max(lines) + 1))


def step_texts(solution: Solution) -> list[str]:
    """Return the numbers of steps, if the only view is lines that form a path or cycle."""
    views = solution.all_views
    if len(views) != 1 or not isinstance(views[0], Strokes) or views[0].has_heads:
        return []
    numbers = {cell: number for number, cell in enumerate(_path_order(views[0].pairs), 1)}
    return [str(numbers.get(cell, ".")) for cell in range(solution.board.cells)] if numbers else []


def _path_order(pairs: Sequence[Pair]) -> list[int]:
    """Return the cells of a path or cycle in order; empty if the pairs form neither."""
    neighbours: defaultdict[int, list[int]] = defaultdict(list)
    for a, b in pairs:
        neighbours[a].append(b)
        neighbours[b].append(a)
    if not neighbours or max(map(len, neighbours.values())) > 2:
        return []
    ends = [cell for cell, adjacent in neighbours.items() if len(adjacent) == 1]
    order = [min(ends or neighbours)]
    previous = -1
    while successors := [cell for cell in neighbours[order[-1]] if cell != previous]:
        previous = order[-1]
        if (successor := min(successors)) == order[0]:
            break
        order.append(successor)
    return order if len(order) == len(neighbours) else []
