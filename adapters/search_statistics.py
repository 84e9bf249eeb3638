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


def told_in(line: str) -> dict[str, int]:
    """`c conflicts: 12`, `c Conflicts   : 12  (Analyzed: 11)`, `conflicts   : 12`."""
    found = _LINE.match(line)
    if found is None:
        return {}
    name = found[1].lower()
    return {_COMMON.get(name, name): int(found[2])}
