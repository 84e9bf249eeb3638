"""Chess pieces: leaps and slides by name, symbols, and pieces that stand on a board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from typing import Any

from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header
from boardsat.base.dataclass import dataclass
from boardsat.base.json_data import MalformedError

Leap = tuple[int, ...]
"""Lengths along the directions of a board, in ascending order."""

KING: tuple[Leap, ...] = ((0, 1), (1, 1))
LEAPERS: dict[str, tuple[Leap, ...]] = {
    "wazir": ((0, 1),),
    "ferz": ((1, 1),),
    "dabbaba": ((0, 2),),
    "knight": ((1, 2),),
    "alfil": ((2, 2),),
    "threeleaper": ((0, 3),),
    "camel": ((1, 3),),
    "zebra": ((2, 3),),
    "giraffe": ((1, 4),),
    "antelope": ((3, 4),),
    "king": KING,
}
STRAIGHT, SLANTED = "straight", "slanted"
SLIDES = {"rook": (STRAIGHT,), "bishop": (SLANTED,), "queen": (STRAIGHT, SLANTED)}

PIECES = frozenset((*LEAPERS, *SLIDES, "pawn"))
"""Names of all pieces."""

_SYMBOLS = {"king": "♔", "queen": "♕", "rook": "♖", "bishop": "♗", "knight": "♘", "pawn": "♙"}
_ENEMY_SYMBOLS = {"king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞"}
_LETTERS = {"knight": "N"}

_MAX_STEPS = 1000
_MAX_LEAP_LENGTH = 2**24


@dataclass(frozen=True)
class Pieces:
    """Tiles with holes, and names of the pieces on other tiles."""

    holes: frozenset[int] = frozenset()
    friends: dict[int, str] = field(default_factory=dict)
    enemies: dict[int, str] = field(default_factory=dict)

    @property
    def absent(self) -> frozenset[int]:
        """Tiles that are not cells."""
        return self.holes | self.friends.keys()


def pieces_of(options: dict[str, Any], num_tiles: int) -> Pieces:
    """Return the holes and pieces that the board of a header describes."""
    return Pieces(
        frozenset(header_values.integers(options, "holes", 0, num_tiles - 1)),
        dict(_pieces_by_tile(options, "friends", num_tiles)),
        dict(_pieces_by_tile(options, "enemies", num_tiles)),
    )


def _pieces_by_tile(options: dict[str, Any], key: str, num_tiles: int) -> Iterator[tuple[int, str]]:
    for pair in header_values.json_list(options, key):
        match pair:
            case [str(name), tile] if re.fullmatch(r"[a-z]{1,20}", name):
                yield header_values.check_integer(tile, 0, num_tiles - 1, key), name
            case _:
                raise MalformedError(f"`{key}` must be a list of pairs of a piece and a place")


def leaps_of(header: Header, dimensions: int = 2) -> frozenset[Leap]:
    """Return the leaps of the piece that tours, from the steps in the header.

    Raises
    ------
    MalformedError
        The header's `moves` are not a short list of steps with the given number of dimensions.
    """
    leaps = set()
    steps = header_values.json_list(header.board.options, "moves")
    if len(steps) > _MAX_STEPS:
        raise MalformedError(f"`moves` must have at most {_MAX_STEPS} entries (got {len(steps)})")
    for step in steps:
        if type(step) is not list or len(step) != dimensions:
            raise MalformedError(f"each entry of `moves` must be a list of length {dimensions}")
        lengths = [
            header_values.check_integer(n, -_MAX_LEAP_LENGTH, _MAX_LEAP_LENGTH, "moves")
            for n in step
        ]
        leaps.add(tuple(sorted(map(abs, lengths))))
    return frozenset(leaps)


def piece_letter(name: str) -> str:
    """Return the capital letter of a piece in text; a name of one character is its own letter."""
    if len(name) == 1:
        return name
    return _LETTERS.get(name, name[0].upper())


def piece_symbol(name: str, enemy: bool) -> str:
    """Return the symbol of a piece in pictures: white for a friend, black for an enemy."""
    symbols = _ENEMY_SYMBOLS if enemy else _SYMBOLS
    return symbols.get(name, piece_letter(name).lower() if enemy else piece_letter(name))
