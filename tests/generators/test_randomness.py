"""Random functions against a second implementation in plain Python."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, islice

import numpy as np
import pytest
from helpers.formulas import clauses_of, make, models, models_of, shipped
from helpers.splitmix import below, column_by_column, words

from boardsat.generators import InputError, randomness
from boardsat.generators.language.values import Table
from boardsat.generators.randomness import samples
from boardsat.generators.randomness.splitmix64 import Stream

PUBLISHED_WORDS = {
    0: [16294208416658607535, 7960286522194355700, 487617019471545679],
    1234567: [6457827717110365317, 3203168211198807973, 9817491932198370423],
}
"""First words by seed, as published with SplitMix64 and in docs/spec-language.md."""


@pytest.mark.parametrize("seed", [*PUBLISHED_WORDS, 1, -1, 2**31 - 2, 2**64 - 1])
def test_stream_words_equal_splitmix64(seed):
    stream = Stream(seed)
    numbers = [number for count in (2, 0, 50) for number in stream.words(count).tolist()]
    assert numbers == [*islice(words(seed), 52)]
    assert numbers[:3] == PUBLISHED_WORDS.get(seed, numbers[:3])


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 1000, 2**31 - 1, 2**32 + 1, 2**61 + 3, 2**62])
def test_stream_below_rejects_same_words_as_reference(limit):
    source = words(9)
    assert Stream(9).below(limit, 300).tolist() == [below(source, limit) for _ in range(300)]


def test_numbers_and_subsets_are_uniform():
    counts = Counter(Stream(4).below(6, 60_000).tolist())
    assert sorted(counts) == [*range(6)] and all(abs(n - 10_000) < 500 for n in counts.values())
    rows = samples.subset_rows(Stream(3), 5, 3, 50_000)
    counts = Counter(map(tuple, rows.tolist()))
    assert sorted(counts) == [*combinations(range(5), 3)]
    assert all(abs(n - 5_000) < 350 for n in counts.values())


def reference_clauses(n: int, k: int, m: int, seed: int) -> list[tuple[int, ...]]:
    """Draw distinct clauses by the documented algorithm."""
    source = words(seed)
    clauses: dict[tuple[int, ...], None] = {}
    while len(clauses) < m:
        missing = m - len(clauses)
        rows = column_by_column(source, n, k, missing)
        signs = [*islice(source, missing)]
        for row, bits in zip(rows, signs, strict=True):
            clause = tuple((v + 1) * (1 if bits >> t & 1 else -1) for t, v in enumerate(row))
            clauses[clause] = None
    return [*clauses]


@pytest.mark.parametrize(("n", "k", "m"), [(5, 2, 15), (20, 3, 90), (6, 3, 79), (50, 1, 40)])
def test_random_clauses_equal_definition(n, k, m):
    formula = make(
        {"n": n, "k": k, "m": m, "seed": 7},
        params={"n": 1, "k": 1, "m": 1, "seed": 1},
        define={"F": "random_clauses(n, k, m, seed)"},
        variables={"X": {"for": "v in range(n)"}},
        constraints=[
            {"for": "c in range(m)", "clause": "X[v] == (sign == 1) for (v, sign) in F[c]"}
        ],
    )
    clauses = [*map(tuple, clauses_of(formula))]
    assert clauses == reference_clauses(n, k, m, 7)
    assert len(set(clauses)) == m


def literals(name: str, *arguments: object) -> list[tuple[int, ...]]:
    """Return the rows of a random function as literals."""
    keyed_set = randomness.functions()[name](*arguments)
    variables, signs = keyed_set.columns
    numbers = np.where(signs == 1, variables + 1, -variables - 1)
    return [*map(tuple, np.split(numbers, keyed_set.starts[1:-1]))]


@pytest.mark.parametrize(("n", "k", "m"), [(20, 3, 90), (6, 2, 20), (9, 1, 4)])
def test_planted_clauses_equal_definition(n, k, m):
    bits = words(5)
    hidden = [below(bits, 2) for _ in range(n)]
    source, clauses = words(7), dict[tuple[int, ...], None]()
    while len(clauses) < m:
        missing = m - len(clauses)
        rows = column_by_column(source, n, k, missing)
        for row, agree in zip(rows, [below(source, 2**k - 1) + 1 for _ in rows], strict=True):
            signs = [hidden[v] if agree >> t & 1 else 1 - hidden[v] for t, v in enumerate(row)]
            clauses[tuple((v + 1) * (2 * s - 1) for v, s in zip(row, signs, strict=True))] = None
    planted = Table(np.array(hidden))
    assert literals("random_clauses", n, k, m, 7, planted) == [*clauses]
    assert all(any((x > 0) == hidden[abs(x) - 1] for x in clause) for clause in clauses)


@pytest.mark.parametrize(("n", "k", "m"), [(20, 3, 60), (6, 2, 12), (9, 1, 4)])
def test_random_equations_equal_definition(n, k, m):
    source, equations = words(7), dict[tuple[tuple[int, ...], int], None]()
    while len(equations) < m:
        rows = column_by_column(source, n, k, m - len(equations))
        equations |= dict.fromkeys((row, below(source, 2)) for row in rows)
    expected = [
        tuple(v + 1 if t or odd else -v - 1 for t, v in enumerate(row)) for row, odd in equations
    ]
    assert literals("random_equations", n, k, m, 7) == expected
    hidden = [v % 3 == 0 for v in range(n)]
    planted = literals("random_equations", n, k, m, 7, Table(np.array(hidden, np.int64)))
    assert len({tuple(map(abs, row)) for row in planted}) == m
    assert all(sum((x > 0) == hidden[abs(x) - 1] for x in row) % 2 for row in planted)


@pytest.mark.parametrize("is_planted", [False, True])
def test_random_clauses_and_equations_are_uniform(is_planted):
    """Three variables have 12 clauses of 2 literals, 9 of them satisfied, and 6 equations."""
    hidden = [Table(np.array([1, 0, 1]))] if is_planted else []
    for name, total in (
        ("random_clauses", 9 if is_planted else 12),
        ("random_equations", 6 - 3 * is_planted),
    ):
        counts = Counter(literals(name, 3, 2, 1, seed, *hidden)[0] for seed in range(900))
        assert len(counts) == total
        assert all(abs(n - 900 / total) < 4 * (900 / total) ** 0.5 for n in counts.values())


def test_random_formulas_have_expected_number_of_models():
    """An assignment satisfies m distinct clauses with probability C(7T/8, m) / C(T, m).

    This holds for boardsat's formulas and for CNFgen's, whose clauses are drawn likewise.
    """
    import random

    from cnfgen import RandomKCNF

    n, k, m, repeats = 6, 3, 18, 100
    total = math.comb(n, k) * 2**k
    mean = 2**n * math.comb(total - total // 8, m) / math.comb(total, m)
    random.seed(1)
    formulas = [shipped("random_cnf/direct", n=n, k=k, m=m, seed=seed) for seed in range(repeats)]
    boardsat_counts = [len(models_of(formula)) for formula in formulas]
    cnfgen_counts = [len(models(n, [*RandomKCNF(k, n, m)])) for _ in range(repeats)]
    for counts in (boardsat_counts, cnfgen_counts):
        standard_error = np.std(counts) / repeats**0.5
        assert abs(np.mean(counts) - mean) < 3 * standard_error


@pytest.mark.parametrize(("n", "k"), [(4, 2), (3, 3), (5, 0), (3, 1)])
def test_maximum_number_of_clauses_and_subsets_are_all_of_them(n, k):
    total = math.comb(n, k) * 2**k
    clauses = randomness.functions()["random_clauses"](n, k, total, 1)
    rows = np.stack(clauses.columns, axis=1).reshape(total, k, 2).tolist()
    assert len({tuple(map(tuple, row)) for row in rows}) == total
    subsets = randomness.functions()["random_subsets"](n, k, math.comb(n, k), 1)
    rows = subsets.columns[0].reshape(math.comb(n, k), k).tolist()
    assert sorted(map(tuple, rows)) == [*combinations(range(n), k)]


def test_subsets_permutations_numbers_and_charges_equal_definition():
    def draw(name: str, *arguments: int) -> list[int]:
        drawn = randomness.functions()[name](*arguments)
        return (drawn.values if hasattr(drawn, "values") else drawn.columns[0]).tolist()

    source = words(11)
    rows: dict[tuple[int, ...], None] = {}
    while len(rows) < 40:
        rows |= dict.fromkeys(column_by_column(source, 9, 4, 40 - len(rows)))
    assert draw("random_subsets", 9, 4, 40, 11) == [v for row in rows for v in row]
    keys = [*islice(words(3), 30)]
    assert draw("random_permutation", 30, 3) == sorted(range(30), key=keys.__getitem__)
    source = words(8)
    assert draw("random_numbers", 20, 10, 8) == [below(source, 10) for _ in range(20)]
    for odd in (0, 1):
        source = words(6)
        bits = draw("random_charges", 9, odd, 6)
        assert bits[:-1] == [below(source, 2) for _ in range(8)]
        assert sum(bits) % 2 == odd
    assert draw("random_charges", 0, 0, 1) == draw("random_permutation", 0, 1) == []


@pytest.mark.parametrize(
    "call",
    [
        "random_permutation(2147483646, 1)",
        "random_numbers(2147483646, 2, 1)",
        "random_subsets(1000000, 20, 2147483646, 1)",
        "random_clauses(1000000, 60, 100000000, 1)",
        "random_charges(2147483646, 1, 1)",
        "random_equations(1000000, 60, 100000000, 1)",
    ],
)
def test_huge_draw_is_rejected_before_memory_is_allocated(call):
    with pytest.raises(InputError, match=r"'R' needs too much (time|memory)"):
        make(define={"R": call}, variables={"X": {}}, constraints=[{"clause": "X"}])
