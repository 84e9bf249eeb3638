"""Integers in views, descriptions and header comments of a file."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from helpers.formulas import clauses_of, is_satisfiable, make, text_of
from helpers.integer_specs import ENCODINGS, header_of
from pysat.solvers import Solver

from boardsat.adapters.dimacs.header import Header, read_header
from boardsat.adapters.views import Fills, Labels, ListView, TableView, Tour
from boardsat.adapters.views.decoder import decode
from boardsat.adapters.views.model_description import true_lines
from boardsat.base.errors import BoardsatError
from boardsat.generators import Formula

VALUES = (2, -1, 0, 1, 3, 5)


def formula_with_values(views: list[dict[str, Any]], encoding: str, **sections: Any) -> Formula:
    """Return the formula of six integers on a board of two rows, each with its entry of VALUES."""
    return make(
        {"int": encoding},
        **{
            "variables": {
                "V": {"for": "i in cells", "values": "-1..5", "description": "{i} has {V + 1}"}
            },
            "constraints": [
                {"clause": f"V[{cell}] == {value}".replace("== -", "== 0 - ")}
                for cell, value in enumerate(VALUES)
            ],
            "decode": views,
        }
        | sections,
    )


def solve(formula: Formula) -> tuple[Header, Any]:
    with Solver("cadical153", bootstrap_with=clauses_of(formula)) as solver:
        assert solver.solve()
        model = np.full(formula.variables + 1, -1, np.int8)
        model[[x for x in solver.get_model() if x > 0]] = 1
    return header_of(formula), model


def board(rows: int, cols: int) -> dict[str, Any]:
    return {"board": {"shape": "grid", "rows": rows, "cols": cols, "moves": "wazir"}}


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_views_of_integers_have_their_values(encoding: str) -> None:
    views = [
        {"label": "V[i]", "cell": "i"},
        {"fill": "V[i]", "cell": "5 - i", "if": "i != 2"},
        {"list": "V[i]", "index": "i"},
        {"table": "V[i]", "row": "row[i]", "column": "column[i]"},
    ]
    header, model = solve(formula_with_values(views, encoding, **board(2, 3)))
    solution = decode(header, model)
    assert solution is not None
    labels, fills, listing, table = solution.view, *solution.more_views
    single = tuple((value,) for value in VALUES)
    assert isinstance(labels, Labels) and labels.values == single
    expected_fills = tuple(single[5 - cell] if cell != 3 else () for cell in range(6))
    assert isinstance(fills, Fills) and fills.values == expected_fills
    assert isinstance(listing, ListView) and listing.values == single
    assert isinstance(table, TableView) and table.cells == (single[:3], single[3:])


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_order_view_of_integers_is_a_tour(encoding: str) -> None:
    """Positions of adjacent squares are consecutive, which makes a tour."""
    formula = make(
        {"int": encoding},
        board={"shape": "grid", "rows": 2, "cols": 3, "moves": "wazir"},
        variables={
            "P": {"for": "i in cells", "values": "0..5"},
            "H": {"for": "(i, j) in moves"},
        },
        constraints=[
            {"all_different": "P[i] for i in cells"},
            {"for": "i in cells", "clause": ["P[i] == 5", "H[i, j] for j in neighbours[i]"]},
            {"for": "(i, j) in moves", "clause": "H[i, j] -> P[j] == P[i] + 1"},
            {"clause": "P[0] == 0"},
        ],
        decode=[{"order": "P[i]", "cell": "i"}],
    )
    header, model = solve(formula)
    solution = decode(header, model)
    assert solution is not None and isinstance(solution.view, Tour)
    order = solution.view.order
    assert order[0] == 0 and sorted(order) == list(range(6))
    steps = [abs(a // 3 - b // 3) + abs(a % 3 - b % 3) for a, b in pairwise(order)]
    assert steps == [1] * 5


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_true_lines_describe_integers(encoding: str) -> None:
    header, model = solve(formula_with_values([], encoding, **board(2, 3)))
    lines = [f"V[{cell}]: {cell} has {value + 1}" for cell, value in enumerate(VALUES)]
    assert true_lines(header, model) == lines
    single_integer = make({"int": encoding}, variables={"N": {"values": "7..7"}}, constraints=[])
    assert is_satisfiable(single_integer)
    assert true_lines(*solve(single_integer)) == ["N = 7"]


# Malformed comments.

MALFORMED = {
    "another encoding": (
        '"encoding": "order"',
        '"encoding": "unary"',
        "`encoding` must be one of order, direct, binary (got 'unary')",
    ),
    "no mapping": ('"values": {', '"values": 3, "other": {', "`values` must be a mapping (got 3)"),
    "more members": (
        '"members": 6',
        '"members": 7',
        "`count` of 'V' must be 42, the number of literals of its values (got 36)",
    ),
    "many members": (
        '"members": 6',
        '"members": 999999999',
        "`members` must be an integer from 0 to 16,777,216 (got 999999999)",
    ),
    "another end": (
        '"high": 5',
        '"high": 6',
        "`count` of 'V' must be 42, the number of literals of its values (got 36)",
    ),
    "ends that cross": ('"high": 5', '"high": -2', "bounds must leave a value"),
    "no end": (', "high": 5', "", "`high` is missing"),
    "a huge end": (
        '"high": 5',
        '"high": 99999999999',
        "`high` must be an integer from -2,147,483,647",
    ),
    "fewer lows": (
        "c decode",
        "c lows V 0+3\nc decode",
        "the bounds must be 6 lower and 6 upper bounds (got (3, 0))",
    ),
    "too many lows": (
        "c decode",
        "c lows V 0+99999999\nc decode",
        "the header must describe at most 6 numbers",
    ),
    "a mark": (
        '"view": "label"',
        '"view": "mark"',
        "a view of integers must be one of label, fill, list, table, order (got 'mark')",
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_integer_comments_are_rejected(name: str) -> None:
    old, new, fault = MALFORMED[name]
    formula = formula_with_values([{"label": "V[i]", "cell": "i"}], "order", **board(2, 3))
    text = text_of(formula).decode()
    assert old in text
    lines = text.replace(old, new, 1).splitlines()
    comments = [line.removeprefix("c ") for line in lines if line.startswith("c ")]
    with pytest.raises(BoardsatError, match=re.escape(fault)):
        read_header(comments, formula.variables)
