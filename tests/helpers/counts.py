"""Helpers for tests of counts."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from boardsat.adapters import solvers
from boardsat.adapters.runtimes import select_runtime
from boardsat.base.errors import BoardsatError
from helpers.requirements import outside, skip_or_fail
from helpers.solver_runs import boardsat

CLASP = pytest.param("clasp", marks=outside)
"""No library has it."""


def need_some(counter: str) -> None:
    """Skip, unless it can run somewhere."""
    try:
        select_runtime(solvers.load(counter))
    except BoardsatError as error:
        skip_or_fail(counter, str(error))


def counted(*arguments: object, code: int = 0) -> dict[str, Any]:
    outcome = boardsat("count", *arguments, "--json")
    assert outcome.code == code, outcome.err
    json_output: dict[str, Any] = json.loads(outcome.out)
    return json_output


def counted_or_not(*arguments: object) -> dict[str, Any]:
    """Return the JSON output of `count`, whose count may be null."""
    outcome = boardsat("count", *arguments, "--json")
    json_output: dict[str, Any] = json.loads(outcome.out)
    assert outcome.code == (3 if json_output["count"] is None else 0), outcome.err
    return json_output


def file(folder: Path, text: str, name: str = "formula.cnf") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def models_over(clauses: list[list[int]], variables: int, projection: list[int]) -> int:
    """Return the number of projected models, by brute force."""
    seen = set()
    for values in itertools.product((False, True), repeat=variables):
        if all(any(values[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses):
            seen.add(tuple(values[v - 1] for v in projection))
    return len(seen)
