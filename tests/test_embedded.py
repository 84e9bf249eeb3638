"""Solvers as libraries: MiniSat of python-sat gets what it lacks, and its answers stay true."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from running import instance

from boardsat.adapters import solvers
from boardsat.adapters.answer import Status
from boardsat.adapters.calling import solve
from boardsat.adapters.dialects import DIALECTS
from boardsat.adapters.dimacs.check import first_false_clause
from boardsat.adapters.errors import AdapterError
from boardsat.adapters.runtimes import Limits, Task, choose, embedded
from boardsat.adapters.runtimes.workers import preprocessed
from boardsat.adapters.runtimes.workers.pysat import Names
from boardsat.problem import open_problem


@pytest.mark.parametrize("seed", [None, pytest.param(1, marks=pytest.mark.slow)])
def test_minisat_finds_a_tour_of_the_chessboard_within_seconds(
    seed: int | None, tmp_path: Path
) -> None:
    """As the file is it needs over a minute unless it is simplified, with this seed if it is."""
    file = instance(tmp_path, "tour/binary", n=8)
    task = Task(file, Limits(cpu=30), seed)
    found = solve(solvers.load("minisat"), "embedded", task, open_problem(file).variables)
    assert found.status is Status.SATISFIABLE
    assert found.model is not None and first_false_clause(file, found.model) is None


def is_satisfiable(variables: int, clauses: list[list[int]]) -> bool:
    return any(
        all(any(values[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
        for values in product((False, True), repeat=variables)
    )


@pytest.mark.parametrize("number", range(20))
def test_what_was_simplified_has_the_models_of_the_formula(
    number: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(preprocessed, "CONFLICTS", 1)
    monkeypatch.setattr(preprocessed, "SHARE", 1)
    dice = random.Random(number)
    variables = dice.randint(6, 9)
    clauses = [
        [dice.choice((-1, 1)) * variable for variable in dice.sample(range(1, variables), 3)]
        for _ in range(dice.randint(4 * variables, 5 * variables))
    ]
    file = tmp_path / "random.cnf"
    lines = [f"p cnf {variables} {len(clauses)}", *(" ".join(map(str, [*c, 0])) for c in clauses)]
    file.write_text("\n".join(lines) + "\n")
    code = preprocessed.main("minisat22", str(file), str(number) if number % 2 else None)
    assert code == (10 if is_satisfiable(variables, clauses) else 20)
    if code == 10:
        said = DIALECTS["competition"](variables)
        for line in capsys.readouterr().out.splitlines():
            said.feed(line)
        model = said.model()
        assert model is not None and first_false_clause(str(file), model) is None


def test_what_must_be_installed_is_named_by_its_extra() -> None:
    wanted = {"ganak": "'boardsat[counting]'", "approxmc": "'boardsat[counting]'"}
    wanted |= {"clingo": "'boardsat[asp]'", "cadical": "python-sat"}
    for name, package in wanted.items():
        assert embedded.remedy(solvers.load(name)) == f"pip install {package}"


def test_a_solver_without_its_package_says_what_to_install() -> None:
    ganak = replace(solvers.load("ganak"), package="no-such-package")
    with pytest.raises(AdapterError) as error:
        choose(ganak)
    assert str(error.value) == (
        "ganak cannot run here (docker: no image, native: no program, "
        "embedded: no-such-package not installed); pip install no-such-package"
    )


def test_a_model_found_by_a_later_order_is_one_of_the_formula(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Restoring it takes the variables by their places, so under other names they must go back."""
    monkeypatch.setattr(preprocessed, "CONFLICTS", 1)
    monkeypatch.setattr(preprocessed, "SHARE", 1)
    tried: list[str | None] = []

    class Counted(Names):
        @classmethod
        def of(cls, variables: int, seed: str | None) -> Names:
            tried.append(seed)
            return Names.of(variables, seed)

    monkeypatch.setattr(preprocessed, "Names", Counted)
    file = instance(tmp_path, "tour/binary", n=6)
    assert preprocessed.main("minisat22", file) == 10
    assert len(tried) > 3
    said = DIALECTS["competition"](open_problem(file).variables)
    for line in capsys.readouterr().out.splitlines():
        said.feed(line)
    model = said.model()
    assert model is not None and first_false_clause(file, model) is None
