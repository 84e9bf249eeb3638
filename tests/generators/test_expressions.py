"""The expression language against Python's own evaluation of the same conditions, row by row."""

from __future__ import annotations

import pytest
from helpers.expressions import (
    NAMES,
    SHARED,
    Text,
    agree,
    conditions,
    rows_of,
)
from helpers.formulas import clauses_of, examples, make, members
from hypothesis import given

from boardsat.generators import InputError


@examples(200)
@given(conditions(3))
def test_conditions_select_the_same_rows_as_python(condition: Text) -> None:
    agree(condition.spec, condition.python)


@pytest.mark.parametrize("text", [line.strip() for line in SHARED.strip().splitlines()])
def test_expressions_equal_python(text: str) -> None:
    agree(text, text)


@pytest.mark.parametrize(
    ("text", "python"),
    [
        ("a > 0 -> b > 0 -> a > b", "a <= 0 or (b <= 0 or a > b)"),
        ("a > 0 <-> b > 0 <-> a > b", "((a > 0) == (b > 0)) == (a > b)"),
        ("a > 0 xor b > 0 and a > b", "(a > 0) != (b > 0 and a > b)"),
        ("a > 0 or b > 0 xor a > b", "a > 0 or ((b > 0) != (a > b))"),
        ("a > 0 -> b > 0 or a > b <-> a > 1", "(a <= 0 or (b > 0 or a > b)) == (a > 1)"),
        ("not a > 0 xor b > 0", "(not a > 0) != (b > 0)"),
        ("a > 0 -> 4 // a > b", "a <= 0 or 4 // a > b"),
    ],
)
def test_precedence_of_the_connectives_that_python_lacks(text: str, python: str) -> None:
    agree(text, python)


def test_functions_on_larger_numbers() -> None:
    """Constants and columns use different code in NumPy, so each number is tested as both."""
    largest = 2**31 - 2
    for number in (0, 1, 2, 3, 4, 5, 15, 16, 17, 10**6 - 1, 10**6, 2**20 + 1, 2**30, largest):
        expression = f"{number - 1} + k" if number else "0 - k + 1"
        for function in ("bits", "root"):
            expected = NAMES[function](number)
            for argument in (str(number), expression):
                formula = make(
                    variables={"X": {}},
                    constraints=[
                        {
                            "for": "k in range(1, 2)",
                            "if": f"{function}({argument}) == {expected}",
                            "clause": "X",
                        }
                    ],
                )
                assert clauses_of(formula) == [[1]], (function, argument)


@pytest.mark.parametrize("text", ["2147483646 + a < 0", "a * 1000000 * 1000000 > 0", "2 ** 31 > a"])
def test_numbers_that_grow_too_large_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="2147483646"):
        rows_of(text)


def test_texts_are_compared() -> None:
    sections = {
        "params": {"rule": {"one_of": "rows cols", "default": "rows"}},
        "variables": {"X": {"for": "k in range(3)", "if": "rule == 'cols' or k != 1"}},
    }
    assert list(members(make(**sections), "X")) == [(0,), (2,)]
    assert list(members(make({"rule": "cols"}, **sections), "X")) == [(0,), (1,), (2,)]
