"""Numbers as answers show them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from boardsat.workflows.count.result import number_text


def test_numbers_are_shown() -> None:
    assert number_text(12345) == "12,345" and number_text(Fraction(1200)) == "1,200"
    assert number_text(Fraction(5, 16)) == "5/16 = 0.3125"
    assert number_text(Fraction(1, 3)) == "1/3, about 0.33333333333333333"
    assert number_text(Fraction(1, 10**90)) == "1E-90"
    digits, suffix = number_text(Fraction(1, 3**90)).split(" ", 1)
    assert float(digits) == pytest.approx(3.0**-90) and suffix.startswith("(rounded;")
