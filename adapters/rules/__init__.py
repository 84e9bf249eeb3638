"""The rules of problems, one file each, named like the problem, checked on a decoded board.

`faults(solution, parameters)` yields what is wrong, in words; nothing, if all is well. Rules are
written from the problem's definition and share no code with any encoding.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from typing import Any

from boardsat.adapters.decode import Solution


@cache
def known() -> tuple[str, ...]:
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def faults(problem: str, solution: Solution, parameters: dict[str, Any]) -> Iterator[str] | None:
    """What is wrong with the solution; None where the problem's rules are not known."""
    if problem not in known():
        return None
    found: Iterator[str] = importlib.import_module(f"{__name__}.{problem}").faults(
        solution, parameters
    )
    return found
