"""What the tests share: specs from Python values, clauses as lists, and models found without us."""

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
from boardsat.generators.clauses.blocks import XorLines
from boardsat.generators.dimacs import document as dimacs
from boardsat.generators.spec.catalogue import encodings_of, problems
from helpers.problem_settings import tiny_settings

THOROUGH = bool(os.environ.get("BOARDSAT_THOROUGH"))
"""Whether everything shall be tried, as `make test-all` does."""

GRAPHS = Path(__file__).parents[1] / "graphs"

Clauses = list[list[int]]
Truth = npt.NDArray[np.bool_]


def make(settings: Mapping[str, Any] | None = None, form: str = "", **sections: Any) -> Formula:
    """The formula of a spec whose sections are given as Python values (JSON is YAML)."""
    document = {"title": "a test", "variables": {}, "constraints": [], **sections}
    return build(parse(json.dumps(document)), settings, form)


def shipped(name: str, **settings: Any) -> Formula:
    """The formula of a spec of the catalogue."""
    return build(find(name), settings)


def catalogue() -> list[str]:
    """The name of every spec that ships."""
    return [f"{problem}/{encoding}" for problem in problems() for encoding in encodings_of(problem)]


def counted_variables(formula: Formula) -> list[int]:
    """All variables, or those of the projection where others do not follow from them."""
    if formula.header.count_preserving:
        return list(range(1, formula.variables + 1))
    projection: list[int] = formula.header.projection.tolist()
    return projection


@cache
def is_lazy(name: str) -> bool:
    """Whether a spec leaves cuts to whoever solves it: its models alone need not be boards."""
    return find(name).is_lazy


def non_lazy_specs() -> list[str]:
    """Those whose formula says all."""
    return [name for name in catalogue() if not is_lazy(name)]


def tiny(name: str) -> Formula:
    """A small instance of a spec of the catalogue."""
    return shipped(name, **tiny_settings(name.partition("/")[0]))


def clauses_of(formula: Formula) -> Clauses:
    """The clauses in order, without their zeros; an xor line as the clauses that it stands for."""
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
    clauses: Clauses = [[]]
    for token in tokens.tolist():
        if token:
            clauses[-1].append(token)
        else:
            clauses.append([])
    assert clauses.pop() == [], "a formula must end with its last clause"
    return clauses


def xor_clauses(literals: Sequence[int]) -> Clauses:
    """The clauses that forbid every even number of true literals, one choice of them each."""
    even = (
        true
        for size in range(0, len(literals) + 1, 2)
        for true in combinations(range(len(literals)), size)
    )
    return [[-x if place in true else x for place, x in enumerate(literals)] for true in even]


def text_of(formula: Formula) -> bytes:
    """The DIMACS file; a piece is only valid until the next, so each is copied."""
    return b"".join(bytes(piece) for piece in dimacs.document(formula))


def truth_table(variables: int) -> Truth:
    """All assignments, a row each; column k is variable k + 1, whose weight in the row is 2**k."""
    return (np.arange(2**variables)[:, None] >> np.arange(variables)) & 1 == 1


def models(variables: int, clauses: Iterable[Sequence[int]]) -> set[int]:
    """By brute force, the rows of the truth table that satisfy all clauses."""
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
    """Assignments of the first variables that extend to a model, and whether in one way only.

    One or two calls of a solver for each: counters have far too many models to list.
    """
    top = max([variables, *(abs(x) for clause in clauses for x in clause)])
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        for row in range(2**variables):
            chosen = [v + 1 if row >> v & 1 else -v - 1 for v in range(variables)]
            if not solver.solve(chosen):
                continue
            others = [-x for x in solver.get_model() if variables < abs(x) <= top]
            # The clause that asks for another extension counts only while its switch is on.
            switch = top + 1 + row
            solver.add_clause([-switch, *others])
            yield row, not solver.solve([*chosen, switch])


def solutions(formula: Formula, over: Sequence[int] | None = None) -> Iterator[frozenset[int]]:
    """One after the other, the true ones among some variables (all, unless said) by a solver."""
    counted = list(range(1, formula.variables + 1) if over is None else over)
    with Solver("minisat22", bootstrap_with=clauses_of(formula)) as solver:
        while solver.solve():
            # A variable in no clause is missing from the model: it may as well be false, then true.
            true = frozenset(counted).intersection(solver.get_model())
            yield true
            solver.add_clause([-v if v in true else v for v in counted])


def count(formula: Formula, over: Sequence[int] | None = None) -> int:
    return sum(1 for _ in solutions(formula, over))


def is_satisfiable(formula: Formula) -> bool:
    with Solver("cadical153", bootstrap_with=clauses_of(formula)) as solver:
        return bool(solver.solve())


def members(formula: Formula, name: str) -> dict[tuple[int, ...], int]:
    """The number of every member of a variable, by its indices, from what the header says."""
    variable = next(v for v in formula.header.variables if v.name == name)
    keys = range(variable.count) if variable.keys is None else variable.keys.tolist()
    found = {}
    for place, key in enumerate(keys):
        indices = np.unravel_index(key, variable.shape) if variable.shape else ()
        found[tuple(int(i) for i in indices)] = variable.first + place
    return found


def examples(number: int) -> settings:
    """So many examples in `make test-all`, a fifth of them otherwise; always the same ones."""
    number = number if THOROUGH else -(-number // 5)
    return settings(
        max_examples=number,
        deadline=None,
        derandomize=True,
        database=None,
        # On a busy machine that is the machine's fault.
        suppress_health_check=[HealthCheck.too_slow],
    )


def mostly_slow(values: Iterable[Any], quick: Collection[Any]) -> list[Any]:
    """Parameters of a test, of which only the quick ones are for `make test`."""
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=marks)
        for value in values
        for marks in [[] if value in quick else [pytest.mark.slow]]
    ]


def one_in(step: int, values: Iterable[Any]) -> list[Any]:
    """Parameters of a test, of which one in so many is for `make test`, the first among them."""
    listed = list(values)
    return mostly_slow(listed, listed[::step])


@contextmanager
def chunks_of(number: int) -> Iterator[None]:
    """Work in tiny chunks, wherever the size of a chunk was imported."""
    with ExitStack() as stack:
        for name, module in list(sys.modules.items()):
            if name.startswith("boardsat.generators.") and hasattr(module, "CHUNK"):
                stack.enter_context(mock.patch.object(module, "CHUNK", number))
        yield


def check_sizes(formula: Formula) -> Clauses:
    """What a formula says about its size is true of its clauses, which are given back."""
    clauses = clauses_of(formula)
    assert formula.clauses == len(clauses)
    assert formula.num_unit_clauses == sum(len(clause) == 1 for clause in clauses)
    assert formula.literals == sum(map(len, clauses))
    assert formula.variables >= max((abs(x) for clause in clauses for x in clause), default=0)
    return clauses
