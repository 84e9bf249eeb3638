"""Chess names of squares: files a, b, ... from the left, ranks from 1 at the bottom.

Places are numbered from the top left, so on a board of 8 x 8 place 0 is a8, and 63 is h1. After z
come aa, ab and so on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from boardsat.base.errors import InputError

LETTERS = 26
LONGEST = 4
"""Letters of a file: more than any board has columns."""


def is_name(word: str) -> bool:
    return re.fullmatch(rf"[a-z]{{1,{LONGEST}}}[0-9]{{1,9}}", word.lower()) is not None


def name_of(place: int, rows: int, cols: int) -> str:
    row, column = divmod(place, cols)
    letters = ""
    number = column + 1
    while number:
        number, letter = divmod(number - 1, LETTERS)
        letters = chr(ord("a") + letter) + letters
    return f"{letters}{rows - row}"


def have_names(board: Mapping[str, Any]) -> bool:
    """Whether a board, as headers describe it, is nothing but rows and columns."""
    return "rows" in board and "cols" in board and "layers" not in board


def called(place: int | str, board: Mapping[str, Any]) -> str:
    """A place as people say it; one that may be any is so called."""
    if isinstance(place, str):
        return f"any {'vertex' if 'vertices' in board else 'cell'}"
    if have_names(board):
        return name_of(place, board["rows"], board["cols"])
    if "labels" in board:
        return str(board["labels"][place])
    return str(place + board["first"]) if "first" in board else f"place {place}"


def range_of(places: int, board: Mapping[str, Any]) -> str:
    """All of them, for a remedy."""
    numbers = f"0 to {places - 1}"
    if not have_names(board):
        return numbers
    return f"{numbers}, or a square from a1 to {called(board['cols'] - 1, board)}"


def place_of(name: str, rows: int, cols: int) -> int:
    """The place that a name means, if the board has it."""
    letters = name.lower().rstrip("0123456789")
    number = 0
    for letter in letters:
        number = LETTERS * number + ord(letter) - ord("a") + 1
    column, row = number - 1, rows - int(name[len(letters) :])
    if column >= cols or not 0 <= row < rows:
        last = name_of(cols - 1, rows, cols)
        raise InputError(
            f"no square {name!r} on a board of {rows} x {cols}", f"squares are a1 to {last}"
        )
    return row * cols + column


def numbered(text: str, rows: int, cols: int) -> str:
    """`c3,rook@d4` with the numbers of places for names; what is no name stays as it is."""
    words = []
    for word in text.split(","):
        piece, at, square = word.strip().rpartition("@")
        place = str(place_of(square, rows, cols)) if is_name(square) else square
        words.append(f"{piece}{at}{place}")
    return ",".join(words)


def has_name(text: str) -> bool:
    return any(is_name(word.strip().rpartition("@")[2]) for word in text.split(","))
