"""Numbers as answers show them: a count, or a weighted count as a fraction and as a decimal."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

LONGEST = 40
"""Letters of a fraction that is in_digits; programs are told longer ones too."""

DIGITS = 17
"""Of a decimal; a fraction that ends within them is equal to it."""

_CONTEXT = Context(prec=DIGITS, rounding=ROUND_HALF_EVEN, Emin=-99999, Emax=99999)


def in_digits(number: int | Fraction) -> str:
    """For people."""
    if not isinstance(number, Fraction):
        return f"{number:,}"
    if number.denominator == 1 and number < 10**DIGITS:
        return f"{number.numerator:,}"
    text, (digits, is_equal) = str(number), _decimal(number)
    if len(text) > LONGEST:
        return digits if is_equal else f"{digits} (rounded; --json has the fraction)"
    return f"{text} = {digits}" if is_equal else f"{text}, about {digits}"


def described(number: int | Fraction | None) -> dict[str, str] | None:
    """A weighted count for programs; None where it is a count of models, or there is none."""
    if not isinstance(number, Fraction):
        return None
    return {"fraction": str(number), "decimal": _decimal(number)[0]}


def models(number: int | Fraction | None) -> int | None:
    """The other way round."""
    return None if isinstance(number, Fraction) else number


def _decimal(number: Fraction) -> tuple[str, bool]:
    """Rounded, and whether nothing was lost by that."""
    above, below = (Decimal(part) for part in number.as_integer_ratio())
    rounded = _CONTEXT.divide(above, below)
    return str(rounded.normalize(_CONTEXT)), Fraction(rounded) == number
