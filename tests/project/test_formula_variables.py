"""Variables of a formula by name: numbers, descriptions, and conversion for python-sat."""

from __future__ import annotations

import numpy as np
import pytest
from pysat.solvers import Solver

import boardsat
from boardsat.generators.language.layout import Variable

INTEGERS = """title: Integers
variables:
  X:
    for: i in range(3)
    values: i..2 * i + 3
    description: number {i} is {X}
constraints:
  - sum: sum(X[i] for i in range(3)) == 9
"""


@pytest.mark.parametrize("shuffle", [None, 7])
@pytest.mark.parametrize("name", ["tour/unary", "tour/hve", "sudoku", "langford", "latin"])
def test_variables_equal_the_numbering_of_the_generator(name, shuffle):
    formula = boardsat.build(name).transform(shuffle=shuffle)
    header = formula._formula.header
    renamed = np.arange(formula.num_variables + 1) if header.renamed is None else header.renamed
    declared = [variable for variable in header.variables if isinstance(variable, Variable)]
    assert declared
    for variable in declared:
        columns = [column.tolist() for column in variable.indices]
        indices = list(zip(*columns, strict=True)) if columns else [()]
        numbers = renamed[variable.first : variable.first + variable.count].tolist()
        assert formula.variables(variable.name) == dict(zip(indices, numbers, strict=True))
        assert all(formula.variable(variable.name, *last) == numbers[-1] for last in indices[-1:])


def test_assumed_variable_is_a_queen_on_its_square():
    formula = boardsat.build("queens", n=5).transform(three_cnf="auto", shuffle=3)
    with Solver(bootstrap_with=formula.to_pysat()) as solver:
        for (square,), number in formula.variables("Q").items():
            assert solver.solve(assumptions=[number])
            squares = formula.decode(solver.get_model()).board_text.split()
            assert squares[square] == "Q"


@pytest.mark.parametrize("encoding", ["order", "direct", "binary"])
def test_literals_of_an_integer_agree_with_its_decoded_value(encoding, tmp_path):
    spec = tmp_path / "integers.yaml"
    spec.write_text(INTEGERS)
    formula = boardsat.build(spec, int=encoding)
    with Solver(bootstrap_with=formula.to_pysat()) as solver:
        for model in solver.enum_models():
            lines = formula.decode(model).true_variables
            values = [int(line.rpartition(" ")[2]) for line in lines]
            assert sum(values) == 9
            for (i, k), number in formula.variables("X").items():
                is_true = {
                    "order": values[i] >= k,
                    "direct": values[i] == k,
                    "binary": bool(values[i] - i & 1 << k),
                }[encoding]
                assert (model[number - 1] > 0) == is_true


@pytest.mark.parametrize(
    ("encoding", "meaning"),
    [("order", "X[2] >= 3"), ("direct", "X[2] = 2"), ("binary", "bit 0 of X[2] - 2")],
)
def test_literal_of_an_integer_is_described_by_its_encoding(encoding, meaning, tmp_path):
    spec = tmp_path / "integers.yaml"
    spec.write_text(INTEGERS)
    formula = boardsat.build(spec, int=encoding)
    first = min(number for (i, _), number in formula.variables("X").items() if i == 2)
    assert formula.describe(first) == meaning
    assert formula.describe(-first) == f"not {meaning}"


def test_auxiliary_variable_is_described_as_such():
    formula = boardsat.build("tour", "unary", n=6).transform(three_cnf="auto")
    last = formula.num_variables
    assert formula.describe(-last) == f"not auxiliary variable {last}"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f: f.variable("Q", 99), r"no variable Q\[99\]; formula.variables\(\"Q\"\) has"),
        (lambda f: f.variable("Q"), "no variable Q; "),
        (lambda f: f.variables("q"), "no variable 'q'"),
        (lambda f: f.describe(0), r"literal must be between 1 and 36, or negated \(got 0\)"),
        (lambda f: f.describe(-37), r"\(got -37\)"),
    ],
)
def test_unknown_variable_is_an_input_error(call, message):
    with pytest.raises(boardsat.InputError, match=message):
        call(boardsat.build("queens", n=6))


def test_native_xor_lines_are_not_converted_for_pysat():
    formula = boardsat.build("tseitin", graph="complete 4", charge="first", xor="native")
    with pytest.raises(boardsat.InputError, match=r"native XOR lines.*xor='chain'"):
        formula.to_pysat()
