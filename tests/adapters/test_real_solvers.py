"""Programs of SAT solvers accept the files that boardsat writes, and agree on them."""

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
# clasp exits with 30 after enumerating all models.
EXIT_CODES = {True: {10, 30}, False: {20}}


# Before the slow fixture `files`, so it has the same scope.
@pytest.fixture(scope="module", params=[pytest.param(name, marks=outside) for name in SOLVERS])
def solver(request):
    name, *options = SOLVERS[request.param]
    return [require_program(name), *options]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Write all cases, and return their satisfiability by python-sat and their specs."""
    folder = tmp_path_factory.mktemp("cases")
    entries = {}
    for number, case in enumerate(cases()):
        path = folder / f"{number}.cnf"
        write(formula_of(case), str(path))
        formula = CNF(from_file=str(path))
        with Solver("glucose4", bootstrap_with=formula) as oracle:
            entries[path] = oracle.solve(), case
    return entries


def test_solver_accepts_every_file_and_agrees_with_python_sat(solver, files):
    for path, (satisfiable, case) in files.items():
        process = processes.run([*solver, str(path)], capture_output=True, text=True)
        message = f"{case_name(case)}: {process.stdout[-300:]}{process.stderr}"
        assert process.returncode in EXIT_CODES[satisfiable], message


def test_cases_are_both_satisfiable_and_unsatisfiable(solver, files):
    assert {satisfiable for satisfiable, _ in files.values()} == {True, False}


@pytest.mark.parametrize("variables", [0, 3])
@pytest.mark.parametrize("clauses", ["none", "an empty one", "an empty one and others"])
def test_solver_accepts_formulas_without_variables_or_clauses(variables, clauses, solver, tmp_path):
    empty = {"clause": "false", "empty": "unsatisfiable"}
    some = [{"clause": f"X[{i}]"} for i in range(variables)]
    constraints = {"none": [], "an empty one": [empty], "an empty one and others": [empty, *some]}
    formula = make(
        variables={"X": {"for": f"i in range({variables})"}}, constraints=constraints[clauses]
    )
    path = tmp_path / "x.cnf"
    write(formula, str(path))
    process = processes.run([*solver, str(path)], capture_output=True)
    assert process.returncode in EXIT_CODES[clauses == "none"], process.stdout
