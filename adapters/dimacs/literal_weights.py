"""Weights of literals in the comments of a file, as the model counting competition writes them.

`c t wmc` or `c t pwmc` asks for the sum of the weights of all models, and `c p weight -3 0.25 0` is
the weight of one literal: a decimal, in scientific notation too, or a fraction. Who needs no
weights leaves them unread: in a file from elsewhere a bad one is an error only for counting.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from boardsat.base.errors import InputError

# Few files have weights, and all others are read in less time without it.
if TYPE_CHECKING:
    from fractions import Fraction

TYPES = frozenset(("mc", "pmc", "wmc", "pwmc"))
"""What the first line of a file may ask for."""

WEIGHTS_IGNORED = "its literals have weights, which are for counting (they are ignored here)"
"""A note of those who do not count."""

WEIGHTED = frozenset(("wmc", "pwmc"))

MAX_DIGITS = 400
"""Of a weight as a fraction, above its bar and below."""

MAX_TEXT_LENGTH = 1000
"""Letters of a weight, however it is written: such a fraction fits, with its bar."""

_LINE = re.compile(r"(-?[1-9][0-9]{0,9})\s+(\S+)\s+0\s*", re.ASCII)
_DECIMAL = re.compile(r"\+?((?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d{1,3}))?", re.ASCII)
_FRACTION = re.compile(r"\+?(\d+)/(\d+)", re.ASCII)


def read_weights(
    types: Collection[str], lines: Collection[str], variables: int, place: str
) -> dict[int, Fraction] | None:
    """The weight of every literal that has one, from what follows `c t` and `c p weight`.

    None where nobody asks for a sum of weights.
    """
    if not lines and not WEIGHTED.intersection(types):
        return None
    try:
        return _read(types, lines, variables)
    except ValueError as error:
        raise InputError(
            f"its weights are not those of literals ({error})",
            "write `c t wmc`, and `c p weight 1 0.25 0` for each literal",
            place,
        ) from None


def _read(types: Iterable[str], lines: Iterable[str], variables: int) -> dict[int, Fraction]:
    if plain := set(types) - WEIGHTED:
        raise ValueError(f"`c t {min(plain)}` asks for a count without them")
    found: dict[int, Fraction] = {}
    known: dict[str, Fraction] = {}
    for line in lines:
        words = _LINE.fullmatch(line)
        if words is None:
            raise ValueError(f"not a literal, its weight and 0: {line[:40]!r}")
        literal, text = int(words[1]), words[2]
        if abs(literal) > variables:
            raise ValueError(f"one of variable {abs(literal)}, and there are {variables:,}")
        if text not in known:
            known[text] = _weight(text)
        if found.setdefault(literal, known[text]) != known[text]:
            raise ValueError(f"two different ones of the literal {literal}")
    for literal in found:
        if -literal not in found:
            raise ValueError(
                f"one of {literal} and none of {-literal}, for which programs take 1 or the rest"
            )
    return found


def _weight(text: str) -> Fraction:
    from fractions import Fraction

    if text.startswith("-"):
        raise ValueError(f"the negative one {text[:40]}")
    if len(text) > MAX_TEXT_LENGTH:
        raise ValueError(f"one of more than {MAX_TEXT_LENGTH:,} letters")
    if found := _FRACTION.fullmatch(text):
        if not int(found[2]):
            raise ValueError("one with 0 below its bar")
        weight = Fraction(int(found[1]), int(found[2]))
    elif found := _DECIMAL.fullmatch(text):
        weight = Fraction(found[1]) * Fraction(10) ** int(found[2] or 0)
    else:
        raise ValueError(f"no number: {text[:40]!r}")
    if max(weight.numerator, weight.denominator) >= 10**MAX_DIGITS:
        raise ValueError(f"one of more than {MAX_DIGITS} digits")
    return weight


def project_weights(
    weights: Mapping[int, Fraction], projection: Iterable[int], place: str
) -> dict[int, Fraction]:
    """Those of variables that are counted over; all others must have 1, or they would be lost."""
    named = set(projection)
    for literal, weight in weights.items():
        if abs(literal) not in named and weight != 1:
            raise InputError(
                f"the projection leaves out variable {abs(literal)}, which has a weight",
                "add it to the projection, or remove its `c p weight` lines",
                place,
            )
    return {literal: weight for literal, weight in weights.items() if abs(literal) in named}


def weight_lines(weights: Mapping[int, Fraction]) -> bytes:
    """As a counter of ours reads them."""
    return "".join(f"c p weight {lit} {weight} 0\n" for lit, weight in weights.items()).encode()
