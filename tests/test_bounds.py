"""Bounds of many literals: how large every encoding is, and which one their size chooses."""

from __future__ import annotations

from math import comb

import pytest
from groups import group, size
from pysat.card import CardEnc, EncType

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
            assert size(group(n, family, k, encoding=encoding)) == (clauses, counters)
        assert size(group(n, "at_most", k, encoding="binomial")) == (comb(n, k + 1), 0)
        assert size(group(n, "at_least", k, encoding="binomial")) == (comb(n, k - 1), 0)
        both = comb(n, k + 1) + comb(n, k - 1)
        assert size(group(n, "exactly", k, encoding="binomial")) == (both, 0)


@pytest.mark.parametrize("encoding", ["sequential", "counter"])
def test_one_or_all_but_one_is_a_clause(encoding: str) -> None:
    for n in (2, 3, 9):
        assert size(group(n, "at_least", 1, encoding=encoding)) == (1, 0)
        assert size(group(n, "at_most", n - 1, encoding=encoding)) == (1, 0)
        assert size(group(n, "exactly", n, encoding=encoding)) == (n, 0)
        assert size(group(n, "exactly", 0, encoding=encoding)) == (n, 0)


@pytest.mark.parametrize("k", [2, 3, 200, 397, 398])
def test_a_sequential_counter_is_no_larger_than_that_of_python_sat(k: int) -> None:
    """Neither for few nor for nearly all; exactly k counts once, and theirs twice."""
    for family, theirs in FAMILIES.items():
        other = theirs(list(range(1, 401)), k, encoding=EncType.seqcounter)
        clauses, fresh = size(group(400, family, k, encoding="sequential"))
        assert clauses == len(other.clauses)
        assert fresh == (other.nv - 400) // (2 if family == "exactly" else 1)


@pytest.mark.parametrize("levels", range(1, 5))
def test_size_of_a_full_totalizer(levels: int) -> None:
    """Every level of the tree has an output for every input."""
    n = 2**levels
    assert size(group(n, "at_most", n - 1, encoding="totalizer"))[1] == n * levels
