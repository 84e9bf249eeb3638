"""Subsets, permutations and tuples in `for`, against itertools; names bound to tuples."""

from __future__ import annotations

import math
from itertools import combinations, permutations, product

import numpy as np
import pytest
from helpers.formulas import chunks_of, clauses_of, count, make, members

from boardsat.generators import InputError
from boardsat.generators.language.combinations import CHOICES, MAX_COUNT

BY_ITERTOOLS = {
    "subsets": combinations,
    "permutations": permutations,
    "tuples": lambda items, k: product(items, repeat=k),
}


@pytest.mark.parametrize("name", CHOICES)
def test_every_choice_has_its_position(name):
    choice, expected = CHOICES[name], BY_ITERTOOLS[name]
    sizes = {(n, k): [*expected(range(n), k)] for n in range(7) for k in range(min(n + 2, 6))}
    for k in range(6):
        rows = [
            (n, index) for (n, j), all_ in sizes.items() if j == k for index in range(len(all_))
        ]
        n, position = np.array(rows, np.int64).reshape(-1, 2).T
        counts = choice.count(np.arange(7), k)
        assert counts.tolist() == [len([*expected(range(n), k)]) for n in range(7)]
        actual = np.stack([*choice.at(k, n, position), np.zeros(len(n))][: max(k, 1)], axis=1)
        choices = [sizes[n, k][index] or (0,) for n, index in rows]
        assert [*map(tuple, actual.tolist())] == choices


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("subsets", math.comb),
        ("permutations", math.perm),
        ("tuples", lambda n, k: n**k),
    ],
)
def test_how_many_there_are_is_exact_or_too_many(name, number):
    n = np.array([*range(50), 64, 1000, 65536, 10**6, 2**31 - 2])
    for k in (0, 1, 2, 3, 5, 20, 38, 40):
        expected = [min(number(num_vertices, k), MAX_COUNT) for num_vertices in n.tolist()]
        assert CHOICES[name].count(n, k).tolist() == expected


def test_subsets_of_many_are_found_from_the_last_one_on():
    n, k = 200, 5
    last = math.comb(n, k) - 1
    position = np.array([0, 1, last // 2, last - 1, last])
    rows = np.stack(CHOICES["subsets"].at(k, np.array([n]), position), axis=1).tolist()
    assert [rows[0], rows[1], rows[3], rows[4]] == [
        [0, 1, 2, 3, 4],
        [0, 1, 2, 3, 5],
        [194, 196, 197, 198, 199],
        [195, 196, 197, 198, 199],
    ]
    rank = last - sum(math.comb(n - 1 - x, k - j) for j, x in enumerate(rows[2]))
    assert rank == last // 2


def test_ramsey_by_subsets_equals_its_definition():
    n, s, k = 6, 3, 4
    formula = make(
        variables={"E": {"for": "(i, j) in pairs(range(6))"}},
        constraints=[
            {"for": f"S in subsets(range(6), {s})", "clause": "E[i, j] for (i, j) in pairs(S)"},
            {"for": f"S in subsets(range(6), {k})", "clause": "not E[e] for e in pairs(S)"},
        ],
    )
    edge = {pair: index for index, pair in enumerate(combinations(range(n), 2), 1)}
    assert members(formula, "E") == edge
    red = [[edge[e] for e in combinations(S, 2)] for S in combinations(range(n), s)]
    blue = [[-edge[e] for e in combinations(S, 2)] for S in combinations(range(n), k)]
    assert clauses_of(formula) == red + blue


@pytest.mark.parametrize(("n", "d", "matchings"), [(6, 2, 15), (6, 3, 10), (5, 2, 0), (4, 1, 1)])
def test_variable_may_be_indexed_by_a_set(n, d, matchings):
    formula = make(
        {"n": n, "d": d},
        params={"n": 6, "d": 2},
        variables={"X": {"for": "S in subsets(range(n), d)", "description": "{S + 1} is a block"}},
        constraints=[
            {"for": "i in range(n)", "exactly_one": "X[S] for S in subsets(range(n), d) if i in S"}
        ],
    )
    assert list(members(formula, "X")) == [*combinations(range(n), d)]
    description = formula.header.variables[0].description
    assert description == ", ".join(f"{{S_{k} + 1}}" for k in range(d)) + " is a block"
    assert count(formula) == matchings


def test_a_set_of_tuples_can_be_bound_as_one_name():
    """Components, membership, size, smallest; as an index, a key, and in another set."""
    formula = make(
        board={"shape": "grid", "rows": 3, "cols": 3, "moves": "wazir"},
        define={
            "long": {
                "for": "p in permutations(range(4), 3)",
                "if": "p[0] < p[2] and 3 not in p and min(p) == 0 and len(p) == 3",
                "give": "p",
            },
            "at": {"for": "e in edges, v in e", "by": "v", "give": "e"},
            "weight": "t[0] + 2 * t[1] for t in tuples(range(2), 2)",
        },
        variables={"E": {"for": "e in edges", "if": "e[0] > 0"}, "X": {"for": "p in long"}},
        constraints=[
            {"for": "v in cells", "clause": ["E[e] for e in at[v]", "X[0, 1, 2]"]},
            {"for": "(e, f) in pairs(edges)", "if": "e[1] in f", "clause": "not E[e] or not E[f]"},
            {"for": "t in tuples(range(2), 2)", "if": "weight[t] == 2", "clause": "X[0, 1, 2]"},
        ],
    )
    edges = [(i, j) for i in range(9) for j in range(i, 9) if j - i == 3 or (j == i + 1 and j % 3)]
    present = [e for e in edges if e[0]]
    e = {edge: index for index, edge in enumerate(present, 1)}
    assert members(formula, "E") == e
    orders = [(0, 1, 2), (0, 2, 1), (1, 0, 2)]
    x = {p: len(present) + index for index, p in enumerate(orders, 1)}
    assert members(formula, "X") == x
    first = x[0, 1, 2]
    stars = [[*(e[edge] for edge in present if v in edge), first] for v in range(9)]
    meeting = [[-e[a], -e[b]] for a, b in combinations(edges, 2) if a[1] in b and a in e and b in e]
    assert clauses_of(formula) == [*stars, *meeting, [first]]


def test_membership_of_a_tuple_is_accepted():
    formula = make(
        define={"P": {"for": "S in subsets(range(4), 2)", "if": "S[0] + S[1] != 3", "give": "S"}},
        variables={"X": {"for": "S in subsets(range(4), 2)"}},
        constraints=[{"for": "S in subsets(range(4), 2)", "if": "S in P", "clause": "X[S]"}],
    )
    assert clauses_of(formula) == [[1], [2], [5], [6]]


def test_lookup_in_a_defined_relation_accepts_numbers_and_tuples():
    formula = make(
        board={"shape": "grid", "rows": 2, "cols": 2, "moves": "wazir"},
        define={"at": {"for": "e in edges", "by": "e[0]", "give": "e"}},
        variables={"X": {"for": "i in cells, j in cells"}},
        constraints=[
            {"for": "i in cells, j in cells", "if": "j in neighbours[i]", "clause": "X[i, j]"},
            {"for": "e in pairs(cells)", "if": "e not in at[e[0]]", "clause": "not X[e]"},
        ],
    )
    moves = [(0, 1), (0, 2), (1, 0), (1, 3), (2, 0), (2, 3), (3, 1), (3, 2)]
    assert clauses_of(formula) == [[4 * i + j + 1] for i, j in moves] + [[-4], [-7]]


def test_no_number_is_chosen_in_one_way():
    formula = make(
        variables={"X": {"for": "i in range(3)"}, "Y": {"for": "S in subsets(range(3), 0)"}},
        constraints=[
            {"for": "S in subsets(range(3), 0), i in range(2)", "clause": ["X[i]", "Y[S]"]},
            {"for": "S in subsets(range(2), 3)", "clause": "X[0]"},
            {"for": "p in permutations(range(0))", "clause": ["X[2]", "X[i] for i in p"]},
        ],
    )
    assert clauses_of(formula) == [[1, 4], [2, 4], [3]]


def test_an_error_shows_the_tuple():
    with pytest.raises(InputError, match=r"X\[3\] was not declared where S = \(0, 3\), i = 3"):
        make(
            variables={"X": {"for": "i in range(3)"}},
            constraints=[{"for": "S in subsets(range(4), 2), i in S", "clause": "X[i]"}],
        )


BOMBS = {
    "subsets": "S in subsets(range(1000000), 20)",
    "of all": "S in subsets(range(2147483646), 40)",
    "of pairs": "(a, b) in pairs(range(2147483646))",
    "permutations": "p in permutations(range(40))",
    "tuples": "t in tuples(range(9), 40)",
    "of rows": "n in range(1000), S in subsets(range(n), 9)",
    "of subsets": "S in subsets(range(40), 20), T in subsets(S, 10)",
}


@pytest.mark.parametrize("kind", BOMBS)
@pytest.mark.parametrize("section", ["define", "variable", "constraint", "list"])
def test_too_many_choices_are_rejected_before_allocation(kind, section):
    bindings = BOMBS[kind]
    sections = {
        "define": {"define": {"D": {"for": bindings, "give": "0"}}},
        "variable": {"variables": {"X": {"for": "i in range(3)"}, "Y": {"for": bindings}}},
        "constraint": {"constraints": [{"for": bindings, "clause": "X[0]"}]},
        "list": {"constraints": [{"clause": f"X[0] for {bindings}"}]},
    }
    usual = {
        "variables": {"X": {"for": "i in range(3)"}},
        "constraints": [{"clause": "X[0]"}],
    }
    with pytest.raises(InputError, match=r"too much|too large|span"):
        make(**(usual | sections[section]))


def test_chunks_do_not_show():
    sections = {
        "variables": {"X": {"for": "S in subsets(range(6), 3)"}},
        "constraints": [
            {"for": "S in subsets(range(6), 4)", "clause": "not X[T] for T in subsets(S, 3)"},
            {"for": "p in permutations(range(5), 3)", "if": "p[0] < p[1] < p[2]", "clause": "X[p]"},
        ],
    }
    expected = clauses_of(make(**sections))
    for chunk in (1, 2, 3, 7):
        with chunks_of(chunk):
            assert clauses_of(make(**sections)) == expected


# One of each, distinct numbers, and sizes that differ.

NEAR = {
    "near": {
        "for": "i in range(5), j in range(5)",
        "if": "(i * j + i) % 3 != 1 and i < 4",
        "give": "j",
        "by": "i",
    }
}
LISTS = [[j for j in range(5) if (i * j + i) % 3 != 1] for i in range(4)]


@pytest.mark.parametrize("k", range(4))
@pytest.mark.parametrize("chunk", [1, 7, 2**15])
def test_one_of_each_is_a_product(k, chunk):
    with chunks_of(chunk):
        formula = make(
            {"k": k},
            params={"k": 1},
            define=NEAR,
            variables={"X": {"for": "i in range(4), j in range(5)"}},
            constraints=[
                {
                    "for": "S in subsets(range(4), k), T in one_of_each(near, S)",
                    "clause": ["X[S[i], T[i]] for i in range(k)", "not X[0, 0]"],
                }
            ],
        )
    expected = [
        [*(5 * i + j + 1 for i, j in zip(chosen, items, strict=True)), -1]
        for chosen in combinations(range(4), k)
        for items in product(*(LISTS[i] for i in chosen))
    ]
    assert clauses_of(formula) == expected


@pytest.mark.parametrize("k", range(4))
def test_distinct_numbers_of_a_tuple_keep_their_first_position(k):
    formula = make(
        {"k": k},
        params={"k": 1},
        variables={"X": {"for": "i in range(3)"}},
        constraints=[
            {"for": "S in tuples(range(3), k)", "clause": ["X[i] for i in distinct(S)", "not X[0]"]}
        ],
    )
    expected = [
        [*(i + 1 for i in dict.fromkeys(chosen)), -1] for chosen in product(range(3), repeat=k)
    ]
    assert clauses_of(formula) == expected


def test_for_each_size_binds_a_number_in_every_expression():
    """Sizes differ from one to the next, and so do bounds; equal values are one."""
    formula = make(
        define={"sizes": {"for": "i in range(5)", "give": "4 - i // 2"}},
        variables={"X": {"for": "i in range(4)"}},
        constraints=[
            {
                "for_each_size": "k in sizes",
                "if": "k != 3",
                "for": "S in subsets(range(4), k)",
                "clause": "X[i] for i in S",
            },
            {
                "for_each_size": "k in range(2, 4)",
                "at_most": "k",
                "of": "X[i] for i in range(k + 1)",
            },
            {"for_each_size": "k in range(0)", "clause": "X[k]"},
        ],
    )
    assert sorted(clauses_of(formula)) == sorted(
        [
            *([a + 1, b + 1] for a, b in combinations(range(4), 2)),
            [1, 2, 3, 4],
            [-1, -2, -3],
            [-1, -2, -3, -4],
        ]
    )


def test_auxiliary_variables_of_rows_are_disjoint():
    spec = {
        "variables": {"X": {"for": "i in range(9)"}},
        "constraints": [
            {
                "for_each_size": "k in range(4, 6)",
                "at_most": "k",
                "of": "X[i] for i in range(9)",
                "encoding": "totalizer",
            }
        ],
    }
    assert count(make(**spec), range(1, 10)) == sum(math.comb(9, k) for k in range(5))
