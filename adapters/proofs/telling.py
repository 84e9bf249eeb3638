"""Which kind of proof a file holds, told from its own bytes.

A checker must not guess: drat-trim looks at the first ten bytes, and takes some proofs for the
other kind. A text has no zero byte, and every step of a binary proof ends with one.
"""

from __future__ import annotations

import re
from pathlib import Path

from boardsat.adapters.solvers.capabilities import ProofKind

_LOOK = 2**20
"""Bytes; a first step may be long."""

_LRAT = re.compile(
    rb"\s*(?:c[^\n]*\n\s*)*\d+ (?:d |(?:-?[1-9]\d* )*0 (?:-?[1-9]\d* )*0\s*(?:\n|$))"
)
"""A number, then a clause and its hints, each with a 0 after it; or a number and a deletion."""


def kind_of(path: str) -> ProofKind:
    """By the beginning of the file; whether the rest is like it, its checker will see."""
    with Path(path).open("rb") as file:
        begin = file.read(_LOOK)
    if begin.startswith(b"a") or b"\0" in begin:
        return ProofKind.DRAT
    return ProofKind.LRAT if _LRAT.match(begin) else ProofKind.TEXT
