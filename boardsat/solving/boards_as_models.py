"""Evidence for encodings: a board that was found elsewhere must be a model of each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from boardsat.adapters.answer import Model, Status
from boardsat.adapters.boards import Grid, begins_anywhere, board_of
from boardsat.adapters.decode import Labels, Marks, Solution, Tour
from boardsat.adapters.dimacs.header import VIEWS, Header
from boardsat.adapters.errors import AdapterError
from boardsat.problem import Problem
from boardsat.solving.asking import SolveRequest, with_clauses
from boardsat.solving.checking import examine
from boardsat.solving.lazy import answer_of

Member = tuple[int, ...]
"""The roles of a view for a variable that holds: cells, positions or values."""

Members = list[Member]


def model_of(problem: Problem, solution: Solution, request: SolveRequest) -> Model | None:
    """A model of the formula that stands for the board, or None if there is none.

    The variables that a board is read from are fixed by unit clauses, the rest is left to a solver.
    A formula may want a closed tour in one direction only, so the other is tried too.
    """
    for way in ways(problem.header, solution):
        literals = literals_of(problem, way)
        if literals is None:
            continue
        with with_clauses(problem, [[literal] for literal in literals]) as fixed:
            answer = answer_of(fixed, request)
            if answer.status is Status.UNKNOWN:
                raise AdapterError(
                    f"whether the board is a model is not known ({answer.reason})", "give more time"
                )
            with with_clauses(fixed, answer.cuts) as formula:
                examine(formula, answer, request)
        if answer.model is not None:
            return answer.model
    return None


def ways(header: Header, solution: Solution) -> Iterator[Members]:
    """What holds in the view of the header; a closed tour also the other way round."""
    match solution.picture:
        case Tour(order=order):
            yield _tour(header, order)
            if _is_closed(header):
                yield _tour(header, (order[0], *order[:0:-1]))
        case Marks(cells=cells):
            yield [(cell,) for cell in sorted(cells)]
        case Labels(values=values):
            plus = header.views[0]["plus"]
            yield [(cell, value - plus) for cell, part in enumerate(values) for value in part]


def _is_closed(header: Header) -> bool:
    return header.closed


def _tour(header: Header, order: tuple[int, ...]) -> Members:
    if begins_anywhere(header.parameters):
        # It comes from a cell outside the board, which has the number after the last one.
        order = (len(order), *order)
    if header.views[0]["view"] == "order":
        return [(cell, position) for position, cell in enumerate(order)]
    return _steps(order, _is_closed(header))


def _steps(order: tuple[int, ...], closed: bool) -> Members:
    return list(pairwise((*order, order[0]) if closed else order))


def literals_of(problem: Problem, members: Members) -> list[int] | None:
    """The variables of the view with their signs; None where the encoding has no such variable."""
    view = problem.header.views[0]
    variable = problem.header.variables[view["variable"]]
    places = [view[role] for role in VIEWS[view["view"]]]
    if len(places) != len(variable.shape):
        return None
    numbers = dict(zip(variable.keys.tolist(), variable.ids.tolist(), strict=True))
    alike = _alike(problem.header)
    true = set()
    for member in members:
        keys = [_key(each, places, variable.shape) for each in alike(member)]
        found = next((numbers[key] for key in keys if key in numbers), None)
        if found is None:
            return None
        true.add(found)
    return [number if number in true else -number for number in np.unique(variable.ids).tolist()]


def _alike(header: Header) -> Callable[[Member], list[Member]]:
    """What gives all that the view has the same variable for."""
    match header.views[0]["view"]:
        case "edges":
            return lambda member: [member, member[::-1]]
        case "turned":
            board = board_of(header)
            assert isinstance(board, Grid)
            turns = range(0, 360, int(header.parameters["turn"]))
            return lambda step: [tuple(board.turned(cell, by) for cell in step) for by in turns]
    return lambda member: [member]


def _key(member: Member, places: list[int], shape: tuple[int, ...]) -> int | None:
    """The flat number of indices, if they are in the box; roles may stand in another order."""
    indices = [0] * len(shape)
    for place, index in zip(places, member, strict=True):
        indices[place] = index
    if any(not 0 <= index < size for index, size in zip(indices, shape, strict=True)):
        return None
    return int(np.ravel_multi_index(indices, shape))
