"""Draw solutions as text for a terminal, and convert them to JSON data.

The page of a sheet has the layout of printed puzzles: a line of text for every row, horizontal
lines between rows, and clues at the margins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from itertools import zip_longest
from typing import Any

from boardsat.adapters.boards import Board
from boardsat.adapters.boards._board import Seam, Tiles, piece_letter
from boardsat.adapters.boards.grid import Sheet
from boardsat.adapters.rendering._cell_text import (
    Borders,
    Gap,
    Line,
    cell_texts,
    cells_with_givens,
    margin_texts,
)
from boardsat.adapters.rendering.off_board import off_board_data, off_board_text
from boardsat.adapters.views import (
    MARGINS,
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
from boardsat.base.dataclass import dataclass

Clues = Sequence[Sequence[str]]
"""Clues of every row, or of every column."""

Slot = tuple[int, int]
"""Position of a text: line, and column in half tiles."""

Emphasis = Callable[[str], str]
"""Function that emphasizes a word without changing its width."""

_ARROWS = {(1, 0): ">", (-1, 0): "<", (0, 1): "v", (0, -1): "^"}


def cell_numbers(solution: Solution) -> list[int | None]:
    """Return for every cell the number of its move, its value, or 1 if it is marked.

    A cell without a move or mark has 0; a cell without a value has None.
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
    """Return the text of each tile: of a friend its letter, of a cell its content.

    The content of a cell with an enemy is preceded by the small letter of the enemy.
    """
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
    """Return the texts as lines, right-justified in columns of equal width."""
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
    """Return the text of every cell: its number on the path or cycle that lines form.

    Empty if there is another view, or if the lines have arrowheads or form neither.
    """
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


# Lists of lines, and graphs.


def pair_lines(board: Board, lines: Iterable[Strokes]) -> list[str]:
    """Return one line of text for each item of `lines`: the pairs of cells that it connects."""
    texts = []
    for strokes in lines:
        arrow = " -> " if strokes.has_heads else " - "
        pairs = [f"{board.name(a)}{arrow}{board.name(b)}" for a, b in strokes.pairs]
        texts.append(", ".join(pairs) or "no lines")
    return texts


def graph_text(solution: Solution, closed: bool) -> str:
    """Return a solution on a graph: as a path, a set of vertices, or a line for each vertex."""
    board, view = solution.board, solution.view
    strokes = solution.of_kind(Strokes)
    num_other_views = len(solution.all_views) - len(strokes)
    lines = pair_lines(board, strokes)
    if isinstance(view, Tour) and num_other_views == 1:
        names = [board.name(cell) for cell in view.order]
        arrow = " -> " if board.directed else " - "
        return "\n".join([arrow.join([*names, names[0]] if closed and names else names), *lines])
    if isinstance(view, Marks) and num_other_views == 1:
        return "\n".join([" ".join(board.name(cell) for cell in sorted(view.cells)), *lines])
    if num_other_views:
        texts = enumerate(cell_texts(solution))
        lines += [
            f"{board.name(cell)}: {'-' if text in ('.', '') else text}" for cell, text in texts
        ]
    return "\n".join(lines)


# Sheets of puzzles.


def page_of(
    solution: Solution,
    board: Sheet,
    texts: dict[tuple[int, int], str],
    emphasized: set[tuple[int, int]],
) -> tuple[TextPage, list[Strokes]] | None:
    """Return the page of a sheet, and the lines between distant cells, which it cannot show.

    None if the page would show nothing but the texts of cells. `texts` has a text for each slot,
    `emphasized` the slots whose texts are emphasized.
    """
    borders = Borders(solution, board)
    across, down, other_lines = _joins(solution, board)
    corners = _corners(solution, board)
    sides = {side: margin_texts(solution, side) for side in MARGINS}
    has_clues = any(any(side) for side in sides.values())
    if not (solution.regions or borders.has_frame or across or down or corners or has_clues):
        return None
    rows = board.sections()[0]
    page = TextPage(
        [[texts.get(board.slot(tile), "") for tile in row] for row in rows],
        [[board.slot(tile) in emphasized for tile in row] for row in rows],
        borders.vertical,
        borders.horizontal,
        borders.has_frame,
        across,
        down,
        corners,
        **sides,
    )
    return page, other_lines


def _joins(
    solution: Solution, board: Sheet
) -> tuple[dict[Gap, str], dict[Gap, str], list[Strokes]]:
    """Return the lines between neighbours in a row, neighbours in a column, and distant cells."""
    across: dict[Gap, str] = {}
    down: dict[Gap, str] = {}
    distant = []
    for view in solution.of_kind(Strokes):
        if pairs := [pair for pair in view.pairs if not _join(pair, view, board, across, down)]:
            distant.append(Strokes(tuple(pairs), view.has_heads))
    return across, down, distant


def _join(
    pair: Pair, lines: Strokes, board: Sheet, across: dict[Gap, str], down: dict[Gap, str]
) -> bool:
    """Add the line of a pair to its gap; return False if the cells do not share a side."""
    (r, c), (s, d) = (divmod(board.tile_of(cell), board.cols) for cell in pair)
    if r == s and abs(c - d) == 1:
        sign = ("-->" if d > c else "<--") if lines.has_heads else "---"
        across[r, max(c, d)] = sign
        return True
    if c == d and abs(r - s) == 1:
        down[max(r, s), c] = ("v" if s > r else "^") if lines.has_heads else "|"
        return True
    return False


def _corners(solution: Solution, board: Sheet) -> dict[Gap, str]:
    """Return the labels at the lower right corners of cells."""
    texts = {}
    for labels in solution.of_kind(Labels):
        if labels.position == "corner":
            for cell, values in enumerate(labels.values):
                if values:
                    row, column = divmod(board.tile_of(cell), board.cols)
                    texts[row + 1, column + 1] = labels.word(values[0])
    return {gap: w for gap, w in texts.items() if gap[0] < board.rows and gap[1] < board.cols}


_VERTICAL_SIGNS = {Line.STRONG: "|", Line.WEAK: ":"}

_HORIZONTAL_SIGNS = {Line.STRONG: "-", Line.WEAK: "."}


@dataclass(frozen=True)
class TextPage:
    """Texts of the cells of a sheet, lines between them, and clues at its margins."""

    texts: Sequence[Sequence[str]]
    emphasized: Sequence[Sequence[bool]]
    """True for each text that is emphasized."""
    vertical: Mapping[Gap, Line]
    horizontal: Mapping[Gap, Line]
    has_frame: bool = False
    across: Mapping[Gap, str] = field(default_factory=dict)
    """Lines that join cells of a row: `---`, `-->` or `<--`."""
    down: Mapping[Gap, str] = field(default_factory=dict)
    """Lines that join cells of a column: `|`, `v` or `^`."""
    corners: Mapping[Gap, str] = field(default_factory=dict)
    """Texts at the corners of cells."""
    left: Clues = ()
    right: Clues = ()
    above: Clues = ()
    below: Clues = ()

    @property
    def rows(self) -> int:
        return len(self.texts)

    @property
    def columns(self) -> int:
        return len(self.texts[0])


def page_text(page: TextPage, emphasis: Emphasis = str) -> str:
    """Return a page as lines of text."""
    return _PageText(page, emphasis).text()


class _PageText:
    def __init__(self, page: TextPage, emphasis: Emphasis) -> None:
        self.page, self.emphasis = page, emphasis
        clues = [clue for column in (*page.above, *page.below) for clue in column]
        cell_texts = [text for row in page.texts for text in row]
        self.width = max([1, *map(len, (*clues, *cell_texts))])
        self.is_open = bool(page.across or page.down or page.corners)
        """True if lines join cells, so that all gaps between cells are wide."""
        self.gap = max([3, *(2 + len(text) for text in page.corners.values())])
        self.is_wide = [False, *map(self._needs_wide_gap, range(1, page.columns)), False]

    def _needs_wide_gap(self, gap: int) -> bool:
        rows = range(self.page.rows)
        return self.is_open or any((row, gap) in self.page.vertical for row in rows)

    def text(self) -> str:
        lines: list[str] = []
        row_lines: list[int] = []
        page = self.page
        for row in range(page.rows + 1):
            if self._has_rule(row):
                lines.append(self._rule(row))
            if row < page.rows:
                row_lines.append(len(lines))
                lines.append(self._row(row))
        return "\n".join(line.rstrip() for line in self._with_clues(lines, row_lines))

    def _has_rule(self, row: int) -> bool:
        if row in (0, self.page.rows):
            return self.page.has_frame
        columns = range(self.page.columns)
        return self.is_open or any((row, column) in self.page.horizontal for column in columns)

    # Rows of cells, and horizontal lines between them.

    def _row(self, row: int) -> str:
        page = self.page
        line = "| " if page.has_frame else ""
        for column, text in enumerate(page.texts[row]):
            line += self._gap(row, column) if column else ""
            line += " " * (self.width - len(text))
            line += self.emphasis(text) if page.emphasized[row][column] else text
        return f"{line} |" if page.has_frame else line

    def _gap(self, row: int, gap: int) -> str:
        """Return the text between two cells."""
        page = self.page
        if not self.is_wide[gap]:
            return " "
        if (row, gap) in page.across:
            arrow = page.across[row, gap]
            return arrow[0] + (self.gap - 2) * "-" + arrow[-1]
        if (row, gap) in page.vertical:
            return _VERTICAL_SIGNS[page.vertical[row, gap]].center(self.gap)
        return " " * self.gap

    def _rule(self, row: int) -> str:
        """Return the line above a row, with `+` where it meets a vertical line."""
        page = self.page
        signs = [self._sign(row, column) for column in range(page.columns)]
        line = f"{self._corner(row, 0)}{signs[0]}" if page.has_frame else ""
        for column, sign in enumerate(signs):
            if column:
                line += self._crossing(row, column, signs[column - 1], sign)
            join = page.down.get((row, column))
            line += join.rjust(self.width) if join else sign * self.width
        return f"{line}{signs[-1]}{self._corner(row, page.columns)}" if page.has_frame else line

    def _sign(self, row: int, column: int) -> str:
        if row in (0, self.page.rows):
            return "-"
        line = self.page.horizontal.get((row, column))
        return " " if line is None else _HORIZONTAL_SIGNS[line]

    def _crossing(self, row: int, gap: int, previous_sign: str, next_sign: str) -> str:
        if not self.is_wide[gap]:
            return previous_sign if previous_sign == next_sign else " "
        half = self.gap // 2
        if (row, gap) in self.page.corners:
            return self.page.corners[row, gap].center(self.gap)
        return previous_sign * half + self._corner(row, gap) + next_sign * (self.gap - half - 1)

    def _corner(self, row: int, gap: int) -> str:
        """Return the sign where four cells meet."""
        page = self.page
        if gap in (0, page.columns) and row in (0, page.rows):
            return "+"
        horizontal = [self._sign(row, c) for c in (gap - 1, gap) if 0 <= c < page.columns]
        vertical = [self._vertical_sign(r, gap) for r in (row - 1, row) if 0 <= r < page.rows]
        crossing = [max(signs) for signs in (horizontal, vertical) if max(signs) != " "]
        return "+" if len(crossing) == 2 else crossing[0] if crossing else " "

    def _vertical_sign(self, row: int, gap: int) -> str:
        if gap in (0, self.page.columns):
            return "|"
        line = self.page.vertical.get((row, gap))
        return " " if line is None else _VERTICAL_SIGNS[line]

    # Clues at the margins.

    def _with_clues(self, lines: list[str], row_lines: list[int]) -> list[str]:
        """Return the lines with clues around them; `row_lines` has the line index of each row."""
        page = self.page
        left_texts = [" ".join(clues) for clues in page.left]
        margin = max(map(len, left_texts), default=0) + (1 if any(left_texts) else 0)
        indented = [" " * margin + line for line in lines]
        for row, number in enumerate(row_lines):
            if row < len(left_texts) and margin:
                indented[number] = left_texts[row].rjust(margin - 1) + " " + lines[number]
            if row < len(page.right) and page.right[row]:
                indented[number] += f" {' '.join(page.right[row])}"
        top_clues = [clues[::-1] for clues in page.above]
        return [
            *(self._clue_line(clues, margin) for clues in reversed(_clue_rows(top_clues))),
            *indented,
            *(self._clue_line(clues, margin) for clues in _clue_rows(page.below)),
        ]

    def _clue_line(self, clues: Sequence[str], margin: int) -> str:
        """Return clues aligned with the columns."""
        line = " " * (margin + (2 if self.page.has_frame else 0))
        for column, clue in enumerate(clues):
            gap = (self.gap if self.is_wide[column] else 1) if column else 0
            line += " " * gap + clue.rjust(self.width)
        return line


def _clue_rows(columns: Clues) -> list[tuple[str, ...]]:
    """Transpose the clues of columns, padded with empty texts."""
    return list(zip_longest(*columns, fillvalue=""))
