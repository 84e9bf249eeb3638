"""Reader of line-based formats: blocks of whole lines to arrays, and the first malformed line."""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.dimacs.lines import LINE_OVERHEAD_BYTES, MAX_COMMENT_BYTES, comment_text
from boardsat.adapters.dimacs.text import DimacsError, open_blocks, quoted, shown_name
from boardsat.adapters.dimacs.tokens import scan_wide
from boardsat.adapters.formats._linear_formula import AtLeastConstraints, LinearFormula
from boardsat.base.text import pluralize

MAX_LINE_BYTES = 2**26
"""Maximum size of a line, as a line must be in memory as a whole."""

MAX_NUMBERS = 2**26
"""Maximum count of numbers of a file, as they are all in memory."""

MAX_VARIABLE = 10**9 - 1
"""Largest variable of these formats."""

# A scan takes about 60 times the memory of its text.
_SCAN_BYTES = 2**20

Numbers = NDArray[np.int64]


class LineReader(ABC):
    """Reader of one file, once."""

    mark: bytes
    """First byte of a comment line."""
    remedy: str
    """Correct form of a line, for the error about a malformed one."""

    def __init__(self, path: str | os.PathLike[str], name: str | None) -> None:
        self.path = path
        self.name = shown_name(name or path)
        self._given_name = name
        self._comment = re.compile(rb"^%b[^\n]*\n" % re.escape(self.mark), re.MULTILINE)
        self.line = 1
        self.bytes = 0
        self.comments: list[str] = []
        self._comment_bytes = self._numbers = 0

    @abstractmethod
    def parse(self, text: bytes) -> tuple[Numbers, ...] | None:
        """Return the columns of some lines, or None if a line is malformed.

        The lines are whole, without comments, tabs, carriage returns and blanks at either end.
        """

    def blocks(self) -> Iterator[tuple[Numbers, ...]]:
        """Yield the columns of the file's lines; raise DimacsError at the first malformed line."""
        for block in self._line_blocks():
            text = block
            if self.mark in block:
                self._store_comments(block)
                text = self._comment.sub(b"", block)
            if text.strip(b" \t\r\n"):
                columns = self.parse(_stripped(text))
                if columns is None:
                    self._find_fault(block)
                self._numbers += sum(map(len, columns))
                if self._numbers > MAX_NUMBERS:
                    self.fail(f"the file has more than {MAX_NUMBERS:,} numbers")
                yield columns
            self.line += block.count(b"\n")

    def columns(self, number: int) -> tuple[Numbers, ...]:
        """Read the whole file; return the columns that `parse` returns, over all lines."""
        blocks = list(self.blocks())
        self.line -= 1
        return tuple(concatenate([block[k] for block in blocks]) for k in range(number))

    def formula(
        self, variables: int, hard: AtLeastConstraints, constraints: int, **fields: Any
    ) -> LinearFormula:
        """Return the formula of the file that was read."""
        comments = tuple(self.comments)
        return LinearFormula(
            variables, hard, comments, self.line, self.bytes, constraints, **fields
        )

    def _line_blocks(self) -> Iterator[bytes]:
        """Yield blocks of whole lines; a missing line feed at the end of the file is added."""
        buffer: list[bytes] = []
        length = 0
        with open_blocks(self.path, name=self._given_name) as blocks:
            for block in blocks:
                self.bytes += len(block)
                length += len(block)
                buffer.append(block)
                if block.endswith(b"\n"):
                    yield b"".join(buffer)
                    buffer, length = [], 0
                elif length > MAX_LINE_BYTES:
                    self.fail(f"a line has more than {MAX_LINE_BYTES >> 20} MB", "split it")
        if buffer:
            yield b"".join(buffer) + b"\n"

    def _store_comments(self, block: bytes) -> None:
        """Store the comments up to a limit; the header is at the beginning of the file."""
        for line in self._comment.findall(block):
            self._comment_bytes += len(line) + LINE_OVERHEAD_BYTES
            if self._comment_bytes > MAX_COMMENT_BYTES:
                return
            self.comments.append(comment_text(b"c" + line[len(self.mark) :].rstrip(b"\n")))

    def _find_fault(self, block: bytes) -> NoReturn:
        """Raise DimacsError for the first malformed line of a block, found by bisection."""
        lines = [b"" if line.startswith(self.mark) else line for line in block.split(b"\n")[:-1]]
        while len(lines) > 1:
            half = lines[: len(lines) // 2]
            if self.parse(_stripped(b"\n".join([*half, b""]))) is None:
                lines = half
            else:
                lines = lines[len(half) :]
                self.line += len(half)
        line = lines[0].lstrip(b" \t").rstrip(b" \t\r")
        fault = "the line contains a carriage return" if b"\r" in line else self.fault_of(line)
        self.fail(fault, self.remedy)

    def fault_of(self, line: bytes) -> str:
        """Return the fault of a malformed line, as a clause."""
        if b"\0" in line:
            return "the line contains binary zeros"
        return f"the line {quoted(line)} is malformed"

    def fail_counts(
        self, place: str, noun: str, declared: tuple[int, int], actual: tuple[int, int]
    ) -> NoReturn:
        """Raise DimacsError: declared numbers of variables and lines are not the actual ones."""
        counts, actual_counts = (
            f"{pluralize(variables, 'variable')} and {pluralize(lines, noun)}"
            for variables, lines in (declared, actual)
        )
        fault = f"the {place} declares {counts}, but the file has {actual_counts}"
        self.fail(fault, f"correct the {place}, or fetch the file again if it was cut short")

    def fail(self, fault: str, remedy: str = "") -> NoReturn:
        """Raise DimacsError at the current line."""
        raise DimacsError(fault, remedy, f"{self.name}:{self.line}")


def _stripped(text: bytes) -> bytes:
    """Replace tabs by spaces and remove blanks at both ends of every line."""
    if not (
        any(blank in text for blank in (b"\t", b"\r", b" \n", b"\n ")) or text.startswith(b" ")
    ):
        return text
    lines = text.replace(b"\t", b" ").split(b"\n")
    return b"\n".join([line.lstrip(b" ").rstrip(b" \r") for line in lines])


def integers(text: bytes) -> tuple[Numbers, Numbers] | None:
    """Return all integers of some lines, and the indices of the last integer of each line.

    Return None if there is anything else, or an integer that is not in canonical decimal form.
    """
    numbers, line_ends = [], []
    start = 0
    while start < len(text):
        end = start + _SCAN_BYTES
        cut = 1 + max(text.rfind(b" ", start, end), text.rfind(b"\n", start, end))
        tokens = scan_wide(text[start:cut]) if cut else None
        if tokens is None:
            return None
        numbers.append(tokens.literals)
        line_ends.append(tokens.line_ends())
        start = cut
    return concatenate(numbers), np.flatnonzero(np.concatenate([np.zeros(0, np.bool_), *line_ends]))


def zero_terminated_lines(
    text: bytes, letter: bytes, code: int
) -> tuple[Numbers, Numbers, Numbers, NDArray[np.bool_]] | None:
    """Parse lines of integers that end with 0 and may begin with a letter.

    Return all integers, with `code` in place of the letter; the indices of the first and the last
    integer of each line; and a mask of the lines that begin with the letter. Return None if a line
    is malformed.
    """
    marked_lines = text.count(b"\n%b " % letter) + text.startswith(letter + b" ")
    if text.count(letter) != marked_lines:
        return None
    tokens = integers(text.replace(letter, b"%d" % code))
    if tokens is None:
        return None
    numbers, ends = tokens
    starts = np.concatenate([[0], ends + 1])[:-1]
    is_marked = numbers[starts] == code
    if numbers[ends].any() or np.count_nonzero(is_marked) != marked_lines:
        return None
    return numbers, starts, ends, is_marked


def are_literals(numbers: Numbers) -> bool:
    """Return whether no number is zero or beyond the largest variable."""
    largest = max(int(numbers.max(initial=0)), -int(numbers.min(initial=0)))
    return bool(numbers.all()) and largest <= MAX_VARIABLE


def concatenate(pieces: list[Numbers]) -> Numbers:
    """Return the pieces as one array; empty without any."""
    return np.concatenate([np.zeros(0, np.int64), *pieces])


def row_starts(lengths: Numbers) -> Numbers:
    """Return the start index of each row, and as last entry the end of all rows."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
