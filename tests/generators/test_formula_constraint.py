"""`formula:` and `successor:` against truth tables and arithmetic, with model counts."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import product
from typing import Any, NamedTuple

import pytest
from helpers.formulas import (
    clauses_of,
    examples,
    extendable_assignments,
    make,
    models,
    models_of,
    one_in,
)
from hypothesis import given
from hypothesis import strategies as st

from boardsat.generators import Formula, InputError
from boardsat.generators.constraints._formulas import minimal_clauses

VARIABLES = 5


class Text(NamedTuple):
    """A formula for us, and the same for Python's eval."""

    spec: str
    python: str


PYTHON = {
    "and": "({} and {})",
    "or": "({} or {})",
    "xor": "({} != {})",
    "->": "(not {} or {})",
    "<->": "({} == {})",
    "==": "({} == {})",
    "!=": "({} != {})",
}


@st.composite
def formulas(draw: Callable[..., Any], depth: int) -> Text:
    """Over X[0..4], Y, which is there in the first row only, and the number r of the row."""
    kinds = ["X", "X", "X", "Y", "row", "any", "all"]
    kind = draw(st.sampled_from([*kinds, *list(PYTHON) * 2, "not"] if depth else kinds))
    inner = formulas(depth - 1)
    if kind == "X":
        member = f"X[{draw(st.sampled_from(['0', '1', '2', 'r', 'r + 2']))}]"
        return Text(member, member)
    if kind == "Y":
        return Text("Y[r]", "(Y and r == 0)")
    if kind == "row":
        text = draw(st.sampled_from(["r > 0", "r == 1", "true"]))
        return Text(f"({text})", f"({text})")
    if kind in ("any", "all"):
        sign = draw(st.sampled_from(["", "not "]))
        low, high = draw(st.integers(0, 3)), draw(st.sampled_from(["r", "r + 1", "4", "5"]))
        text = f"{kind}({sign}X[k] for k in range({low}, {high}))"
        return Text(text, text)
    if kind == "not":
        formula = draw(inner)
        return Text(f"(not {formula.spec})", f"(not {formula.python})")
    first, second = draw(inner), draw(inner)
    python = PYTHON[kind].format(first.python, second.python)
    return Text(f"({first.spec} {kind} {second.spec})", python)


def rows_of(text: str, rows: int = 3, **options: Any) -> Formula:
    """Return the formula for every row; unsatisfiable rows are declared."""
    return make(
        variables={"X": {"for": "i in range(5)"}, "Y": {"for": "r in range(3)", "if": "r == 0"}},
        constraints=[
            {"for": f"r in range({rows})", "formula": text, "empty": "unsatisfiable", **options}
        ],
        count_preserving=True,
    )


def expected(python: str, rows: int = 3) -> set[int]:
    names = {"true": True, "any": any, "all": all, "range": range}
    code = compile(python, "formula", "eval")
    fitting = set()
    for row in range(2 ** (VARIABLES + 1)):
        bits = [row >> k & 1 == 1 for k in range(VARIABLES + 1)]
        names |= {"X": bits[:VARIABLES], "Y": bits[VARIABLES]}
        if all(eval(code, {**names, "r": r}) for r in range(rows)):
            fitting.add(row)
    return fitting


@examples(150)
@given(formulas(3))
def test_formulas_have_the_models_of_their_truth_tables_once_each(case: Text) -> None:
    formula = rows_of(case.spec)
    is_unique = dict(extendable_assignments(formula.num_spec_variables, clauses_of(formula)))
    assert set(is_unique) == expected(case.python)
    assert all(is_unique.values())
    assert formula.header.count_preserving


def test_false_formula_of_a_row_is_an_error_unless_declared() -> None:
    with pytest.raises(InputError, match="where r = 2"):
        make(
            variables={"X": {}},
            constraints=[{"for": "r in range(4)", "formula": "r < 2 and (X or r >= 0)"}],
        )


def test_list_of_formulas_is_a_conjunction() -> None:
    formula = make(
        variables={"X": {"for": "i in range(3)"}},
        constraints=[{"formula": ["X[0] <-> X[1]", "X[1] <-> X[2]"]}],
    )
    assert models_of(formula) == {0, 7}


# How many clauses.


def over(n: int, text: str) -> Formula:
    variables = {"X": {"for": f"i in range({n})"}}
    return make(variables=variables, constraints=[{"formula": text}])


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("X[0] <-> X[1]", 2),
        ("X[0] <-> (X[1] and X[2])", 3),
        ("X[0] xor X[1] xor X[2]", 4),
        ("X[0] and X[1] -> X[2] or X[3]", 1),
        ("(X[0] and X[1]) or (not X[0] and X[2])", 2),
        ("(X[0] and X[1] and X[2]) or (not X[0] and not X[1] and not X[2])", 3),
        ("X[0] or not X[0]", 0),
        ("X[0] xor X[1] xor X[2] xor X[3] xor X[4] xor X[5]", 32),
        ("(X[0] and X[1] and X[2]) or (X[3] and X[4] and X[5] and X[6])", 12),
    ],
)
def test_short_formulas_need_no_fresh_variables(text: str, clauses: int) -> None:
    formula = over(7, text)
    assert formula.variables == 7
    assert formula.clauses == clauses


def cubes(n: int) -> list[int]:
    """The sets of assignments, as bits, that some clause over n variables rules out."""
    return [
        sum(
            1 << row
            for row in range(2**n)
            if all(c == 2 or row >> k & 1 == c for k, c in enumerate(choice))
        )
        for choice in product((0, 1, 2), repeat=n)
    ]


def min_clauses(false: int, n: int) -> int:
    """Return the least number of clauses that exclude exactly these assignments, by search."""
    usable = [cube for cube in cubes(n) if cube & ~false == 0]
    widest = [c for c in usable if not any(c != wider and c & ~wider == 0 for wider in usable)]
    reached, clauses = {0}, 0
    while false not in reached:
        reached = {covered | cube for covered in reached for cube in widest if cube & ~covered}
        clauses += 1
    return clauses


def check_fewest(false: int, n: int) -> None:
    """Check the number of clauses of a formula that is false for exactly these assignments."""
    rows = [row for row in range(2**n) if not false >> row & 1]
    terms = [[k + 1 if row >> k & 1 else -k - 1 for k in range(n)] for row in rows]
    anything: Any = ("or", 1, -1)
    tree: Any = ("not", anything)
    for term in terms:
        tree = ("or", tree, reduce(lambda folded, right: ("and", folded, right), term, anything))
    clauses = minimal_clauses(tree)
    assert models(n, clauses) == set(rows)
    assert len(clauses) == min_clauses(false, n)


def test_every_formula_of_three_atoms_gets_the_fewest_clauses() -> None:
    for false in range(2**8):
        check_fewest(false, 3)


@examples(100)
@given(st.integers(0, 2**16 - 1))
def test_formulas_of_four_atoms_get_the_fewest_clauses(false: int) -> None:
    check_fewest(false, 4)


LONG = [
    " xor ".join(f"X[{i}]" for i in range(9)),
    " xor ".join(f"X[{i}]" for i in range(11)),
    " or ".join(f"(X[{i}] and X[{(i + 1) % 11}])" for i in range(11)),
    "(X[0] <-> X[1]) <-> ((X[2] -> X[3]) xor (X[4] and X[5]) xor (X[6] or not X[7]))",
]


@pytest.mark.parametrize("text", one_in(3, LONG))
def test_long_formulas_get_tseitin_variables_that_are_determined(text: str) -> None:
    formula = over(11, text)
    assert formula.variables > 11
    assert max(map(len, clauses_of(formula))) <= 3
    is_unique = dict(extendable_assignments(11, clauses_of(formula)))
    assert all(is_unique.values())
    python = text.replace("->", "<=").replace("<<=", "==").replace("xor", "^")
    bits = [[bool(row >> k & 1) for k in range(11)] for row in range(2**11)]
    assert set(is_unique) == {row for row, x in enumerate(bits) if eval(python, {"X": x})}


# The binary successor.


def successor(bits: int, when: bool) -> Formula:
    condition = {"when": "H"} if when else {}
    return make(
        {"m": bits},
        params={"m": "1"},
        variables={"A": {"for": "k in range(m)"}, "B": {"for": "k in range(m)"}, "H": {}},
        constraints=[
            {"successor": {"bits": "k in range(m)", "from": "A[k]", "to": "B[k]", **condition}}
        ],
    )


@pytest.mark.parametrize("when", [True, False])
@pytest.mark.parametrize("bits", range(1, 7))
def test_the_successor_adds_one(bits: int, when: bool) -> None:
    formula = successor(bits, when)
    assert formula.variables == 2 * bits + 1
    size = 2**bits
    expected = {
        a + b * size + h * size * size
        for a, b, h in product(range(size), range(size), range(2))
        if b == (a + 1) % size or (when and not h)
    }
    assert models_of(formula) == expected


@pytest.mark.parametrize("when", [True, False])
def test_the_successor_takes_two_four_and_then_six_clauses_a_bit(when: bool) -> None:
    for bits in range(1, 12):
        assert successor(bits, when).clauses == sum([2, 4, *[6] * bits][:bits])


def test_successor_of_zero_bits_has_no_clauses() -> None:
    assert clauses_of(successor(0, True)) == []


def test_bits_that_depend_on_the_row() -> None:
    formula = make(
        variables={"A": {"for": "r in range(4), k in range(3)"}},
        constraints=[
            {
                "for": "r in range(1, 4)",
                "successor": {"bits": "k in range(r)", "from": "A[r, k]", "to": "A[0, k]"},
            }
        ],
    )

    def number(row: int, r: int, bits: int) -> int:
        return row >> 3 * r & 2**bits - 1

    expected = {
        row
        for row in range(2**12)
        if all(number(row, 0, r) == (number(row, r, r) + 1) % 2**r for r in (1, 2, 3))
    }
    assert models_of(formula) == expected
