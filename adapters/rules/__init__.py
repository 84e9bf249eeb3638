"""Rules of problems, checked on a decoded solution: one module for each problem, with its name.

The first line of a module is the definition of the problem. The module has a generator function
`violations(solution, parameters)`, written from this definition, which shares no code with any
encoding. If `BASE` names another problem, the rules of that problem are checked first; a module
that adds no rules has no function.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from boardsat.adapters.boards import Board
from boardsat.adapters.views import Solution
from boardsat.base.registry import Registry

_registry = Registry(__name__, "problem with rules")
names = _registry.names

Parameters = dict[str, Any]
"""Parameters of the instance by name, from the header of its file."""

Violations = Iterator[str]
"""Message for each violated rule; none for a correct solution."""

AnyBoard = TypeVar("AnyBoard", bound=Board)
AnyView = TypeVar("AnyView")
Vertex = TypeVar("Vertex", int, tuple[int, int])


def violations(problem: str, solution: Solution, parameters: Parameters) -> Violations | None:
    """Return the violations of the rules of a problem.

    Parameters
    ----------
    problem : str
        Name of a problem of the catalogue, which is the name of its module of rules.
    solution : Solution
        Decoded solution.
    parameters : dict
        Parameters of the instance, from the header of its file.

    Returns
    -------
    iterator of str or None
        A message for each violated rule; empty for a correct solution. None if the problem has no
        module of rules.

    Examples
    --------
    >>> from boardsat.adapters.boards import Grid
    >>> from boardsat.adapters.views import Marks
    >>> queens = Solution(Grid(2, 2, frozenset()), Marks(frozenset([0, 3])))
    >>> list(violations("queens", queens, {"n": 2}))
    ['the queens on (0, 0) and (1, 1) attack each other']
    """
    return _violations(problem, solution, parameters) if problem in names() else None


def _violations(problem: str, solution: Solution, parameters: Parameters) -> Violations:
    module = _registry.load(problem)
    is_violated = False
    for message in _violations(module.BASE, solution, parameters) if "BASE" in vars(module) else ():
        yield message
        is_violated = True
    if not is_violated and "violations" in vars(module):
        yield from module.violations(solution, parameters)


# Helpers of rules.


def board_and_view(
    solution: Solution, board_class: type[AnyBoard], view_class: type[AnyView]
) -> tuple[AnyBoard, AnyView]:
    """Return the board and the first view; raise AssertionError unless they have these classes."""
    board, view = solution.board, solution.view
    assert isinstance(board, board_class) and isinstance(view, view_class)
    return board, view


def adjacency_of(pairs: Iterable[Iterable[Vertex]]) -> dict[Vertex, list[Vertex]]:
    """Return the neighbours of every vertex that is in a pair."""
    adjacency: dict[Vertex, list[Vertex]] = {}
    for u, v in pairs:
        adjacency.setdefault(u, []).append(v)
        adjacency.setdefault(v, []).append(u)
    return adjacency


def cycle_length(adjacency: dict[Vertex, list[Vertex]]) -> int:
    """Return the length of the cycle through the smallest vertex; all vertices have degree 2."""
    start = min(adjacency)
    previous, vertex, length = start, adjacency[start][0], 1
    while vertex != start:
        previous, vertex = vertex, next(w for w in adjacency[vertex] if w != previous)
        length += 1
    return length
