"""Bounds of many literals: how large every encoding is, and which one their size chooses."""

from __future__ import annotations

import json
import re
import sys
from math import comb
from pathlib import Path

import pytest
from helpers.formulas import clauses_of, make
from helpers.literal_groups import group_formula, proper_bounds, size_of
from pysat.card import CardEnc, EncType

from boardsat.generators import Formula, InputError, build, encodings, parse
from boardsat.generators.dimacs.document import document
from boardsat.generators.encodings.card import auto

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
import bounds  # noqa: E402

CARD = encodings.names("card")
FAMILIES = {"at_most": CardEnc.atmost, "at_least": CardEnc.atleast, "exactly": CardEnc.equals}


@pytest.mark.parametrize("n", range(2, 12))
def test_sizes_as_published(n: int) -> None:
    for k in range(2, n - 1):
        counters = k * (n - k)
        for encoding, family, clauses in (
            ("sequential", "at_most", 2 * counters + n - 2 * k),
            ("sequential", "at_least", 2 * counters + 2 * k - n),
            ("sequential", "exactly", 4 * counters),
            ("counter", "at_most", 4 * counters - k),
            ("counter", "at_least", 4 * counters - n + k),
            ("counter", "exactly", 4 * counters),
        ):
            assert size_of(group_formula(n, family, k, encoding=encoding)) == (clauses, counters)
        assert size_of(group_formula(n, "at_most", k, encoding="binomial")) == (comb(n, k + 1), 0)
        assert size_of(group_formula(n, "at_least", k, encoding="binomial")) == (comb(n, k - 1), 0)
        clause_count = comb(n, k + 1) + comb(n, k - 1)
        assert size_of(group_formula(n, "exactly", k, encoding="binomial")) == (clause_count, 0)


@pytest.mark.parametrize("encoding", ["sequential", "counter"])
def test_one_or_all_but_one_is_a_clause(encoding: str) -> None:
    for n in (2, 3, 9):
        assert size_of(group_formula(n, "at_least", 1, encoding=encoding)) == (1, 0)
        assert size_of(group_formula(n, "at_most", n - 1, encoding=encoding)) == (1, 0)
        assert size_of(group_formula(n, "exactly", n, encoding=encoding)) == (n, 0)
        assert size_of(group_formula(n, "exactly", 0, encoding=encoding)) == (n, 0)


@pytest.mark.parametrize("k", [2, 3, 200, 397, 398])
def test_sequential_counter_is_at_most_as_large_as_in_python_sat(k: int) -> None:
    """For k near 0 and near n; `exactly k` uses one counter, PySAT uses two."""
    for family, theirs in FAMILIES.items():
        pysat_formula = theirs(list(range(1, 401)), k, encoding=EncType.seqcounter)
        clauses, fresh = size_of(group_formula(400, family, k, encoding="sequential"))
        assert clauses == len(pysat_formula.clauses)
        assert fresh == (pysat_formula.nv - 400) // (2 if family == "exactly" else 1)


@pytest.mark.parametrize("levels", range(1, 5))
def test_size_of_a_full_totalizer(levels: int) -> None:
    """Every level of the tree has an output for every input."""
    n = 2**levels
    assert size_of(group_formula(n, "at_most", n - 1, encoding="totalizer"))[1] == n * levels


@pytest.mark.parametrize("encoding", CARD)
def test_a_size_is_known_before_it_is_made(encoding: str) -> None:
    for n in (1, 2, 7, 12):
        for low, high in proper_bounds(n):
            pattern = encodings.pattern("card", encoding, n, low, high)
            assert len(pattern.tokens) == encodings.tokens("card", encoding, n, low, high)


def test_the_table_of_sizes_is_that_of_the_encodings() -> None:
    page = bounds.PAGE.read_text("utf-8")
    assert len(bounds.TABLE.findall(page)) == 1
    assert page == bounds.renewed(page), "python docs/site/bounds.py"


# Chosen by size.


def of_rows(*sizes: int, **settings: str) -> Formula:
    """A group of every size, each with two true literals."""
    sections = {
        "variables": {"X": {"for": f"r in range({len(sizes)}), i in range({max(sizes)})"}},
        "constraints": [
            {"name": f"row {r}", "exactly": 2, "of": f"X[{r}, i] for i in range({n})"}
            for r, n in enumerate(sizes)
        ],
    }
    return make(settings, count_preserving=True, **sections)


def test_small_groups_have_no_auxiliary_variables() -> None:
    for n in range(2, 19):
        assert auto.choose(n, 2, 2) == "binomial"
    assert (
        auto.choose(19, 2, 2) == auto.choose(375, 2, 2) == auto.choose(400, 398, 400) == "counter"
    )
    assert auto.choose(400, 200, 200) == "totalizer"


@pytest.mark.parametrize("n", [40, 64, 375])
def test_almost_the_smallest_that_keeps_counts_is_chosen(n: int) -> None:
    keeping = [name for name in CARD if encodings.load("card", name).COUNT_PRESERVING]
    for low, high in ((2, 2), (0, 3), (n - 2, n), (0, n // 2), (n // 3, n // 3)):
        tokens = encodings.tokens("card", "auto", n, low, high)
        least = min(encodings.tokens("card", name, n, low, high) for name in keeping)
        totalizer = auto.choose(n, low, high) == "totalizer"
        assert tokens == least or (totalizer and 3 * tokens <= 4 * least)


def test_a_bound_on_many_literals_needs_no_setting() -> None:
    formula = group_formula(375, "exactly", 2)
    assert formula.header.count_preserving
    assert formula.header.parameters["card"] == "counter"
    assert clauses_of(formula) == clauses_of(group_formula(375, "exactly", 2, encoding="counter"))


def test_one_choice_for_all_is_the_value_of_the_parameter() -> None:
    small, large = of_rows(5, 7), of_rows(40, 50)
    assert small.header.parameters["card"] == "binomial"
    assert large.header.parameters["card"] == "counter"
    for formula, sizes in ((small, (5, 7)), (large, (40, 50))):
        assert not formula.header.encodings
        rebuilt_formula = of_rows(*sizes, card=formula.header.parameters["card"])
        assert clauses_of(rebuilt_formula) == clauses_of(formula)
        assert rebuilt_formula.header == formula.header


def test_selected_encodings_are_recorded_by_constraint() -> None:
    formula = of_rows(5, 40)
    assert formula.header.parameters["card"] == "auto"
    encoding_counts = {"row 0": {"binomial": 1}, "row 1": {"counter": 1}}
    assert formula.header.encodings == encoding_counts
    preamble = next(iter(document(formula))).split(b"\n")[0].removeprefix(b"c boardsat ")
    assert json.loads(preamble)["encodings"] == encoding_counts
    small = clauses_of(of_rows(5, 40, card="binomial"))[:15]
    assert clauses_of(formula)[:15] == small


def test_rejected_encoding_names_an_accepted_one() -> None:
    text = (Path(__file__).parents[1] / "bad/constraints/encoding_too_large.yaml").read_text()
    with pytest.raises(InputError, match="`encoding: totalizer` takes less"):
        build(parse(text))
    assert build(parse(text.replace("binomial", "totalizer"))).clauses < 4000
    with pytest.raises(InputError, match=re.escape("--set card=counter takes less")):
        group_formula(375, "exactly", 3, settings={"card": "binomial"})
    assert group_formula(375, "exactly", 3, settings={"card": "counter"}).clauses == 4 * 3 * 372
