"""Parity constraints: every encoding against brute force and CNFgen, and Tseitin formulas."""

from __future__ import annotations

from typing import Any

import cnfgen
import networkx
import pytest
from helpers.formulas import (
    chunks_of,
    clauses_of,
    count,
    examples,
    extendable_assignments,
    is_satisfiable,
    make,
)
from hypothesis import given
from hypothesis import strategies as st

from boardsat.generators import Formula, InputError, encodings

METHODS = encodings.names("xor")


def equation(n: int, equals: Any, **options: Any) -> Formula:
    return make(
        options.pop("settings", {}),
        count_preserving=True,
        variables={"X": {"for": f"i in range({n})"}},
        constraints=[{"xor": f"X[i] for i in range({n})", "equals": equals, **options}],
    )


@pytest.mark.parametrize("method", METHODS)
def test_every_encoding_has_the_models_of_the_parity_each_once(method):
    for n in range(1, 11):
        for odd in (0, 1):
            formula = equation(n, odd, settings={"xor": method})
            assert formula.header.count_preserving
            extended = list(extendable_assignments(n, clauses_of(formula)))
            assert all(unique for _, unique in extended)
            expected = {row for row in range(2**n) if row.bit_count() % 2 == odd}
            assert {row for row, _ in extended} == expected


@pytest.mark.parametrize("method", METHODS)
def test_every_encoding_knows_its_size(method):
    for n in [*range(1, 14), 30, 31, 100, 1001]:
        if (n > 13) and method == "direct":
            continue
        pattern = encodings.pattern("xor", method, n, 1, 1)
        assert len(pattern.tokens) == encodings.tokens("xor", method, n, 1, 1)
        if method in ("chain", "tree") and n > 4:
            assert (n - 4) // 2 <= pattern.num_auxiliary <= n // 2
            assert max(map(len, split(pattern.tokens.tolist()))) == 4


def split(tokens: list[int]) -> list[list[int]]:
    clauses = " ".join(map(str, tokens)).split(" 0")
    return [[*map(int, token.split())] for token in clauses if token.strip()]


@pytest.mark.parametrize("constant", [0, 1])
def test_written_out_it_has_the_clauses_of_cnfgen_in_their_order(constant):
    for n in range(1, 8):
        theirs = cnfgen.CNF()
        theirs.add_parity([*range(1, n + 1)], constant)
        formula = equation(n, constant)
        assert clauses_of(formula) == [list(clause) for clause in theirs]
        assert formula.header.parameters["xor"] == "direct"


TERMS = st.lists(
    st.sampled_from([*(f"{sign}X[{i}]" for sign in ("", "not ") for i in range(4))])
    | st.sampled_from(["true", "false", "2 < 1", "Y[1]", "not Y[1]", "X[2] == (1 < 2)"]),
    min_size=1,
    max_size=9,
)


@examples(60)
@given(TERMS, st.sampled_from(["0", "1", "true", "false", "7", "2 > 1"]), st.sampled_from(METHODS))
def test_literals_that_are_known_or_occur_again(terms, equals, method):
    """Y[1] is left out by its `if`, and so false."""
    formula = make(
        {"xor": method},
        count_preserving=True,
        variables={"X": {"for": "i in range(4)"}, "Y": {"for": "i in range(2)", "if": "i == 0"}},
        constraints=[{"xor": terms, "equals": equals, "empty": "unsatisfiable"}],
    )
    odd = eval(equals, {"true": True, "false": False}) % 2

    def holds(row: int) -> bool:
        names = {"X": [row >> i & 1 for i in range(4)], "Y": [0, 0], "true": 1, "false": 0}
        return sum(bool(eval(term, names)) for term in terms) % 2 == odd

    assignments = list(extendable_assignments(5, clauses_of(formula)))
    assert all(unique for _, unique in assignments)
    assert {row for row, _ in assignments} == {row for row in range(32) if holds(row)}


GRAPHS = {
    "cycle": networkx.cycle_graph(5),
    "complete": networkx.complete_graph(5),
    "star": networkx.star_graph(8),
    "cube": networkx.hypercube_graph(3),
    "two parts": networkx.disjoint_union(networkx.path_graph(3), networkx.complete_graph(3)),
}


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("odd_vertices", [1, 2])
def test_tseitin_formulas_have_a_power_of_two_of_models(name, method, odd_vertices):
    """For even charges of every part, one for each element of the space of cycles."""
    graph = networkx.convert_node_labels_to_integers(GRAPHS[name])
    at = {v: [index for index, e in enumerate(graph.edges) if v in e] for v in graph}
    formula = make(
        {"xor": method},
        count_preserving=True,
        variables={"E": {"for": f"e in range({graph.number_of_edges()})"}},
        constraints=[
            {"xor": [f"E[{e}]" for e in at[v]], "equals": int(v < odd_vertices)} for v in graph
        ],
    )
    components = [*networkx.connected_components(graph)]
    solvable = all(sum(v < odd_vertices for v in component) % 2 == 0 for component in components)
    dimension = graph.number_of_edges() - len(graph) + len(components)
    assert count(formula) == (2**dimension if solvable else 0)


def test_rows_of_different_lengths_stay_in_order():
    sections: dict[str, Any] = {
        "variables": {"X": {"for": "i in range(12)"}},
        "constraints": [
            {
                "for": "k in range(12), r in range(2)",
                "if": "k > 0 or r == 0",
                "xor": "X[i] for i in range(k)",
                "equals": "k + r",
            }
        ],
    }
    expected = clauses_of(make(**sections))
    for chunk in (1, 2, 5, 40):
        with chunks_of(chunk):
            assert clauses_of(make(**sections)) == expected
    assert expected[:4] == [[1], [-1], [1, -2], [-1, 2]]


def test_header_records_the_selected_encoding():
    mixed = make(
        variables={"X": {"for": "i in range(12)"}},
        constraints=[
            {"name": "parities", "for": "k in range(6, 10)", "xor": "X[i] for i in range(k)"}
            | {"equals": "1"},
            {"name": "two", "exactly": "2", "of": "X[i] for i in range(4)"},
        ],
    )
    assert mixed.header.parameters == {"card": "binomial", "xor": "auto"}
    assert mixed.header.encodings == {"parities": {"direct": 2, "chain": 2}}
    assert equation(30, 1).header.parameters["xor"] == "chain"


def test_a_long_one_is_short_and_written_out_it_is_refused():
    formula = equation(2000, 1)
    assert formula.clauses < 4 * 2000
    assert is_satisfiable(formula)
    with pytest.raises(InputError, match=r"--set xor=chain takes less"):
        equation(40, 1, settings={"xor": "direct"})
    with pytest.raises(InputError, match=r"`encoding: chain` takes less"):
        equation(2000, 1, encoding="direct")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [0, 1, 4, 5, 8])
def test_a_sum_that_need_not_hold_always(method, n):
    """Auxiliary variables are determined even if the guard is false."""
    formula = make(
        {"xor": method},
        count_preserving=True,
        variables={
            "X": {"for": f"i in range({n})"},
            "A": {"for": "i in range(3)", "if": "i < 2"},
        },
        constraints=[
            {
                "xor": f"X[i] for i in range({n})",
                "equals": "1",
                "when": ["A[0]", "not A[i] for i in range(1, 3)"],
            }
        ],
    )
    extended = list(extendable_assignments(n + 2, clauses_of(formula)))
    assert all(unique for _, unique in extended) and formula.header.count_preserving
    expected = {
        row for row in range(2 ** (n + 2)) if row >> n != 1 or (row % 2**n).bit_count() % 2 == 1
    }
    assert {row for row, _ in extended} == expected


def test_xor_with_a_false_guard_has_no_clauses():
    sparse = {"for": "i in range(2)", "if": "i == 0"}
    for when, clauses in (("A[1]", 0), ("not A[1]", 2), ("A[0]", 2)):
        formula = make(
            variables={"X": {"for": "i in range(2)"}, "A": sparse},
            constraints=[{"xor": "X[i] for i in range(2)", "equals": "0", "when": when}],
        )
        assert formula.clauses == clauses
