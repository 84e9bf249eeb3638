"""Chess pieces by name: how they leap and slide, and their signs."""

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
"""How far along each direction, in ascending order."""

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
"""All that have a name."""

_SIGNS = {"king": "♔", "queen": "♕", "rook": "♖", "bishop": "♗", "knight": "♘", "pawn": "♙"}
_ENEMY_SIGNS = {"king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞"}
_LETTERS = {"knight": "N"}

_MOST_STEPS = 1000
_FARTHEST = 2**24
"""How far a leap may go, at most."""


@dataclass(frozen=True)
class Pieces:
    """Places with holes, and the words of the pieces on others."""

    holes: frozenset[int] = frozenset()
    friends: dict[int, str] = field(default_factory=dict)
    enemies: dict[int, str] = field(default_factory=dict)

    @property
    def absent(self) -> frozenset[int]:
        return self.holes | self.friends.keys()


def pieces_of(about: dict[str, Any], places: int) -> Pieces:
    """What a header says of them, on a board of so many places."""
    return Pieces(
        frozenset(header_values.numbers(about, "holes", 0, places - 1)),
        dict(_standing(about, "friends", places)),
        dict(_standing(about, "enemies", places)),
    )


def _standing(about: dict[str, Any], key: str, places: int) -> Iterator[tuple[int, str]]:
    for pair in header_values.listed(about, key):
        match pair:
            case [str(word), place] if re.fullmatch(r"[a-z]{1,20}", word):
                yield header_values.whole(place, 0, places - 1, key), word
            case _:
                raise MalformedError(f"`{key}` has an entry that is not a piece with its place")


def leaps_of(header: Header, dimensions: int = 2) -> frozenset[Leap]:
    """The leaps of the piece that tours, whether the header gives all steps or lengths alone."""
    found = set()
    steps = header_values.listed(header.board.options, "moves")
    if len(steps) > _MOST_STEPS:
        raise MalformedError(f"more than {_MOST_STEPS} `moves`")
    for step in steps:
        if type(step) is not list or len(step) != dimensions:
            raise MalformedError(f"`moves` has an entry that is not {dimensions} numbers")
        lengths = [header_values.whole(n, -_FARTHEST, _FARTHEST, "moves") for n in step]
        found.add(tuple(sorted(map(abs, lengths))))
    return frozenset(found)


def letter(word: str) -> str:
    """For a terminal: capital for a friend; an enemy has it small. A single sign is itself."""
    if len(word) == 1:
        return word
    return _LETTERS.get(word, word[0].upper())


def sign(word: str, enemy: bool) -> str:
    """For a picture."""
    known = _ENEMY_SIGNS if enemy else _SIGNS
    return known.get(word, letter(word).lower() if enemy else letter(word))
