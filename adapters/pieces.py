"""Pieces by name as chess problems define them: how they leap, how they slide, their signs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

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

_SIGNS = {"king": "♔", "queen": "♕", "rook": "♖", "bishop": "♗", "knight": "♘", "pawn": "♙"}
_ENEMY_SIGNS = {"king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞"}
_LETTERS = {"knight": "N"}


@dataclass(frozen=True)
class Pieces:
    """Places with holes, and the words of the pieces on others."""

    holes: frozenset[int] = frozenset()
    friends: dict[int, str] = field(default_factory=dict)
    enemies: dict[int, str] = field(default_factory=dict)

    @property
    def absent(self) -> frozenset[int]:
        return self.holes | self.friends.keys()


def pieces_of(about: dict[str, Any]) -> Pieces:
    """What a header says of them."""
    return Pieces(
        frozenset(about.get("holes", [])),
        {place: word for word, place in about.get("friends", [])},
        {place: word for word, place in about.get("enemies", [])},
    )


def leaps_of(about: dict[str, Any]) -> frozenset[Leap]:
    """The leaps of the piece that tours, whether the header gives all steps or lengths alone."""
    return frozenset(tuple(sorted(abs(int(n)) for n in step)) for step in about["moves"])


def letter(word: str) -> str:
    """For a terminal: capital for a friend; an enemy has it small."""
    return _LETTERS.get(word, word[0].upper())


def sign(word: str, enemy: bool) -> str:
    """For a picture."""
    known = _ENEMY_SIGNS if enemy else _SIGNS
    return known.get(word, letter(word).lower() if enemy else letter(word))
