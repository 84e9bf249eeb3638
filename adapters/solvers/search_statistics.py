"""What solvers tell about their search, each in its own words: conflicts, decisions and the like.

A statistic is never worth an answer: what cannot be read is left out.
"""

from __future__ import annotations

import re

_LINE = re.compile(
    r"(?:c\s+)?(conflicts|decisions|choices|propagations|restarts)\s*:\s+(\d{1,18})(?:\s|$)",
    re.ASCII | re.IGNORECASE,
)
_COMMON = {"choices": "decisions"}
"""What clasp calls otherwise."""

_NUMBERS = ("choices", "conflicts", "restarts", "rules", "atoms", "variables", "constraints")
_SECONDS = r"(\d{1,9}(?:\.\d{1,9})?)s"
_TIMES = re.compile(
    rf"{_SECONDS} \(Solving: {_SECONDS} 1st Model: {_SECONDS} Unsat: [\d.]+s\)", re.ASCII
)


def told_in(line: str) -> dict[str, int]:
    """`c conflicts: 12`, `c Conflicts   : 12  (Analyzed: 11)`, `conflicts   : 12`."""
    found = _LINE.match(line)
    if found is None:
        return {}
    name = found[1].lower()
    return {_COMMON.get(name, name): int(found[2])}


def told_by_clingo(name: str, told: str) -> dict[str, float]:
    """`Choices : 12`, and `Time : 0.1s (Solving: ...)`, by the name before the colon."""
    if name == "time" and (found := _TIMES.fullmatch(told)):
        whole, solving, first = map(float, found.groups())
        grounding = round(max(0.0, whole - solving), 3)
        return {"grounding": grounding, "solving": solving, "first_model": first}
    if name in _NUMBERS and (found := re.match(r"\d{1,18}\b", told)):
        return {name: int(found[0])}
    return {}
