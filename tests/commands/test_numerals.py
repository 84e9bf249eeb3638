"""Numbers as answers show them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from boardsat.workflows.count.numerals import in_digits


def test_numbers_are_shown() -> None:
    assert in_digits(12345) == "12,345" and in_digits(Fraction(1200)) == "1,200"
    assert in_digits(Fraction(5, 16)) == "5/16 = 0.3125"
    assert in_digits(Fraction(1, 3)) == "1/3, about 0.33333333333333333"
    assert in_digits(Fraction(1, 10**90)) == "1E-90"
    digits, told = in_digits(Fraction(1, 3**90)).split(" ", 1)
    assert float(digits) == pytest.approx(3.0**-90) and told.startswith("(rounded;")
