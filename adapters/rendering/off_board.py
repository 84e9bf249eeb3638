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
    PALE_COLOURS,
    PATH_COLOUR,
    named_colour,
    path,
    segment,
    text_element,
    value_colour,
)
from boardsat.adapters.views import (
    AnyOffBoardView,
    ListView,
    PairsView,
    SetView,
    TableView,
)
from boardsat.base.text import pluralize

LINE_WIDTH = 79

NO_VALUE = "."

# Lengths in SVG units.
_BOX_HEIGHT = 32
_MARGIN = 14
_LETTER_WIDTH = 9
_COLUMN_GAP = 110

_MAX_BOXES_IN_ROW = 20

_BORDER_COLOUR = "#d5ccbb"

_CHOSEN_FILL = PALE_COLOURS["blue"]


def off_board_text(view: AnyOffBoardView) -> str:
    """Return a view as lines of text."""
    match view:
        case ListView(values=values):
            return _wrap(view, [view.word(entry[0]) if entry else NO_VALUE for entry in values])
        case PairsView(pairs=pairs):
            return _wrap(view, [f"{view.word(a)} -> {view.word(b)}" for a, b in pairs], ",")
        case SetView(items=items):
            return _wrap(view, [view.word(item) for item in items])
        case TableView():
            return _table_text(view)


def _wrap(view: AnyOffBoardView, texts: list[str], separator: str = "") -> str:
    """Return the name of the view and the texts, wrapped to lines.

    The texts of a list are padded to equal widths.
    """
    width = max(map(len, texts), default=0)
    if isinstance(view, ListView):
        texts = [text.rjust(width) for text in texts]
    prefix = f"{view.name}: " if view.name else ""
    # Spaces within a word are protected, so that a pair stays on one line.
    joined = f"{separator} ".join(text.replace(" ", "\0") for text in texts) or "none"
    wrapped = textwrap.fill(
        prefix + joined,
        LINE_WIDTH if len(prefix) < LINE_WIDTH // 2 else LINE_WIDTH + len(prefix),
        subsequent_indent=" " * min(len(prefix), LINE_WIDTH // 2),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return wrapped.replace("\0", " ")


def cell_text(table: TableView, cell: tuple[int, ...]) -> str:
    """Return the text of a table cell, given its values or items."""
    if not table.content:
        return "1" if cell else NO_VALUE
    return " ".join(map(table.word, cell if table.content == "item" else cell[:1])) or NO_VALUE


def headings(table: TableView) -> tuple[list[str], list[str]]:
    """Return the headings of rows and columns; empty texts if they have no name."""
    rows, columns = (
        [f"{head} {number}" if head else "" for number in numbers]
        for head, numbers in zip(table.heads, (table.rows, table.columns), strict=True)
    )
    return rows, columns


def _table_text(table: TableView) -> str:
    row_headings, column_headings = headings(table)
    lines = [
        [heading, *(cell_text(table, cell) for cell in row)]
        for heading, row in zip(row_headings, table.cells, strict=True)
    ]
    if any(column_headings):
        lines.insert(0, ["", *column_headings])
    if not any(row_headings):
        lines = [line[1:] for line in lines]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    gap = " " if table.content != "item" and not any(column_headings) else "  "
    texts = [
        gap.join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    return "\n".join([*([f"{table.name}:"] if table.name else []), *texts])


def off_board_data(view: AnyOffBoardView) -> list[Any]:
    """Return a view as JSON data: values by index, rows of cells, pairs, or items."""
    match view:
        case ListView(values=values):
            return [entry[0] if entry else None for entry in values]
        case PairsView(pairs=pairs):
            return [list(pair) for pair in pairs]
        case SetView(items=items):
            return list(items)
        case TableView(cells=rows, content="item"):
            return [[list(cell) for cell in row] for row in rows]
        case TableView(cells=rows, content="value"):
            return [[cell[0] if cell else None for cell in row] for row in rows]
        case TableView(cells=rows):
            return [[int(bool(cell)) for cell in row] for row in rows]


def off_board_title(view: AnyOffBoardView) -> str:
    """Return a description of a drawing, for screen readers."""
    match view:
        case ListView(indices=indices):
            description = f"a list of {pluralize(len(indices), 'value')}"
        case PairsView(pairs=pairs):
            description = pluralize(len(pairs), "pair")
        case SetView(items=items, domain=domain):
            description = f"{pluralize(len(items), 'item')} of {len(domain):,}"
        case TableView(rows=rows, columns=columns):
            size = f"{pluralize(len(rows), 'row')} and {pluralize(len(columns), 'column')}"
            description = f"a table of {size}"
    return f"{view.name}: {description}" if view.name else description[0].upper() + description[1:]


class Boxes:
    """SVG drawing of a view as boxes, and its size."""

    def __init__(self, view: AnyOffBoardView) -> None:
        self.view = view
        self.top = _MARGIN + (24 if view.name else 0)
        self.elements: list[str] = []
        self.width, self.height = 2 * _MARGIN, self.top + _MARGIN
        match view:
            case ListView(indices=indices, values=values):
                texts = [view.word(entry[0]) if entry else "" for entry in values]
                self._draw_boxes(indices, texts, [self._fill(entry) for entry in values])
            case SetView(items=items, domain=domain):
                chosen = frozenset(items)
                fills = [_CHOSEN_FILL if item in chosen else PAGE for item in domain]
                self._draw_boxes([], [view.word(item) for item in domain], fills)
            case TableView():
                self._draw_table(view)
            case PairsView():
                self._draw_pairs(view)
        if view.name:
            point = (_MARGIN, _MARGIN + 8)
            self.elements.append(text_element(point, view.name, 15, INK, anchor="start"))
            self.width = max(self.width, 2 * _MARGIN + 8 * len(view.name))

    def _fill(self, values: tuple[int, ...]) -> str:
        if not values:
            return PAGE
        if self.view.colours:
            return named_colour(self.view.colours, values[0], PALE_COLOURS)
        return value_colour(values[0])

    def _draw_box(self, x: float, y: float, width: float, text: str, fill: str) -> None:
        self.elements.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{_BOX_HEIGHT}" fill="{fill}" '
            f'stroke="{_BORDER_COLOUR}"/>'
        )
        ink = PAGE if fill == INK else INK
        self.elements.append(text_element((x + width / 2, y + _BOX_HEIGHT / 2), text, 16, ink))
        self.width = max(self.width, round(x + width + _MARGIN))
        self.height = max(self.height, round(y + _BOX_HEIGHT + _MARGIN))

    def _draw_boxes(self, indices: Sequence[int], texts: list[str], fills: list[str]) -> None:
        """Draw boxes in rows, with indices above them, if any."""
        width = _box_width(texts)
        row_height = _BOX_HEIGHT + (18 if indices else 8)
        for number, (text, fill) in enumerate(zip(texts, fills, strict=True)):
            row, column = divmod(number, _MAX_BOXES_IN_ROW)
            x, y = _MARGIN + column * width, self.top + row * row_height + (12 if indices else 0)
            self._draw_box(x, y, width, text, fill)
            if indices:
                index = str(indices[number])
                self.elements.append(text_element((x + width / 2, y - 7), index, 9, FAINT))

    def _draw_table(self, table: TableView) -> None:
        row_headings, column_headings = headings(table)
        texts = [[cell_text(table, cell) for cell in row] for row in table.cells]
        widths = [
            _box_width((heading, *column))
            for heading, column in zip(column_headings, zip(*texts, strict=True), strict=True)
        ]
        table_left = _MARGIN
        if any(row_headings):
            table_left += _LETTER_WIDTH * max(map(len, row_headings)) + 8
        starts = list(accumulate(widths, initial=table_left))
        top = self.top + (22 if any(column_headings) else 0)
        for number, row in enumerate(table.cells):
            y = top + number * _BOX_HEIGHT
            point = (table_left - 10, y + _BOX_HEIGHT / 2)
            self.elements.append(text_element(point, row_headings[number], 14, FAINT, anchor="end"))
            for column, cell in enumerate(row):
                text = texts[number][column] if cell else ""
                fill = self._cell_fill(table, cell)
                self._draw_box(starts[column], y, widths[column], text, fill)
        for start, width, heading in zip(starts, widths, column_headings, strict=False):
            self.elements.append(text_element((start + width / 2, top - 10), heading, 14, FAINT))

    def _cell_fill(self, table: TableView, cell: tuple[int, ...]) -> str:
        if not cell or (table.content == "item" and not table.colours):
            return PAGE
        return self._fill(cell) if table.content or table.colours else _CHOSEN_FILL

    def _draw_pairs(self, view: PairsView) -> None:
        """Draw pairs as lines between two columns of boxes."""
        columns = [[view.word(number) for number in side] for side in (view.left, view.right)]
        widths = [_box_width(texts) for texts in columns]
        starts = [_MARGIN, _MARGIN + widths[0] + _COLUMN_GAP]
        tops = []
        for texts, numbers, start, width in zip(
            columns, (view.left, view.right), starts, widths, strict=True
        ):
            tops.append({n: self.top + k * (_BOX_HEIGHT + 6) for k, n in enumerate(numbers)})
            for number, text in zip(numbers, texts, strict=True):
                self._draw_box(start, tops[-1][number], width, text, PAGE)
        segments = [
            segment(
                (starts[0] + widths[0], tops[0][a] + _BOX_HEIGHT / 2),
                (starts[1], tops[1][b] + _BOX_HEIGHT / 2),
            )
            for a, b in view.pairs
        ]
        if segments:
            self.elements.append(path("".join(segments), PATH_COLOUR, 'stroke-width="2"'))


def _box_width(texts: Sequence[str]) -> float:
    """Return the width of a box that fits each of the words."""
    return max(_BOX_HEIGHT, _LETTER_WIDTH * max(map(len, texts), default=0) + 12)
