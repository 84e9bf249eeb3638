"""Lists, tables, pairs and sets as lines of text, and as plain data for programs."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from boardsat.adapters.views.solution import Chosen, Listing, Matched, OffBoard, Tabulated
from boardsat.base.text import pluralize

WIDTH = 79
NOTHING = "."


def unplaced_text(shown: OffBoard) -> str:
    match shown:
        case Listing(values=values):
            return _flowing(shown, [_word(shown, part) for part in values])
        case Matched(pairs=pairs):
            return _flowing(shown, [f"{shown.word(a)} -> {shown.word(b)}" for a, b in pairs], ",")
        case Chosen(items=items):
            return _flowing(shown, [shown.word(item) for item in items])
        case Tabulated():
            return _table(shown)


def _word(shown: OffBoard, part: tuple[int, ...]) -> str:
    return shown.word(part[0]) if part else NOTHING


def _flowing(shown: OffBoard, words: list[str], between: str = "") -> str:
    """Words in lines; those of a list of equal width, so that they stand below one another."""
    width = max(map(len, words), default=0)
    if isinstance(shown, Listing):
        words = [word.rjust(width) for word in words]
    before = f"{shown.name}: " if shown.name else ""
    # A pair stays on one line.
    glued = [word.replace(" ", "\0") for word in words]
    text = f"{between} ".join(glued) or "none"
    room = WIDTH if len(before) < WIDTH // 2 else WIDTH + len(before)
    told = fill(
        before + text,
        room,
        subsequent_indent=" " * min(len(before), WIDTH // 2),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return told.replace("\0", " ")


def cell_word(shown: Tabulated, part: tuple[int, ...]) -> str:
    if not shown.holds:
        return "1" if part else NOTHING
    return " ".join(map(shown.word, part if shown.holds == "item" else part[:1])) or NOTHING


def heads_of(shown: Tabulated) -> tuple[list[str], list[str]]:
    """What is written before rows and above columns, where they have a name."""
    rows, columns = (
        [f"{head} {number}" if head else "" for number in numbers]
        for head, numbers in zip(shown.heads, (shown.rows, shown.columns), strict=True)
    )
    return rows, columns


def _table(shown: Tabulated) -> str:
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


def unplaced_data(shown: OffBoard) -> list[Any]:
    """For programs: values in the order of indices, rows of cells, pairs, or items."""
    match shown:
        case Listing(values=values):
            return [part[0] if part else None for part in values]
        case Matched(pairs=pairs):
            return [list(pair) for pair in pairs]
        case Chosen(items=items):
            return list(items)
        case Tabulated(cells=cells, holds="item"):
            return [[list(part) for part in line] for line in cells]
        case Tabulated(cells=cells, holds="value"):
            return [[part[0] if part else None for part in line] for line in cells]
        case Tabulated(cells=cells):
            return [[int(bool(part)) for part in line] for line in cells]


def unplaced_title(shown: OffBoard) -> str:
    """The picture in words, for who cannot see it."""
    match shown:
        case Listing(indices=indices):
            what = f"a list of {pluralize(len(indices), 'value')}"
        case Matched(pairs=pairs):
            what = pluralize(len(pairs), "pair")
        case Chosen(items=items, among=among):
            what = f"{pluralize(len(items), 'item')} of {len(among):,}"
        case Tabulated(rows=rows, columns=columns):
            size = f"{pluralize(len(rows), 'row')} and {pluralize(len(columns), 'column')}"
            what = f"a table of {size}"
    return f"{shown.name}: {what}" if shown.name else what[0].upper() + what[1:]
