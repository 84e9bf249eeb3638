"""Pieces on a board: holes and friends, which block a place, and enemies, which guard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from boardsat.generators.boards._leapers import LEAPERS, RIDERS
from boardsat.generators.errors import InputError, choose_from

OPTIONS = {"holes": str, "friends": str, "enemies": str}
"""What the line of a board may say about them."""

FRIENDS = sorted({*LEAPERS, *RIDERS, "pawn"})
ENEMIES = sorted({*LEAPERS, *RIDERS})


@dataclass(frozen=True)
class Pieces:
    holes: tuple[int, ...] = ()
    friends: Mapping[int, str] = field(default_factory=dict)
    enemies: Mapping[int, str] = field(default_factory=dict)

    @property
    def absent(self) -> set[int]:
        """The places that no tour visits."""
        return {*self.holes, *self.friends}

    @property
    def title(self) -> str:
        """For the name of a file: what is there, and where."""
        words = [f"hole{hole}" for hole in self.holes]
        words += [f"{word}{place}" for place, word in self.friends.items()]
        words += [f"enemy-{word}{place}" for place, word in self.enemies.items()]
        return "-".join(words)

    def description(self) -> dict[str, Any]:
        """For the header; nothing of an empty board."""
        described: dict[str, Any] = {
            "holes": list(self.holes),
            "friends": [[word, place] for place, word in self.friends.items()],
            "enemies": [[word, place] for place, word in self.enemies.items()],
        }
        return {key: value for key, value in described.items() if value}


def read(places: int, holes: str, friends: str, enemies: str) -> Pieces:
    """`holes=3,4`, `friends=rook@5,pawn@6`, `enemies=queen@27`: places are numbered from 0."""
    pieces = Pieces(
        tuple(sorted(_place(word, places) for word in _words(holes))),
        _standing(friends, places, FRIENDS),
        _standing(enemies, places, ENEMIES),
    )
    taken: set[int] = set()
    for place in (*pieces.holes, *pieces.friends, *pieces.enemies):
        if place in taken:
            raise InputError(f"two things on place {place}", "remove one of them")
        taken.add(place)
    if len(pieces.absent) == places:
        raise InputError("a board without any cell", "leave some places free")
    return pieces


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")] if text.strip() else []


def _standing(text: str, places: int, known: list[str]) -> dict[int, str]:
    found: dict[int, str] = {}
    for entry in _words(text):
        word, at, place = entry.partition("@")
        if not at:
            raise InputError(f"{entry!r} does not say where it stands", "write rook@12")
        if word not in known:
            raise InputError(f"no piece {word!r} can stand there", choose_from(word, known))
        number = _place(place, places)
        if number in found:
            raise InputError(f"two things on place {number}", "remove one of them")
        found[number] = word
    return dict(sorted(found.items()))


def _place(word: str, places: int) -> int:
    if not (word.isascii() and word.isdecimal()) or int(word[:12]) >= places:
        raise InputError(f"no place {word[:20]!r} on the board", f"places are 0..{places - 1}")
    return int(word)
