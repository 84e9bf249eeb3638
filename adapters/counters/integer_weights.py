"""Integer weights of literals, and clauses that have as many models as a weight.

A variable whose literals have the weights a/m and b/m is given the numbers a and b, and the sum of
all models is divided by m. A counter without weights gets clauses (after Chakraborty, Fried,
Meel and Vardi, IJCAI 2015): a binary number of auxiliary variables that is less than a where the
variable is true, and less than b where it is false.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

from boardsat.adapters.answer import MAX_COUNT_DIGITS, Status


class IntegerWeights(NamedTuple):
    """Integer weights of variables, and the factor that restores the original sum."""

    pairs: dict[int, tuple[int, int]]
    """Variable -> weights of its positive and its negative literal."""
    factor: Fraction


def integer_weights_of(weights: dict[int, Fraction], projection: Sequence[int]) -> IntegerWeights:
    """Return the integer weights of the variables of the projection that have weights."""
    pairs: dict[int, tuple[int, int]] = {}
    above = below = 1
    for variable in projection:
        if variable not in weights:
            continue
        a, b = weights[variable], weights[-variable]
        common = lcm(a.denominator, b.denominator)
        whole = int(a * common), int(b * common)
        shared = gcd(*whole) or 1
        above, below = above * shared, below * common
        pairs[variable] = (whole[0] // shared, whole[1] // shared)
    return IntegerWeights(pairs, Fraction(above, below))


class WeightGadget(NamedTuple):
    """Clauses that express the weights of one variable by numbers of models."""

    clauses: list[list[int]]
    auxiliary: list[int]
    """New variables, which belong to the projection."""


def weight_gadget(variable: int, weights: tuple[int, int], first: int) -> WeightGadget:
    """Return clauses with as many models as the weights say; new variables start at `first`."""
    if 0 in weights:
        # One literal has no weight: the other, divided by itself, has 1. Or both have none.
        false = zip((-variable, variable), weights, strict=True)
        return WeightGadget([[literal] for literal, weight in false if not weight], [])
    fresh = list(range(first, first + (max(weights) - 1).bit_length()))
    clauses = [
        clause
        for literal, weight in zip((-variable, variable), weights, strict=True)
        for clause in _at_most(weight - 1, fresh, literal)
    ]
    return WeightGadget(clauses, fresh)


def _at_most(bound: int, bits: Sequence[int], unless: int) -> Iterator[list[int]]:
    """Yield clauses: a binary number, lowest bit first, is at most `bound`, or `unless` is true."""
    above: list[int] = []
    for place in reversed(range(len(bits))):
        if bound >> place & 1:
            above.append(-bits[place])
        else:
            yield [unless, *above, -bits[place]]


def print_weighted(total: Fraction) -> int:
    """Print the result lines of the model counting competition; return the exit code.

    A weighted sum of 0 does not imply that there are no models.
    """
    if max(total.numerator, total.denominator) >= 10**MAX_COUNT_DIGITS:
        print(f"a count of more than {MAX_COUNT_DIGITS:,} digits", file=sys.stderr)
        return 1
    if total:
        print(f"s {Status.SATISFIABLE.name}")
    print(f"c s type wmc\nc s exact arb frac {total.numerator}/{total.denominator}")
    return int(Status.SATISFIABLE.value) if total else 0
