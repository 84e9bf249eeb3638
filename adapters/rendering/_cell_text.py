"""Text of cells and margins of a board, and lines between cells, from all views of a solution.

Lines go around regions, along walls and around filled cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

from boardsat.adapters.boards._board import piece_letter
from boardsat.adapters.boards.grid import Sheet
from boardsat.adapters.views import Fills, Labels, Marks, Solution, Tour, Walls

Gap = tuple[int, int]
"""Line between cells: row and column of the cell on its right, or below it."""

_SIGN_LETTERS = {"circle": "O", "disc": "@", "dot": "*", "cross": "x"}

_FILLED = "#"

_CORNER_FORMATS = {
    **{"top left": "{}:", "top right": "\\{}"},
    **{"bottom left": "{}\\", "bottom right": ":{}"},
}
"""Formats of values in corners of a cell. In `16\\4`, 16 is the sum of the cells below, and 4 of
those on the right.
"""


def sign_letter(sign: str) -> str:
    return _SIGN_LETTERS.get(sign) or piece_letter(sign)


def cells_with_givens(solution: Solution) -> set[int]:
    """Return the cells whose content is given: by the instance, or by a static view."""
    clues = [view for view in solution.static_views if isinstance(view, Labels) and view.is_main]
    labelled = {cell for view in clues for cell, values in enumerate(view.values) if values}
    return labelled | solution.given_cells


def cell_texts(solution: Solution) -> list[str]:
    """Return the text of every cell: numbers, values and signs of all views.

    The sign of filled cells replaces other content, unless the filled cells have values.
    """
    contents: list[list[str]] = [[] for _ in range(solution.board.cells)]
    for view in solution.all_views:
        match view:
            case Tour(order=order):
                numbers = {cell: number for number, cell in enumerate(order, 1)}
                for cell, content in enumerate(contents):
                    content.append(str(numbers.get(cell, 0)))
            case Labels(position="cell"):
                cell_format = _CORNER_FORMATS.get(view.alignment, "{}")
                for content, values in zip(contents, view.values, strict=True):
                    content += [cell_format.format(view.word(value)) for value in values[:1]]
    letters: set[str] = set()
    for marks in solution.of_kind(Marks):
        # Small if an earlier view has the same letter, as for black pieces.
        letter = sign_letter(marks.sign)
        letter = letter.lower() if letter in letters else letter
        letters.add(letter)
        for cell in marks.cells:
            contents[cell].append(letter)
    texts = list(map(_concatenate, contents))
    has_lines = isinstance(solution.board, Sheet)
    for fills in solution.of_kind(Fills):
        _fill(texts, fills, has_lines)
    return [text or _empty_cell(solution) for text in texts]


def _concatenate(content: Sequence[str]) -> str:
    """Concatenate texts, with a comma between two numbers."""
    text = ""
    for entry in content:
        text += "," + entry if text[-1:].isdigit() and entry[:1].isdigit() else entry
    return text.replace("\\\\", "\\")


def _fill(texts: list[str], fills: Fills, has_lines: bool) -> None:
    """Add the texts of filled cells; only a sign without values replaces the text of a cell.

    A value without a name has no text if lines separate different values.
    """
    for cell, values in enumerate(fills.values):
        if not values:
            continue
        text = sign_letter(fills.sign or _FILLED)
        if fills.has_values:
            text = fills.word(values[0]) or ("" if has_lines else str(values[0]))
        if not texts[cell] or (fills.sign and not fills.has_values):
            texts[cell] = text


def _empty_cell(solution: Solution) -> str:
    if solution.board_style == "points":
        return "+"
    has_values = any(fills.has_values for fills in solution.of_kind(Fills))
    return "" if has_values and isinstance(solution.board, Sheet) else "."


def margin_texts(solution: Solution, side: str) -> list[list[str]]:
    """Return the labels of every row or column at one margin; empty if the margin has none."""
    views = [labels for labels in solution.of_kind(Labels) if labels.position == side]
    lines = zip(*(labels.values for labels in views), strict=True)
    return [
        [labels.word(value) for labels, values in zip(views, line, strict=True) for value in values]
        for line in lines
    ]


# Lines between cells.


class Line(IntEnum):
    """Strength of a line between two cells."""

    WEAK = 1
    STRONG = 2


class Borders:
    """Vertical and horizontal lines between cells, and their strengths."""

    def __init__(self, solution: Solution, board: Sheet) -> None:
        self.board = board
        self.vertical: dict[Gap, Line] = {}
        self.horizontal: dict[Gap, Line] = {}
        valued_fills = [fills for fills in solution.of_kind(Fills) if fills.has_values]
        for fills in valued_fills:
            strength = Line.WEAK if solution.regions else Line.STRONG
            self._separate([values[:1] for values in fills.values], strength)
        if solution.regions:
            self._separate(solution.regions, Line.STRONG)
        walls = solution.of_kind(Walls)
        for a, b in (pair for view in walls for pair in view.pairs):
            self._add_wall(a, b)
        self.has_frame = bool(valued_fills or walls)

    def _separate(self, values: Sequence[object], strength: Line) -> None:
        """Add lines between adjacent cells with different values."""
        board = self.board
        tiles: Mapping[int, object] = {
            board.tile_of(cell): value for cell, value in enumerate(values)
        }
        for tile, value in tiles.items():
            row, column = divmod(tile, board.cols)
            if column + 1 < board.cols and tiles.get(tile + 1, value) != value:
                self.vertical[row, column + 1] = strength
            if tiles.get(tile + board.cols, value) != value:
                self.horizontal[row + 1, column] = strength

    def _add_wall(self, a: int, b: int) -> None:
        (r, c), (s, d) = (divmod(self.board.tile_of(cell), self.board.cols) for cell in (a, b))
        if r == s and abs(c - d) == 1:
            self.vertical[r, max(c, d)] = Line.STRONG
        if c == d and abs(r - s) == 1:
            self.horizontal[max(r, s), c] = Line.STRONG
