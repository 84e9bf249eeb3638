"""KNF files: models as MiniCard finds them, CNF again in every encoding, faults by their lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.formulas import clauses_of, make
from pysat.solvers import Solver

from boardsat.adapters.dimacs.text import DimacsError
from boardsat.generators import Formula, build, encodings, find, write
from boardsat.instance.cnf_conversion import encode_to_cnf
from boardsat.instance.formula_file import open_formula

QUEENS = 10
"""Placements of five."""


def written(formula: Formula, folder: Path) -> str:
    path = str(folder / "formula.knf")
    write(formula, path)
    return path


def count_by_minicard(path: str) -> int:
    """Return the number of models, enumerated by a solver with native cardinality constraints."""
    lines = [line.split() for line in Path(path).read_text().splitlines() if line[0] != "c"]
    (_, _, variables, number), *constraints = lines
    assert int(number) == len(constraints)
    num_models = 0
    with Solver("minicard") as solver:
        for constraint in constraints:
            counts = constraint[0] == "k"
            literals = [int(token) for token in constraint[2 * counts : -1]]
            if counts:
                solver.add_atmost([-x for x in literals], len(literals) - int(constraint[1]))
            else:
                solver.add_clause(literals)
        while solver.solve():
            num_models += 1
            solver.add_clause([-x for x in solver.get_model()[: int(variables)]])
    return num_models


def test_minicard_counts_the_queens(tmp_path: Path) -> None:
    formula = build(find("queens", "squares"), {"n": 5}, "knf")
    assert (formula.clauses, formula.variables) == (0, 25) and formula.num_linear_constraints > 0
    path = written(formula, tmp_path)
    assert count_by_minicard(path) == QUEENS
    assert re.search(r"^k 4 -1 -2 -3 -4 -5 0$", Path(path).read_text(), re.MULTILINE)


def count(clauses: list[list[int]], variables: int) -> int:
    num_models = 0
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        while solver.solve():
            num_models += 1
            solver.add_clause([-x for x in solver.get_model()[:variables]])
    return num_models


@pytest.mark.parametrize("card", encodings.names("card"))
def test_file_is_converted_to_cnf_with_every_encoding(card: str, tmp_path: Path) -> None:
    problem = open_formula(written(build(find("queens", "squares"), {"n": 5}, "knf"), tmp_path))
    formula = encode_to_cnf(problem, {"card": card})
    assert count(clauses_of(formula), problem.variables) == QUEENS
    target = str(tmp_path / "again.cnf")
    write(formula, target)
    cnf = open_formula(target)
    assert cnf.header.display.views and cnf.header.problem == "queens"
    assert cnf.projection().tolist() == list(range(1, 26))


def test_constraints_other_than_cardinality_are_encoded(tmp_path: Path) -> None:
    formula = make(
        form="knf",
        variables={"X": {"for": "i in range(4)"}},
        constraints=[
            {"sum": "3 * X[0] + 2 * X[1] + 2 * X[2] <= 4"},
            {"at_most": 1, "of": ["X[0]", "X[3]", "X[3]"]},
            {"at_least": 2, "of": "X[i] for i in range(4)"},
        ],
    )
    assert [section.rows for section in formula.sections] == [0, 0, 1]
    path = written(formula, tmp_path)
    right = [
        x
        for x in range(16)
        if 3 * (x & 1) + 2 * (x >> 1 & 1) + 2 * (x >> 2 & 1) <= 4
        and (x & 1) + 2 * (x >> 3) <= 1
        and x.bit_count() >= 2
    ]
    assert count_by_minicard(path) == len(right) == 1


def test_a_file_is_solved_by_a_solver_of_clauses_and_checked(boardsat, tmp_path):
    path = written(build(find("queens", "squares"), {"n": 5}, "knf"), tmp_path)
    outcome = boardsat("solve", path, "--runtime", "embedded")
    assert (
        outcome.code == 10
        and outcome.out.count(b"Q") == 5
        and b"checked: model, board" in outcome.out
    )
    target = tmp_path / "q.cnf"
    outcome = boardsat("cnf", path, "--set", "card=totalizer", "-o", target)
    assert outcome.code == 0 and target.exists()
    for arguments, fault in (
        (("cnf", path, "--set", "card=none"), "card must be an encoding (got 'none')"),
        (("cnf", path, "--set", "n=3"), "the setting of a file must be card or pb (got 'n')"),
        (("cnf", path, "--format", "opb"), "is encoded to CNF"),
        (("count", path, "--counter", "enumeration"), "the format must be CNF here (got KNF)"),
    ):
        outcome = boardsat(*arguments)
        assert outcome.code == 2 and fault in outcome.err and outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("p knf 2 1\nk 1 1 2\n", ":2: the line has no 0 at its end"),
        ("p cnf 2 1\n1 0\n", ":1: the header 'p cnf 2 1' is malformed"),
        ("1 0\n", "must have one header (got 0)"),
        ("p knf 1 1\n1 0\np knf 1 1\n", "must have one header (got 2)"),
        (
            "p knf 1 2\n1 0\n",
            "the header declares 1 variable and 2 lines, but the file has 1 variable and 1 line",
        ),
        (
            "p knf 1 1\n-2 0\n",
            "the header declares 1 variable and 1 line, but the file has 2 variables and 1 line",
        ),
        ("p knf 2 1\nk -1 1 2 0\n", ":2: the line 'k -1 1 2 0' is malformed"),
        ("p knf 2 1\nk 0\n", ":2: the line 'k 0' is malformed"),
        ("p knf 2 1\n1000000000 2 1 2 0\n", ":2: the line '1000000000 2 1 2 0' is malformed"),
        ("p knf 2 2\n1 0\n1 k 2 0\n", ":3: the line '1 k 2 0' is malformed"),
        ("p knf 2 1\n1\r2 0\n", ":2: the line contains a carriage return"),
        ("p knf 2 1\nk 1 x 0\n", ":2: the line 'k 1 x 0' is malformed"),
    ],
)
def test_malformed_file_is_rejected_with_its_line(text, fault, tmp_path):
    path = tmp_path / "f.knf"
    path.write_text(text)
    with pytest.raises(DimacsError) as error:
        open_formula(str(path))
    assert fault in str(error.value)


def test_a_bound_of_0_holds_for_every_model(boardsat, tmp_path):
    path = tmp_path / "f.knf"
    path.write_text("p knf 3 3\nk 0 1 2 0\nk 2 1 2 0\n-3 0\n")
    linear = open_formula(str(path)).linear
    assert linear is not None and linear.hard.bounds.tolist() == [0, 2, 1]
    assert linear.hard.starts.tolist() == [0, 2, 4, 5]
    outcome = boardsat("solve", path, "--runtime", "embedded")
    assert outcome.code == 10 and b"v 1 2 -3 0" in outcome.out


def test_knf_file_without_constraints_is_accepted(boardsat, tmp_path):
    path = tmp_path / "f.knf"
    path.write_text("p knf 2 0\n")
    assert boardsat("solve", path, "--runtime", "embedded").code == 10
