"""Proof formats, detection of the format of a proof file, and limits of proof checkers.

A checker must not guess: drat-trim looks at the first ten bytes, and takes some proofs for the
other format. A text has no zero byte, and every step of a binary proof ends with one.
"""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

PROOF_SECONDS = 20_000
"""Default time limit of a checker, as drat-trim itself has it."""

PROOF_MEMORY_BYTES, PROOF_MEMORY_PER_BYTE = 2**29, 32
"""Default memory limit of a checker: a constant, and bytes for each byte of proof and formula.

A few bytes of a proof can name a variable of billions.
"""

MAX_PROOF_EXPANSION = 250
"""Largest ratio of a proof's size to that of its compressed file; 20 is usual."""

MAX_LRAT_STEP_BYTES = 2**23
"""Longest line of an LRAT proof."""

_MAX_LOOK_BYTES = 2**20
"""Bytes at the beginning of a file that decide its format; a first step may be long."""

_LRAT = re.compile(
    rb"\s*(?:c[^\n]*\n\s*)*\d+ (?:d |(?:-?[1-9]\d* )*0 (?:-?[1-9]\d* )*0\s*(?:\n|$))"
)
"""A number, then a clause and its hints, each with a 0 after it; or a number and a deletion."""


class ProofFormat(StrEnum):
    """Format of a proof, as solver files and the command line name it."""

    DRAT = "drat"
    """Binary: less than half the bytes of the text."""
    TEXT = "drat-text"
    LRAT = "lrat"
    """Text, with hints that make it quick to check."""

    @property
    def label(self) -> str:
        """Name of the format in messages."""
        return {"drat": "binary DRAT", "drat-text": "DRAT as text", "lrat": "LRAT"}[self]


class ProofFile(NamedTuple):
    """Proof that a solver writes, or that a checker reads."""

    path: str
    format: ProofFormat | None = None
    """Format for the command line of the solver; None if its command line does not name it."""
    is_input: bool = False
    """Whether the proof exists and is to be checked."""


def detect_format(path: str) -> ProofFormat:
    """Return the format of a proof by the beginning of its file; the checker tests the rest."""
    with Path(path).open("rb") as file:
        begin = file.read(_MAX_LOOK_BYTES)
    if begin.startswith(b"a") or b"\0" in begin:
        return ProofFormat.DRAT
    return ProofFormat.LRAT if _LRAT.match(begin) else ProofFormat.TEXT
