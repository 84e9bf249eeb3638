"""Lines between the cells of a sheet, and its text in the layout of printed puzzles.

Lines go around regions, along walls and around filled cells. The text has a line for every
row, rules between rows, and clues at the margins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import IntEnum
from itertools import zip_longest

from boardsat.adapters.boards.grid import Sheet
from boardsat.adapters.views import Fills, Solution, Walls
from boardsat.base.dataclass import dataclass

Gap = tuple[int, int]
"""Row and column of the cell to the right of a vertical line, or below a horizontal line."""

Clues = Sequence[Sequence[str]]
"""Clues of every row, or of every column."""


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


def page_text(page: TextPage, emphasis: Callable[[str], str] = str) -> str:
    """Return a page as lines of text."""
    return _PageText(page, emphasis).text()


class _PageText:
    def __init__(self, page: TextPage, emphasis: Callable[[str], str]) -> None:
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

    # Rows of cells, and rules between them.

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
        """Return the lines with clues around them, given the number of each row's line."""
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
