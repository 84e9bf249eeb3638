"""Sizes of weighted sums: of every encoding, of the selected one, and limits."""

from __future__ import annotations

import time
from itertools import product
from typing import Any

import numpy as np
import pytest
from helpers.formulas import clauses_of, make, mostly_slow

from boardsat.generators import Formula, InputError
from boardsat.generators.encodings import Weights
from boardsat.generators.encodings.pb import adder, auto, bdd, gte


def of_sum(n: int, text: str, settings: Any = None, **keys: Any) -> Formula:
    """One sum over n variables, counted over them."""
    return make(
        settings,
        count_preserving=True,
        variables={"X": {"for": f"i in range({n})"}},
        constraints=[{"sum": text, **keys}],
    )


WEIGHTS = tuple(sorted((3 + 7 * i % 20 for i in range(20)), reverse=True))


def test_equal_weights_make_a_diagram_of_a_counter() -> None:
    """The decision diagram has the nodes of a sequential counter, except the first and the last."""
    for n, k in ((6, 2), (9, 4)):
        weights = Weights((1,) * n, (1,) * n)
        assert bdd.clauses(np.arange(1, n + 1), weights, 0, k, n + 1)[1] == (k + 1) * (n - k) - 2


def test_number_of_adders_equals_number_of_bits() -> None:
    n, weights = 8, Weights((1,) * 8, (1,) * 8)
    _, used = adder.clauses(np.arange(1, n + 1), weights, 0, 4, n + 1)
    # Eight bits of value 1 take three full adders and a half one, then 4 and then 2 carries more.
    assert used == 2 * ((3 + 1) + (1 + 1) + 1)


def test_a_sum_of_two_numbers_takes_no_auxiliary_variables() -> None:
    """One clause for each value of one number, with the least excessive value of the other."""
    numbers = Weights((1,) * 8 + (1,) * 8, (8, 8))
    tokens, used = gte.clauses(np.arange(1, 17), numbers, 0, 8, 17)
    assert used == 0 and np.count_nonzero(tokens == 0) == 8


def test_count_preserving_sums_are_not_much_larger_than_in_python_sat() -> None:
    pytest.importorskip("pindakaas")  # by which PySAT encodes sums
    from pysat.pb import EncType, PBEnc

    n = len(WEIGHTS)
    unit_weights = Weights(WEIGHTS, (1,) * n)
    for bound in (30, 60, 100):
        theirs = PBEnc.atmost(list(range(1, n + 1)), list(WEIGHTS), bound, encoding=EncType.bdd)
        _, used = bdd.clauses(np.arange(1, n + 1), unit_weights, 0, bound, n + 1)
        assert used <= 1.2 * (theirs.nv - n)


def test_the_size_chooses() -> None:
    unit_weights = (1,) * 20
    assert auto.choose(Weights(WEIGHTS, unit_weights), 0, 60) == "bdd"
    assert auto.choose(Weights((1,) * 24, (8, 8, 8)), 12, 12) == "gte"
    huge = Weights(tuple(10**8 + 9973 * i**3 % 10**8 for i in range(40)), (1,) * 40)
    assert auto.choose(huge, 0, sum(huge.values) // 2) == "adder"


def test_selected_encoding_is_recorded_and_rebuilds_the_file() -> None:
    text = " + ".join(f"{w} * X[{i}]" for i, w in enumerate(WEIGHTS))
    single = of_sum(20, f"{text} <= 60")
    assert single.header.parameters == {"card": "auto", "pb": "bdd"}
    assert not single.header.encodings
    equal = "sum(X[i] for i in range(20)) <= 7"
    sections = {
        "count_preserving": True,
        "variables": {"X": {"for": "i in range(20)"}},
        "constraints": [{"name": "a", "sum": f"{text} <= 60"}, {"name": "b", "sum": equal}],
    }
    two_sums = make(**sections)
    assert two_sums.header.parameters == {"card": "totalizer", "pb": "bdd"}
    rebuilt = make(two_sums.header.parameters, **sections)
    assert clauses_of(rebuilt) == clauses_of(two_sums)
    assert rebuilt.header == two_sums.header


# Limits.


BOMBS = {
    "weights": "sum((i * 79190 % 1000003 + 1) * X[i] for i in range(n)) <= 250000000",
    "rows": "sum((i * r + 1) * X[i] for i in range(n)) <= 3 * r + 1000",
    "products": "sum(X[i] for i in range(n), j in range(n), k in range(n)) <= 3",
}


@pytest.mark.parametrize(
    ("bomb", "name"), mostly_slow(product(BOMBS, ["bdd", "gte"]), [("products", "gte")])
)
def test_bombs_are_refused_in_seconds(bomb: str, name: str) -> None:
    began = time.process_time()
    with pytest.raises(InputError, match="needs too much"):
        make(
            {"n": 2000, "pb": name},
            params={"n": 1},
            variables={"X": {"for": "i in range(n)"}},
            constraints=[
                {
                    **({"for": "r in range(n)"} if bomb == "rows" else {}),
                    "sum": BOMBS[bomb],
                    "empty": "unsatisfiable",
                }
            ],
        )
    assert time.process_time() - began < 20


def test_rejected_encoding_names_an_accepted_one() -> None:
    text = "sum((i * 79190 % 1000003 + 1) * X[i] for i in range(90)) <= 20000000"
    with pytest.raises(InputError, match="--set pb=adder takes less"):
        of_sum(90, text, {"pb": "bdd"})
    assert of_sum(90, text).header.parameters["pb"] == "adder"


def test_equal_sums_of_many_rows_are_encoded_at_once() -> None:
    formula = make(
        variables={"X": {"for": "r in range(4000), i in range(12)"}},
        constraints=[
            {"for": "r in range(4000)", "sum": "sum((i % 5 + 1) * X[r, i] for i in range(12)) <= 9"}
        ],
    )
    assert formula.clauses % 4000 == 0
    began = time.process_time()
    row_by_row = make(
        variables={"X": {"for": "r in range(4000), i in range(12)"}},
        constraints=[
            {"for": "r in range(4000)", "sum": "sum((i % 5 + 1) * X[r, i] for i in range(12)) <= 9"}
        ],
    )
    assert row_by_row.literals == formula.literals
    assert time.process_time() - began < 5
