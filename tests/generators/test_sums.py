"""Weighted sums: every encoding that exists, against adding up by brute force."""

from __future__ import annotations

import operator
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from helpers.formulas import (
    Clauses,
    clauses_of,
    examples,
    extendable_assignments,
    make,
    truth_table,
)
from hypothesis import given
from hypothesis import strategies as st

from boardsat.generators import Formula, InputError, build, encodings, parse
from boardsat.generators.encodings import Weights

PB = encodings.names("pb")
SIGNS = {
    "<=": operator.le,
    "<": operator.lt,
    "==": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}


def of_sum(n: int, text: str, settings: Any = None, **keys: Any) -> Formula:
    """One sum over n variables, counted over them."""
    return make(
        settings,
        count_preserving=True,
        variables={"X": {"for": f"i in range({n})"}},
        constraints=[{"sum": text, **keys}],
    )


def models_of(n: int, formula: Formula) -> dict[int, bool]:
    """Return the projected assignments, and whether each has one extension only."""
    return dict(extendable_assignments(n, clauses_of(formula)))


# Patterns: what an encoding file makes of weights and bounds.


def clauses(tokens: list[int]) -> Clauses:
    is_unique_clauses: Clauses = [[]]
    for token in tokens:
        if token:
            is_unique_clauses[-1].append(token)
        else:
            is_unique_clauses.append([])
    return is_unique_clauses[:-1]


def patterns(number: int) -> Iterator[tuple[Weights, int, int]]:
    """Weights, in chains and alone, with bounds on one side or on both."""
    chance = random.Random(1)
    for _ in range(number):
        chains = tuple(chance.choice([1, 1, 1, 2, 3]) for _ in range(chance.randint(2, 4)))
        largest = chance.choice([2, 4, 9, 100])
        weights = tuple(chance.randint(1, largest) for _ in range(sum(chains)))
        low = chance.choice([0, chance.randint(0, sum(weights))])
        high = chance.choice([sum(weights), chance.randint(low, sum(weights)), low])
        if (low, high) != (0, sum(weights)):
            yield Weights(weights, chains), low, high


def implications(weights: Weights) -> Clauses:
    """Each input of a chain implies the one before."""
    starts = np.cumsum([1, *weights.chains]).tolist()
    return [
        [-slot - 1, slot]
        for start, length in zip(starts, weights.chains, strict=False)
        for slot in range(start, start + length - 1)
    ]


def check_pattern(name: str, weights: Weights, low: int, high: int) -> None:
    n = len(weights.values)
    pattern = encodings.pattern("pb", name, weights, low, high)
    assert len(pattern.tokens) == encodings.tokens("pb", name, weights, low, high)
    table = truth_table(n)
    sums = table @ np.array(weights.values)
    fitting = (low <= sums) & (sums <= high)
    chains = implications(weights)
    for later, earlier in chains:
        fitting &= ~table[:, -later - 1] | table[:, earlier - 1]
    is_unique = dict(extendable_assignments(n, clauses(pattern.tokens.tolist()) + chains))
    assert set(is_unique) == set(np.flatnonzero(fitting).tolist()), (weights, low, high)
    assert all(is_unique.values()) or not encodings.load("pb", name).COUNT_PRESERVING


@pytest.mark.parametrize("name", PB)
def test_patterns(name: str) -> None:
    for weights, low, high in patterns(40):
        check_pattern(name, weights, low, high)


@pytest.mark.slow
@pytest.mark.parametrize("name", PB)
def test_many_patterns(name: str) -> None:
    for weights, low, high in patterns(600):
        check_pattern(name, weights, low, high)


# Sums in specs.


@st.composite
def cases(draw: Any) -> tuple[int, str, set[int]]:
    n = draw(st.integers(1, 5))
    terms = draw(
        st.lists(
            st.tuples(st.integers(-4, 4), st.integers(0, n - 1), st.booleans()),
            min_size=1,
            max_size=6,
        )
    )
    sign, bound = draw(st.sampled_from([*SIGNS])), draw(st.integers(-8, 10))
    text = " + ".join(f"{w} * {f'(not X[{i}])' if no else f'X[{i}]'}" for w, i, no in terms)
    expected = {
        row
        for row in range(2**n)
        if SIGNS[sign](sum(w * ((row >> i & 1) != no) for w, i, no in terms), bound)
    }
    return n, f"{text.replace('+ -', '- ')} {sign} {bound}", expected


@examples(200)
@given(cases(), st.sampled_from([*PB, ""]))
def test_sums_with_repeated_and_negated_literals(case: Any, name: str) -> None:
    n, text, expected = case
    keys = {"encoding": name} if name else {}
    formula = of_sum(n, text, empty="unsatisfiable", **keys)
    is_unique = models_of(n, formula)
    assert set(is_unique) == expected
    assert all(is_unique.values()) and formula.header.count_preserving
    try:
        assert clauses_of(of_sum(n, text, **keys)) == clauses_of(formula)
    except InputError:
        assert not expected


@pytest.mark.parametrize("name", PB)
def test_rows_of_a_sum_with_weights_from_a_table(name: str) -> None:
    """Rows that are alike and rows that are not, members that are left out, a `for` in a `for`."""
    formula = make(
        {"pb": name},
        count_preserving=True,
        define={"w": "3 * i % 5 - 1 for i in range(6)"},
        variables={"X": {"for": "i in range(6)", "if": "i != 4"}},
        constraints=[
            {
                "for": "r in range(4)",
                "if": "r != 1",
                "sum": "sum(w[i] * X[i] for i in range(r, 6)) - 2 * X[r] <= r + w[r] + 2",
                "empty": "unsatisfiable",
            },
            {"sum": "1 <= sum(i * sum(X[i] for j in range(2)) for i in range(4) if i != 2) < 9"},
        ],
    )
    weights = [3 * i % 5 - 1 for i in range(6)]
    expected = set()
    for row in range(2**5):
        x = [row & 1, row >> 1 & 1, row >> 2 & 1, row >> 3 & 1, 0, row >> 4 & 1]
        rows = all(
            sum(weights[i] * x[i] for i in range(r, 6)) - 2 * x[r] <= r + weights[r] + 2
            for r in (0, 2, 3)
        )
        if rows and 1 <= sum(2 * i * x[i] for i in (0, 1, 3)) < 9:
            expected.add(row)
    assert 0 < len(expected) < 32
    is_unique = models_of(5, formula)
    assert set(is_unique) == expected and all(is_unique.values())


def test_both_sides_may_have_variables() -> None:
    text = "X[0] + 2 * X[1] + 1 <= 2 * sum(X[i] for i in range(2, 4)) + X[4]"
    expected = {
        row
        for row in range(32)
        if (row & 1) + 2 * (row >> 1 & 1) + 1 <= 2 * ((row >> 2 & 1) + (row >> 3 & 1)) + (row >> 4)
    }
    assert set(models_of(5, of_sum(5, text))) == expected


@pytest.mark.parametrize("name", ["", *PB])
def test_trivial_bounds_take_no_auxiliary_variables(name: str) -> None:
    keys = {"encoding": name} if name else {}
    for text, expected in (
        ("9 * X[0] + 5 * X[1] <= 4", [[-1], [-2]]),
        ("9 * X[0] + 5 * X[1] + X[2] + X[3] >= 9", [[1]]),
        ("4 * X[0] + 2 * X[1] == 6", [[1], [2]]),
        ("7 * X[0] + 7 * X[1] + 7 * X[2] >= 21", [[1], [2], [3]]),
        ("3 * X[0] - 3 * X[1] <= 5", []),
        ("X[0] - X[0] + 2 * X[1] <= 2", []),
    ):
        assert clauses_of(of_sum(4, text, **keys)) == expected, text


def test_equal_weights_are_a_cardinality_constraint() -> None:
    n = 30
    literals = f"X[i] for i in range({n})"
    for card in encodings.names("card"):
        counted = make(
            {"card": card},
            count_preserving=True,
            variables={"X": {"for": f"i in range({n})"}},
            constraints=[{"at_most": 3, "of": literals}],
        )
        if card != "binomial":
            formula = of_sum(n, f"5 * sum({literals}) <= 19", {"card": card, "pb": "adder"})
            assert clauses_of(formula) == clauses_of(counted)
            assert formula.header.count_preserving == counted.header.count_preserving
    named = of_sum(n, f"5 * sum({literals}) <= 19", encoding="adder")
    assert clauses_of(named) != clauses_of(counted)
    assert clauses_of(of_sum(n, f"sum({literals}) <= 3", encoding="adder")) == clauses_of(named)


def test_no_encoding_has_the_name_of_another_kind() -> None:
    """A header lists the selected encodings of all kinds together."""
    kinds = [set(encodings.names(kind)) - {"auto"} for kind in ("pb", "card")]
    assert not set.intersection(*kinds)


# Before any encoding.


def test_native_sums_are_equivalent_to_their_clauses() -> None:
    """Linear constraints written natively are satisfied exactly if the clauses are."""
    text = "2 * X[0] - 3 * X[1] + (not X[2]) + X[0] + 4 <= 5"
    spec = parse(
        "title: t\nvariables:\n  X:\n    for: i in range(3)\n"
        f"constraints:\n  - sum: {text}\n  - exactly_one: X[i] for i in range(3)\n"
    )
    from boardsat.generators import builder

    blocks = []
    original = builder.compile_constraint

    def compiled(*arguments: Any) -> Any:
        blocks.append(original(*arguments))
        return blocks[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builder, "compile_constraint", compiled)
        formula = build(spec)
    holding = np.ones(8, np.bool_)
    for block in blocks:
        assert block.linear is not None
        (sums,) = block.linear()
        weights = np.ones(len(sums.literals), int) if sums.weights is None else sums.weights
        true = truth_table(3)[:, np.abs(sums.literals) - 1] == (sums.literals > 0)
        total = true @ weights
        holding &= (sums.low[0] <= total) & (total <= sums.high[0])
    assert set(models_of(3, formula)) == set(np.flatnonzero(holding).tolist())
