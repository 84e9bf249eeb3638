"""Every real solver reads every kind of file that we write, and they all agree."""

from __future__ import annotations

import pytest
from helpers import processes
from helpers.formulas import make
from helpers.instances import case_name, cases, formula_of
from helpers.requirements import outside, require_program
from pysat.formula import CNF
from pysat.solvers import Solver

from boardsat.generators import write

SOLVERS = {
    "minisat": ["minisat", "-verb=0"],
    "cadical": ["cadical", "-q"],
    "cryptominisat": ["cryptominisat5", "--verb=0"],
    "picosat": ["picosat", "-n"],
    "clasp": ["clasp", "--verbose=0"],
}
# clasp ends with 30 where it has seen all models.
ANSWERS = {True: {10, 30}, False: {20}}


# Asked for before what takes long, so of the same scope.
@pytest.fixture(scope="module", params=[pytest.param(name, marks=outside) for name in SOLVERS])
def solver(request):
    name, *options = SOLVERS[request.param]
    return [require_program(name), *options]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Every case once on disk, with what python-sat says of it."""
    folder = tmp_path_factory.mktemp("cases")
    made = {}
    for number, case in enumerate(cases()):
        path = folder / f"{number}.cnf"
        write(formula_of(case), str(path))
        formula = CNF(from_file=str(path))
        with Solver("glucose4", bootstrap_with=formula) as oracle:
            made[path] = oracle.solve(), case
    return made


def test_a_solver_accepts_every_file_and_agrees(solver, files):
    for path, (satisfiable, case) in files.items():
        done = processes.run([*solver, str(path)], capture_output=True, text=True)
        said = f"{case_name(case)}: {done.stdout[-300:]}{done.stderr}"
        assert done.returncode in ANSWERS[satisfiable], said


def test_both_answers_are_among_the_cases(solver, files):
    assert {satisfiable for satisfiable, _ in files.values()} == {True, False}


@pytest.mark.parametrize("variables", [0, 3])
@pytest.mark.parametrize("clauses", ["none", "an empty one", "an empty one and others"])
def test_formulas_with_next_to_nothing_in_them(variables, clauses, solver, tmp_path):
    empty = {"clause": "false", "empty": "unsatisfiable"}
    some = [{"clause": f"X[{i}]"} for i in range(variables)]
    constraints = {"none": [], "an empty one": [empty], "an empty one and others": [empty, *some]}
    formula = make(
        variables={"X": {"for": f"i in range({variables})"}}, constraints=constraints[clauses]
    )
    path = tmp_path / "x.cnf"
    write(formula, str(path))
    done = processes.run([*solver, str(path)], capture_output=True)
    assert done.returncode in ANSWERS[clauses == "none"], done.stdout
