"""Files whose header was forged: refused, or read, decoded, judged by the rules and drawn.

A model is that of a solver which knows nothing of headers, and it is decoded again by other code.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from functools import lru_cache
from pathlib import Path

import numpy as np
from helpers.formulas import clauses_of, make, shipped, text_of
from pysat.solvers import Solver

from boardsat.adapters.answer import Model
from boardsat.adapters.boards import board_of
from boardsat.adapters.dimacs.header import read_header
from boardsat.adapters.dimacs.header_entries import (
    BOARD_STYLES,
    COLOURS,
    LABEL_POSITIONS,
    SPOTS,
    VIEWS,
)
from boardsat.adapters.lazy_cuts.lazy_constraints import read_lazy_constraints
from boardsat.adapters.rendering.svg import solution_to_svg
from boardsat.adapters.views import model_description
from boardsat.adapters.views.decoder import decode
from boardsat.base.errors import BoardsatError
from boardsat.generators import build, encodings, parse
from boardsat.instance.formula_file import FormulaFile, board_file, open_formula
from boardsat.workflows.solve.checks import check_model, check_rules
from boardsat.workflows.solve.result import board_text
from fuzz.judging import scratch
from fuzz.target import Target
from fuzz.targets import _decoding, dimacs

GRAPHS = Path(__file__).parents[2] / "graphs"
DRAWINGS = sorted((Path(__file__).parents[2] / "drawings").glob("*.yaml"))
SMALL = {
    "colouring/direct": {"graph": GRAPHS / "triangle.txt"},
    "hamilton/binary": {"graph": GRAPHS / "triangle.txt"},
    "hitori/cuts": {"numbers": "122;313;231"},
    "latin/direct": {"n": 2},
    "pigeonhole/direct": {"pigeons": 2, "holes": 3},
    "queens/squares": {"n": 4},
    "slitherlink/cuts": {"clues": "3.;.2;3."},
    "sudoku/direct": {"n": 2},
    "symmetric/binary": {"rows": 4, "cols": 3, "moves": "king"},
    "tour/binary": {"rows": 3, "cols": 4, "closed": False},
    "tour/cuts": {"n": 6},
    "tour/direct": {"rows": 3, "cols": 4, "moves": "wazir", "holes": "5,6"},
    "tour/unary": {"shape": "hexagon", "n": 2, "moves": "wazir", "friends": "rook@3"},
    "tour/ve": {"shape": "box", "layers": 2, "rows": 2, "cols": 2, "moves": "wazir"},
    "tour/undirected": {"rows": 3, "cols": 4, "moves": "king", "shape": "torus"},
}
INTEGERS = {
    "board": {"shape": "grid", "rows": 2, "cols": 3},
    "variables": {
        "V": {"for": "i in cells", "values": "-1 - i..5 - i", "description": "{i + 1} has {V - 1}"},
        "X": {"for": "i in cells, v in range(3)", "description": "{i} has sign {v - 1}"},
        "Z": {"description": "a variable without indices"},
    },
    "constraints": [
        {"for": "i in cells", "exactly_one": "X[i, v] for v in range(3)"},
        {"clause": "Z"},
        {"all_different": "V[i] for i in cells"},
        {"for": "i in cells", "if": "i > 0", "clause": "V[i - 1] + 1 > V[i]"},
    ],
    "decode": [
        {"label": "V[i]", "cell": "5 - i"},
        {"table": "V[i]", "row": "row[i]", "column": "column[i]"},
        {"table": "X[i, v]", "row": "row[i]", "column": "column[i]", "value": "v + 2"},
        {"list": "X[i, v]", "index": "i", "value": "v - 3"},
        {"fill": "X[i, v]", "cell": "i", "value": "v + 4"},
    ],
}
DRAWN = 20_000
"""Cells of a board whose picture is looked at."""
TOKENS = (
    *("boardsat", "parameters", "board", "edges", "objects", "variable", "keys", "ids", "decode"),
    *("regions", "given", "lazy", "ind", "grid", "torus", "klein", "cube", "hexagon", "graph"),
    *(
        "touched",
        "cells",
        "negated",
        "drawing",
        "column",
        "columns",
        "members",
        "ground",
        *LABEL_POSITIONS,
        *BOARD_STYLES,
        *COLOURS,
        *SPOTS,
    ),
    *(*VIEWS, "rows", "cols", "moves", "shape", "first", "count", "0+3", "0+3*2", "1 2 3 0"),
    *("t wmc", "t pwmc", "p weight 1 2.5e-1 0", "p weight -1 1/3 0", "p weight 2 0 0"),
)


def seeds() -> list[bytes]:
    """Whole headers, each above a model in place of the clauses: it is read faster."""
    inputs = []
    formulas = [shipped(name, **settings) for name, settings in SMALL.items()]
    formulas.append(shipped("symmetric/binary", n=6, turn="90"))
    formulas += [build(parse(path.read_text()), {}) for path in DRAWINGS]
    formulas += [make({"int": name}, **INTEGERS) for name in encodings.names("int")]
    for formula in formulas:
        with Solver("minisat22", bootstrap_with=clauses_of(formula)) as solver:
            assert solver.solve()
            model = solver.get_model()
        head = text_of(formula).partition(b"\np cnf ")[0]
        # What no clause mentions is false in every model here.
        true = [literal for literal in model if literal > 0]
        units = "".join(f"{literal} 0\n" for literal in true)
        if formula is formulas[0]:
            head += b"\nc t wmc\nc p weight 1 0.25 0\nc p weight -1 3/4 0"
        inputs.append(head + f"\np cnf {formula.variables} {len(true)}\n{units}".encode())
    return inputs


def check(data: bytes) -> None:
    path = scratch() / "input.cnf"
    path.write_bytes(data)
    problem = open_formula(str(path), lenient=True)
    request_all(problem)
    model = solved(problem, data)
    if model is None:
        return
    true = set(np.flatnonzero(model > 0).tolist())
    lines = model_description.true_lines(problem.header, model)
    if problem.header.variables:
        _decoding.check_lines(data, true, lines)
    else:
        _decoding.check_literals(true, lines, problem.variables)
    solution = decode(problem.header, model)
    check_model(problem, model, "a solver")
    if solution is None:
        return
    _decoding.check_solution(data, true, solution)
    if solution.board.cells <= DRAWN:
        ET.fromstring(
            solution_to_svg(solution, bool(problem.header.parameters.get("closed", True)))
        )
    drawing = board_text(solution, problem.header)
    assert all(sign.isprintable() or sign in "\n\x1b" for sign in drawing)
    check_rules(problem, solution)


def request_all(problem: FormulaFile) -> None:
    """Make the requests of a file that commands make before they solve it."""
    if problem.header.board.options:
        with board_file(problem) as path:
            text = Path(path).read_text("ascii").removeprefix("c ").removesuffix("\n")
            reread = read_header(text.split("\nc "))
        assert board_of(reread) == board_of(problem.header)
    problem.decision_variables()
    if problem.header.counting.projection_error is None:
        problem.projection()
        _weighed(problem)
    if problem.header.lazy:
        try:
            read_lazy_constraints(problem.header, problem.path)
        except BoardsatError as error:
            assert "c lazy" in str(error)


def _weighed(problem: FormulaFile) -> None:
    """Check that both literals of a weighted variable have weights, none of them negative."""
    try:
        weights = problem.weights() or {}
    except BoardsatError as error:
        assert "weight" in str(error)
        return
    projected = set(problem.projection().tolist())
    assert all(abs(lit) in projected and -lit in weights and weights[lit] >= 0 for lit in weights)


def solved(problem: FormulaFile, data: bytes) -> Model | None:
    """Return a model, or None; cached, because most mutations preserve the clauses."""
    if problem.variables > 10**6:
        return None
    contents = dimacs.leniently(data)
    literals = None if contents.sums else _model(tuple(map(tuple, contents.clauses)))
    if literals is None:
        return None
    values = np.full(problem.variables + 1, -1, np.int8)
    values[[x for x in literals if 0 < x <= problem.variables]] = 1
    return values


# Not all of them: a long run would take all memory that an input may have.
@lru_cache(maxsize=256)
def _model(clauses: tuple[tuple[int, ...], ...]) -> list[int] | None:
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        return list(solver.get_model()) if solver.solve() else None


TARGET = Target(seeds, check, tokens=TOKENS)
