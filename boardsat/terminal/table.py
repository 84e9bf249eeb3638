"""Tables of plain text for the terminal; columns of numbers are aligned to the right."""

from __future__ import annotations

import re
from collections.abc import Sequence

TERMINAL_WIDTH = 80
"""Width in characters that texts are wrapped to."""

MAX_CELL_WIDTH, MAX_TABLE_CELL_WIDTH = 36, 200
"""Maximum width in characters of a cell in wrapped rows and in tables; longer cells are cut."""
# Every line has the width of the widest cell, so one long cell would enlarge all lines.


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], total: bool = False) -> str:
    """Return a table; `total` draws a rule above the last row.

    Parameters
    ----------
    heads : sequence of str
        Headings of the columns.
    rows : sequence of sequence of str
        Cells; a column of numbers is aligned to the right.
    total : bool
        True if the last row is a total.
    """
    lines = [[_cut(cell, MAX_TABLE_CELL_WIDTH) for cell in line] for line in (heads, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    is_numeric = [
        bool(rows) and all(_is_number(row[column]) for row in rows) for column in range(len(heads))
    ]
    text_lines = [_line(line, widths, is_numeric) for line in lines]
    rule = "  ".join("-" * width for width in widths)
    text_lines.insert(1, rule)
    if total:
        text_lines.insert(-1, rule)
    return "\n".join(text_lines)


def _line(cells: Sequence[str], widths: Sequence[int], is_numeric: Sequence[bool]) -> str:
    aligned_cells = [
        cell.rjust(width) if numeric else cell.ljust(width)
        for cell, width, numeric in zip(cells, widths, is_numeric, strict=True)
    ]
    return "  ".join(aligned_cells).rstrip()


def _is_number(cell: str) -> bool:
    return not cell or cell.replace(",", "").replace(".", "").isdecimal()


def wrap_rows(rows: Sequence[Sequence[str]], indent: int = 0, min_width: int = 0) -> str:
    """Return rows without headings whose last column is wrapped at TERMINAL_WIDTH.

    Parameters
    ----------
    rows : sequence of sequence of str
        Cells.
    indent : int
        Number of spaces before each line.
    min_width : int
        Minimum width of the first column in characters.
    """
    lines = []
    cut_rows = [[*(_cut(cell, MAX_CELL_WIDTH) for cell in row[:-1]), row[-1]] for row in rows]
    widths = [max(map(len, column)) for column in list(zip(*cut_rows, strict=True))[:-1]]
    widths[:1] = [max(width, min_width) for width in widths[:1]]
    for row in cut_rows:
        head = " " * indent + "".join(
            f"{cell:<{width}}  " for cell, width in zip(row, widths, strict=False)
        )
        for line in wrap_lines(row[-1], max(20, TERMINAL_WIDTH - 1 - len(head))) or [""]:
            lines.append(f"{head}{line}".rstrip())
            head = " " * len(head)
    return "\n".join(lines)


def wrap_lines(text: str, width: int = TERMINAL_WIDTH - 1) -> list[str]:
    """Break a text into lines, in time linear in its length."""
    from textwrap import wrap

    # textwrap breaks long words in quadratic time, so they are broken before.
    return wrap(re.sub(rf"[^\s-]{{{width}}}(?=[^\s-])", r"\g<0> ", text), width)


def _cut(cell: str, max_width: int) -> str:
    """Return the cell, shortened in the middle: names and paths often differ at one of the ends."""
    half = (max_width - 3) // 2
    return cell if len(cell) <= max_width else f"{cell[:half]}...{cell[-half:]}"


def format_columns(texts: Sequence[str], width: int) -> list[str]:
    """Return lines with texts in columns, filled from top to bottom, in as few lines as fit."""
    for rows in range(1, len(texts) + 1):
        columns = [texts[k : k + rows] for k in range(0, len(texts), rows)]
        widths = [2 + max(map(len, column)) for column in columns]
        if sum(widths) - 2 <= width or rows == len(texts):
            break
    return [
        "".join(
            "".join(column[row : row + 1]).ljust(size)
            for size, column in zip(widths, columns, strict=True)
        ).rstrip()
        for row in range(rows)
    ]
