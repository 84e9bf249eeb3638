"""Conditions of the spec language select the same rows as in Python.

An input is two lines: the condition in our language, and in Python.
"""

from __future__ import annotations

from random import Random

from helpers.expressions import SHARED, Text, agree, conditions
from hypothesis import HealthCheck, given, settings

from fuzz.target import Target

_drawn: list[Text] = []


@settings(database=None, suppress_health_check=list(HealthCheck), deadline=None)
@given(conditions(3))
def draw(condition: Text) -> None:
    _drawn.append(condition)


def fresh(chance: Random) -> bytes:
    """Draw an input from the grammar of the tests; random bytes rarely give a condition."""
    _drawn.clear()
    while not _drawn:
        draw.hypothesis.fuzz_one_input(chance.randbytes(2000))
    return f"{_drawn[0].spec}\n{_drawn[0].python}\n".encode()


def seeds() -> list[bytes]:
    shared = [line.strip() for line in SHARED.strip().splitlines()]
    return [f"{line}\n{line}\n".encode() for line in shared]


def check(data: bytes) -> None:
    if data:
        agree(*data.decode().splitlines())


TARGET = Target(seeds, check, fresh=fresh, are_valid=True)
