"""Rules of problems, checked on a decoded solution: one module for each problem, with its name.

The module defines `violations(solution, parameters)`, which yields a message for each violated
rule. Rules are written from the definition of the problem and share no code with any encoding. The
first line of the module is this definition.
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
    """
    if problem not in names():
        return None
    messages: Iterator[str] = _registry.load(problem).violations(solution, parameters)
    return messages
