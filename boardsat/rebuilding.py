"""Whether a file is what its header says: it is built again from the catalogue, and compared.

A header alone proves nothing, for anybody can write one, or add a clause below it.
"""

from __future__ import annotations

import json
from typing import Any

from boardsat.adapters.dimacs.gbd_hash import gbd_hash
from boardsat.adapters.dimacs.text import DimacsError
from boardsat.adapters.errors import AdapterError
from boardsat.generators.catalogue import find
from boardsat.generators.defaults import COUNT
from boardsat.generators.errors import InputError
from boardsat.generators.sections.parameters import settings_for
from boardsat.problem import Instance, Problem
from boardsat.sources import Changes, Named, written


def is_built_alike(problem: Problem) -> bool:
    """Whether its header names an encoding of the catalogue that gives exactly these clauses."""
    name, slash, encoding = str(problem.header.about.get("spec", "")).partition("/")
    changes, told = _changes(problem), problem.header.parameters
    if not slash or changes is None:
        return False
    if not all(isinstance(value, str | int) for value in told.values()):
        return False  # a graph file, which is not at hand
    try:
        spec = find(name, encoding)
        again = Named(name, encoding, settings_for(spec, told), changes, spec)
        # First what takes no time, for the numbers of a header may be large.
        return _board(again.counted_board()) == _board(problem) and _has_clauses(again, problem)
    except (AdapterError, DimacsError, InputError):
        return False  # as another version wrote it


def _board(instance: Instance) -> tuple[object, ...]:
    """All that a solver of boards reads."""
    header = instance.header
    edges = [line for line in instance.comments if line.startswith("edges ")]
    return header.problem, header.parameters, header.board, edges


def _has_clauses(again: Named, problem: Problem) -> bool:
    formula = again.formula(COUNT)
    if (formula.variables, formula.clauses) != (problem.variables, problem.clauses):
        return False
    with written(formula) as file:
        return gbd_hash(file.path) == gbd_hash(problem.path)


def _changes(problem: Problem) -> Changes | None:
    """What the header says was done to the formula; None where that is not to be understood."""
    options: dict[str, Any] = {}
    for line in problem.comments:
        if not line.startswith("transform "):
            continue
        match _read(line.removeprefix("transform ")):
            case {"transform": "propagate"}:
                options["propagate"] = True
            case {"transform": "split", "equivalences": bool(keep)}:
                options["three_cnf"] = "equivalences" if keep else "chain"
            case {"transform": "shuffle", "seed": int(seed)}:
                options["shuffle"] = seed
            case _:
                return None
    return Changes(**options)


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
