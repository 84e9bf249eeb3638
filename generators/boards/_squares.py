"""Chess notation of squares: files a, b, ... from the left, ranks from 1 at the bottom.

Places are numbered from the top left: on a board of 8 x 8 place 0 is a8, and 63 is h1. File z is
followed by aa, ab and so on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from boardsat.base.errors import InputError

LETTERS = 26
MAX_FILE_LETTERS = 4  # enough for 475,254 columns


def is_name(text: str) -> bool:
    """Return True for the syntax of a square's name: `e4`, on a board of any size."""
    return re.fullmatch(rf"[a-z]{{1,{MAX_FILE_LETTERS}}}[0-9]{{1,9}}", text.lower()) is not None


def name_of(place: int, rows: int, cols: int) -> str:
    """Return the name of the square at a place."""
    row, column = divmod(place, cols)
    letters = ""
    number = column + 1
    while number:
        number, letter = divmod(number - 1, LETTERS)
        letters = chr(ord("a") + letter) + letters
    return f"{letters}{rows - row}"


def have_names(board: Mapping[str, Any]) -> bool:
    """Return True if the squares of a board, given by its header entry, have chess names."""
    return "rows" in board and "cols" in board and "layers" not in board


def place_label(place: int | str, board: Mapping[str, Any]) -> str:
    """Return the label of a place in texts: `e4`, the label of a vertex, `place 17`, `any cell`."""
    if isinstance(place, str):
        return f"any {'vertex' if 'vertices' in board else 'cell'}"
    if have_names(board):
        return name_of(place, board["rows"], board["cols"])
    if "labels" in board:
        return str(board["labels"][place])
    return str(place + board["first"]) if "first" in board else f"place {place}"


def place_range(places: int, board: Mapping[str, Any]) -> str:
    """Return the range of valid places, for a remedy."""
    numbers = f"0 to {places - 1}"
    if not have_names(board):
        return numbers
    return f"{numbers}, or a square from a1 to {place_label(board['cols'] - 1, board)}"


def place_of(name: str, rows: int, cols: int) -> int:
    """Return the place of a named square; raise InputError if it is not on the board."""
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


def replace_names(text: str, rows: int, cols: int) -> str:
    """Replace the names of squares by numbers of places: `c3,rook@d4` -> `42,rook@35`."""
    entries = []
    for entry in text.split(","):
        piece, at, square = entry.strip().rpartition("@")
        place = str(place_of(square, rows, cols)) if is_name(square) else square
        entries.append(f"{piece}{at}{place}")
    return ",".join(entries)


def contains_name(text: str) -> bool:
    """Return True if an entry of an option such as `c3,rook@d4` names a square."""
    return any(is_name(entry.strip().rpartition("@")[2]) for entry in text.split(","))
