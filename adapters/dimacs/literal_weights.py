"""Literal weights in the comments of a file, in the format of the model counting competition.

`c t wmc` or `c t pwmc` requests the sum of the weights of all models. `c p weight -3 0.25 0` is the
weight of one literal: a decimal, also in scientific notation, or a fraction. In a foreign file a
malformed weight is an error only for counting.

Counters need integer weights: if the literals of a variable have the weights a/m and b/m, they get
a and b, and the weighted count is divided by m. For an unweighted counter, clauses restrict a
binary number of auxiliary variables (Chakraborty, Fried, Meel and Vardi, IJCAI 2015): it is less
than a if the variable is true, and less than b if it is false.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import gcd, lcm
from typing import TYPE_CHECKING, NamedTuple

from boardsat.adapters.answer import MAX_COUNT_DIGITS, Status
from boardsat.base.errors import InputError

# Few files have weights, and importing fractions takes time.
if TYPE_CHECKING:
    from fractions import Fraction

TASKS = frozenset(("mc", "pmc", "wmc", "pwmc"))
"""Tasks that a `c t` line may request."""

WEIGHTS_IGNORED = "the literals have weights, which only counting uses (ignored here)"
"""Note on a weighted formula in commands that do not count."""

WEIGHTED_TASKS = frozenset(("wmc", "pwmc"))

MAX_DIGITS = 400
"""Maximum number of digits of the numerator, and of the denominator, of a weight."""

MAX_TEXT_LENGTH = 1000
"""Maximum number of characters of a weight; enough for a fraction with MAX_DIGITS."""

_LINE = r"(?a)(-?[1-9][0-9]{0,9})\s+(\S+)\s+0\s*"
_DECIMAL = r"(?a)\+?((?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d{1,3}))?"
_FRACTION = r"(?a)\+?(\d+)/(\d+)"


def read_weights(
    tasks: Collection[str], lines: Collection[str], variables: int, path: str
) -> dict[int, Fraction] | None:
    """Return the weight of each literal that has one; None if the file is not weighted.

    Parameters
    ----------
    tasks : collection of str
        Text of the `c t` lines.
    lines : collection of str
        Text of the `c p weight` lines.
    variables : int
        Number of variables of the formula.
    path : str
        Path of the file, for errors.

    Raises
    ------
    InputError
        A weight is malformed, missing for one sign of a variable, or ambiguous.
    """
    if not lines and not WEIGHTED_TASKS.intersection(tasks):
        return None
    try:
        return _read(tasks, lines, variables)
    except ValueError as error:
        raise InputError(
            f"the weights of literals are malformed: {error}",
            "write `c t wmc`, and `c p weight 1 0.25 0` for each literal",
            path,
        ) from None


def _read(tasks: Iterable[str], lines: Iterable[str], variables: int) -> dict[int, Fraction]:
    if unweighted := set(tasks) - WEIGHTED_TASKS:
        raise ValueError(f"`c t {min(unweighted)}` requests an unweighted count")
    weights: dict[int, Fraction] = {}
    parsed: dict[str, Fraction] = {}
    for line in lines:
        match = re.fullmatch(_LINE, line)
        if match is None:
            raise ValueError(f"each line must be a literal, its weight and 0 (got {line[:40]!r})")
        literal, text = int(match[1]), match[2]
        if abs(literal) > variables:
            raise ValueError(f"variables must be at most {variables:,} (got {abs(literal)})")
        if text not in parsed:
            parsed[text] = _weight(text)
        if weights.setdefault(literal, parsed[text]) != parsed[text]:
            raise ValueError(f"literal {literal} has two different weights")
    for literal in weights:
        if -literal not in weights:
            raise ValueError(
                f"literal {literal} has a weight but {-literal} has none, and programs disagree "
                "whether it is 1 or the complement"
            )
    return weights


def _weight(text: str) -> Fraction:
    from fractions import Fraction

    if text.startswith("-"):
        raise ValueError(f"weights must not be negative (got {text[:40]})")
    if len(text) > MAX_TEXT_LENGTH:
        raise ValueError(
            f"weights must have at most {MAX_TEXT_LENGTH:,} characters (got {len(text):,})"
        )
    if match := re.fullmatch(_FRACTION, text):
        if not int(match[2]):
            raise ValueError(f"the denominator of a weight must not be 0 (got {text[:40]})")
        weight = Fraction(int(match[1]), int(match[2]))
    elif match := re.fullmatch(_DECIMAL, text):
        weight = Fraction(match[1]) * Fraction(10) ** int(match[2] or 0)
    else:
        raise ValueError(f"weights must be decimals or fractions (got {text[:40]!r})")
    if max(weight.numerator, weight.denominator) >= 10**MAX_DIGITS:
        raise ValueError(f"weights must have at most {MAX_DIGITS} digits (got {text[:40]!r})")
    return weight


def project_weights(
    weights: Mapping[int, Fraction], projection: Iterable[int], path: str
) -> dict[int, Fraction]:
    """Return the weights of the projection; raise InputError at other weights that are not 1."""
    projected = set(projection)
    for literal, weight in weights.items():
        if abs(literal) not in projected and weight != 1:
            raise InputError(
                f"variable {abs(literal)} has a weight but is not in the projection",
                "add it to the projection, or remove its `c p weight` lines",
                path,
            )
    return {literal: weight for literal, weight in weights.items() if abs(literal) in projected}


def weight_lines(weights: Mapping[int, Fraction]) -> bytes:
    """Return the weights as comments, in fractions if they are not integers."""
    return "".join(f"c p weight {lit} {weight} 0\n" for lit, weight in weights.items()).encode()


# Integer weights.


class IntegerWeights(NamedTuple):
    """Integer weights of variables, and the factor that restores the original sum."""

    pairs: dict[int, tuple[int, int]]
    """Weights of the positive and the negative literal, by variable."""
    factor: Fraction


def integer_weights_of(weights: dict[int, Fraction], projection: Sequence[int]) -> IntegerWeights:
    """Return the integer weights of the variables of the projection that have weights."""
    from fractions import Fraction

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
