"""Pieces: how they move, and those on a board: friends block a place, enemies guard others.

A leaper goes a and b squares in two directions, a rider repeats the leaps of a leaper. Holes block
places, as friends do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Any, NamedTuple

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.text import pluralize, suggest
from boardsat.generators.arrays import Ints
from boardsat.generators.boards import _squares as squares

Leap = tuple[int, ...]
"""Absolute offsets of a leap along the axes, in ascending order."""

LEAPERS = {
    "wazir": "0,1",
    "ferz": "1,1",
    "dabbaba": "0,2",
    "knight": "1,2",
    "alfil": "2,2",
    "threeleaper": "0,3",
    "camel": "1,3",
    "zebra": "2,3",
    "giraffe": "1,4",
    "antelope": "3,4",
    "king": "0,1+1,1",
}
_IN_SPACE = {"king": "0,1+1,1+1,1,1"}
"""Leapers that differ in three dimensions: a king moves to all 26 cells around it."""

RIDERS = {"rook": "wazir", "bishop": "ferz", "queen": "wazir+ferz"}
"""Pieces that repeat a leap any number of times, with the leaper."""
_RIDERS_IN_SPACE = {"rook": "wazir", "bishop": "ferz+1,1,1", "queen": "wazir+ferz+1,1,1"}
"""Riders in three dimensions: a bishop moves along both kinds of diagonals."""


MAX_MOVES_LENGTH = 1000
"""Maximum number of characters of the option `moves`."""


class Attack(NamedTuple):
    """Moves of a piece."""

    leaps: list[Leap]
    slides: bool
    """True if a leap is repeated any number of times."""

    def length(self, max_length: int) -> int:
        """Return the length of its lines on a board with this maximum."""
        return max_length if self.slides else 1


def attack(piece: str, dimensions: int = 2) -> Attack:
    riders = RIDERS if dimensions == 2 else _RIDERS_IN_SPACE
    return Attack(leaps(riders.get(piece, piece), dimensions), piece in riders)


def leaps(moves: str, dimensions: int = 2) -> list[Leap]:
    """Parse the leaps of a leaper: a name, `a,b`, or a sum of such."""
    named = LEAPERS if dimensions == 2 else {**LEAPERS, **_IN_SPACE}
    if len(moves) > MAX_MOVES_LENGTH:
        limit = pluralize(MAX_MOVES_LENGTH, "character")
        raise InputError("too many leaps", f"write at most {limit}", "moves")
    parsed: set[Leap] = set()
    for part in moves.replace(" ", "").split("+") if moves else []:
        for text in named.get(part, part).split("+"):
            numbers = sorted(int(word) for word in re.findall(r"\d+", text[:20]))
            if not re.fullmatch(r"\d{1,4}(,\d{1,4})+", text) or len(numbers) > dimensions:
                raise InputError(
                    f"no leaper {part!r}",
                    f"write offsets like 1,2, or {suggest(part, named)}",
                    "moves",
                )
            parsed.add((*[0] * (dimensions - len(numbers)), *numbers))
    return sorted(leap for leap in parsed if any(leap))


def steps(leaps: list[Leap], dimensions: int = 2) -> Ints:
    """Return the offsets of all leaps in flat space, one in each row."""
    offsets = {
        tuple(sign * length for sign, length in zip(signs, order, strict=True))
        for leap in leaps
        for order in permutations(leap)
        for signs in product((1, -1), repeat=dimensions)
    }
    return np.array(sorted(offsets), np.int64).reshape(-1, dimensions)


OPTIONS = {"holes": str, "friends": str, "enemies": str}
"""Options of a board line for pieces and holes."""

FRIENDS = sorted({*LEAPERS, *RIDERS, "pawn"})
ENEMIES = sorted({*LEAPERS, *RIDERS})

MAX_LISTED = 8
"""Maximum number of pieces or holes that a text lists one by one."""


@dataclass(frozen=True)
class Pieces:
    """Holes and pieces by their places."""

    holes: tuple[int, ...] = ()
    friends: Mapping[int, str] = field(default_factory=dict)
    enemies: Mapping[int, str] = field(default_factory=dict)

    @property
    def absent(self) -> set[int]:
        """Places that are not cells."""
        return {*self.holes, *self.friends}

    @property
    def title(self) -> str:
        """Part of a file's name: `hole27-rook5`."""
        parts = [f"hole{hole}" for hole in self.holes]
        parts += [f"{name}{place}" for place, name in self.friends.items()]
        parts += [f"enemy-{name}{place}" for place, name in self.enemies.items()]
        return "-".join(parts)

    def words(self, board: Mapping[str, Any]) -> str:
        """Return a text that follows the size of the board: ` without d5 with a rook on a1`."""
        holes = [squares.called(hole, board) for hole in self.holes]
        text = f" without {_listed(holes)}" if holes else ""
        friends = [*self.friends.items()]
        enemies = [(place, f"enemy {name}") for place, name in self.enemies.items()]
        pieces = [
            f"{'an' if name[0] in 'aeiou' else 'a'} {name} on {squares.called(place, board)}"
            for place, name in friends + enemies
        ]
        return f"{text} with {_listed(pieces)}" if pieces else text

    def description(self) -> dict[str, Any]:
        """Return the entries of the header; none for an empty board."""
        described: dict[str, Any] = {
            "holes": list(self.holes),
            "friends": [[word, place] for place, word in self.friends.items()],
            "enemies": [[word, place] for place, word in self.enemies.items()],
        }
        return {key: value for key, value in described.items() if value}


def read(places: int, board: Mapping[str, Any], holes: str, friends: str, enemies: str) -> Pieces:
    """Parse the options `holes=3,4`, `friends=rook@5,pawn@6`, `enemies=queen@27`.

    Raise InputError at the option with the fault.
    """
    parser = _Parser(places, board)
    pieces = Pieces(
        tuple(sorted(parser.place(entry, "holes") for entry in _entries(holes))),
        parser.pieces(friends, FRIENDS, "friends"),
        parser.pieces(enemies, ENEMIES, "enemies"),
    )
    if len(pieces.absent) == places:
        raise InputError("a board without any cell", "leave some places free")
    return pieces


def _listed(texts: list[str]) -> str:
    """Join a few texts; of many only the first ones."""
    if len(texts) > MAX_LISTED:
        return f"{', '.join(texts[: MAX_LISTED - 1])} and {len(texts) - MAX_LISTED + 1} more"
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))


def _entries(text: str) -> list[str]:
    return [entry.strip() for entry in text.split(",")] if text.strip() else []


class _Parser:
    """Parser of the options, which rejects two things on one place."""

    def __init__(self, places: int, board: Mapping[str, Any]) -> None:
        self.places, self.board = places, board
        self.occupied: set[int] = set()

    def pieces(self, text: str, names: list[str], option: str) -> dict[int, str]:
        pieces: dict[int, str] = {}
        for entry in _entries(text):
            name, at, place = entry.partition("@")
            if not at:
                example = squares.called(min(12, self.places - 1), self.board).split()[-1]
                raise InputError(f"{entry!r} has no place", f"write rook@{example}", option)
            if name not in names:
                raise InputError(f"no piece {name!r} can stand there", suggest(name, names), option)
            pieces[self.place(place, option)] = name
        return dict(sorted(pieces.items()))

    def place(self, word: str, option: str) -> int:
        digits = word.lstrip("0") or word[:1]
        if not (digits.isascii() and digits.isdecimal()) or int(digits[:12]) >= self.places:
            remedy = f"places are {squares.range_of(self.places, self.board)}"
            raise InputError(f"no place {word[:20]!r} on the board", remedy, option)
        place = int(digits)
        if place in self.occupied:
            name = squares.called(place, self.board)
            raise InputError(f"two things on {name}", "remove one of them", option)
        self.occupied.add(place)
        return place
