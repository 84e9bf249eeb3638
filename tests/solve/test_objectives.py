"""Objectives: WCNF read by other programs, optima by brute force, and checks of answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.formulas import clauses_of, make, models, shipped, truth_table
from helpers.objectives import Random
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

import boardsat
from boardsat.adapters.answer import Status
from boardsat.generators import Formula, InputError, transform, write

DOMINATING = [1, 1, 1, 2, 3, 3, 4, 5]
"""OEIS A075458: the queens that dominate a board of side 1, 2, ..."""


def slow(value: Any) -> Any:
    return pytest.param(value, marks=pytest.mark.slow)


def written(formula: Formula, folder: Path, name: str = "formula.wcnf") -> str:
    path = str(folder / name)
    write(formula, path)
    return path


def best_by_rc2(path: str) -> int | None:
    """The cost that python-sat finds, which reads the file itself."""
    with RC2(WCNF(from_file=path), adapt=True, exhaust=True, minz=True) as solver:
        return solver.cost if solver.compute() is not None else None


def best_by_force(formula: Formula) -> int | None:
    """The least cost of all models."""
    objective = formula.objective
    assert objective is not None
    table = truth_table(formula.variables)
    rows = sorted(models(formula.variables, clauses_of(formula)))
    costs = np.zeros(len(table), np.int64)
    for weight, clause in objective.soft.weighted_clauses():
        holds = np.zeros(len(table), np.bool_)
        for literal in clause:
            holds |= table[:, abs(literal) - 1] == (literal > 0)
        costs += np.where(holds, 0, weight)
    return min(costs[rows].tolist(), default=None)


def value_by_rc2(formula: Formula, path: str) -> int | None:
    assert formula.objective is not None
    cost = best_by_rc2(path)
    return None if cost is None else formula.objective.offset + cost


@pytest.mark.parametrize("seed", range(50))
def test_optimum_of_wcnf_agrees_with_brute_force(seed, tmp_path):
    stated = Random.of(seed)
    formula = stated.formula()
    assert value_by_rc2(formula, written(formula, tmp_path)) == stated.best()


def test_python_sat_reads_written_wcnf(tmp_path: Path) -> None:
    formula = shipped("fewest_queens/squares", n=4)
    read = WCNF(from_file=written(formula, tmp_path, "q.wcnf"))
    assert read.hard == clauses_of(formula)
    assert (read.soft, read.wght) == ([[-v] for v in range(1, 17)], [1] * 16)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, *map(slow, (7, 8))])
def test_queen_domination_numbers_agree_with_published(n: int, tmp_path: Path) -> None:
    path = written(shipped("fewest_queens/squares", n=n), tmp_path)
    assert best_by_rc2(path) == DOMINATING[n - 1]


def cycles_through(start: int, near: dict[int, list[int]]) -> Iterator[int]:
    """The lengths of all cycles whose least vertex this is."""

    def longer(path: list[int], seen: set[int]) -> Iterator[int]:
        for cell in near[path[-1]]:
            if cell == start and len(path) > 2:
                yield len(path)
            elif cell > start and cell not in seen:
                yield from longer([*path, cell], seen | {cell})

    return longer([start], {start})


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (3, 4), (4, 4), (3, 5)])
def test_longest_tour_agrees_with_published(rows: int, cols: int, tmp_path: Path) -> None:
    formula = shipped("longest_tour/edges", rows=rows, cols=cols)
    cost = best_by_rc2(written(formula, tmp_path))
    assert cost is not None and formula.objective is not None
    cells = range(rows * cols)
    near = {
        a: [b for b in cells if abs((a // cols - b // cols) * (a % cols - b % cols)) == 2]
        for a in cells
    }
    longest = max(length for cell in cells for length in cycles_through(cell, near))
    assert formula.objective.offset - cost == longest


@pytest.mark.parametrize(
    "changes", [{"propagate": True}, {"three_cnf": "chain"}, {"shuffle": 3}], ids=str
)
def test_transforms_preserve_the_optimum(changes: dict[str, Any], tmp_path: Path) -> None:
    for seed in range(5):
        stated = Random.of(seed)
        changed = transform(stated.formula(), **changes)
        assert value_by_rc2(changed, written(changed, tmp_path)) == stated.best()


def value_of(**sections: Any) -> tuple[str, int]:
    """The goal, and the value of a best model, of a spec over X[0], X[1], X[2]."""
    formula = make(variables={"X": {"for": "i in range(3)"}}, **sections)
    assert formula.objective is not None
    cost = best_by_force(formula)
    assert cost is not None
    sign = 1 if formula.objective.goal == "minimize" else -1
    return formula.objective.goal, formula.objective.offset + sign * cost


def test_objective_values_agree_with_brute_force() -> None:
    not_empty = {"at_least_one": "X[i] for i in range(3)"}
    everything = "sum((i + 1) * X[i] for i in range(3))"
    assert value_of(constraints=[not_empty], minimize=everything) == ("minimize", 1)
    assert value_of(constraints=[not_empty], maximize=f"{everything} - 4") == ("maximize", 2)
    assert value_of(constraints=[not_empty], maximize=f"0 - {everything}") == ("maximize", -1)
    assert value_of(constraints=[not_empty], minimize="2 * (not X[0]) - 3 * X[1] + 7") == (
        "minimize",
        4,
    )


def test_unsatisfiable_soft_clause_adds_a_constant() -> None:
    wish = {"for": "i in range(3)", "clause": "X[i] and X[0] -> X[2]", "soft": "i + 1"}
    assert value_of(constraints=[wish, {"clause": "X[0]"}]) == ("minimize", 0)
    unsatisfiable = {"clause": ["X[i] for i in range(0)"], "soft": "5", "empty": "unsatisfiable"}
    assert value_of(constraints=[unsatisfiable]) == ("minimize", 5)


def test_integer_objective_is_minimized() -> None:
    formula = make(
        variables={"V": {"for": "i in range(2)", "values": "1..3"}},
        constraints=[{"sum": "V[0] + V[1] >= 5"}],
        minimize="2 * V[0] + 3 * V[1]",
    )
    assert formula.objective is not None
    cost = best_by_force(formula)
    assert cost is not None and formula.objective.offset + cost == 12


def test_soft_constraint_with_maximize_is_rejected() -> None:
    with pytest.raises(InputError, match="`soft` cannot be combined with `maximize`"):
        value_of(constraints=[{"clause": "X[0]", "soft": "1"}], maximize="X[0]")


# Answers.


def test_optimum_is_checked_and_has_exit_code_30(boardsat, tmp_path):
    outcome = boardsat("solve", "fewest_queens", "-n", "5")
    assert outcome.code == 30
    lines = outcome.out.decode().splitlines()
    assert lines[0].startswith("OPTIMUM: rc2 ") and lines[1] == "minimum: 3"
    assert lines[-1] == "checked: model, board, cost, optimum (cadical finds nothing better)"
    path = tmp_path / "queens.wcnf"
    boardsat("cnf", "fewest_queens", "-n", "5", "-o", path)
    report = json.loads(boardsat("solve", path, "--json").out)
    assert (report["status"], report["goal"], report["value"]) == ("OPTIMUM", "minimize", 3)
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps(report))
    assert (
        b"its value is 3; not checked: whether that is the minimum"
        in boardsat("check", path, answer).out
    )
    bits = "".join("1" if literal > 0 else "0" for literal in report["model"])
    answer.write_text(f"o 3\ns OPTIMUM FOUND\nv {bits}\n")
    assert boardsat("decode", path, answer).out.count(b"Q") == 3


def test_unsat_of_optimizer_is_confirmed_by_reference_solver() -> None:
    solved = boardsat.solve("longest_tour", n=2)
    assert solved.status.name == "UNSATISFIABLE"
    assert solved.checked == ("answer (cadical finds no model either)",)


LIAR = """title: a liar
reads: wcnf
dialect: optimum
can: optimise
program: {program}
command: "{{{{ program }}}} {{{{ file }}}}"
"""


@pytest.fixture
def lying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the output for a solver that prints these lines for fewest_queens with n = 3."""

    def run(*lines: str) -> Any:
        program = tmp_path / "liar"
        text = "\n".join(lines)
        program.write_text(f"#!/bin/sh\ncat <<END\n{text}\nEND\nexit 30\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
        (tmp_path / "liar.yaml").write_text(LIAR.format(program="liar"))
        return boardsat.solve("fewest_queens", n=3, solver=str(tmp_path / "liar.yaml"))

    return run


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (("o 1", "s OPTIMUM FOUND", "v 1 0"), "WRONG MODEL"),
        (
            ("o 2", "s OPTIMUM FOUND", "v 5 0"),
            "WRONG COST from liar: it reports 2, but its model costs 1",
        ),
        (("o 2", "s OPTIMUM FOUND", "v 5 1 0"), "NOT THE BEST from liar"),
    ],
)
def test_wrong_cost_or_optimum_is_rejected(lying: Any, lines: tuple[str, ...], fault: str) -> None:
    with pytest.raises(boardsat.WrongAnswerError, match=fault):
        lying(*lines)


def test_model_as_bit_string_is_parsed(lying: Any) -> None:
    assert lying("o 1", "s OPTIMUM FOUND", "v 000010000").objective_value == 1


def test_file_without_objective_accepts_any_model(boardsat, tmp_path):
    outcome = boardsat("solve", "queens", "-n", 4, "--solver", "rc2")
    assert outcome.code == 10 and outcome.out.startswith(b"SATISFIABLE: rc2 "), outcome


def test_constant_objective_has_its_value(tmp_path: Path) -> None:
    formula = make(
        form="wcnf",
        variables={"X": {}},
        constraints=[{"clause": "X"}],
        maximize="3 * X - 3 * X + 7",
    )
    result = boardsat.solve(written(formula, tmp_path), solver="rc2")
    assert (result.status, result.objective_value) == (Status.OPTIMUM, 7)


@pytest.mark.parametrize(
    ("name", "text", "solver", "value"),
    [
        ("f.wcnf", "h 1 2 0\n5 0\n3 -1 0\n2 -2 0\n", "rc2", 7),
        ("f.opb", "min: -2 x1 +1 x2 ;\n1 x1 1 x2 >= 1 ;\n", "exact", -2),
    ],
)
def test_cost_of_every_model_is_added_to_the_reported_cost(
    name: str, text: str, solver: str, value: int, tmp_path: Path
) -> None:
    """The file of the solver omits the empty soft clause, and the constant of negative weights."""
    (tmp_path / name).write_text(text)
    result = boardsat.solve(tmp_path / name, solver=solver)
    assert (result.status, result.objective_value) == (Status.OPTIMUM, value)
    assert "cost" in result.checked
