"""Fairy chess pieces: leapers and riders, and the friends, enemies and holes on a board.

A leaper (a,b) moves a squares along one axis and b along the other; a rider repeats the leaps of a
leaper. Friends and holes block their places. Enemies guard the places that they attack.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from itertools import permutations, product
from typing import Any, NamedTuple

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.base.text import suggest
from boardsat.generators.arrays import Ints
from boardsat.generators.boards import _squares as squares

Leap = tuple[int, ...]
"""Absolute offsets along the axes, in ascending order: `(1, 2)` for a knight."""

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
_LEAPERS_3D = {"king": "0,1+1,1+1,1,1"}
"""Leapers with other leaps in three dimensions: a king moves to all 26 adjacent cells."""

RIDERS = {"rook": "wazir", "bishop": "ferz", "queen": "wazir+ferz"}
"""Leaper whose leaps each rider repeats."""
_RIDERS_3D = {"rook": "wazir", "bishop": "ferz+1,1,1", "queen": "wazir+ferz+1,1,1"}
"""Riders in three dimensions: a bishop moves along plane and space diagonals."""

MAX_MOVES_LENGTH = 1000
"""Maximum number of characters of the option `moves`."""


class Attack(NamedTuple):
    """Moves of a piece."""

    leaps: list[Leap]
    slides: bool
    """True for a rider, which repeats a leap any number of times."""


def attack(piece: str, dimensions: int = 2) -> Attack:
    """Return the moves of a named piece."""
    riders = RIDERS if dimensions == 2 else _RIDERS_3D
    return Attack(parse_leaps(riders.get(piece, piece), dimensions), piece in riders)


def parse_leaps(moves: str, dimensions: int = 2) -> list[Leap]:
    """Parse the option `moves`: leapers by name or as `a,b`, joined by `+`."""
    leapers = LEAPERS if dimensions == 2 else {**LEAPERS, **_LEAPERS_3D}
    if len(moves) > MAX_MOVES_LENGTH:
        fault = f"`moves` must have at most {MAX_MOVES_LENGTH:,} characters (got {len(moves):,})"
        raise InputError(fault, "write leapers such as 1,2+0,3", "moves")
    leaps: set[Leap] = set()
    for name in moves.replace(" ", "").split("+") if moves else []:
        for text in leapers.get(name, name).split("+"):
            offsets = sorted(int(digits) for digits in re.findall(r"\d+", text[:20]))
            if not re.fullmatch(r"\d{1,4}(,\d{1,4})+", text) or len(offsets) > dimensions:
                remedy = f"write offsets like 1,2, or {suggest(name, leapers)}"
                raise InputError(f"no leaper {name!r}", remedy, "moves")
            leaps.add((*[0] * (dimensions - len(offsets)), *offsets))
    return sorted(leap for leap in leaps if any(leap))


def steps(leaps: list[Leap], dimensions: int = 2) -> Ints:
    """Return the offsets of all leaps in a square or cubic lattice, one in each row."""
    offsets = {
        tuple(sign * length for sign, length in zip(signs, order, strict=True))
        for leap in leaps
        for order in permutations(leap)
        for signs in product((1, -1), repeat=dimensions)
    }
    return np.array(sorted(offsets), np.int64).reshape(-1, dimensions)


PIECE_OPTIONS = {"holes": str, "friends": str, "enemies": str}
"""Options of a board line for pieces and holes."""

FRIENDS = sorted({*LEAPERS, *RIDERS, "pawn"})
ENEMIES = sorted({*LEAPERS, *RIDERS})

MAX_LISTED = 8
"""Maximum number of holes, or of pieces, in a caption."""


@dataclass(frozen=True)
class Pieces:
    """Holes, and the names of friends and enemies by place."""

    holes: tuple[int, ...] = ()
    friends: Mapping[int, str] = field(default_factory=dict)
    enemies: Mapping[int, str] = field(default_factory=dict)

    @property
    def obstacles(self) -> set[int]:
        """Places without a cell: holes and friends."""
        return {*self.holes, *self.friends}

    @property
    def title(self) -> str:
        """Text for file names: `hole27-rook5`. Empty for an empty board."""
        texts = [f"hole{hole}" for hole in self.holes]
        texts += [f"{name}{place}" for place, name in self.friends.items()]
        texts += [f"enemy-{name}{place}" for place, name in self.enemies.items()]
        return "-".join(texts)

    def caption(self, board: Mapping[str, Any]) -> str:
        """Return a text that follows the size of the board: ` without d5 with a rook on a1`."""
        holes = [squares.place_label(hole, board) for hole in self.holes]
        text = f" without {_join_texts(holes)}" if holes else ""
        friends = [*self.friends.items()]
        enemies = [(place, f"enemy {name}") for place, name in self.enemies.items()]
        pieces = [
            f"{'an' if name[0] in 'aeiou' else 'a'} {name} on {squares.place_label(place, board)}"
            for place, name in friends + enemies
        ]
        return f"{text} with {_join_texts(pieces)}" if pieces else text

    def description(self) -> dict[str, Any]:
        """Return the entries of the header; empty for an empty board."""
        entries: dict[str, Any] = {
            "holes": list(self.holes),
            "friends": [[name, place] for place, name in self.friends.items()],
            "enemies": [[name, place] for place, name in self.enemies.items()],
        }
        return {key: entry for key, entry in entries.items() if entry}


def parse_pieces(
    places: int, board: Mapping[str, Any], holes: str, friends: str, enemies: str
) -> Pieces:
    """Parse the options `holes=3,4`, `friends=rook@5,pawn@6`, `enemies=queen@27`.

    Raise InputError, located at the option, if it is invalid.
    """
    parser = _Parser(places, board)
    pieces = Pieces(
        tuple(sorted(parser.place(entry, "holes") for entry in _entries(holes))),
        parser.pieces(friends, FRIENDS, "friends"),
        parser.pieces(enemies, ENEMIES, "enemies"),
    )
    if len(pieces.obstacles) == places:
        raise InputError(
            "holes and friends must leave at least one cell free (got 0 cells)",
            "remove one of them",
        )
    return pieces


def _join_texts(texts: list[str]) -> str:
    """Join texts by commas and `and`; more than MAX_LISTED are abbreviated."""
    if len(texts) > MAX_LISTED:
        return f"{', '.join(texts[: MAX_LISTED - 1])} and {len(texts) - MAX_LISTED + 1} more"
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))


def _entries(text: str) -> list[str]:
    return [entry.strip() for entry in text.split(",")] if text.strip() else []


class _Parser:
    """Parser of the options, which rejects a place that is listed twice."""

    def __init__(self, places: int, board: Mapping[str, Any]) -> None:
        self.places, self.board = places, board
        self.occupied: set[int] = set()

    def pieces(self, text: str, names: list[str], option: str) -> dict[int, str]:
        pieces: dict[int, str] = {}
        for entry in _entries(text):
            name, at, place = entry.partition("@")
            if not at:
                example = squares.place_label(min(12, self.places - 1), self.board).split()[-1]
                raise InputError(f"{entry!r} has no place", f"write rook@{example}", option)
            if name not in names:
                raise InputError(f"no piece {name!r} in `{option}`", suggest(name, names), option)
            pieces[self.place(place, option)] = name
        return dict(sorted(pieces.items()))

    def place(self, text: str, option: str) -> int:
        digits = text.lstrip("0") or text[:1]
        if not (digits.isascii() and digits.isdecimal()) or int(digits[:12]) >= self.places:
            remedy = f"places are {squares.place_range(self.places, self.board)}"
            raise InputError(f"no place {text[:20]!r} on the board", remedy, option)
        place = int(digits)
        if place in self.occupied:
            label = squares.place_label(place, self.board)
            raise InputError(f"{label} is listed twice", "remove one of the two", option)
        self.occupied.add(place)
        return place
