"""Integer weights of literals, and their encoding as clauses for unweighted counters.

If the literals of a variable have the weights a/m and b/m, they get the integer weights a and b,
and the weighted count is divided by m. For an unweighted counter, clauses restrict a binary number
of auxiliary variables (Chakraborty, Fried, Meel and Vardi, IJCAI 2015): it is less than a if the
variable is true, and less than b if it is false.
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
    """Weights of the positive and the negative literal, by variable."""
    factor: Fraction


def integer_weights_of(weights: dict[int, Fraction], projection: Sequence[int]) -> IntegerWeights:
    """Return the integer weights of the variables of the projection that have weights."""
    pairs: dict[int, tuple[int, int]] = {}
    numerator = denominator = 1
    for variable in projection:
        if variable not in weights:
            continue
        a, b = weights[variable], weights[-variable]
        common = lcm(a.denominator, b.denominator)
        scaled = int(a * common), int(b * common)
        divisor = gcd(*scaled) or 1
        numerator, denominator = numerator * divisor, denominator * common
        pairs[variable] = (scaled[0] // divisor, scaled[1] // divisor)
    return IntegerWeights(pairs, Fraction(numerator, denominator))


class WeightGadget(NamedTuple):
    """Clauses that multiply the number of models by the weights of one variable."""

    clauses: list[list[int]]
    auxiliary: list[int]
    """New variables, which belong to the projection."""


def weight_gadget(variable: int, weights: tuple[int, int], first: int) -> WeightGadget:
    """Return clauses whose number of models is the weight; new variables start at `first`."""
    if 0 in weights:
        # A literal of weight 0 is false; the other one has weight 1 after division, or 0 too.
        pairs = zip((-variable, variable), weights, strict=True)
        return WeightGadget([[literal] for literal, weight in pairs if not weight], [])
    auxiliary = list(range(first, first + (max(weights) - 1).bit_length()))
    clauses = [
        clause
        for literal, weight in zip((-variable, variable), weights, strict=True)
        for clause in _at_most(weight - 1, auxiliary, literal)
    ]
    return WeightGadget(clauses, auxiliary)


def _at_most(bound: int, bits: Sequence[int], unless: int) -> Iterator[list[int]]:
    """Yield clauses: a binary number, lowest bit first, is at most `bound`, or `unless` is true."""
    prefix: list[int] = []
    for position in reversed(range(len(bits))):
        if bound >> position & 1:
            prefix.append(-bits[position])
        else:
            yield [unless, *prefix, -bits[position]]


def print_weighted(total: Fraction) -> int:
    """Print the result lines of the model counting competition; return the exit code.

    A weighted sum of 0 does not imply that there are no models.
    """
    if max(total.numerator, total.denominator) >= 10**MAX_COUNT_DIGITS:
        print(f"the count has more than {MAX_COUNT_DIGITS:,} digits", file=sys.stderr)
        return 1
    if total:
        print(f"s {Status.SATISFIABLE.name}")
    print(f"c s type wmc\nc s exact arb frac {total.numerator}/{total.denominator}")
    return int(Status.SATISFIABLE.value) if total else 0
