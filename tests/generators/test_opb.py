"""OPB files: optima by brute force, by Exact and by clasp; sums that stay sums; faults by lines."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from helpers import processes
from helpers.formulas import shipped
from helpers.objectives import Random

import boardsat
from boardsat.adapters.dimacs.text import DimacsError
from boardsat.adapters.formats import opb
from boardsat.adapters.workers import exact
from boardsat.generators import Formula, InputError, build, find, write
from boardsat.instance.formula_file import open_formula

CLASP = shutil.which("clasp")


def written(formula: Formula, folder: Path) -> str:
    path = str(folder / "formula.opb")
    write(formula, path)
    return path


def cost_in(output: str) -> int | None:
    """Return the cost on the last `o` line; None if there is no model."""
    costs = [int(line[2:]) for line in output.splitlines() if line.startswith("o ")]
    assert ("s OPTIMUM FOUND" in output) == bool(costs) == ("UNSATISFIABLE" not in output)
    return costs[-1] if costs else None


def optimum_by_clasp(path: str) -> int | None:
    """Return the optimum found by clasp, which reads OPB itself except for the newer first line."""
    head, _, body = Path(path).read_text().partition("\n")
    old = Path(path).with_name("old.opb")
    old.write_text(f"{head.partition(' #equal')[0]}\n{body}")
    outcome = processes.run([str(CLASP), old], capture_output=True, text=True)
    return cost_in(outcome.stdout)


@pytest.mark.parametrize("seed", range(50))
def test_the_optimum_of_opb_is_that_of_brute_force(seed, tmp_path, capsys):
    stated = Random.of(seed)
    formula = stated.formula("opb")
    path = written(formula, tmp_path)
    goal = open_formula(path).header.objective
    assert goal is not None and formula.clauses == 9
    exact.main(path)
    cost = cost_in(capsys.readouterr().out)
    assert (None if cost is None else goal.value(cost)) == stated.best()
    if CLASP:
        assert optimum_by_clasp(path) == cost


def test_linear_constraints_are_preserved(tmp_path: Path) -> None:
    formula = build(find("queens", "squares"), {"n": 4}, "opb")
    lines = Path(written(formula, tmp_path)).read_text().splitlines()
    assert lines[0] == "* #variable= 16 #constraint= 18 #equal= 8 intsize= 3"
    sums = [line for line in lines if not line.startswith("*")]
    assert sums[0] == "+1 x1 +1 x2 +1 x3 +1 x4 = 1 ;"
    assert sums.count("-1 x2 -1 x5 >= -1 ;") == 1 and len(sums) == 18
    with pytest.raises(InputError, match="does not support the linear constraints of this formula"):
        write(formula, str(tmp_path / "q.cnf"))


def test_exact_solves_and_the_answer_is_checked() -> None:
    solved = boardsat.solve("fewest_queens", n=5, solver="exact")
    assert (solved.status.name, solved.objective_value) == ("OPTIMUM", 3)
    assert solved.checked == ("model", "board", "cost", "optimum (cadical finds nothing better)")


def test_without_an_objective_any_model_will_do(boardsat, tmp_path):
    path = tmp_path / "queens.opb.gz"
    assert b"18 linear constraints" in boardsat("cnf", "queens", "-n", "4", "-o", path).out
    outcome = boardsat("solve", path)
    assert outcome.code == 10 and outcome.out.count(b"Q") == 4


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("* x\n+1 x1 +1 x2 x3 >= 1 ;\n", ":2: products of variables are not supported"),
        ("+1 x1 <= 1 ;\n", ":1: `<` and `<=` are not supported"),
        ("+1 x1 >= 1\n", ":1: the line has no `;` at its end"),
        ("max: +1 x1 ;\n", ":1: 'max:' is not supported"),
        ("[3] +1 x1 >= 1 ;\n", ":1: '[3]' is not supported"),
        ("+9999999999999999999 x1 >= 1 ;\n", ":1: a number is too large"),
        (
            "+1 x1 +" + "999999999999999999 x2 +" * 5 + "1 x1 >= 1 ;\n",
            "must be below 2**62",
        ),
        (
            "min: +1 x1 ;\nmin: +1 x1 ;\n",
            "the file must have at most one objective (got 2); write one",
        ),
        (">= 1 ;\n", ":1: the line '>= 1 ;' is malformed"),
        (
            "* #variable= 1 #constraint= 1\n+1 x2 >= 1 ;\n",
            "the first line declares 1 variable and 1 constraint, but the file has 2 variables and "
            "1 constraint; correct the first line, or fetch the file again if it was cut short",
        ),
        (
            "* #variable= 2 #constraint= 2\n+1 x2 >= 1 ;\n",
            "declares 2 variables and 2 constraints, but the file has 2 variables and 1 constraint",
        ),
        ("* only words\n", "the file has no constraints"),
        ("", "the file has no constraints"),
    ],
)
def test_malformed_file_is_rejected_with_its_line(text, fault, tmp_path):
    path = tmp_path / "f.opb"
    path.write_text(text)
    with pytest.raises(DimacsError) as error:
        open_formula(str(path))
    assert fault in str(error.value)


def test_signs_negations_and_equality_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "f.opb"
    path.write_text("* one\nmin: 3 x1 -2 x2 +1 ~x3 ;\n-1 x1 +2 ~x2 >= 0 ;\n1 x1 +1 x3 = 1;")
    read = opb.read(path)
    costs = {}
    for row in range(8):
        model = np.array([0, *(1 if row >> k & 1 else -1 for k in range(3))], np.int8)
        if read.first_false(model) is None:
            x1, x2, x3 = (row >> k & 1 for k in range(3))
            assert -x1 + 2 * (1 - x2) >= 0 and x1 + x3 == 1
            costs[row] = read.cost(model)
            assert costs[row] == 3 * x1 - 2 * x2 + (1 - x3)
    assert costs == {1: 4, 4: 0, 6: -2}
    (tmp_path / "again.opb").write_bytes(b"".join(opb.text(read)))
    assert opb.read(tmp_path / "again.opb").hard.bounds.tolist() == read.hard.bounds.tolist()


def test_sizes_are_printed_beside_those_of_cnf(boardsat):
    lines = boardsat("size", "magic", "-n", "3", "--format", "cnf,opb").out.decode().splitlines()
    cnf, opb = (dict(zip(lines[0].split(), line.split()[1:], strict=False)) for line in lines[2:4])
    assert (cnf["format"], opb["format"]) == ("cnf", "opb")
    assert int(cnf["sums"]) == 0 < int(opb["sums"])
    assert int(opb["variables"].replace(",", "")) < int(cnf["variables"].replace(",", ""))


def test_clauses_are_written_as_linear_constraints(tmp_path: Path) -> None:
    path = written(shipped("latin/direct", n=2), tmp_path)
    read = open_formula(path)
    assert read.linear is not None and len(read.linear.hard) == shipped("latin/direct", n=2).clauses


def test_opb_file_without_constraints_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "f.opb"
    path.write_text("* #variable= 2 #constraint= 0\n")
    problem = open_formula(str(path))
    assert (problem.variables, problem.summary.clauses) == (2, 0)
    path.write_text("* nothing\n")
    with pytest.raises(DimacsError, match="the file has no constraints"):
        open_formula(str(path))


@pytest.mark.parametrize("head", ["", "* #variable= 2 #constraint= 1\n"])
def test_a_variable_of_weight_0_may_be_in_a_model(head, boardsat, tmp_path):
    formula, answer = tmp_path / "f.opb", tmp_path / "answer"
    formula.write_text(f"{head}min: +0 x2 ;\n+1 x1 >= 1 ;\n")
    answer.write_text("s OPTIMUM FOUND\no 0\nv x1 -x2\n")
    outcome = boardsat("check", formula, answer)
    assert outcome.code == 0, outcome.err
