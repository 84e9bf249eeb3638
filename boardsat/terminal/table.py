"""Tables for the terminal: plain text, numbers to the right."""

from __future__ import annotations

import re
from collections.abc import Sequence

WIDTH = 80
"""Of the narrowest terminal that texts are set for."""

MAX_CELL, MAX_TABLE_CELL = 36, 200
"""Characters of a cell before a wrapped last column, and of any other; a longer one is cut.

Every line has the width of the widest cell, so a long one would cost its length for each line.
"""


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], total: bool = False) -> str:
    """Columns as wide as they need; with `total` a rule stands above the last row."""
    lines = [[_cut(cell, MAX_TABLE_CELL) for cell in line] for line in (heads, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    right = [
        bool(rows) and all(_is_number(row[column]) for row in rows) for column in range(len(heads))
    ]
    shown = [_line(line, widths, right) for line in lines]
    rule = "  ".join("-" * width for width in widths)
    shown.insert(1, rule)
    if total:
        shown.insert(-1, rule)
    return "\n".join(shown)


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    placed = [
        cell.rjust(width) if to_right else cell.ljust(width)
        for cell, width, to_right in zip(cells, widths, right, strict=True)
    ]
    return "  ".join(placed).rstrip()


def _is_number(cell: str) -> bool:
    return not cell or cell.replace(",", "").replace(".", "").isdecimal()


def wrapped(rows: Sequence[Sequence[str]], indent: int = 0, least: int = 0) -> str:
    """Rows without heads whose last column is broken into lines, so that none is too long.

    The first column is at least so wide.
    """
    lines = []
    cut = [[*(_cut(cell, MAX_CELL) for cell in row[:-1]), row[-1]] for row in rows]
    widths = [max(map(len, column)) for column in list(zip(*cut, strict=True))[:-1]]
    widths[:1] = [max(width, least) for width in widths[:1]]
    for row in cut:
        head = " " * indent + "".join(
            f"{cell:<{width}}  " for cell, width in zip(row, widths, strict=False)
        )
        for part in wrapped_lines(row[-1], max(20, WIDTH - 1 - len(head))) or [""]:
            lines.append(f"{head}{part}".rstrip())
            head = " " * len(head)
    return "\n".join(lines)


def wrapped_lines(text: str, width: int = WIDTH - 1) -> list[str]:
    """Break a text into lines; takes time in proportion to its length."""
    from textwrap import wrap

    # textwrap breaks a long word at the same places, but takes the square of its length for it.
    return wrap(re.sub(rf"[^\s-]{{{width}}}(?=[^\s-])", r"\g<0> ", text), width)


def _cut(cell: str, most: int) -> str:
    """Return the cell, or its beginning and its end: names and paths often differ in one only."""
    half = (most - 3) // 2
    return cell if len(cell) <= most else f"{cell[:half]}...{cell[-half:]}"


def in_columns(words: Sequence[str], width: int) -> list[str]:
    """Words in as few lines as fit, one below the other in columns as wide as they need."""
    for rows in range(1, len(words) + 1):
        columns = [words[k : k + rows] for k in range(0, len(words), rows)]
        widths = [2 + max(map(len, column)) for column in columns]
        if sum(widths) - 2 <= width or rows == len(words):
            break
    return [
        "".join(
            "".join(column[row : row + 1]).ljust(size)
            for size, column in zip(widths, columns, strict=True)
        ).rstrip()
        for row in range(rows)
    ]
