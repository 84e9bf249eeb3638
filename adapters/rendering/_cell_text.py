"""What is written on every cell, beside rows and columns, and in the gaps between cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boardsat.adapters.boards import Board
from boardsat.adapters.boards._pieces import letter
from boardsat.adapters.boards._sheets import Sheet
from boardsat.adapters.rendering._borders import Borders, Gap, TextPage
from boardsat.adapters.views.solution import (
    MARGINS,
    Fills,
    Labels,
    Marks,
    Pair,
    Solution,
    Strokes,
    Tour,
)

_SIGNS = {"circle": "O", "disc": "@", "dot": "*", "cross": "x"}
"""Letters for signs that have none."""

_FILLED = "#"

_SPOTS = {"top left": "{}:", "top right": "\\{}", "bottom left": "{}\\", "bottom right": ":{}"}
"""Words in the corners of a cell: `16\\4` are the sums below and to the right of it."""


def sign_letter(sign: str) -> str:
    return _SIGNS.get(sign) or letter(sign)


def given_cells(solution: Solution) -> set[int]:
    """Cells whose content is a part of the question."""
    told = [each for each in solution.static_views if isinstance(each, Labels) and each.is_main]
    labelled = {cell for each in told for cell, part in enumerate(each.values) if part}
    return labelled | solution.given


def cell_words(solution: Solution) -> list[str]:
    """What is written on every cell: numbers, values, the signs of all marks, or how it is filled.

    A fill that has its own sign hides what else is there.
    """
    parts: list[list[str]] = [[] for _ in range(solution.board.cells)]
    for each in solution.all_views:
        match each:
            case Tour(order=order):
                place = {cell: number for number, cell in enumerate(order, 1)}
                for cell, part in enumerate(parts):
                    part.append(str(place.get(cell, 0)))
            case Labels(place="cell", values=values):
                for part, found in zip(parts, values, strict=True):
                    part += [_SPOTS.get(each.at, "{}").format(each.word(v)) for v in found[:1]]
    for marks, word in zip(solution.marks, mark_letters(solution.marks), strict=True):
        for cell in marks.cells:
            parts[cell].append(word)
    words = list(map(_joined, parts))
    has_lines = isinstance(solution.board, Sheet)
    for fills in solution.fills:
        _fill(words, fills, has_lines)
    return [word or _nothing(solution) for word in words]


def mark_letters(marks: Sequence[Marks]) -> list[str]:
    """The letter of each view: small where an earlier one has it, as that of black pieces."""
    letters: list[str] = []
    for each in marks:
        word = sign_letter(each.sign)
        letters.append(word.lower() if word in letters else word)
    return letters


def _joined(parts: Sequence[str]) -> str:
    """One after the other, with a comma between two numbers."""
    word = ""
    for part in parts:
        word += "," + part if word[-1:].isdigit() and part[:1].isdigit() else part
    return word.replace("\\\\", "\\")


def _fill(words: list[str], shown: Fills, has_lines: bool) -> None:
    """Values need no words where lines lie between them."""
    for cell, found in enumerate(shown.values):
        if not found:
            continue
        word = sign_letter(shown.sign or _FILLED)
        if shown.has_values:
            word = shown.word(found[0]) or ("" if has_lines else str(found[0]))
        if not words[cell] or (shown.sign and not shown.has_values):
            words[cell] = word


def _nothing(solution: Solution) -> str:
    """An empty cell."""
    if solution.board_style == "points":
        return "+"
    has_lines = isinstance(solution.board, Sheet) and any(f.has_values for f in solution.fills)
    return "" if has_lines else "."


# Sheets of puzzles.


def page_of(
    solution: Solution,
    board: Sheet,
    words: dict[tuple[int, int], str],
    strong: set[tuple[int, int]],
) -> tuple[TextPage, list[Strokes]] | None:
    """All that stands on a sheet, and lines that cannot; None where there are words alone."""
    borders = Borders(solution, board)
    across, down, rest = _joins(solution, board)
    corners = _corners(solution, board)
    sides = {side: margin_words(solution, side) for side in MARGINS}
    has_clues = any(any(side) for side in sides.values())
    if not (solution.regions or borders.has_frame or across or down or corners or has_clues):
        return None
    rows = board.sections()[0]
    page = TextPage(
        [[words.get(board.slot(place), "") for place in row] for row in rows],
        [[board.slot(place) in strong for place in row] for row in rows],
        borders.upright,
        borders.level,
        borders.has_frame,
        across,
        down,
        corners,
        **sides,
    )
    return page, rest


def _joins(
    solution: Solution, board: Sheet
) -> tuple[dict[Gap, str], dict[Gap, str], list[Strokes]]:
    """Lines between neighbours, in the gaps; and those between others."""
    across: dict[Gap, str] = {}
    down: dict[Gap, str] = {}
    rest = []
    for each in solution.all_views:
        if isinstance(each, Strokes):
            far = [pair for pair in each.pairs if not _join(pair, each, board, across, down)]
            if far:
                rest.append(Strokes(tuple(far), each.has_heads))
    return across, down, rest


def _join(
    pair: Pair, lines: Strokes, board: Sheet, across: dict[Gap, str], down: dict[Gap, str]
) -> bool:
    (r, c), (s, d) = (divmod(board.place(cell), board.cols) for cell in pair)
    if r == s and abs(c - d) == 1:
        sign = ("-->" if d > c else "<--") if lines.has_heads else "---"
        across[r, max(c, d)] = sign
        return True
    if c == d and abs(r - s) == 1:
        down[max(r, s), c] = ("v" if s > r else "^") if lines.has_heads else "|"
        return True
    return False


def _corners(solution: Solution, board: Sheet) -> dict[Gap, str]:
    """Labels at the lower right corners of cells."""
    found = {}
    for each in solution.labels:
        if each.place == "corner":
            for cell, part in enumerate(each.values):
                if part:
                    row, column = divmod(board.place(cell), board.cols)
                    found[row + 1, column + 1] = each.word(part[0])
    return {gap: w for gap, w in found.items() if gap[0] < board.rows and gap[1] < board.cols}


def margin_words(solution: Solution, side: str) -> list[list[str]]:
    """The words beside every row or column, where there are any."""
    told = [labels for labels in solution.labels if labels.place == side]
    lines = zip(*(labels.values for labels in told), strict=True)
    return [
        [labels.word(value) for labels, part in zip(told, parts, strict=True) for value in part]
        for parts in lines
    ]


# Where cells have no place in a text.


def pair_lines(board: Board, lines: Iterable[Strokes]) -> list[str]:
    """A line of text for the lines of each view."""
    told = []
    for each in lines:
        between = " -> " if each.has_heads else " - "
        named = [f"{board.name(a)}{between}{board.name(b)}" for a, b in each.pairs]
        told.append(", ".join(named) or "no lines")
    return told


def graph_text(solution: Solution, closed: bool) -> str:
    board, picture = solution.board, solution.view
    lines = [each for each in solution.all_views if isinstance(each, Strokes)]
    others = [each for each in solution.all_views if not isinstance(each, Strokes)]
    told = pair_lines(board, lines)
    if isinstance(picture, Tour) and len(others) == 1:
        names = [board.name(cell) for cell in picture.order]
        line = " -> " if board.directed else " - "
        return "\n".join([line.join([*names, names[0]] if closed and names else names), *told])
    if isinstance(picture, Marks) and len(others) == 1:
        return "\n".join([" ".join(board.name(cell) for cell in sorted(picture.cells)), *told])
    if not others:
        return "\n".join(told)
    words = enumerate(cell_words(solution))
    told += [f"{board.name(cell)}: {'-' if word in ('.', '') else word}" for cell, word in words]
    return "\n".join(told)
