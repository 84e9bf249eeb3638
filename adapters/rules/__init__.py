"""Rules of problems, checked on a decoded solution: one file for each problem, with its name.

`violations(solution, parameters)` yields a message for each violated rule. Rules are written from
the definition of the problem and share no code with any encoding.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.views.solution import Solution
from boardsat.base.registry import Registry

_registry = Registry(__name__, "problem with rules")
names = _registry.names


def violations(
    problem: str, solution: Solution, parameters: dict[str, Any]
) -> Iterator[str] | None:
    """Return the violations of the rules of a problem; None if it has no rules.

    Parameters
    ----------
    problem : str
        Name of a problem of the catalogue, which is the name of its file of rules.
    solution : Solution
        Decoded solution.
    parameters : dict
        Parameters of the instance, from the header of its file.
    """
    if problem not in names():
        return None
    messages: Iterator[str] = _registry.load(problem).violations(solution, parameters)
    return messages
