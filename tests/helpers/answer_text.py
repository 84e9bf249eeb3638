"""A small spec, and a solver in this process, for tests of displayed answers."""

from __future__ import annotations

from pathlib import Path

from pysat.formula import CNF
from pysat.solvers import Solver

from boardsat.adapters.answer import Answer, SolverRun, Status, TerminationReason, Usage
from boardsat.adapters.solvers import output_parsers
from boardsat.generators import build, parse, write
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.solve.checks import check_answer
from boardsat.workflows.solve.request import SolveRequest
from boardsat.workflows.solve.result import CheckedAnswer, format_result

COINS_SPEC = """
title: Two coins that differ, and a lamp
params: {n: 2}
variables:
  Coin:
    for: k in range(n)
    description: coin {k + 1} of {n} shows heads
  Lamp:
    description: the lamp is on
  Bare:
    for: k in range(2)
constraints:
  - exactly_one: Coin[k] for k in range(n)
  - clause: Coin[0]
  - clause: Lamp
  - clause: Bare[1]
  - clause: not Bare[0]
"""


def write_formula(folder: Path, text: str, **settings: object) -> FormulaFile:
    """Write the formula of a spec, and return the file."""
    path = str(folder / "formula.cnf")
    write(build(parse(text), {key: str(value) for key, value in settings.items()}), path)
    return open_formula(path, generated_here=True)


def solve_formula(problem: FormulaFile) -> CheckedAnswer:
    """Solve a formula file in this process, and check the answer like that of any solver."""
    formula = CNF(from_file=problem.path)
    with Solver("cadical195", bootstrap_with=formula.clauses) as solver:
        status = Status.SATISFIABLE if solver.solve() else Status.UNSATISFIABLE
        parser = output_parsers.CompetitionParser(problem.variables)
        if status is Status.SATISFIABLE:
            parser.feed("v " + " ".join(map(str, solver.get_model())) + " 0")
    answer = Answer(
        status,
        "",
        SolverRun("me", "1", "native", TerminationReason.FINISHED, status.value, Usage(0.25)),
        model=parser.model(),
    )
    return check_answer(problem, answer, SolveRequest("me"))


def answer_lines(problem: FormulaFile) -> list[str]:
    """Return the lines that `solve` prints for a formula file."""
    return format_result(solve_formula(problem), problem).splitlines()
