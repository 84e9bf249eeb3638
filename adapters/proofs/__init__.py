"""Proof formats, detection of the format of a proof file, and limits of proof checkers.

The format is passed to the checker: drat-trim would guess it from the first ten bytes, at times
wrongly. A text proof has no zero byte, and every step of a binary proof ends with one.
"""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

PROOF_SECONDS = 20_000
"""Default time limit of a checker in seconds, as in drat-trim."""

PROOF_MEMORY_BYTES, PROOF_MEMORY_PER_BYTE = 2**29, 32
"""Default memory limit of a checker: a constant, and bytes for each byte of proof and formula.

The constant is for proofs whose few bytes name a very large variable.
"""

MAX_PROOF_EXPANSION = 250
"""Largest ratio of a proof's size to that of its compressed file; 20 is usual."""

MAX_LRAT_STEP_BYTES = 2**23
"""Longest line of an LRAT proof."""

_DETECTION_BYTES = 2**20
"""Bytes at the beginning of a file that determine its format. The first step may be long."""

_LRAT = rb"\s*(?:c[^\n]*\n\s*)*\d+ (?:d |(?:-?[1-9]\d* )*0 (?:-?[1-9]\d* )*0\s*(?:\n|$))"
"""First step of an LRAT proof, possibly after comments: a number, and a deletion or a clause.

A clause is followed by its hints; 0 terminates each of them.
"""


class ProofFormat(StrEnum):
    """Format of a proof, as solver files and the command line name it."""

    DRAT = "drat"
    """Binary DRAT, less than half the size of the text."""
    TEXT = "drat-text"
    LRAT = "lrat"
    """Text with hints that speed up the check."""

    @property
    def label(self) -> str:
        """Name of the format in messages."""
        return {"drat": "binary DRAT", "drat-text": "DRAT as text", "lrat": "LRAT"}[self]


class ProofFile(NamedTuple):
    """Proof that a solver writes, or that a checker reads."""

    path: str
    format: ProofFormat | None = None
    """Format to pass to the solver; None if its command line has no option for it."""
    is_input: bool = False
    """True if the proof is checked, not written."""


def detect_format(path: str) -> ProofFormat:
    """Return the format of a proof from the beginning of its file.

    Parameters
    ----------
    path : str
        Proof, not compressed.

    Returns
    -------
    ProofFormat
        Format to pass to the checker, which tests the rest of the file.
    """
    with Path(path).open("rb") as file:
        begin = file.read(_DETECTION_BYTES)
    if begin.startswith(b"a") or b"\0" in begin:
        return ProofFormat.DRAT
    return ProofFormat.LRAT if re.match(_LRAT, begin) else ProofFormat.TEXT
