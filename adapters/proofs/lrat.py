"""Rewriting of LRAT proofs so that lrat-check cannot verify a false one.

lrat-check is too lenient. It accepts an empty clause whose hints derive nothing, and so verifies
`2 0 0` for any formula. Steps with negative hints (RAT) can make it verify false claims, and
undefined clause numbers make it read outside its arrays. So a proof is passed on only if all its
steps are by unit propagation (RUP) and all clause numbers are defined.

The last step is replaced by three steps with a new variable z: the clause -z; the clause z, with
the hints of the empty clause; and the empty clause, derived from both. As there is a clause -z, the
clause z is verified only if the hints lead to a conflict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.dimacs.tokens import Tokens, scan
from boardsat.base.errors import SolverError

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MAX_STEPS, MAX_VARIABLES = 2**29, 2**27
"""Exclusive upper bounds: from these values on, array sizes overflow in lrat-check."""

_DELETION = b" d "
_DELETION_CODE = b" 0 0 0 "
"""Numeric code of the letter d: three zeros in a row, which no other valid line has."""

_COMMENT = re.compile(rb"^c.*\n", re.MULTILINE)


class NoProofError(SolverError):
    """Malformed LRAT proof, or one with steps that are not by unit propagation."""


def checkable_proof(blocks: Iterable[bytes], variables: int, clauses: int) -> Iterator[bytes]:
    """Yield an equivalent proof that lrat-check verifies only if it is valid.

    Parameters
    ----------
    blocks : iterable of bytes
        Text of the proof, in blocks of whole lines.
    variables, clauses : int
        Sizes of the formula.

    Raises
    ------
    NoProofError
        The proof is malformed, or has steps that are not by unit propagation.
    """
    if not clauses:
        raise NoProofError("a formula without clauses has no proof")
    reader = _Reader(variables, clauses)
    for block in blocks:
        text = _COMMENT.sub(b"", block) if b"c" in block else block
        if not text:
            continue
        if (end := reader.read(text)) is None:
            yield text
            continue
        *lines, last_line = text.splitlines(keepends=True)[: end + 1]
        yield b"".join([*lines, reader.ending(last_line)])
        return
    raise NoProofError("the proof does not derive the empty clause")


@dataclass(frozen=True)
class _Lines:
    """Numbers on the lines of a proof, each of which is one step."""

    numbers: Ints
    starts: Ints
    """Index of the first number of each line."""
    line: Ints
    """Line of each number."""
    zeros_before: Ints
    """Number of zeros before each number on its line."""
    num_zeros: Ints
    """Number of zeros of each line."""

    @staticmethod
    def from_tokens(tokens: Tokens[np.int32]) -> _Lines | None:
        """Return the lines; None if one does not end with 0."""
        numbers = tokens.literals.astype(np.int64)
        is_line_end = tokens.line_ends()
        ends = np.flatnonzero(is_line_end)
        if len(ends) != tokens.lines or numbers[ends].any():
            return None
        starts = np.concatenate([[0], ends[:-1] + 1])
        line: Ints = np.cumsum(is_line_end) - is_line_end
        is_zero = numbers == 0
        zeros_in_block = np.cumsum(is_zero) - is_zero
        zeros_before = zeros_in_block - zeros_in_block[starts][line]
        return _Lines(numbers, starts, line, zeros_before, zeros_before[ends] + 1)

    @property
    def is_deletion(self) -> Bools:
        """Mask of deletions: lines of a number, the code of three zeros, and deleted clauses."""
        is_deletion: Bools = self.num_zeros == 4
        for offset in (1, 2, 3):
            is_deletion &= self.numbers.take(self.starts + offset, mode="clip") == 0
        return is_deletion


class _Reader:
    """Reader of the steps of a proof."""

    def __init__(self, variables: int, clauses: int) -> None:
        self.max_variable = variables
        self.last_clause = clauses
        """Largest clause number so far."""

    def read(self, text: bytes) -> int | None:
        """Check the steps of a text; return the index of that of the empty clause, or None."""
        tokens = scan(text.replace(_DELETION, _DELETION_CODE)) if text.endswith(b"\n") else None
        lines = _Lines.from_tokens(tokens) if tokens else None
        if tokens is None or lines is None:
            raise self._error("the proof is not in LRAT format, or is truncated")
        is_deletion = lines.is_deletion
        # The text may contain the code itself, which lrat-check does not read as a deletion.
        if (lines.num_zeros[~is_deletion] != 2).any() or is_deletion.sum() != text.count(_DELETION):
            raise self._error("a step is neither a clause with hints nor a deletion")
        is_empty = lines.numbers.take(lines.starts + 1, mode="clip") == 0
        empty_clauses = np.flatnonzero(is_empty & ~is_deletion)
        if len(empty_clauses) and (last := int(empty_clauses[0])) + 1 < tokens.lines:
            # Later steps are not part of the proof.
            return self.read(b"".join(text.splitlines(keepends=True)[: last + 1]))
        self._check(lines, is_deletion)
        return tokens.lines - 1 if len(empty_clauses) else None

    def _check(self, lines: _Lines, is_deletion: Bools) -> None:
        """Raise NoProofError if a step uses an undefined clause, or is not by unit propagation."""
        numbers, line = lines.numbers, lines.line
        step_numbers = numbers[lines.starts]
        new_clauses = np.where(is_deletion, 0, step_numbers)
        last_clause = np.maximum.accumulate(np.concatenate([[self.last_clause], new_clauses]))
        is_repeated = step_numbers <= np.where(is_deletion, 0, last_clause[:-1])
        if is_repeated.any():
            raise self._error("clause numbers must increase")
        if last_clause[-1] >= MAX_STEPS:
            limit = f"clause numbers must be below {MAX_STEPS:,}"
            raise self._error(f"{limit} (got {last_clause[-1]:,})")
        is_hint = (lines.zeros_before > 0) & (numbers != 0)
        if (numbers[is_hint] < 0).any():
            raise self._error(
                "a step is not by unit propagation alone (RAT)", "write the proof as DRAT"
            )
        if (numbers[is_hint] > last_clause[line[is_hint]]).any():
            raise self._error("a step refers to an undefined clause")
        # The literals are between the number of the step and its first 0.
        is_literal = lines.zeros_before == 0
        is_literal[lines.starts] = False
        largest = int(np.abs(numbers[is_literal]).max(initial=0))
        self.max_variable = max(self.max_variable, largest)
        if self.max_variable >= MAX_VARIABLES:
            limit = f"variables must be below {MAX_VARIABLES:,}"
            raise self._error(f"{limit} (got {self.max_variable:,})")
        self.last_clause = int(last_clause[-1])

    def ending(self, line: bytes) -> bytes:
        """Return the steps that replace the last one, the empty clause with its hints."""
        number, _, *hints = line.split()
        first, new = int(number), self.max_variable + 1
        steps = (
            b"%d %d 0 0\n" % (first, -new),
            b"%d %d 0 %b" % (first + 1, new, b" ".join([*hints, b"\n"])),
            b"%d 0 %d %d 0\n" % (first + 2, first, first + 1),
        )
        return b"".join(steps)

    def _error(self, fault: str, remedy: str = "") -> NoProofError:
        return NoProofError(f"{fault} (after clause {self.last_clause:,})", remedy)
