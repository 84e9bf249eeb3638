"""Bounds on groups of literals: every encoding that exists, against counting by brute force."""

from __future__ import annotations

from itertools import combinations, product
from math import comb
from typing import Any

import pytest
from helpers.formulas import (
    THOROUGH,
    clauses_of,
    count,
    examples,
    extendable_assignments,
    is_satisfiable,
    make,
    one_in,
    shipped,
)
from helpers.literal_groups import (
    assignments_between,
    group_formula,
    pattern_clauses,
    projected_models,
    proper_bounds,
    size_of,
)
from hypothesis import given
from hypothesis import strategies as st
from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from boardsat.generators import Formula, InputError, encodings

AMO = encodings.names("amo")
CARD = encodings.names("card")
BOUNDED = ["at_most", "at_least", "exactly"]
MAX_LITERALS = 8 if THOROUGH else 6
"""Groups up to this size have all their assignments tried."""


# Meaning.


@pytest.mark.parametrize("encoding", AMO)
@pytest.mark.parametrize(("family", "low"), [("at_most_one", 0), ("exactly_one", 1)])
def test_one(family: str, low: int, encoding: str) -> None:
    for n in range(MAX_LITERALS + 2):
        formula = group_formula(n, family, encoding=encoding)
        assert projected_models(formula) == assignments_between(n, low, 1), n


@pytest.mark.parametrize("encoding", AMO)
def test_at_most_one_of_many(encoding: str) -> None:
    """Encodings that build on themselves do so from a dozen on: none, each alone, and no pair."""
    for n in (13, 17, 26, 30):
        formula = group_formula(n, "at_most_one", encoding=encoding)
        with Solver("minisat22", bootstrap_with=clauses_of(formula)) as solver:
            for chosen in range(n + 1):
                assert solver.solve([v if v == chosen else -v for v in range(1, n + 1)])
            for pair in combinations(range(1, n + 1), 2):
                assert not solver.solve(pair), (n, pair)


@pytest.mark.parametrize("encoding", CARD)
def test_between_two_bounds(encoding: str) -> None:
    for n in range(1, MAX_LITERALS):
        for low, high in proper_bounds(n):
            actual = {
                row for row, _ in extendable_assignments(n, pattern_clauses(encoding, n, low, high))
            }
            assert actual == assignments_between(n, low, high), (n, low, high)


@pytest.mark.parametrize("encoding", CARD)
@pytest.mark.parametrize("family", BOUNDED)
def test_bounds_from_none_to_more_than_all(family: str, encoding: str) -> None:
    for n in range(6 if THOROUGH else 5):
        for k in range(-1, n + 2):
            low = 0 if family == "at_most" else k
            high = n if family == "at_least" else k
            formula = group_formula(n, family, k, encoding=encoding)
            assert projected_models(formula) == assignments_between(n, low, high), (n, k)


@pytest.mark.parametrize("n", one_in(2, [6, 7]))
@pytest.mark.parametrize("method", [EncType.seqcounter, EncType.totalizer, EncType.sortnetwrk])
def test_python_sat_agrees(method: int, n: int) -> None:
    for k in range(1, n):
        theirs = CardEnc.atmost(list(range(1, n + 1)), k, encoding=method).clauses
        expected = {row for row, _ in extendable_assignments(n, theirs)}
        for encoding in CARD:
            assert projected_models(group_formula(n, "at_most", k, encoding=encoding)) == expected


# Model counts.


@pytest.mark.parametrize("encoding", AMO)
def test_at_most_one_declares_whether_it_is_count_preserving(encoding: str) -> None:
    keeps = []
    for n in range(1, MAX_LITERALS + 1):
        formula = group_formula(n, "at_most_one", encoding=encoding)
        keeps.append(all(single for _, single in extendable_assignments(n, clauses_of(formula))))
        assert formula.header.count_preserving == keeps[-1]
    assert all(keeps) == encodings.load("amo", encoding).COUNT_PRESERVING


@pytest.mark.parametrize("encoding", AMO)
def test_exactly_one_keeps_counts_in_every_encoding(encoding: str) -> None:
    for n in (*range(1, MAX_LITERALS + 1), 13, 17, 26):
        formula = group_formula(n, "exactly_one", encoding=encoding)
        assert count(formula) == n
        assert formula.header.count_preserving


@pytest.mark.parametrize("encoding", CARD)
def test_cardinality_encoding_declares_whether_it_is_count_preserving(encoding: str) -> None:
    keeps = all(
        single
        for n in range(1, MAX_LITERALS - 1)
        for low, high in proper_bounds(n)
        for _, single in extendable_assignments(n, pattern_clauses(encoding, n, low, high))
    )
    assert keeps == encodings.load("card", encoding).COUNT_PRESERVING
    assert keeps == group_formula(5, "at_most", 2, encoding=encoding).header.count_preserving


# Sizes, as published.


@pytest.mark.parametrize("n", range(2, 40))
def test_sizes_of_at_most_one(n: int) -> None:
    assert size_of(group_formula(n, "at_most_one", encoding="pairwise")) == (n * (n - 1) // 2, 0)
    assert size_of(group_formula(n, "at_most_one", encoding="sequential")) == (3 * n - 4, n - 1)
    assert size_of(group_formula(n, "at_most_one", encoding="ladder")) == (4 * n - 2, n)
    if n > 3:
        bits = ((n + 1) // 2 - 1).bit_length()
        assert size_of(group_formula(n, "at_most_one", encoding="bimander")) == (
            n // 2 + n * bits,
            bits,
        )


def test_sizes_of_at_most_one_by_parts() -> None:
    """A product of p times q takes 2pq clauses and two smaller problems; commanders likewise."""
    assert size_of(group_formula(9, "at_most_one", encoding="product")) == (2 * 9 + 3 + 3, 6)
    assert size_of(group_formula(16, "at_most_one", encoding="product")) == (2 * 16 + 6 + 6, 8)
    assert size_of(group_formula(25, "at_most_one", encoding="product")) == (
        2 * 25 + 2 * 14,
        10 + 2 * 5,
    )
    assert size_of(group_formula(9, "at_most_one", encoding="commander")) == (3 * 3 + 9 + 3 + 3, 3)
    assert size_of(group_formula(12, "at_most_one", encoding="commander")) == (
        4 * 3 + 12 + 4 + 6,
        4,
    )
    assert size_of(group_formula(27, "at_most_one", encoding="commander")) == (
        27 + 27 + 9 + 24,
        9 + 3,
    )


@pytest.mark.parametrize("n", range(3, 12))
def test_python_sat_has_the_same_sizes(n: int) -> None:
    for ours, theirs in (("pairwise", EncType.pairwise), ("sequential", EncType.seqcounter)):
        clauses = CardEnc.atmost(list(range(1, n + 1)), 1, encoding=theirs)
        formula = group_formula(n, "at_most_one", encoding=ours)
        assert size_of(formula) == (len(clauses.clauses), clauses.nv - n)


# Where the encoding is said.


@pytest.mark.parametrize(("kind", "encoding"), [*product(["amo"], AMO), *product(["card"], CARD)])
def test_an_encoding_is_chosen_for_a_run_or_for_a_constraint(kind: str, encoding: str) -> None:
    family, bound = ("at_most_one", None) if kind == "amo" else ("at_most", 3)
    for n in (5, 9):
        chosen = clauses_of(group_formula(n, family, bound, encoding=encoding))
        assert clauses_of(group_formula(n, family, bound, settings={kind: encoding})) == chosen
        for overruled_encoding in encodings.names(kind):
            overruled = group_formula(
                n, family, bound, settings={kind: overruled_encoding}, encoding=encoding
            )
            assert clauses_of(overruled) == chosen


@pytest.mark.parametrize("encoding", AMO)
def test_a_run_chooses_for_every_constraint(encoding: str) -> None:
    formula = shipped("queens/squares", n=6, amo=encoding)
    assert count(formula, range(1, 37)) == 4


# Known literals, and rows that differ.


@st.composite
def cases(draw: Any) -> dict[str, Any]:
    family = draw(st.sampled_from(["at_most_one", "exactly_one", "at_least_one", *BOUNDED]))
    kind = "card" if family in BOUNDED else "amo"
    return {
        "family": family,
        "encoding": draw(st.sampled_from(encodings.names(kind))),
        "n": draw(st.integers(1, 6)),
        "present": draw(st.integers(0, 63)),
        "signs": draw(st.integers(0, 63)),
        "bound": draw(st.integers(-1, 5)),
        "slope": draw(st.integers(-1, 1)),
    }


def from_case(case: dict[str, Any], empty: bool) -> Formula:
    """Row r is about the members from r on; a member left out is false, its negation true."""
    literals = "X[i] == bit(signs, i) for i in range(r, n)"
    family = case["family"]
    bounded = {family: "bound + slope * r", "of": literals}
    constraint = bounded if family in BOUNDED else {family: literals}
    numbers = {key: case[key] for key in ("n", "present", "signs", "bound", "slope")}
    return make(
        numbers,
        params=dict.fromkeys(numbers, "1"),
        variables={"X": {"for": "i in range(n)", "if": "bit(present, i)"}},
        constraints=[
            {
                "for": "r in range((n + 1) // 2)",
                **constraint,
                **({"encoding": case["encoding"]} if family != "at_least_one" else {}),
                **({"empty": "unsatisfiable"} if empty else {}),
            }
        ],
    )


def expected_rows(case: dict[str, Any]) -> list[set[int]]:
    """For every row of the `for` the assignments of the present members that satisfy it."""
    n, signs = case["n"], case["signs"]
    present = [i for i in range(n) if case["present"] >> i & 1]
    rows = []
    for r in range((n + 1) // 2):
        k = case["bound"] + case["slope"] * r
        low, high = {
            "at_most_one": (0, 1),
            "at_least_one": (1, n),
            "exactly_one": (1, 1),
            "at_most": (0, k),
            "at_least": (k, n),
            "exactly": (k, k),
        }[case["family"]]
        fitting = set()
        for row in range(2 ** len(present)):
            true = {i for index, i in enumerate(present) if row >> index & 1}
            hold = sum((i in true) == bool(signs >> i & 1) for i in range(r, n))
            if low <= hold <= high:
                fitting.add(row)
        rows.append(fitting)
    return rows


@examples(150)
@given(cases())
def test_groups_with_known_literals_and_bounds_that_differ(case: dict[str, Any]) -> None:
    rows = expected_rows(case)
    assert projected_models(from_case(case, empty=True)) == set.intersection(*rows)
    if all(rows):
        assert clauses_of(from_case(case, False)) == clauses_of(from_case(case, True))
    else:
        with pytest.raises(InputError, match="where r = "):
            from_case(case, empty=False)


def test_large_groups_are_all_pairs_in_order() -> None:
    formula = make(
        variables={"X": {"for": "r in range(4), i in range(60)"}},
        constraints=[
            {"for": "r in range(4)", "at_most_one": "X[r, i] for i in range(20 * r)"},
            {"at_most_one": "not X[0, i] for i in range(30)"},
        ],
    )
    groups = [[-(60 * r + i + 1) for i in range(20 * r)] for r in range(4)] + [list(range(1, 31))]
    assert clauses_of(formula) == [list(pair) for g in groups for pair in combinations(g, 2)]
    assert formula.clauses == sum(comb(len(g), 2) for g in groups)


def test_a_true_literal_in_a_large_group_leaves_no_room() -> None:
    formula = make(
        variables={"X": {"for": "i in range(30)"}},
        constraints=[{"at_most_one": ["X[i] for i in range(30)", "true"]}],
    )
    assert clauses_of(formula) == [[-i] for i in range(1, 31)]


def test_impossible_bounds_give_an_empty_clause_if_declared() -> None:
    formula = group_formula(3, "at_least", 4)
    assert clauses_of(formula) == [[]]
    assert not is_satisfiable(formula)
