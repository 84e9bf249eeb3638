"""An LRAT proof in the form in which lrat-check can be trusted with it.

lrat-check believes too much. It takes an empty clause whose hints lead to nothing for a step that
needs no hints, and so verifies `2 0 0` for any formula. Steps with negative hints (RAT) can make it
verify what is false, and numbers that nothing has make it read other memory. So only a proof whose
steps follow by unit propagation (RUP) is given to it, every number in it names something that is
there, and its end is put in other words: for a new variable z, first -z, then z by the hints of the
empty clause, then the empty clause from these two. As a clause with -z is there, z follows only if
its hints do lead to a conflict.
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

MOST_STEPS, MOST_VARIABLES = 2**29, 2**27
"""Numbers from which on lrat-check computes sizes that are too large for it."""

_DELETES = b" d "
_MARK = b" 0 0 0 "
"""A deletion as numbers alone: no clause has three zeros before it."""

_COMMENT = re.compile(rb"^c.*\n", re.MULTILINE)


class NoProofError(SolverError):
    """It is not such a proof, whatever a checker would say."""


def trusted(blocks: Iterable[bytes], variables: int, clauses: int) -> Iterator[bytes]:
    """The same proof for a checker, or a NoProofError; `blocks` end with lines.

    `variables` and `clauses` are those of the formula.
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
        *before, last = text.splitlines(keepends=True)[: end + 1]
        yield b"".join([*before, reader.ending(last)])
        return
    raise NoProofError("it has no empty clause, so it proves nothing")


@dataclass(frozen=True)
class _Lines:
    """The numbers of whole lines, a step each."""

    numbers: Ints
    starts: Ints
    """Where each line begins."""
    line: Ints
    """Of each number."""
    zeros: Ints
    """How many stand before each number, on its own line."""
    ended: Ints
    """How many each line has."""

    @staticmethod
    def of(tokens: Tokens[np.int32]) -> _Lines | None:
        """None where a line does not end with its 0."""
        numbers = tokens.literals.astype(np.int64)
        last = tokens.line_ends()
        ends = np.flatnonzero(last)
        if len(ends) != tokens.lines or numbers[ends].any():
            return None
        starts = np.concatenate([[0], ends[:-1] + 1])
        line: Ints = np.cumsum(last) - last
        is_zero = numbers == 0
        passed = np.cumsum(is_zero) - is_zero
        zeros = passed - passed[starts][line]
        return _Lines(numbers, starts, line, zeros, zeros[ends] + 1)

    def upto(self, last: int) -> _Lines:
        """The lines up to one of them."""
        rows, size = slice(last + 1), np.searchsorted(self.line, last, "right")
        parts = (self.numbers[:size], self.starts[rows], self.line[:size], self.zeros[:size])
        return _Lines(*parts, self.ended[rows])

    @property
    def deletes(self) -> Bools:
        """Which lines are deletions: a number and three zeros, then what is deleted."""
        found: Bools = self.ended == 4
        for place in (1, 2, 3):
            found &= self.numbers.take(self.starts + place, mode="clip") == 0
        return found

    @property
    def empties(self) -> Ints:
        """The lines that derive the empty clause."""
        clause = self.numbers.take(self.starts + 1, mode="clip") == 0
        return np.flatnonzero(clause & ~self.deletes)


class _Reader:
    """Reads steps, and knows which there were."""

    def __init__(self, variables: int, clauses: int) -> None:
        self.largest = variables
        self.last = clauses
        """The number of the last clause that is there."""

    def read(self, text: bytes) -> int | None:
        """Take all steps of a text; the line of an empty clause, where the proof ends."""
        tokens = scan(text.replace(_DELETES, _MARK)) if text.endswith(b"\n") else None
        lines = _Lines.of(tokens) if tokens else None
        if lines is None:
            raise self._fault("it is not written as LRAT, or breaks off")
        deletes = lines.deletes
        # Zeros that stand there instead of a `d` would be read in another way.
        if (lines.ended[~deletes] != 2).any() or deletes.sum() != text.count(_DELETES):
            raise self._fault("a step is neither a clause with hints nor a deletion")
        empties = lines.empties
        if not len(empties):
            self._take(lines, deletes)
            return None
        first = int(empties[0])
        self._take(lines.upto(first), deletes[: first + 1])
        return first

    def _take(self, lines: _Lines, deletes: Bools) -> None:
        """Every number must name what is there at that time."""
        numbers, line = lines.numbers, lines.line
        given = numbers[lines.starts]
        known = np.maximum.accumulate(np.concatenate([[self.last], np.where(deletes, 0, given)]))
        if (given <= np.where(deletes, 0, known[:-1])).any() or known[-1] >= MOST_STEPS:
            raise self._fault("the numbers of its clauses do not increase, or are too large")
        named = (lines.zeros > 0) & (numbers != 0)
        if (numbers[named] < 0).any():
            raise self._fault("a step is not by unit propagation alone (RAT)", "give it as DRAT")
        if (numbers[named] > known[line[named]]).any():
            raise self._fault("a step names a clause that is not there")
        # Before the first 0 stand the literals, after the number of the step.
        is_literal = lines.zeros == 0
        is_literal[lines.starts] = False
        self.largest = max(self.largest, int(np.abs(numbers[is_literal]).max(initial=0)))
        if self.largest >= MOST_VARIABLES:
            raise self._fault(f"it names variable {self.largest:,}")
        self.last = int(known[-1])

    def ending(self, line: bytes) -> bytes:
        """The end of a proof, for its last line: the empty clause with its hints."""
        number, _, *hints = line.split()
        first, new = int(number), self.largest + 1
        steps = (
            b"%d %d 0 0\n" % (first, -new),
            b"%d %d 0 %b" % (first + 1, new, b" ".join([*hints, b"\n"])),
            b"%d 0 %d %d 0\n" % (first + 2, first, first + 1),
        )
        return b"".join(steps)

    def _fault(self, fault: str, remedy: str = "") -> NoProofError:
        return NoProofError(f"{fault} (after clause {self.last:,})", remedy)
