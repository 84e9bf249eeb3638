"""Lines between the cells of a sheet, and text with them as puzzles are printed.

Lines go around regions, along walls and around filled cells. Words stand in rows, and clues beside
them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import IntEnum
from itertools import zip_longest

from boardsat.adapters.boards._sheets import Sheet
from boardsat.adapters.views.solution import Solution, Walls
from boardsat.base.dataclass import dataclass

Gap = tuple[int, int]
"""Row and column of the cell to the right of a vertical line, or below a horizontal line."""

Beside = Sequence[Sequence[str]]
"""Clues beside every row, or above every column."""


class Line(IntEnum):
    WEAK = 1
    STRONG = 2


class Borders:
    """Vertical and horizontal lines between cells, and their strengths."""

    def __init__(self, solution: Solution, board: Sheet) -> None:
        self.board = board
        self.upright: dict[Gap, Line] = {}
        self.level: dict[Gap, Line] = {}
        filled = [each for each in solution.fills if each.has_values]
        for each in filled:
            around = Line.WEAK if solution.regions else Line.STRONG
            self._around([part[:1] for part in each.values], around)
        if solution.regions:
            self._around(solution.regions, Line.STRONG)
        walls = [each for each in solution.all_views if isinstance(each, Walls)]
        for a, b in (pair for each in walls for pair in each.pairs):
            self._between(a, b)
        self.has_frame = bool(filled or walls)

    def _around(self, told: Sequence[object], strength: Line) -> None:
        """Draw lines between neighbours with different values."""
        board = self.board
        at: Mapping[int, object] = {board.place(cell): each for cell, each in enumerate(told)}
        for place, here in at.items():
            row, column = divmod(place, board.cols)
            if column + 1 < board.cols and at.get(place + 1, here) != here:
                self.upright[row, column + 1] = strength
            if at.get(place + board.cols, here) != here:
                self.level[row + 1, column] = strength

    def _between(self, a: int, b: int) -> None:
        (r, c), (s, d) = (divmod(self.board.place(cell), self.board.cols) for cell in (a, b))
        if r == s and abs(c - d) == 1:
            self.upright[r, max(c, d)] = Line.STRONG
        if c == d and abs(r - s) == 1:
            self.level[max(r, s), c] = Line.STRONG


_UPRIGHT = {Line.STRONG: "|", Line.WEAK: ":"}


_LEVEL = {Line.STRONG: "-", Line.WEAK: "."}


@dataclass(frozen=True)
class TextPage:
    """Text of a sheet: words of cells, lines between them, clues beside them."""

    words: Sequence[Sequence[str]]
    strong: Sequence[Sequence[bool]]
    """Whether a word is emphasized."""
    upright: Mapping[Gap, Line]
    level: Mapping[Gap, Line]
    has_frame: bool = False
    across: Mapping[Gap, str] = field(default_factory=dict)
    """Lines that join cells of a row: `---`, `-->` or `<--`."""
    down: Mapping[Gap, str] = field(default_factory=dict)
    """Lines that join cells of a column: `|`, `v` or `^`."""
    corners: Mapping[Gap, str] = field(default_factory=dict)
    """Words at the corners of cells."""
    left: Beside = ()
    right: Beside = ()
    above: Beside = ()
    below: Beside = ()

    @property
    def rows(self) -> int:
        return len(self.words)

    @property
    def columns(self) -> int:
        return len(self.words[0])


def page_text(page: TextPage, emphasis: Callable[[str], str] = str) -> str:
    """Return a page as lines of text."""
    return _PageText(page, emphasis).text()


class _PageText:
    def __init__(self, page: TextPage, emphasis: Callable[[str], str]) -> None:
        self.page, self.emphasis = page, emphasis
        beside = [word for words in (*page.above, *page.below) for word in words]
        words = [word for row in page.words for word in row]
        self.width = max([1, *map(len, (*beside, *words))])
        self.is_open = bool(page.across or page.down or page.corners)
        """Whether lines join cells, so that all cells are spaced apart."""
        self.gap = max([3, *(2 + len(word) for word in page.corners.values())])
        self.is_wide = [False, *map(self._needs_room, range(1, page.columns)), False]

    def _needs_room(self, gap: int) -> bool:
        return self.is_open or any((row, gap) in self.page.upright for row in range(self.page.rows))

    def text(self) -> str:
        lines: list[str] = []
        of_rows: list[int] = []
        page = self.page
        for row in range(page.rows + 1):
            if self._has_rule(row):
                lines.append(self._rule(row))
            if row < page.rows:
                of_rows.append(len(lines))
                lines.append(self._row(row))
        return "\n".join(line.rstrip() for line in self._with_clues(lines, of_rows))

    def _has_rule(self, row: int) -> bool:
        if row in (0, self.page.rows):
            return self.page.has_frame
        return self.is_open or any((row, c) in self.page.level for c in range(self.page.columns))

    # Lines of words, and lines between them.

    def _row(self, row: int) -> str:
        page = self.page
        line = "| " if page.has_frame else ""
        for column, word in enumerate(page.words[row]):
            line += self._between(row, column) if column else ""
            line += " " * (self.width - len(word))
            line += self.emphasis(word) if page.strong[row][column] else word
        return f"{line} |" if page.has_frame else line

    def _between(self, row: int, gap: int) -> str:
        page = self.page
        if not self.is_wide[gap]:
            return " "
        if (row, gap) in page.across:
            joined = page.across[row, gap]
            return joined[0] + (self.gap - 2) * "-" + joined[-1]
        if (row, gap) in page.upright:
            return _UPRIGHT[page.upright[row, gap]].center(self.gap)
        return " " * self.gap

    def _rule(self, row: int) -> str:
        """Return the line above a row, with `+` where it meets a vertical line."""
        page = self.page
        signs = [self._sign(row, column) for column in range(page.columns)]
        line = f"{self._corner(row, 0)}{signs[0]}" if page.has_frame else ""
        for column, sign in enumerate(signs):
            if column:
                line += self._crossing(row, column, signs[column - 1], sign)
            joined = page.down.get((row, column))
            line += joined.rjust(self.width) if joined else sign * self.width
        return f"{line}{signs[-1]}{self._corner(row, page.columns)}" if page.has_frame else line

    def _sign(self, row: int, column: int) -> str:
        if row in (0, self.page.rows):
            return "-"
        return _LEVEL[self.page.level[row, column]] if (row, column) in self.page.level else " "

    def _crossing(self, row: int, gap: int, left: str, right: str) -> str:
        if not self.is_wide[gap]:
            return left if left == right else " "
        half = self.gap // 2
        if (row, gap) in self.page.corners:
            return self.page.corners[row, gap].center(self.gap)
        return left * half + self._corner(row, gap) + right * (self.gap - half - 1)

    def _corner(self, row: int, gap: int) -> str:
        """Return the sign where four cells meet."""
        page = self.page
        if gap in (0, page.columns) and row in (0, page.rows):
            return "+"
        level = [self._sign(row, c) for c in (gap - 1, gap) if 0 <= c < page.columns]
        upright = [self._stroke(r, gap) for r in (row - 1, row) if 0 <= r < page.rows]
        crossing = [max(signs) for signs in (level, upright) if max(signs) != " "]
        return "+" if len(crossing) == 2 else crossing[0] if crossing else " "

    def _stroke(self, row: int, gap: int) -> str:
        if gap in (0, self.page.columns):
            return "|"
        return _UPRIGHT[self.page.upright[row, gap]] if (row, gap) in self.page.upright else " "

    # Words beside the board.

    def _with_clues(self, lines: list[str], of_rows: list[int]) -> list[str]:
        """Add the clues to lines of text."""
        page = self.page
        left = [" ".join(words) for words in page.left]
        margin = max(map(len, left), default=0) + (1 if any(left) else 0)
        shown = [" " * margin + line for line in lines]
        for row, place in enumerate(of_rows):
            if row < len(left) and margin:
                shown[place] = left[row].rjust(margin - 1) + " " + lines[place]
            if row < len(page.right) and page.right[row]:
                shown[place] = f"{shown[place]} {' '.join(page.right[row])}"
        above = _stacked(page.above, from_below=True)
        below = _stacked(page.below, from_below=False)
        return [
            *(self._spread(w, margin) for w in above),
            *shown,
            *(self._spread(w, margin) for w in below),
        ]

    def _spread(self, words: Sequence[str], margin: int) -> str:
        """Return words aligned with the columns."""
        line = " " * (margin + (2 if self.page.has_frame else 0))
        for column, word in enumerate(words):
            room = (self.gap if self.is_wide[column] else 1) if column else 0
            line += " " * room + word.rjust(self.width)
        return line


def _stacked(columns: Beside, from_below: bool) -> list[tuple[str, ...]]:
    """Return clues of columns as lines, next to the board."""
    if not any(columns):
        return []
    if from_below:
        turned = [list(reversed(words)) for words in columns]
        return list(reversed(list(zip_longest(*turned, fillvalue=""))))
    return list(zip_longest(*columns, fillvalue=""))
