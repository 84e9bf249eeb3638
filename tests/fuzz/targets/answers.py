"""External answers in any form: one is accepted only if it satisfies every clause."""

from __future__ import annotations

import json
import re
from functools import cache

from helpers.formulas import clauses_of, shipped, text_of
from pysat.solvers import Solver

from boardsat.generators import Formula
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.solve.external_answers import ExternalAnswer, decode_model
from fuzz.judging import scratch
from fuzz.target import Target

TOKENS = (
    *("s SATISFIABLE", "SATISFIABLE", "s UNSATISFIABLE", "v ", "v 1 -2 0", " 0", "SAT", "0\n"),
    *('"status"', '"model"', '"SATISFIABLE"', "[", "]", "{", "}", "[1, -2]", "-1", "16", "17"),
)


@cache
def _formula() -> Formula:
    return shipped("queens/squares", n=4)


@cache
def _problem() -> FormulaFile:
    path = scratch() / "queens.cnf"
    path.write_bytes(text_of(_formula()))
    return open_formula(str(path))


def seeds() -> list[bytes]:
    with Solver("minisat22", bootstrap_with=clauses_of(_formula())) as solver:
        assert solver.solve()
        model = solver.get_model()
    literals = " ".join(map(str, model))
    lines = "".join(f"v {x}\n" for x in [*model, 0])
    ours = {"status": "SATISFIABLE", "model": model, "solver": "x"}
    texts = [
        f"s SATISFIABLE\nv {literals} 0\n",
        f"c hello\ns SATISFIABLE\n{lines}c bye\n",
        f"SAT\n{literals} 0\n",
        f"{literals} 0",
        json.dumps(ours),
        json.dumps([ours], indent=1),
        f"SATISFIABLE (checked): x\n\nv {literals} 0\n",
        "s UNSATISFIABLE\n",
    ]
    return [text.encode() for text in texts]


def check(data: bytes) -> None:
    problem = _problem()
    decoded = decode_model(problem, ExternalAnswer([data], "answer"))
    assert decoded.solution is not None and str(decoded)
    # Whatever the form was: the true variables are among its numbers, and satisfy all clauses.
    true = {cell + 1 for cell in decoded.solution.view.cells}
    assert true <= {int(number) for number in re.findall(rb"(?<![\w.])\d{1,9}(?![\w.])", data)}
    for clause in clauses_of(_formula()):
        assert any((abs(literal) in true) == (literal > 0) for literal in clause)


TARGET = Target(seeds, check, tokens=TOKENS)
