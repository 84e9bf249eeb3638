"""Pieces on a board: holes and friends, which block a place, and enemies, which guard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from boardsat.base.errors import InputError
from boardsat.base.text import suggest
from boardsat.generators.boards import _squares as squares
from boardsat.generators.boards._leapers import LEAPERS, RIDERS

OPTIONS = {"holes": str, "friends": str, "enemies": str}
"""What the line of a board may say about them."""

FRIENDS = sorted({*LEAPERS, *RIDERS, "pawn"})
ENEMIES = sorted({*LEAPERS, *RIDERS})

MOST_SHOWN = 8
"""Things on a board that a sentence tells one by one."""


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

    def words(self, board: Mapping[str, Any]) -> str:
        """For people: what is on the board, after its size."""
        without = [squares.called(hole, board) for hole in self.holes]
        found = f" without {_listed(without)}" if without else ""
        standing = [*self.friends.items()]
        guarding = [(place, f"enemy {word}") for place, word in self.enemies.items()]
        there = [
            f"{_one(word)} on {squares.called(place, board)}" for place, word in standing + guarding
        ]
        return f"{found} with {_listed(there)}" if there else found

    def description(self) -> dict[str, Any]:
        """For the header; nothing of an empty board."""
        described: dict[str, Any] = {
            "holes": list(self.holes),
            "friends": [[word, place] for place, word in self.friends.items()],
            "enemies": [[word, place] for place, word in self.enemies.items()],
        }
        return {key: value for key, value in described.items() if value}


def read(places: int, board: Mapping[str, Any], holes: str, friends: str, enemies: str) -> Pieces:
    """`holes=3,4`, `friends=rook@5,pawn@6`, `enemies=queen@27`: places are numbered from 0.

    The place of an error is the option that has it.
    """
    reader = _Reader(places, board)
    found = Pieces(
        tuple(sorted(reader.place(word, "holes") for word in _words(holes))),
        reader.standing(friends, FRIENDS, "friends"),
        reader.standing(enemies, ENEMIES, "enemies"),
    )
    if len(found.absent) == places:
        raise InputError("a board without any cell", "leave some places free")
    return found


def _one(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def _listed(words: list[str]) -> str:
    """All of a few; the first of many."""
    if len(words) > MOST_SHOWN:
        return f"{', '.join(words[: MOST_SHOWN - 1])} and {len(words) - MOST_SHOWN + 1} more"
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")] if text.strip() else []


class _Reader:
    def __init__(self, places: int, board: Mapping[str, Any]) -> None:
        self.places, self.board = places, board
        self.taken: set[int] = set()

    def standing(self, text: str, known: list[str], option: str) -> dict[int, str]:
        found: dict[int, str] = {}
        for entry in _words(text):
            word, at, place = entry.partition("@")
            if not at:
                where = squares.called(min(12, self.places - 1), self.board).split()[-1]
                fault = f"{entry!r} has no place"
                raise InputError(fault, f"write rook@{where}", option)
            if word not in known:
                fault = f"no piece {word!r} can stand there"
                raise InputError(fault, suggest(word, known), option)
            found[self.place(place, option)] = word
        return dict(sorted(found.items()))

    def place(self, word: str, option: str) -> int:
        digits = word.lstrip("0") or word[:1]
        if not (digits.isascii() and digits.isdecimal()) or int(digits[:12]) >= self.places:
            remedy = f"places are {squares.range_of(self.places, self.board)}"
            raise InputError(f"no place {word[:20]!r} on the board", remedy, option)
        place = int(digits)
        if place in self.taken:
            where = squares.called(place, self.board)
            raise InputError(f"two things on {where}", "remove one of them", option)
        self.taken.add(place)
        return place
