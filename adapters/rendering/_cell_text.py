"""Text of cells, margins and gaps of a board, from all views of a solution."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boardsat.adapters.boards import Board
from boardsat.adapters.boards._board import piece_letter
from boardsat.adapters.boards.grid import Sheet
from boardsat.adapters.rendering._borders import Borders, Gap, TextPage
from boardsat.adapters.views import (
    MARGINS,
    Fills,
    Labels,
    Marks,
    Pair,
    Solution,
    Strokes,
    Tour,
)

_SIGN_LETTERS = {"circle": "O", "disc": "@", "dot": "*", "cross": "x"}

_FILLED = "#"

_CORNER_FORMATS = {
    **{"top left": "{}:", "top right": "\\{}"},
    **{"bottom left": "{}\\", "bottom right": ":{}"},
}
"""Formats of values in corners of a cell: `16\\4` are the sums below and to the right of it."""


def sign_letter(sign: str) -> str:
    return _SIGN_LETTERS.get(sign) or piece_letter(sign)


def cells_with_givens(solution: Solution) -> set[int]:
    """Return the cells whose content is given: by the instance, or by a static view."""
    clues = [view for view in solution.static_views if isinstance(view, Labels) and view.is_main]
    labelled = {cell for view in clues for cell, values in enumerate(view.values) if values}
    return labelled | solution.given_cells


def cell_texts(solution: Solution) -> list[str]:
    """Return the text of every cell: numbers, values and signs of all views.

    A fill that has its own sign replaces other content.
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
    """Add the filled cells to the texts; values without names need none if lines separate them."""
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


# Sheets of puzzles.


def page_of(
    solution: Solution,
    board: Sheet,
    texts: dict[tuple[int, int], str],
    emphasized: set[tuple[int, int]],
) -> tuple[TextPage, list[Strokes]] | None:
    """Return the page of a sheet, and the lines that it cannot show; None if it needs no page.

    Texts and emphasized texts are given by their slots.
    """
    borders = Borders(solution, board)
    across, down, other_lines = _joins(solution, board)
    corners = _corners(solution, board)
    sides = {side: margin_texts(solution, side) for side in MARGINS}
    has_clues = any(any(side) for side in sides.values())
    if not (solution.regions or borders.has_frame or across or down or corners or has_clues):
        return None
    rows = board.sections()[0]
    page = TextPage(
        [[texts.get(board.slot(tile), "") for tile in row] for row in rows],
        [[board.slot(tile) in emphasized for tile in row] for row in rows],
        borders.vertical,
        borders.horizontal,
        borders.has_frame,
        across,
        down,
        corners,
        **sides,
    )
    return page, other_lines


def _joins(
    solution: Solution, board: Sheet
) -> tuple[dict[Gap, str], dict[Gap, str], list[Strokes]]:
    """Return the lines in the gaps of rows and of columns, and those between distant cells."""
    across: dict[Gap, str] = {}
    down: dict[Gap, str] = {}
    distant = []
    for view in solution.of_kind(Strokes):
        if pairs := [pair for pair in view.pairs if not _join(pair, view, board, across, down)]:
            distant.append(Strokes(tuple(pairs), view.has_heads))
    return across, down, distant


def _join(
    pair: Pair, lines: Strokes, board: Sheet, across: dict[Gap, str], down: dict[Gap, str]
) -> bool:
    """Add the line of a pair to its gap; return False if the cells do not share a side."""
    (r, c), (s, d) = (divmod(board.tile_of(cell), board.cols) for cell in pair)
    if r == s and abs(c - d) == 1:
        sign = ("-->" if d > c else "<--") if lines.has_heads else "---"
        across[r, max(c, d)] = sign
        return True
    if c == d and abs(r - s) == 1:
        down[max(r, s), c] = ("v" if s > r else "^") if lines.has_heads else "|"
        return True
    return False


def _corners(solution: Solution, board: Sheet) -> dict[Gap, str]:
    """Return the labels at the lower right corners of cells."""
    texts = {}
    for labels in solution.of_kind(Labels):
        if labels.position == "corner":
            for cell, values in enumerate(labels.values):
                if values:
                    row, column = divmod(board.tile_of(cell), board.cols)
                    texts[row + 1, column + 1] = labels.word(values[0])
    return {gap: w for gap, w in texts.items() if gap[0] < board.rows and gap[1] < board.cols}


def margin_texts(solution: Solution, side: str) -> list[list[str]]:
    """Return the labels of every row or column at one margin; an empty list for no labels."""
    views = [labels for labels in solution.of_kind(Labels) if labels.position == side]
    lines = zip(*(labels.values for labels in views), strict=True)
    return [
        [labels.word(value) for labels, values in zip(views, line, strict=True) for value in values]
        for line in lines
    ]


# Lists of lines, and graphs.


def pair_lines(board: Board, lines: Iterable[Strokes]) -> list[str]:
    """Return a line of text for each view of lines: its pairs of cells."""
    texts = []
    for strokes in lines:
        arrow = " -> " if strokes.has_heads else " - "
        pairs = [f"{board.name(a)}{arrow}{board.name(b)}" for a, b in strokes.pairs]
        texts.append(", ".join(pairs) or "no lines")
    return texts


def graph_text(solution: Solution, closed: bool) -> str:
    """Return a solution on a graph: as a path, a set of vertices, or a line for each vertex."""
    board, view = solution.board, solution.view
    strokes = solution.of_kind(Strokes)
    num_other_views = len(solution.all_views) - len(strokes)
    lines = pair_lines(board, strokes)
    if isinstance(view, Tour) and num_other_views == 1:
        names = [board.name(cell) for cell in view.order]
        arrow = " -> " if board.directed else " - "
        return "\n".join([arrow.join([*names, names[0]] if closed and names else names), *lines])
    if isinstance(view, Marks) and num_other_views == 1:
        return "\n".join([" ".join(board.name(cell) for cell in sorted(view.cells)), *lines])
    if num_other_views:
        texts = enumerate(cell_texts(solution))
        lines += [
            f"{board.name(cell)}: {'-' if text in ('.', '') else text}" for cell, text in texts
        ]
    return "\n".join(lines)
