"""Recorded formulas and unchecked answers, for tests of runtimes."""

from __future__ import annotations

from pathlib import Path

from boardsat.adapters.answer import Answer
from boardsat.adapters.run_solver import run_solver
from boardsat.adapters.runtimes import Limits, Task
from boardsat.adapters.solvers import Solver
from boardsat.instance.formula_file import open_formula

FORMULAS = Path(__file__).parents[1] / "recorded"
SAT, UNSAT, HARD = (str(FORMULAS / f"{name}.cnf") for name in ("sat", "unsat", "limit"))


def answer(solver: Solver, where: str, file: str, limits: Limits | None = None) -> Answer:
    return run_solver(solver, where, Task(file, limits or Limits()), open_formula(file).variables)
