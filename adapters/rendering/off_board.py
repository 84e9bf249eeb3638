"""Draw views that need no board (lists, tables, pairs, sets) as text, SVG boxes and JSON data."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from boardsat.adapters.rendering._svg_elements import (
    FAINT,
    INK,
    PAGE,
    PALE,
    PATH,
    colour_of,
    hue,
    lettered,
    line,
    segment,
)
from boardsat.adapters.views.solution import (
    AnyOffBoardView,
    ListView,
    PairsView,
    SetView,
    TableView,
)
from boardsat.base.text import pluralize

WIDTH = 79

NOTHING = "."

_HIGH, _MARGIN, _LETTER = 32, 14, 9

_ACROSS = 20
"""Maximum number of boxes in a row of a list."""

_THIN = "#d5ccbb"

_CHOSEN = PALE["blue"]


def off_board_text(shown: AnyOffBoardView) -> str:
    """Return a view as lines of text."""
    match shown:
        case ListView(values=values):
            return _flowing(shown, [_word(shown, part) for part in values])
        case PairsView(pairs=pairs):
            return _flowing(shown, [f"{shown.word(a)} -> {shown.word(b)}" for a, b in pairs], ",")
        case SetView(items=items):
            return _flowing(shown, [shown.word(item) for item in items])
        case TableView():
            return _table(shown)


def _word(shown: AnyOffBoardView, part: tuple[int, ...]) -> str:
    return shown.word(part[0]) if part else NOTHING


def _flowing(shown: AnyOffBoardView, words: list[str], between: str = "") -> str:
    """Return words wrapped to lines; in a list they have equal widths."""
    width = max(map(len, words), default=0)
    if isinstance(shown, ListView):
        words = [word.rjust(width) for word in words]
    before = f"{shown.name}: " if shown.name else ""
    # A pair stays on one line.
    glued = [word.replace(" ", "\0") for word in words]
    text = f"{between} ".join(glued) or "none"
    room = WIDTH if len(before) < WIDTH // 2 else WIDTH + len(before)
    told = textwrap.fill(
        before + text,
        room,
        subsequent_indent=" " * min(len(before), WIDTH // 2),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return told.replace("\0", " ")


def cell_word(shown: TableView, part: tuple[int, ...]) -> str:
    if not shown.holds:
        return "1" if part else NOTHING
    return " ".join(map(shown.word, part if shown.holds == "item" else part[:1])) or NOTHING


def heads_of(shown: TableView) -> tuple[list[str], list[str]]:
    """Return the headings of rows and columns; empty if they have no name."""
    rows, columns = (
        [f"{head} {number}" if head else "" for number in numbers]
        for head, numbers in zip(shown.heads, (shown.rows, shown.columns), strict=True)
    )
    return rows, columns


def _table(shown: TableView) -> str:
    rows, columns = heads_of(shown)
    lines = [
        [head, *(cell_word(shown, part) for part in line)]
        for head, line in zip(rows, shown.cells, strict=True)
    ]
    if any(columns):
        lines.insert(0, ["", *columns])
    if not any(rows):
        lines = [line[1:] for line in lines]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    gap = " " if shown.holds != "item" and not any(columns) else "  "
    told = [
        gap.join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    return "\n".join([*([f"{shown.name}:"] if shown.name else []), *told])


def off_board_data(shown: AnyOffBoardView) -> list[Any]:
    """Return a view as JSON data: values by index, rows of cells, pairs, or items."""
    match shown:
        case ListView(values=values):
            return [part[0] if part else None for part in values]
        case PairsView(pairs=pairs):
            return [list(pair) for pair in pairs]
        case SetView(items=items):
            return list(items)
        case TableView(cells=cells, holds="item"):
            return [[list(part) for part in line] for line in cells]
        case TableView(cells=cells, holds="value"):
            return [[part[0] if part else None for part in line] for line in cells]
        case TableView(cells=cells):
            return [[int(bool(part)) for part in line] for line in cells]


def off_board_title(shown: AnyOffBoardView) -> str:
    """Return a description of a drawing, for screen readers."""
    match shown:
        case ListView(indices=indices):
            what = f"a list of {pluralize(len(indices), 'value')}"
        case PairsView(pairs=pairs):
            what = pluralize(len(pairs), "pair")
        case SetView(items=items, among=among):
            what = f"{pluralize(len(items), 'item')} of {len(among):,}"
        case TableView(rows=rows, columns=columns):
            size = f"{pluralize(len(rows), 'row')} and {pluralize(len(columns), 'column')}"
            what = f"a table of {size}"
    return f"{shown.name}: {what}" if shown.name else what[0].upper() + what[1:]


class Boxes:
    """SVG drawing of a view as boxes, and its size."""

    def __init__(self, shown: AnyOffBoardView) -> None:
        self.shown = shown
        self.top = _MARGIN + (24 if shown.name else 0)
        self.parts: list[str] = []
        self.width, self.height = 2 * _MARGIN, self.top + _MARGIN
        match shown:
            case ListView(indices=indices, values=values):
                told = [shown.word(part[0]) if part else "" for part in values]
                fills = [self._fill(part) for part in values]
                self._row_of_boxes(indices, told, fills)
            case SetView(items=items, among=among):
                held = frozenset(items)
                fills = [_CHOSEN if item in held else PAGE for item in among]
                self._row_of_boxes([], [shown.word(item) for item in among], fills)
            case TableView():
                self._table(shown)
            case PairsView():
                self._columns(shown)
        if shown.name:
            self.parts.append(lettered((_MARGIN, _MARGIN + 8), shown.name, 15, INK, anchor="start"))
            self.width = max(self.width, 2 * _MARGIN + 8 * len(shown.name))

    def _fill(self, part: tuple[int, ...]) -> str:
        if not part:
            return PAGE
        return colour_of(self.shown.colours, part[0], PALE) if self.shown.colours else hue(part[0])

    def _box(self, x: float, y: float, width: float, word: str, fill: str) -> None:
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{_HIGH}" fill="{fill}" '
            f'stroke="{_THIN}"/>'
        )
        ink = PAGE if fill == INK else INK
        self.parts.append(lettered((x + width / 2, y + _HIGH / 2), word, 16, ink))
        self.width = max(self.width, round(x + width + _MARGIN))
        self.height = max(self.height, round(y + _HIGH + _MARGIN))

    def _row_of_boxes(self, indices: Sequence[int], words: list[str], fills: list[str]) -> None:
        """Draw boxes in rows, with indices above them."""
        wide = max(_HIGH, _LETTER * max(map(len, words), default=0) + 12)
        step = _HIGH + (18 if indices else 8)
        for number, (word, fill) in enumerate(zip(words, fills, strict=True)):
            row, column = divmod(number, _ACROSS)
            x, y = _MARGIN + column * wide, self.top + row * step + (12 if indices else 0)
            self._box(x, y, wide, word, fill)
            if indices:
                self.parts.append(lettered((x + wide / 2, y - 7), str(indices[number]), 9, FAINT))

    def _table(self, shown: TableView) -> None:
        rows, columns = heads_of(shown)
        words = [[cell_word(shown, part) for part in cells] for cells in shown.cells]
        longest = [
            max(map(len, (head, *column)))
            for head, column in zip(columns, zip(*words, strict=True), strict=True)
        ]
        widths = [max(_HIGH, _LETTER * size + 12) for size in longest]
        left = _MARGIN + (_LETTER * max(map(len, rows)) + 8 if any(rows) else 0)
        starts = list(accumulate(widths, initial=left))
        top = self.top + (22 if any(columns) else 0)
        for number, cells in enumerate(shown.cells):
            y = top + number * _HIGH
            self.parts.append(
                lettered((left - 10, y + _HIGH / 2), rows[number], 14, FAINT, anchor="end")
            )
            for column, part in enumerate(cells):
                self._box(
                    starts[column],
                    y,
                    widths[column],
                    words[number][column] if part else "",
                    self._cell_fill(shown, part),
                )
        for column, head in enumerate(columns):
            middle = starts[column] + widths[column] / 2
            self.parts.append(lettered((middle, top - 10), head, 14, FAINT))

    def _cell_fill(self, shown: TableView, part: tuple[int, ...]) -> str:
        if not part or (shown.holds == "item" and not shown.colours):
            return PAGE
        return self._fill(part) if shown.holds or shown.colours else _CHOSEN

    def _columns(self, shown: PairsView) -> None:
        """Draw pairs as lines between two columns of boxes."""
        sides = [[shown.word(each) for each in side] for side in (shown.left, shown.right)]
        wide = [max(_HIGH, _LETTER * max(map(len, side), default=0) + 12) for side in sides]
        between = 110
        starts = [_MARGIN, _MARGIN + wide[0] + between]
        places = []
        for side, numbers, start, width in zip(
            sides, (shown.left, shown.right), starts, wide, strict=True
        ):
            places.append({n: self.top + k * (_HIGH + 6) for k, n in enumerate(numbers)})
            for number, word in zip(numbers, side, strict=True):
                self._box(start, places[-1][number], width, word, PAGE)
        paths = [
            segment(
                (starts[0] + wide[0], places[0][a] + _HIGH / 2),
                (starts[1], places[1][b] + _HIGH / 2),
            )
            for a, b in shown.pairs
        ]
        if paths:
            self.parts.append(line("".join(paths), PATH, 'stroke-width="2"'))
