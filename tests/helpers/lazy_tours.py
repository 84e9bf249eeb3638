"""Runs of lazy formulas: tours and connected sets found with cuts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pysat.solvers import Solver

from boardsat.adapters.lazy_cuts.connectivity_cuts import find_cuts
from boardsat.adapters.lazy_cuts.cut_validation import cut_checker
from boardsat.adapters.lazy_cuts.lazy_constraints import read_lazy_constraints
from boardsat.generators import Formula, write
from boardsat.instance.formula_file import open_formula
from helpers.formulas import clauses_of
from helpers.solver_runs import (
    boardsat,
)

EMBEDDED_CUTS = ("--enc", "cuts", "--runtime", "embedded")


def solve_json(*arguments: object) -> tuple[int, dict[str, Any]]:
    """Return the exit code and the JSON output of `boardsat solve`."""
    output = boardsat("solve", *arguments, "--json")
    assert output.err == ""
    result: dict[str, Any] = json.loads(output.out)
    return output.code, result


def board_options(rows: int, cols: int) -> tuple[str, ...]:
    return ("--set", f"rows={rows}", "--set", f"cols={cols}")


def graph_file(folder: Path, edges: Sequence[tuple[int, int]], vertices: int = 0) -> Path:
    path = folder / "graph.col"
    vertices = vertices or 1 + max(v for edge in edges for v in edge)
    lines = [f"p edge {vertices} {len(edges)}", *(f"e {u + 1} {v + 1}" for u, v in edges)]
    path.write_text("\n".join(lines) + "\n")
    return path


def models_and_cuts(formula: Formula, folder: Path) -> tuple[set[int], list[list[int]]]:
    """Return the models that obey all lazy constraints, as rows, and the cuts that were added."""
    path = str(folder / "lazy.cnf")
    write(formula, path)
    graphs = read_lazy_constraints(open_formula(path).header).graphs
    models, cuts = set(), []
    with Solver("minisat22", bootstrap_with=clauses_of(formula)) as solver:
        while solver.solve():
            true = {literal for literal in solver.get_model() if literal > 0}
            if violations := find_cuts(graphs, true):
                for cut in violations.cuts:
                    assert not any((x > 0) == (abs(x) in true) for x in cut), (
                        "the model satisfies its cut"
                    )
                    assert any(cut_checker(graph).is_cut(cut) for graph in graphs)
                    solver.add_clause(cut)
                cuts += violations.cuts
                continue
            models.add(sum(1 << variable - 1 for variable in true))
            solver.add_clause([-v if v in true else v for v in range(1, formula.variables + 1)])
    return models, cuts
