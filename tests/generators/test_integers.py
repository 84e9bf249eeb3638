"""Integers as variables: every encoding, against all assignments of values by brute force."""

from __future__ import annotations

import operator
from itertools import product
from typing import Any

import numpy as np
import pytest
from helpers.formulas import clauses_of, examples, make, mostly_slow, shipped
from helpers.integer_specs import (
    ENCODINGS,
    assignments,
    check,
    header_of,
    holding,
    models,
    of_integers,
)
from hypothesis import given
from hypothesis import strategies as st

from boardsat.generators import InputError, encodings, transform

SIGNS = {
    "<=": operator.le,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}


# Patterns: what an encoding file makes of so many values.


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_value_is_one_model(encoding: str) -> None:
    for size in (1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 18):
        formula = make(
            {"int": encoding},
            count_preserving=True,
            variables={"V": {"values": f"-3..{size - 4}"}},
            constraints=[],
        )
        check(formula, {(value,) for value in range(-3, size - 3)})


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("size", mostly_slow([1, 2, 3, 4, 6, 8, 11, 17], [1, 3]))
def test_literals_for_a_value_and_for_at_least_one(encoding: str, size: int) -> None:
    """Each value, within and beyond the range, is compared with all operators."""
    variables = {"V": {"values": f"0..{size - 1}"}}
    for sign, number in product(SIGNS, (-1, 0, size // 2, size - 1, size)):
        formula = make(
            {"int": encoding},
            count_preserving=True,
            variables=variables,
            constraints=[{"clause": f"V {sign} {number}", "empty": "unsatisfiable"}],
        )
        check(formula, {(v,) for v in range(size) if SIGNS[sign](v, number)})


# Constraints.

CONSTRAINTS: list[tuple[dict[str, Any], Any]] = [
    ({"clause": "V[0] == 2"}, lambda v, x: v[0] == 2),
    ({"clause": "X -> V[i] + 1 > i", "for": "i in range(3)"}, lambda v, x: not x or min(
        v[0] + 1, v[1], v[2] - 1) > 0),
    ({"clause": "2 < V[0] or V[1] != 1 or X"}, lambda v, x: v[0] > 2 or v[1] != 1 or x),
    ({"formula": "X <-> V[0] == 1"}, lambda v, x: bool(x) == (v[0] == 1)),
    ({"formula": "X == (V[1] >= 2)"}, lambda v, x: bool(x) == (v[1] >= 2)),
    ({"formula": "not (0 <= V[0] < 2) or X"}, lambda v, x: not 0 <= v[0] < 2 or x),
    ({"clause": "0 <= V[0] <= 2 -> X"}, lambda v, x: not 0 <= v[0] <= 2 or x),
    ({"formula": "any(V[i] == 2 for i in range(3)) xor X"}, lambda v, x: (2 in v) != bool(x)),
    ({"clause": "V[0] < V[1] + 1"}, lambda v, x: v[0] < v[1] + 1),
    ({"clause": "V[0] != V[i]", "for": "i in range(1, 3)"}, lambda v, x: v[0] not in v[1:]),
    ({"clause": "X -> V[0] == V[1] - 1"}, lambda v, x: not x or v[0] == v[1] - 1),
    ({"clause": "V[0] == V[1] -> X"}, lambda v, x: v[0] != v[1] or x),
    ({"clause": ["X", "V[1] >= V[2]"]}, lambda v, x: x or v[1] >= v[2]),
    ({"formula": "not (V[0] < V[1] and X) -> V[2] == 2"},
     lambda v, x: (v[0] < v[1] and x) or v[2] == 2),
    ({"formula": "V[0] < V[1] < V[2]"}, lambda v, x: v[0] < v[1] < v[2]),
    ({"formula": "(X -> V[0] == V[1]) and (not X -> V[0] > V[2])"},
     lambda v, x: v[0] == v[1] if x else v[0] > v[2]),
    ({"at_most": 1, "of": "V[i] == 2 for i in range(3)"}, lambda v, x: v.count(2) <= 1),
    ({"exactly_one": ["X", "V[i] <= 0 for i in range(2)"]},
     lambda v, x: x + (v[0] <= 0) + (v[1] <= 0) == 1),
    ({"xor": "V[i] >= 2 for i in range(3)", "equals": "1"},
     lambda v, x: sum(number >= 2 for number in v) % 2 == 1),
    ({"sum": "sum(V[i] for i in range(3)) == 4"}, lambda v, x: sum(v) == 4),
    ({"sum": "2 * V[0] - 3 * V[1] + 4 * X <= V[2] - 1"},
     lambda v, x: 2 * v[0] - 3 * v[1] + 4 * x <= v[2] - 1),
    ({"sum": "-3 < sum((i - 1) * V[i] for i in range(3)) - (V[1] == 2) <= 1"},
     lambda v, x: -3 < v[2] - v[0] - (v[1] == 2) <= 1),
    ({"sum": "V[0] + V[0] - V[1] - 5 * (V[0] >= 2) >= 0"},
     lambda v, x: 2 * v[0] - v[1] - 5 * (v[0] >= 2) >= 0),
    ({"sum": "V[0] - V[1] > 0"}, lambda v, x: v[0] > v[1]),
    ({"all_different": "V[i] for i in range(3)"}, lambda v, x: len(set(v)) == 3),
    ({"all_different": ["V[0] + 1", "V[i] - i for i in range(1, 3)"]},
     lambda v, x: len({v[0] + 1, v[1] - 1, v[2] - 2}) == 3),
    ({"for": "r in range(2)", "all_different": "V[i] for i in range(r, r + 2)"},
     lambda v, x: v[0] != v[1] != v[2]),
]  # fmt: skip


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("number", range(len(CONSTRAINTS)))
def test_constraints_of_integers(number: int, encoding: str) -> None:
    constraint, condition = CONSTRAINTS[number]
    expected = holding(condition)
    assert 0 < len(expected) < len(list(assignments()))
    check(of_integers([constraint], {"int": encoding}), expected)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("pb", encodings.names("pb"))
def test_sums_of_integers_in_every_encoding_of_sums(pb: str, encoding: str) -> None:
    constraint = {"sum": "1 <= 2 * V[0] - V[1] + 3 * V[2] - 2 * X <= 6"}
    expected = holding(lambda v, x: 1 <= 2 * v[0] - v[1] + 3 * v[2] - 2 * x <= 6)
    check(of_integers([constraint], {"int": encoding, "pb": pb}), expected)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("amo", mostly_slow(encodings.names("amo"), ["pairwise", "product"]))
def test_permutations_in_every_encoding_of_at_most_one(amo: str, encoding: str) -> None:
    formula = make(
        {"int": encoding, "amo": amo},
        count_preserving=True,
        variables={"V": {"for": "i in range(4)", "values": "1..4"}},
        constraints=[{"all_different": "V[i] for i in range(4)"}],
    )
    # At most one and, as there are as many values, at least one: so all of them keep counts.
    assert len(models(formula)) == len(set(models(formula))) == 24


@st.composite
def comparisons(draw: Any) -> tuple[str, Any]:
    sign, addend, subtrahend = (
        draw(st.sampled_from([*SIGNS])),
        draw(st.integers(-4, 4)),
        draw(st.integers(-4, 4)),
    )
    first, second = draw(st.permutations(range(3)))[:2]
    text = f"V[{first}] + {addend} {sign} V[{second}] - {subtrahend}".replace("+ -", "- ").replace(
        "- -", "+ "
    )
    shape = draw(st.sampled_from(["{}", "X or {}", "{} -> X", "not ({} and X)", "X -> not ({})"]))

    def holds(v: tuple[int, ...], x: int) -> bool:
        holds_for_pair = SIGNS[sign](v[first] + addend, v[second] - subtrahend)
        return {
            "{}": holds_for_pair,
            "X or {}": bool(x) or holds_for_pair,
            "{} -> X": not holds_for_pair or bool(x),
            "not ({} and X)": not (holds_for_pair and x),
            "X -> not ({})": not x or not holds_for_pair,
        }[shape]

    return shape.format(text), holds


@examples(100)
@given(comparisons(), st.sampled_from(ENCODINGS), st.sampled_from(["clause", "formula"]))
def test_comparisons_of_two_integers(case: Any, encoding: str, family: str) -> None:
    text, condition = case
    constraint = {family: text, "empty": "unsatisfiable"}
    check(of_integers([constraint], {"int": encoding}), holding(condition))


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("sign", SIGNS)
def test_integers_that_have_no_value_in_common_are_compared(sign: str, encoding: str) -> None:
    variables = {"V": {"values": "1..2"}, "W": {"values": "4..5"}, "X": {}}
    for first, second in (("V", "W"), ("W", "V")):
        constraint = {"clause": f"X or {first} {sign} {second}"}
        formula = of_integers([constraint], {"int": encoding}, variables=variables)
        pairs = [{"V": v, "W": w} for v in (1, 2) for w in (4, 5)]
        check(
            formula,
            {
                (*pair.values(), x)
                for pair, x in product(pairs, (0, 1))
                if x or SIGNS[sign](pair[first], pair[second])
            },
        )


# Members.


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_members_that_are_left_out_and_ends_that_differ(encoding: str) -> None:
    formula = make(
        {"int": encoding},
        count_preserving=True,
        variables={
            "B": {"for": "k in range(2)"},
            "W": {"for": "i in range(3), j in range(2)", "if": "i != j", "values": "-i..j - i + 1"},
            "Z": {"values": "5..5"},
        },
        constraints=[
            {"for": "i in range(3), j in range(2)", "if": "exists(W[i, j])"}
            | {"clause": "W[i, j] <= 0"},
            {"sum": "sum(W[i, 0] for i in range(1, 3)) + Z >= 4"},
            {"clause": "not B[0] or not B[1]"},
        ],
    )  # fmt: skip
    members = [(i, j) for i in range(3) for j in range(2) if i != j]
    expected = {
        (*b, *w, 5)
        for b in product((0, 1), repeat=2)
        for w in product(*(range(-i, j - i + 2) for i, j in members))
        if b != (1, 1) and max(w) <= 0 and w[members.index((1, 0))] + w[members.index((2, 0))] >= -1
    }
    check(formula, expected)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_shuffled_file_decodes_to_the_same_values(encoding: str) -> None:
    formula = of_integers([{"sum": "V[0] + V[1] + V[2] == 5"}], {"int": encoding})
    shuffled = transform(formula, shuffle=7)
    assert clauses_of(shuffled) != clauses_of(formula)
    assert sorted(models(shuffled)) == sorted(models(formula))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encode_and_decode_of_integers_are_inverse(encoding: str) -> None:
    formula = of_integers([], {"int": encoding})
    integers = header_of(formula).variables["V"].integers
    assert integers is not None and integers.encoding == encoding
    for values in {assignment[:3] for assignment in assignments()}:
        integer_values = np.array(values)
        assert integers.in_bounds(integer_values)
        assert integers.decode(integers.encode(integer_values)).tolist() == list(values)
    assert not integers.in_bounds(np.array([4, 0, 1]))


def test_a_projection_names_integers() -> None:
    formula = of_integers([], projection="V")
    assert formula.header.projection is not None
    assert formula.header.projection.tolist() == list(range(1, formula.num_spec_variables))


def test_literals_are_defined_only_if_a_constraint_uses_them() -> None:
    variables = {"V": {"for": "i in range(3)", "values": "1..9"}}
    for encoding, asks_none, asks_some in (
        ("order", "V[0] <= 4", "V[0] == 4"),
        ("direct", "V[0] == 4", "V[0] <= 4"),
    ):
        for text, fresh in ((asks_none, False), (asks_some, True)):
            formula = make({"int": encoding}, variables=variables, constraints=[{"clause": text}])
            assert (formula.variables > formula.num_spec_variables) == fresh


# Limits.


@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ("0..2000000000", {"clause": "V[0] >= 1"}),
        ("0..100000", {"for": "i in range(999)", "clause": "V[i] != V[i + 1]"}),
        ("0..100000", {"all_different": "V[i] for i in range(1000)"}),
        ("0..3", {"sum": "sum(V[i] for i in range(1000), j in range(1000), k in range(99)) >= 4"}),
    ],
)
@pytest.mark.parametrize("encoding", mostly_slow(ENCODINGS, ["order"]))
def test_bombs_are_refused(values: str, constraint: dict[str, Any], encoding: str) -> None:
    with pytest.raises(InputError, match=r"needs too much|at most 2,147,483,646 variables"):
        make(
            {"int": encoding},
            variables={"V": {"for": "i in range(1000)", "values": values}},
            constraints=[constraint],
        )


def test_large_values_are_cheap_in_binary() -> None:
    formula = make(
        {"int": "binary"},
        variables={"V": {"for": "i in range(10)", "values": "0..1000000"}},
        constraints=[{"sum": "sum((i + 1) * V[i] for i in range(10)) == 12345678"}],
    )
    assert formula.clauses < 20000


# Magic squares.


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_magic_squares_of_order_three(encoding: str) -> None:
    formula = shipped("magic/integers", n=3, int=encoding)
    solutions = models(formula)
    assert len(solutions) == len(set(solutions)) == 8
    assert (2, 7, 6, 9, 5, 1, 4, 3, 8) in solutions


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_magic_squares_of_order_four(encoding: str) -> None:
    """Frenicle's 880 squares, each in eight positions; counted for one corner at a time."""
    total = 0
    for corner in range(1, 17):
        givens = ",".join([str(corner)] + ["0"] * 15)
        total += len(models(shipped("magic/integers", n=4, int=encoding, givens=givens)))
    assert total == 7040
