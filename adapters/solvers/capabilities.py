"""Capabilities of solvers as solver files name them: input formats, abilities and runtimes."""

from __future__ import annotations

from enum import StrEnum


class InputFormat(StrEnum):
    """Format of the file that a solver is given."""

    CNF = "formula"
    PROGRAM = "program"
    """Logic program."""
    BOARD = "board"
    """Comments of a file, which describe the board."""
    WCNF = "wcnf"
    OPB = "opb"


class Capability(StrEnum):
    """Task that a solver can do, or kind of input that it also reads."""

    DECIDE = "decide"
    COUNT = "count"
    ESTIMATE = "estimate"
    """Count within a factor, with some confidence."""
    WEIGH = "weigh"
    """Count exactly where literals have weights, in addition to COUNT."""
    PROVE = "prove"
    CHECK = "check"
    """Check proofs of other solvers."""
    XOR = "xor"
    """Read formulas with XOR lines, in addition to clauses."""
    OPTIMISE = "optimise"
    """Find the best model, and know that it is."""
    SAMPLE = "sample"
    """Draw models uniformly at random."""
    ALMOST_SAMPLE = "almost-sample"
    """Draw models at random, each within a factor of its uniform probability."""


class RuntimeName(StrEnum):
    """Runtime of a solver, in the order in which they are tried."""

    DOCKER = "docker"
    NATIVE = "native"
    EMBEDDED = "embedded"


AUTO = "auto"
"""Value of --runtime for the first runtime that can run the solver."""
