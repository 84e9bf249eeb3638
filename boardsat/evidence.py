"""Evidence for encodings: a tour that was found without a formula must be a model of every one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from adapters.answer import Model, Status
from adapters.errors import AdapterError
from adapters.header import Header, Ints
from boardsat.problem import Problem
from boardsat.solving import Request, solve, with_clauses

Bools = npt.NDArray[np.bool_]


def model_of(problem: Problem, tour: Sequence[int], request: Request) -> Model | None:
    """A model of the formula that stands for the tour, or None if there is none.

    The variables that a tour is read from are fixed by unit clauses, the rest is left to a solver.
    A formula may want a closed tour in one direction only, so the other is tried too.
    """
    ways = [list(tour)]
    if problem.header.parameters.get("closed", True):
        ways.append([tour[0], *tour[:0:-1]])
    for way in ways:
        literals = decisions(problem.header, way)
        if literals is None:
            continue
        with with_clauses(problem, [[literal] for literal in literals]) as fixed:
            answer = solve(fixed, request).answer
        if answer.status is Status.UNKNOWN:
            raise AdapterError(
                f"whether the tour is a model is not known ({answer.reason})", "give more time"
            )
        if answer.model is not None:
            return answer.model
    return None


def decisions(header: Header, tour: Sequence[int]) -> list[int] | None:
    """The variables that a tour is read from, set to it; None where one that it needs is not."""
    view = header.views[0]
    variable = header.variables[view["variable"]]
    indices = np.unravel_index(variable.keys, variable.shape)
    roles = {role: indices[place] for role, place in view.items() if type(place) is int}
    closed = bool(header.parameters.get("closed", True))
    moves = len(tour) if closed else len(tour) - 1
    order = np.array(tour, np.int64)
    following = np.full(len(order), -1, np.int64)
    following[order] = np.roll(order, -1)
    if not closed:
        following[order[-1]] = -1
    match view["view"]:
        case "order":
            true, needed = order[roles["position"]] == roles["cell"], len(tour)
        case "arcs":
            true, needed = _follows(following, roles), moves
        case "edges":
            back = {"from": roles["to"], "to": roles["from"]}
            true, needed = _follows(following, roles) | _follows(following, back), moves
        case other:
            raise AdapterError(f"a view of {other!r} shows no tour", "give a file of tours")
    if np.count_nonzero(true) != needed:
        return None
    literals: list[int] = np.where(true, variable.ids, -variable.ids).tolist()
    return literals


def _follows(following: Ints, roles: dict[str, Ints]) -> Bools:
    found: Bools = following[roles["from"]] == roles["to"]
    return found
