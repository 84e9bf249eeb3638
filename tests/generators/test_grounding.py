"""`for` and `if` against nested loops of Python, whatever the chunks; and sparse variables."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations, product
from typing import Any, NamedTuple
from unittest import mock

import pytest
from helpers.formulas import (
    Clauses,
    chunks_of,
    clauses_of,
    examples,
    make,
    members,
    shipped,
    text_of,
)
from hypothesis import given
from hypothesis import strategies as st

from boardsat.generators import InputError, formula
from boardsat.generators.language import layout

TRUE = 10**6
FALSE = -TRUE

DEFINE = {
    "S": {"for": "k in range(6)", "give": "k * k % 7"},
    "P": {"for": "k in range(3), l in range(k, 3)", "if": "k + l != 3", "give": "l, k - l"},
    "K": {"for": "k in range(8)", "if": "k != 4", "by": "k * k % 5"},
    "Q": {"for": "k in range(7)", "give": "k, k % 3", "by": "k % 2, k % 3"},
}
VARIABLES = {
    "X": {"for": "i in range(5)"},
    "Y": {"for": "i in range(3), j in range(5)", "if": "(i + j) % 3 != 0"},
}


class Members(dict[Any, int]):
    """Variable for Python's eval: a number for every index, FALSE for omitted members."""

    def __missing__(self, index: Any) -> int:
        return FALSE


NAMES: dict[str, Any] = {
    "pairs": lambda items: combinations(items, 2),
    "subsets": combinations,
    "permutations": permutations,
    "tuples": lambda items, k: product(items, repeat=k),
    "S": [k * k % 7 for k in range(6)],
    "P": [(m, k - m) for k in range(3) for m in range(k, 3) if k + m != 3],
    "K": [[k for k in range(8) if k != 4 and k * k % 5 == key] for key in range(5)],
    "Q": {
        (a, b): [(k, k % 3) for k in range(7) if (k % 2, k % 3) == (a, b)]
        for a, b in product(range(2), range(3))
    },
    "X": Members({i: i + 1 for i in range(5)}),
    "Y": Members(
        {
            index: 6 + position
            for position, index in enumerate(
                (i, j) for i in range(3) for j in range(5) if (i + j) % 3 != 0
            )
        }
    ),
}


class Loops(NamedTuple):
    """A `for`, an `if` and a clause, as texts that Python reads alike."""

    bindings: list[str]
    condition: str
    literals: list[str]
    listed: str

    def by_spec(self) -> Clauses:
        members = [*self.literals, self.listed] if self.listed else self.literals
        constraint = {
            "for": ", ".join(self.bindings),
            "if": self.condition,
            "clause": members,
            "empty": "unsatisfiable",
        }
        return clauses_of(make(define=DEFINE, variables=VARIABLES, constraints=[constraint]))

    def by_python(self) -> Clauses:
        loops = " ".join(f"for {binding}" for binding in self.bindings)
        inner = [literal.replace("not ", "-") for literal in self.literals]
        inner += [f"*[{self.listed.replace('not ', '-')}]"] if self.listed else []
        rows = eval(f"[[{', '.join(inner)}] {loops} if {self.condition}]", NAMES)
        return [[x for x in row if x != FALSE] for row in rows if TRUE not in row]


@st.composite
def terms(draw: Callable[..., Any], names: list[str]) -> str:
    """A small number that depends on a name or two."""
    if not names or draw(st.integers(0, 3)) == 0:
        return str(draw(st.integers(0, 3)))
    name, second_name = draw(st.sampled_from(names)), draw(st.sampled_from(names))
    return draw(st.sampled_from([name, f"{name} + 1", f"{name} - {second_name}", f"2 - {name}"]))


@st.composite
def bindings(draw: Callable[..., Any], names: list[str], fresh: str) -> tuple[str, list[str]]:
    term = terms(names)
    kinds = ["range", "range2", "range3", "set", "pairs", "keyed", "chosen", "chosen2", "two"]
    match draw(st.sampled_from(kinds)):
        case "range":
            return f"{fresh} in range({draw(term)})", [fresh]
        case "range2":
            return f"{fresh} in range({draw(term)}, {draw(term)} + 2)", [fresh]
        case "range3":
            return f"{fresh} in range({draw(term)}, 6, {draw(st.integers(1, 3))})", [fresh]
        case "set":
            return f"{fresh} in S", [fresh]
        case "pairs":
            return f"({fresh}, {fresh}{fresh}) in P", [fresh, fresh * 2]
        case "keyed":
            return f"{fresh} in K[({draw(term)}) % 5]", [fresh]
        case "chosen":
            items = draw(st.sampled_from([f"range({draw(term)})", f"K[({draw(term)}) % 5]", "S"]))
            return f"({fresh}, {fresh}{fresh}) in pairs({items})", [fresh, fresh * 2]
        case "chosen2":
            items = draw(st.sampled_from([f"range({draw(term)})", f"K[({draw(term)}) % 5]"]))
            choice = draw(st.sampled_from(["subsets", "permutations", "tuples"]))
            chosen = f"{fresh}T in {choice}({items}, 2) for {fresh} in {fresh}T"
            return chosen, [fresh, f"{fresh}T[0]", f"{fresh}T[1]"]
    keys = f"({draw(term)}) % 2, ({draw(term)}) % 3"
    return f"({fresh}, {fresh}{fresh}) in Q[{keys}]", [fresh, fresh * 2]


@st.composite
def loops(draw: Callable[..., Any]) -> Loops:
    names: list[str] = []
    texts = []
    for fresh in "abc"[: draw(st.integers(1, 3))]:
        text, bound = draw(bindings(names, fresh))
        texts.append(text)
        names += bound
    signs = st.sampled_from(["<", "!=", ">=", "=="])

    def condition(names: list[str]) -> str:
        return f"{draw(terms(names))} {draw(signs)} {draw(terms(names))}"

    def literal(names: list[str]) -> str:
        index = draw(terms(names))
        member = f"X[({index}) % 5]"
        if draw(st.booleans()):
            member = f"Y[({index}) % 3, ({draw(terms(names))}) % 5]"
        return draw(st.sampled_from(["", "not "])) + member

    conditions = [condition(names) for _ in range(draw(st.integers(1, 3)))]
    listed = ""
    if draw(st.booleans()):
        text, bound = draw(bindings(names, "z"))
        inner = [*names, *bound]
        listed = f"{literal(inner)} for {text} if {condition(inner)} and {condition(names)}"
    literals = [literal(names) for _ in range(draw(st.integers(1, 2)))]
    return Loops(texts, " and ".join(conditions), literals, listed)


@examples(120)
@given(loops(), st.sampled_from([1, 2, 3, 7, 2**15]))
def test_clauses_equal_nested_loops_in_order(case: Loops, chunk: int) -> None:
    with chunks_of(chunk):
        assert case.by_spec() == case.by_python()


EVERY_FAMILY: dict[str, Any] = {
    "define": DEFINE,
    "variables": VARIABLES,
    "constraints": [
        {
            "for": "i in S, j in K[i % 5]",
            "formula": "X[i % 5] -> any(Y[k, j % 5] for k in range(3))",
        },
        {"for": "i in range(3)", "at_most_one": ["Y[i, j] for j in range(5)", "not X[i]"]},
        {"for": "i in range(3)", "exactly": "i", "of": "X[j] for j in range(5)"},
        {"at_most_one": "X[j] for j in range(5)", "encoding": "commander"},
        {
            "for": "i in range(4)",
            "successor": {"bits": "k in range(i)", "from": "X[k]", "to": "X[k + 1]"},
        },
    ],
}


def test_chunks_do_not_show_in_any_family() -> None:
    expected = text_of(make(**EVERY_FAMILY))
    for chunk in (1, 2, 3, 5, 17):
        with chunks_of(chunk):
            assert text_of(make(**EVERY_FAMILY)) == expected


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("tour/unary", {"n": 4}),
        ("tour/direct", {"n": 5}),
        ("tour/binary", {"n": 4, "closed": False}),
        ("queens/squares", {"n": 6, "amo": "commander"}),
        ("sudoku/direct", {"n": 2, "amo": "product"}),
    ],
)
def test_chunks_do_not_show_in_files(name: str, settings: dict[str, Any]) -> None:
    expected = text_of(shipped(name, **settings))
    with chunks_of(3):
        assert text_of(shipped(name, **settings)) == expected


def test_uncached_clauses_are_regenerated_identically() -> None:
    expected = text_of(make(**EVERY_FAMILY))
    with mock.patch.object(formula, "MAX_STORED_BYTES", 0):
        rebuilt = make(**EVERY_FAMILY)
        assert text_of(rebuilt) == expected
        assert text_of(rebuilt) == expected


def test_a_condition_guards_the_sets_after_it() -> None:
    """`K[i - 2]` and `4 // i` are out of the question in the rows that `if` leaves out."""
    formula = make(
        define=DEFINE,
        variables=VARIABLES,
        constraints=[
            {"for": "i in range(5), j in K[i - 2]", "if": "i >= 2 and j < 5", "clause": "X[j]"},
            {"for": "i in range(5)", "clause": ["X[i]", "X[j % 5] for j in K[i - 2] if i >= 2"]},
            {"for": "i in range(3)", "clause": ["X[i]", "X[j] for j in range(4 // i) if i > 0"]},
        ],
    )
    keyed = NAMES["K"]
    expected = [[j + 1] for i in range(2, 5) for j in keyed[i - 2] if j < 5]
    expected += [[i + 1, *(j % 5 + 1 for j in keyed[i - 2] if i >= 2)] for i in range(5)]
    expected += [[i + 1, *(j + 1 for j in range(4 // i if i else 0))] for i in range(3)]
    assert clauses_of(formula) == expected


# Sparse variables.

TRIANGLE = {"Y": {"for": "i in range(4), j in range(i, 4)", "if": "i + j != 3"}}
DECLARED = [(i, j) for i in range(4) for j in range(i, 4)]
PRESENT = [(i, j) for i, j in DECLARED if i + j != 3]


@pytest.fixture(params=[layout.TABLE_CELLS, 0], ids=["table", "search"])
def looked_up(request: pytest.FixtureRequest) -> Any:
    """Set the threshold between table lookup and search for member numbers."""
    with mock.patch.object(layout, "TABLE_CELLS", request.param):
        yield


@pytest.mark.usefixtures("looked_up")
def test_left_out_members_are_false() -> None:
    formula = make(
        variables={"A": {}, **TRIANGLE},
        constraints=[
            {"for": "i in range(4), j in range(i, 4)", "clause": ["A", "Y[i, j]"]},
            {"for": "i in range(4), j in range(i, 4)", "clause": ["A", "not Y[i, j]"]},
            {"for": "i in range(4), j in range(i, 4)", "clause": "A or Y[i, j] == (i == j)"},
        ],
    )
    number = {index: 2 + position for position, index in enumerate(PRESENT)}
    assert members(formula, "Y") == number
    positive = [[1, number[index]] if index in number else [1] for index in DECLARED]
    negative = [[1, -number[index]] for index in PRESENT]
    signed = []
    for i, j in DECLARED:
        if (i, j) in number:
            signed.append([1, number[i, j] if i == j else -number[i, j]])
        elif i == j:
            signed.append([1])
    assert clauses_of(formula) == positive + negative + signed


@pytest.mark.usefixtures("looked_up")
def test_exists_accepts_indices_out_of_range() -> None:
    formula = make(
        variables={**TRIANGLE, "X": {"for": "i in range(6), j in range(6)"}},
        constraints=[
            {
                "for": "i in range(-1, 5), j in range(-1, 5)",
                "if": "exists(Y[i, j])",
                "clause": "X[i + 1, j + 1]",
            },
            {
                "if": "exists(Y[1, 1]) and not exists(Y[1, 2]) and not exists(Y[9, 9])",
                "clause": "X[0, 0]",
            },
        ],
    )
    number = members(formula, "X")
    expected = [[number[i + 1, j + 1]] for i, j in PRESENT]
    assert clauses_of(formula) == [*expected, [number[0, 0]]]


@pytest.mark.usefixtures("looked_up")
@pytest.mark.parametrize("index", ["4, 4", "0, 4", "-1, 0", "1, 0", "3, 2"])
def test_undeclared_member_is_an_error(index: str) -> None:
    """Index 1, 0 is in the bounding box of the triangle, but not declared by `for`."""
    for literal in (f"Y[{index}]", f"not Y[{index}]", f"Y[0, 0] or Y[{index}]"):
        with pytest.raises(InputError, match="was not declared"):
            make(variables=TRIANGLE, constraints=[{"clause": literal}])


def test_an_error_names_the_row() -> None:
    constraint = {"for": "i in range(4), j in range(2, 4)", "clause": "Y[i, j]"}
    with pytest.raises(InputError, match="where i = 3, j = 2"):
        make(variables=TRIANGLE, constraints=[constraint])


def test_numbers_follow_the_order_of_the_declaration() -> None:
    formula = make(
        define={"S": {"for": "k in range(5)", "give": "3 * k % 5"}},
        variables={"A": {"for": "k in range(2)"}, "Y": {"for": "i in S", "if": "i != 1"}},
        constraints=[{"for": "i in range(5)", "clause": ["A[0]", "not Y[i]"]}],
    )
    assert members(formula, "Y") == {(0,): 3, (3,): 4, (4,): 5, (2,): 6}
    assert clauses_of(formula) == [[1, -3], [1, -6], [1, -4], [1, -5]]


def test_begins_with_shares_members_of_earlier_variables() -> None:
    variables = {
        "A": {"for": "i in range(2)"},
        "B": {},
        "C": {"for": "i in range(2)"},
        "D": {"for": "k in range(6)", "if": "k != 1", "begins_with": "B, C"},
        "F": {"for": "k in range(5)", "begins_with": "D"},
        "G": {},
    }
    clauses = ["A[1]", "B", "C[1]", "D[0]", "D[2]", "D[5]", "F[0]", "F[4]", "G"]
    formula = make(variables=variables, constraints=[{"clause": text} for text in clauses])
    assert clauses_of(formula) == [[2], [3], [5], [3], [4], [7], [3], [7], [8]]
    assert formula.variables == 8


def test_repeated_members_are_an_error() -> None:
    with pytest.raises(InputError, match="the indices of 'Y' must be distinct"):
        make(define=DEFINE, variables={"Y": {"for": "i in S"}})


@pytest.mark.parametrize(("condition", "clauses"), [("true", [[1, 2], [1, -2]]), ("false", [[1]])])
def test_a_variable_without_indices_can_be_left_out(
    condition: str, clauses: list[list[int]]
) -> None:
    formula = make(
        {"there": condition},
        params={"there": "true"},
        variables={"A": {}, "Z": {"if": "there"}},
        constraints=[{"clause": "A or Z"}, {"clause": "A or not Z"}],
    )
    assert clauses_of(formula) == clauses
