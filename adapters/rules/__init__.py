"""The rules of problems, one file each, named like the problem, checked on a decoded board.

`faults(solution, parameters)` yields what is wrong, in words; nothing, if all is well. Rules are
written from the problem's definition and share no code with any encoding.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.views.solution import Solution
from boardsat.base.registry import Registry

_registry = Registry(__name__, "problem with rules")
names = _registry.names


def faults(problem: str, solution: Solution, parameters: dict[str, Any]) -> Iterator[str] | None:
    """What is wrong with the solution; None where the problem's rules are not known."""
    if problem not in names():
        return None
    found: Iterator[str] = _registry.load(problem).faults(solution, parameters)
    return found
