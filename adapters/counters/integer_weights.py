"""Weights of literals as whole numbers, and as clauses that have so many models.

A variable whose literals have the weights a/m and b/m is given the numbers a and b, and the sum of
all models is divided by m. A counter that knows no weights gets clauses (after Chakraborty, Fried,
Meel and Vardi, IJCAI 2015): a binary number of fresh variables that is less than a where the
variable is true, and less than b where it is false.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

from boardsat.adapters.answer import LONGEST_COUNT, Status


class WholeWeights(NamedTuple):
    """Of variables, by their numbers: what it counts where it is true, and where it is false."""

    each: dict[int, tuple[int, int]]
    factor: Fraction
    """What all sums are multiplied by."""


def whole_weights(weights: dict[int, Fraction], projection: Sequence[int]) -> WholeWeights:
    """Of all variables that are counted over, and have weights."""
    each: dict[int, tuple[int, int]] = {}
    above = below = 1
    for variable in projection:
        if variable not in weights:
            continue
        a, b = weights[variable], weights[-variable]
        common = lcm(a.denominator, b.denominator)
        whole = int(a * common), int(b * common)
        shared = gcd(*whole) or 1
        above, below = above * shared, below * common
        each[variable] = (whole[0] // shared, whole[1] // shared)
    return WholeWeights(each, Fraction(above, below))


class Gadget(NamedTuple):
    clauses: list[list[int]]
    fresh: list[int]
    """Variables that are counted over too."""


def gadget(variable: int, weights: tuple[int, int], first: int) -> Gadget:
    """Clauses that have as many models as a weight says, with fresh variables from `first` on."""
    if 0 in weights:
        # One literal has no weight: the other, divided by itself, has 1. Or both have none.
        false = zip((-variable, variable), weights, strict=True)
        return Gadget([[literal] for literal, weight in false if not weight], [])
    fresh = list(range(first, first + (max(weights) - 1).bit_length()))
    clauses = [
        clause
        for literal, weight in zip((-variable, variable), weights, strict=True)
        for clause in _at_most(weight - 1, fresh, literal)
    ]
    return Gadget(clauses, fresh)


def _at_most(bound: int, bits: Sequence[int], unless: int) -> Iterator[list[int]]:
    """That a binary number, its lowest bit first, is no more than that, unless a literal holds."""
    above: list[int] = []
    for place in reversed(range(len(bits))):
        if bound >> place & 1:
            above.append(-bits[place])
        else:
            yield [unless, *above, -bits[place]]


def print_weighted(total: Fraction) -> int:
    """The lines of the model counting competition; a sum that is 0 tells nothing of models."""
    if max(total.numerator, total.denominator) >= 10**LONGEST_COUNT:
        print(f"a count of more than {LONGEST_COUNT:,} digits", file=sys.stderr)
        return 1
    if total:
        print(f"s {Status.SATISFIABLE.name}")
    print(f"c s type wmc\nc s exact arb frac {total.numerator}/{total.denominator}")
    return int(Status.SATISFIABLE.value) if total else 0
