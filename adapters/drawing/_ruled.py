"""Text of a board with lines between its regions, as puzzles are printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Rows = Sequence[Sequence[int]]


def ruled(
    words: Sequence[Sequence[str]],
    regions: Rows,
    strong: Sequence[Sequence[bool]],
    emphasis: Callable[[str], str],
) -> str:
    """A `|` between words and a line of `-` between rows, wherever their regions differ."""
    width = max(len(word) for row in words for word in row)
    upright = [any(row[k] != row[k + 1] for row in regions) for k in range(len(regions[0]) - 1)]
    lines: list[str] = []
    for number, row in enumerate(words):
        if number and any(above != below for above, below in _pairs(regions, number)):
            lines.append(_rule(regions, number, width, upright))
        shown = [
            " " * (width - len(word)) + (emphasis(word) if strong[number][k] else word)
            for k, word in enumerate(row)
        ]
        lines.append(_row(shown, regions[number], upright))
    return "\n".join(line.rstrip() for line in lines)


def _pairs(regions: Rows, number: int) -> list[tuple[int, int]]:
    """The regions above and below the line before a row."""
    return list(zip(regions[number - 1], regions[number], strict=True))


def _row(shown: list[str], regions: Sequence[int], upright: list[bool]) -> str:
    line = shown[0]
    for k, is_line in enumerate(upright):
        between = " " if not is_line else " | " if regions[k] != regions[k + 1] else "   "
        line += between + shown[k + 1]
    return line


def _rule(regions: Rows, number: int, width: int, upright: list[bool]) -> str:
    """The line before a row, with a `+` where it meets an upright one."""
    pairs = _pairs(regions, number)
    marks = ["-" if above != below else " " for above, below in pairs]
    line = marks[0] * width
    for k, is_line in enumerate(upright):
        left, right = marks[k], marks[k + 1]
        corner = left + _corner(pairs[k], pairs[k + 1]) + right
        line += (corner if is_line else left if left == right else " ") + right * width
    return line


def _corner(left: tuple[int, int], right: tuple[int, int]) -> str:
    """What stands where four cells meet."""
    level = left[0] != left[1] or right[0] != right[1]
    upright = left[0] != right[0] or left[1] != right[1]
    return "+" if level and upright else "|" if upright else "-" if level else " "
