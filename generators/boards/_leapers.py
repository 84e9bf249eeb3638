"""Pieces by name: leapers, which jump by a and b in any two directions, and riders, which slide."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.text import pluralize, suggest
from boardsat.generators.arrays import Ints

Leap = tuple[int, ...]
"""How far a leaper goes along each direction, in ascending order, whatever the directions are."""

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
"""In three dimensions a king goes to all 26 cells around it."""

RIDERS = {"rook": "wazir", "bishop": "ferz", "queen": "wazir+ferz"}
"""Pieces that repeat the step of a leaper for as long as they like."""
_RIDERS_IN_SPACE = {"rook": "wazir", "bishop": "ferz+1,1,1", "queen": "wazir+ferz+1,1,1"}
"""A bishop goes along both kinds of diagonals, so that a queen goes wherever a king can step."""


LONGEST = 1000
"""Characters that tell the moves of a piece."""


@dataclass(frozen=True)
class Attack:
    """How a piece goes."""

    leaps: list[Leap]
    slides: bool
    """Whether it repeats a leap for as long as it likes."""

    def length(self, furthest: int) -> int:
        """Of its lines, on a board where none is longer than this."""
        return furthest if self.slides else 1


def attack(piece: str, dimensions: int = 2) -> Attack:
    riders = RIDERS if dimensions == 2 else _RIDERS_IN_SPACE
    return Attack(leaps(riders.get(piece, piece), dimensions), piece in riders)


def leaps(moves: str, dimensions: int = 2) -> list[Leap]:
    """Of a leaper: a name, `a,b` for all ways of going a and b, or a sum of such."""
    named = LEAPERS if dimensions == 2 else {**LEAPERS, **_IN_SPACE}
    if len(moves) > LONGEST:
        most = pluralize(LONGEST, "character")
        raise InputError("too many leaps", f"write at most {most}", "moves")
    found: set[Leap] = set()
    for part in moves.replace(" ", "").split("+") if moves else []:
        for text in named.get(part, part).split("+"):
            numbers = sorted(int(word) for word in re.findall(r"\d+", text[:20]))
            if not re.fullmatch(r"\d{1,4}(,\d{1,4})+", text) or len(numbers) > dimensions:
                raise InputError(
                    f"no leaper {part!r}",
                    f"write offsets like 1,2, or {suggest(part, named)}",
                    "moves",
                )
            found.add((*[0] * (dimensions - len(numbers)), *numbers))
    return sorted(leap for leap in found if any(leap))


def steps(wanted: list[Leap], dimensions: int = 2) -> Ints:
    """All ways of leaping along the axes of flat space, a row each."""
    found = {
        tuple(sign * length for sign, length in zip(signs, order, strict=True))
        for leap in wanted
        for order in permutations(leap)
        for signs in product((1, -1), repeat=dimensions)
    }
    return np.array(sorted(found), np.int64).reshape(-1, dimensions)
