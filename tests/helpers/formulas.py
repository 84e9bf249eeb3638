"""Formulas for tests: specs from Python values, clauses as lists, models by enumeration."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, settings
from pysat.solvers import Solver

from boardsat.generators import Formula, build, find, parse
from boardsat.generators.arrays import Tokens
from boardsat.generators.blocks import XorLines
from boardsat.generators.dimacs import document as dimacs
from boardsat.generators.spec.catalogue import encodings_of, problems
from helpers.problem_settings import tiny_settings

THOROUGH = bool(os.environ.get("BOARDSAT_THOROUGH"))
"""True for `make test-all`, which tries everything."""

GRAPHS = Path(__file__).parents[1] / "graphs"

Clauses = list[list[int]]
Truth = npt.NDArray[np.bool_]


def make(settings: Mapping[str, Any] | None = None, form: str = "", **sections: Any) -> Formula:
    """Return the formula of a spec whose sections are Python values (JSON is YAML)."""
    document = {"title": "a test", "variables": {}, "constraints": [], **sections}
    return build(parse(json.dumps(document)), settings, form)


def shipped(name: str, **settings: Any) -> Formula:
    """Return the formula of a spec of the catalogue."""
    return build(find(name), settings)


def catalogue() -> list[str]:
    """Return the names of the specs of the catalogue."""
    return [f"{problem}/{encoding}" for problem in problems() for encoding in encodings_of(problem)]


def counted_variables(formula: Formula) -> list[int]:
    """Return all variables if the encoding is count-preserving, else the projection."""
    if formula.header.count_preserving:
        return list(range(1, formula.variables + 1))
    projection: list[int] = formula.header.projection.tolist()
    return projection


@cache
def is_lazy(name: str) -> bool:
    """Return whether a spec has lazy constraints, so that some models are not boards."""
    return find(name).is_lazy


def non_lazy_specs() -> list[str]:
    """Return the names of the specs whose formula is complete."""
    return [name for name in catalogue() if not is_lazy(name)]


def tiny(name: str) -> Formula:
    """Return a small formula of a spec of the catalogue."""
    return shipped(name, **tiny_settings(name.partition("/")[0]))


def clauses_of(formula: Formula) -> Clauses:
    """Return the clauses in order; an XOR line is replaced by equivalent clauses."""
    clauses: Clauses = []
    for chunk in formula.chunks():
        if isinstance(chunk, XorLines):
            for line in split_clauses(chunk.tokens):
                clauses += xor_clauses(line)
        else:
            for rows in chunk.rows():
                clauses += split_clauses(rows.tokens)
    return clauses


def split_clauses(tokens: Tokens) -> Clauses:
    """Split literals at the zeros."""
    clauses: Clauses = [[]]
    for token in tokens.tolist():
        if token:
            clauses[-1].append(token)
        else:
            clauses.append([])
    assert clauses.pop() == [], "a formula must end with its last clause"
    return clauses


def xor_clauses(literals: Sequence[int]) -> Clauses:
    """Return clauses that require an odd number of true literals."""
    even_subsets = (
        subset
        for size in range(0, len(literals) + 1, 2)
        for subset in combinations(range(len(literals)), size)
    )
    return [
        [-x if index in subset else x for index, x in enumerate(literals)]
        for subset in even_subsets
    ]


def text_of(formula: Formula) -> bytes:
    """Return the DIMACS file; pieces are copied, as each is valid only until the next one."""
    return b"".join(bytes(piece) for piece in dimacs.document(formula))


def truth_table(variables: int) -> Truth:
    """Return all assignments as rows; variable k + 1 is column k, and bit k of the row number."""
    return (np.arange(2**variables)[:, None] >> np.arange(variables)) & 1 == 1


def models(variables: int, clauses: Iterable[Sequence[int]]) -> set[int]:
    """Return the rows of the truth table that satisfy all clauses."""
    table = truth_table(variables)
    satisfied = np.ones(len(table), np.bool_)
    for clause in clauses:
        holds = np.zeros(len(table), np.bool_)
        for literal in clause:
            holds |= table[:, abs(literal) - 1] == (literal > 0)
        satisfied &= holds
    return set(np.flatnonzero(satisfied).tolist())


def models_of(formula: Formula) -> set[int]:
    return models(formula.variables, clauses_of(formula))


def extendable_assignments(variables: int, clauses: Clauses) -> Iterator[tuple[int, bool]]:
    """Yield the assignments of the first variables that extend to a model, as rows.

    The second component is True if the extension is unique.
    """
    top = max([variables, *(abs(x) for clause in clauses for x in clause)])
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        for row in range(2**variables):
            assumptions = [v + 1 if row >> v & 1 else -v - 1 for v in range(variables)]
            if not solver.solve(assumptions):
                continue
            blocking = [-x for x in solver.get_model() if variables < abs(x) <= top]
            # The selector activates the clause that excludes this extension.
            selector = top + 1 + row
            solver.add_clause([-selector, *blocking])
            yield row, not solver.solve([*assumptions, selector])


def solutions(formula: Formula, over: Sequence[int] | None = None) -> Iterator[frozenset[int]]:
    """Yield the true variables of each model, projected to `over` (None: all variables)."""
    counted = list(range(1, formula.variables + 1) if over is None else over)
    with Solver("minisat22", bootstrap_with=clauses_of(formula)) as solver:
        while solver.solve():
            # A variable without clauses is missing from the model, which counts as false.
            true = frozenset(counted).intersection(solver.get_model())
            yield true
            solver.add_clause([-v if v in true else v for v in counted])


def count(formula: Formula, over: Sequence[int] | None = None) -> int:
    return sum(1 for _ in solutions(formula, over))


def is_satisfiable(formula: Formula) -> bool:
    with Solver("cadical153", bootstrap_with=clauses_of(formula)) as solver:
        return bool(solver.solve())


def members(formula: Formula, name: str) -> dict[tuple[int, ...], int]:
    """Return the number of each member of a variable, by its indices."""
    variable = next(v for v in formula.header.variables if v.name == name)
    keys = range(variable.count) if variable.keys is None else variable.keys.tolist()
    numbers = {}
    for offset, key in enumerate(keys):
        indices = np.unravel_index(key, variable.shape) if variable.shape else ()
        numbers[tuple(int(i) for i in indices)] = variable.first + offset
    return numbers


def examples(number: int) -> settings:
    """Return settings for this number of examples, or a fifth of them in `make test`."""
    number = number if THOROUGH else -(-number // 5)
    return settings(
        max_examples=number,
        deadline=None,
        derandomize=True,
        database=None,
        # A busy machine is slow.
        suppress_health_check=[HealthCheck.too_slow],
    )


def mostly_slow(values: Iterable[Any], quick: Collection[Any]) -> list[Any]:
    """Return test parameters, all but the quick ones marked as slow."""
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=marks)
        for value in values
        for marks in [[] if value in quick else [pytest.mark.slow]]
    ]


def one_in(step: int, values: Iterable[Any]) -> list[Any]:
    """Return test parameters, all but every `step`-th one, from the first on, marked as slow."""
    parameters = list(values)
    return mostly_slow(parameters, parameters[::step])


@contextmanager
def chunks_of(number: int) -> Iterator[None]:
    """Set the number of rows of a chunk in all modules that import it."""
    with ExitStack() as stack:
        for name, module in list(sys.modules.items()):
            if name.startswith("boardsat.generators.") and hasattr(module, "CHUNK"):
                stack.enter_context(mock.patch.object(module, "CHUNK", number))
        yield


def check_sizes(formula: Formula) -> Clauses:
    """Check the sizes of a formula against its clauses; return the clauses."""
    clauses = clauses_of(formula)
    assert formula.clauses == len(clauses)
    assert formula.num_unit_clauses == sum(len(clause) == 1 for clause in clauses)
    assert formula.literals == sum(map(len, clauses))
    assert formula.variables >= max((abs(x) for clause in clauses for x in clause), default=0)
    return clauses
