"""The words that decide how a solver is used: what it reads, what it can do, where it runs."""

from __future__ import annotations

from enum import StrEnum


class Reads(StrEnum):
    """What a solver is given."""

    FORMULA = "formula"
    PROGRAM = "program"
    BOARD = "board"
    WCNF = "wcnf"
    OPB = "opb"


class Ability(StrEnum):
    """What it can do with that."""

    DECIDE = "decide"
    COUNT = "count"
    ESTIMATE = "estimate"
    """Count within a factor, with some confidence."""
    WEIGH = "weigh"
    """Count exactly where literals have weights, beside what else it can."""
    PROVE = "prove"
    CHECK = "check"
    """Proofs of others."""
    XOR = "xor"
    """Read formulas with xor lines, beside what else it can."""
    OPTIMISE = "optimise"
    """Find the best model, and know that it is."""
    SAMPLE = "sample"
    """Draw models at random, all of them equally likely."""
    ALMOST_SAMPLE = "almost-sample"
    """The same, each within a factor of equally likely."""


class ProofKind(StrEnum):
    """What a proof is written in, as solver files and the command line name it."""

    DRAT = "drat"
    """Binary: less than half the bytes of the text."""
    TEXT = "drat-text"
    LRAT = "lrat"
    """Text, with hints that make it quick to check."""

    @property
    def words(self) -> str:
        """For people."""
        return {"drat": "binary DRAT", "drat-text": "DRAT as text", "lrat": "LRAT"}[self]


class RuntimeName(StrEnum):
    """Where it runs, in the order in which they are tried."""

    DOCKER = "docker"
    NATIVE = "native"
    EMBEDDED = "embedded"


AUTO = "auto"
"""What users say for the first of these that can run it."""
