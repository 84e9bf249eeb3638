"""Embedded solvers: their versions, the MiniSat portfolio, and remedies for missing packages."""

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
def test_preprocessed_minisat_solves_tour_8x8_within_seconds(
    seed: int | None, tmp_path: Path
) -> None:
    """Without preprocessing the file takes over a minute, with this seed even with it."""
    file = instance(tmp_path, "tour/binary", n=8)
    task = Task(file, Limits(cpu=30), seed)
    solver = solvers.load("minisat-preprocessed")
    reply = run_solver(solver, "embedded", task, open_formula(file).variables)
    assert reply.status is Status.SATISFIABLE
    assert reply.model is not None and first_false_clause(file, reply.model) is None


def test_embedded_minisat_has_the_statistics_of_minisat_of_python_sat(tmp_path: Path) -> None:
    """Equal statistics show that no preprocessing is done."""
    file = instance(tmp_path, "pigeonhole", pigeons=8, holes=7)
    reply = run_solver(
        solvers.load("minisat"), "embedded", Task(file), open_formula(file).variables
    )
    with Minisat22(bootstrap_with=CNF(from_file=file)) as plain:
        assert not plain.solve()
        expected = plain.accum_stats()
    # Above the limit of the first search of the portfolio.
    assert expected["conflicts"] > preprocessed.FIRST_SEARCH_CONFLICTS
    assert {name: reply.run.statistics[name] for name in expected} == expected


def libraries_in(module: str) -> set[str]:
    """Return the solvers of python-sat that a worker uses for all arguments."""
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
    own_names = embedded.SOLVER_VARIABLES
    variables = {k: v for k, v in SAMPLE_VARIABLES.items() if k not in own_names}
    modules = (
        [f"{embedded.WORKERS}.{solver.embedded_line(**variables)[0]}"]
        if solver.embedded_line(**variables)
        else []
    )
    if solver.sampling_line(**variables):
        modules.append(f"{embedded.SAMPLERS}.{solver.sampling_line(**variables)[0]}")
    version = embedded.version(solver).lower()
    for library in set[str]().union(*map(libraries_in, modules)):
        name = library.rstrip("0123456789")
        assert f"{name} {'.'.join(library[len(name) :])}" in version


def test_version_of_portfolio_names_its_additions() -> None:
    version = embedded.version(solvers.load("minisat-preprocessed"))
    number = embedded.package_version("python-sat")
    additions = "CaDiCaL 1.5.3 preprocessing and several variable orders"
    assert version == f"2.2 (python-sat {number}) with {additions}"
    assert embedded.version(solvers.load("minisat")) == f"2.2 (python-sat {number})"


def is_satisfiable(variables: int, clauses: list[list[int]]) -> bool:
    return any(
        all(any(values[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
        for values in product((False, True), repeat=variables)
    )


@pytest.mark.parametrize("number", range(20))
def test_preprocessed_solver_agrees_with_brute_force(
    number: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(preprocessed, "FIRST_SEARCH_CONFLICTS", 1)
    monkeypatch.setattr(preprocessed, "FIRST_ORDER_CONFLICTS", 1)
    rng = random.Random(number)
    variables = rng.randint(6, 9)
    clauses = [
        [rng.choice((-1, 1)) * variable for variable in rng.sample(range(1, variables), 3)]
        for _ in range(rng.randint(4 * variables, 5 * variables))
    ]
    file = tmp_path / "random.cnf"
    lines = [f"p cnf {variables} {len(clauses)}", *(" ".join(map(str, [*c, 0])) for c in clauses)]
    file.write_text("\n".join(lines) + "\n")
    code = preprocessed.main("minisat22", str(file), str(number) if number % 2 else None)
    assert code == (10 if is_satisfiable(variables, clauses) else 20)
    if code == 10:
        parser = PARSERS["competition"](variables)
        for line in capsys.readouterr().out.splitlines():
            parser.feed(line)
        model = parser.model()
        assert model is not None and first_false_clause(str(file), model) is None


def test_remedy_for_missing_package_names_the_extra() -> None:
    packages = {"ganak": "'boardsat[counting]'", "approxmc": "'boardsat[counting]'"}
    packages |= {"clingo": "'boardsat[asp]'", "cadical": "python-sat"}
    for name, package in packages.items():
        assert embedded.remedy(solvers.load(name)) == f"pip install {package}"


def test_select_runtime_without_the_package_names_it() -> None:
    ganak = with_library(solvers.load("ganak"), package="no-such-package")
    with pytest.raises(BoardsatError) as error:
        select_runtime(ganak)
    assert str(error.value) == (
        "ganak cannot run here (docker: no image, native: no program, "
        "embedded: no-such-package not installed); pip install no-such-package"
    )


def test_model_of_a_later_variable_order_satisfies_the_formula(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The preprocessor needs the original variables to restore a model."""
    monkeypatch.setattr(preprocessed, "FIRST_SEARCH_CONFLICTS", 1)
    monkeypatch.setattr(preprocessed, "FIRST_ORDER_CONFLICTS", 1)
    seeds: list[str | None] = []

    class RecordedRenaming(Renaming):
        @classmethod
        def from_seed(cls, variables: int, seed: str | None) -> Renaming:
            seeds.append(seed)
            return Renaming.from_seed(variables, seed)

    monkeypatch.setattr(preprocessed, "Renaming", RecordedRenaming)
    file = instance(tmp_path, "tour/binary", n=6)
    assert preprocessed.main("minisat22", file) == 10
    assert len(seeds) > 3
    parser = PARSERS["competition"](open_formula(file).variables)
    for line in capsys.readouterr().out.splitlines():
        parser.feed(line)
    model = parser.model()
    assert model is not None and first_false_clause(file, model) is None
