"""Solvers as libraries: a name means one program, and a portfolio has a name of its own."""

from __future__ import annotations

import importlib
import random
import re
from itertools import product
from pathlib import Path

import pytest
from helpers.counts import need_some
from helpers.requirements import SOLVER_MARKS
from helpers.solver_runs import SOLVERS, instance, with_library
from pysat.formula import CNF
from pysat.process import Processor
from pysat.solvers import Minisat22

from boardsat.adapters import solvers
from boardsat.adapters.answer import Status
from boardsat.adapters.dimacs.model_check import first_false_clause
from boardsat.adapters.run_solver import run_solver
from boardsat.adapters.runtimes import Limits, Task, embedded, select_runtime
from boardsat.adapters.solvers.command_templates import SAMPLE_VARIABLES
from boardsat.adapters.solvers.output_parsers import PARSERS
from boardsat.adapters.workers import preprocessed
from boardsat.adapters.workers.pysat import Renaming
from boardsat.base.errors import BoardsatError
from boardsat.instance.formula_file import open_formula


@pytest.mark.parametrize("seed", [None, pytest.param(1, marks=pytest.mark.slow)])
def test_preprocessed_minisat_finds_a_tour_of_the_chessboard_within_seconds(
    seed: int | None, tmp_path: Path
) -> None:
    """As the file is it needs over a minute unless it is simplified, with this seed if it is."""
    file = instance(tmp_path, "tour/binary", n=8)
    task = Task(file, Limits(cpu=30), seed)
    solver = solvers.load("minisat-preprocessed")
    found = run_solver(solver, "embedded", task, open_formula(file).variables)
    assert found.status is Status.SATISFIABLE
    assert found.model is not None and first_false_clause(file, found.model) is None


def test_embedded_minisat_is_minisat_of_python_sat_alone(tmp_path: Path) -> None:
    """Equal statistics of the search: nothing is done before it, and nothing after it."""
    file = instance(tmp_path, "pigeonhole", pigeons=8, holes=7)
    found = run_solver(
        solvers.load("minisat"), "embedded", Task(file), open_formula(file).variables
    )
    with Minisat22(bootstrap_with=CNF(from_file=file)) as plain:
        assert not plain.solve()
        wanted = plain.accum_stats()
    # More than the portfolio spends on its first search.
    assert wanted["conflicts"] > preprocessed.FIRST_SEARCH_CONFLICTS
    assert {name: found.run.statistics[name] for name in wanted} == wanted


def libraries_in(module: str) -> set[str]:
    """Return the libraries of python-sat that a worker uses whatever its arguments are."""
    text = Path(importlib.import_module(module).__file__ or "").read_text()
    inner = {f"boardsat.adapters.{name}" for name in re.findall(r"adapters\.(samplers\.\w+)", text)}
    used = set(re.findall(r'"((?:cadical|glucose|minisat)\d+)"', text))
    used |= {"cadical153"} if "Processor" in text else set()
    return used.union(*map(libraries_in, inner))


def test_preprocessor_of_python_sat_is_the_named_version() -> None:
    with Processor() as processor:
        assert type(processor.cadical).__name__ == "Cadical153"


@pytest.mark.parametrize(
    "solver",
    [pytest.param(s, id=s.name, marks=SOLVER_MARKS.get(s.name, ())) for s in SOLVERS if s.package],
)
def test_version_names_every_solver_that_its_worker_uses(solver: solvers.Solver) -> None:
    need_some(solver.name)
    words = {
        word: value
        for word, value in SAMPLE_VARIABLES.items()
        if word not in embedded.SOLVER_VARIABLES
    }
    modules = (
        [f"{embedded.WORKERS}.{solver.embedded_line(**words)[0]}"]
        if solver.embedded_line(**words)
        else []
    )
    if solver.sampling_line(**words):
        modules.append(f"{embedded.SAMPLERS}.{solver.sampling_line(**words)[0]}")
    version = embedded.version(solver).lower()
    for library in set[str]().union(*map(libraries_in, modules)):
        name = library.rstrip("0123456789")
        assert f"{name} {'.'.join(library[len(name) :])}" in version


def test_version_of_a_portfolio_names_all_of_it() -> None:
    version = embedded.version(solvers.load("minisat-preprocessed"))
    number = embedded.package_version("python-sat")
    more = "CaDiCaL 1.5.3 preprocessing and several variable orders"
    assert version == f"2.2 (python-sat {number}) with {more}"
    assert embedded.version(solvers.load("minisat")) == f"2.2 (python-sat {number})"


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
    monkeypatch.setattr(preprocessed, "FIRST_SEARCH_CONFLICTS", 1)
    monkeypatch.setattr(preprocessed, "FIRST_ORDER_CONFLICTS", 1)
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
        said = PARSERS["competition"](variables)
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
    ganak = with_library(solvers.load("ganak"), package="no-such-package")
    with pytest.raises(BoardsatError) as error:
        select_runtime(ganak)
    assert str(error.value) == (
        "ganak cannot run here (docker: no image, native: no program, "
        "embedded: no-such-package not installed); pip install no-such-package"
    )


def test_a_model_found_by_a_later_order_is_one_of_the_formula(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Restoring it takes the variables by their places, so under other names they must go back."""
    monkeypatch.setattr(preprocessed, "FIRST_SEARCH_CONFLICTS", 1)
    monkeypatch.setattr(preprocessed, "FIRST_ORDER_CONFLICTS", 1)
    tried: list[str | None] = []

    class RecordedRenaming(Renaming):
        @classmethod
        def from_seed(cls, variables: int, seed: str | None) -> Renaming:
            tried.append(seed)
            return Renaming.from_seed(variables, seed)

    monkeypatch.setattr(preprocessed, "Renaming", RecordedRenaming)
    file = instance(tmp_path, "tour/binary", n=6)
    assert preprocessed.main("minisat22", file) == 10
    assert len(tried) > 3
    said = PARSERS["competition"](open_formula(file).variables)
    for line in capsys.readouterr().out.splitlines():
        said.feed(line)
    model = said.model()
    assert model is not None and first_false_clause(file, model) is None
