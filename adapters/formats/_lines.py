"""The text of a file as blocks of whole lines, its comments apart, and what is said of a fault."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.dimacs import filler
from boardsat.adapters.dimacs.faults import quoted
from boardsat.adapters.dimacs.text import DimacsError, opened, shown_name

LONGEST_LINE = 2**26
"""Bytes of a line: it must be in memory as a whole."""

MOST = 2**26
"""Numbers of a file: they are in memory all together."""


class LineReader:
    """Reads a file once; `pattern` matches lines without a fault, as many as there are."""

    def __init__(
        self, path: str | os.PathLike[str], name: str | None, pattern: re.Pattern[bytes], mark: str
    ) -> None:
        self.path, self.pattern = path, pattern
        self.name = shown_name(name or path)
        self.called = name
        self.mark = mark.encode()
        """What a comment begins with."""
        self._comment = re.compile(rb"^%b[^\n]*\n" % re.escape(self.mark), re.MULTILINE)
        self.line = 1
        self.bytes = 0
        self.comments: list[str] = []
        self._kept = self._numbers = 0

    def blocks(self) -> Iterator[bytes]:
        """Whole lines without comments, and without faults of form."""
        for block in self._whole():
            text = block
            if self.mark in block:
                self._keep(block)
                text = self._comment.sub(b"", block)
            if not self.pattern.fullmatch(text):
                self._find_fault(block)
            if text.strip():
                yield text
            self.line += block.count(b"\n")

    def _whole(self) -> Iterator[bytes]:
        """Blocks that end at the end of a line; the last line gets one where it has none."""
        held: list[bytes] = []
        length = 0
        with opened(self.path, called=self.called) as blocks:
            for block in blocks:
                self.bytes += len(block)
                length += len(block)
                held.append(block)
                if block.endswith(b"\n"):
                    yield b"".join(held)
                    held, length = [], 0
                elif length > LONGEST_LINE:
                    self.fail(f"a line of more than {LONGEST_LINE >> 20} MB", "split it")
        if held:
            yield b"".join(held) + b"\n"

    def _keep(self, block: bytes) -> None:
        """Keep the comments, if there is room: our own stand at the beginning."""
        for line in self._comment.findall(block):
            self._kept += len(line) + filler.PER_LINE
            if self._kept > filler.KEPT:
                return
            self.comments.append(filler.comment(b"c" + line[len(self.mark) :].rstrip(b"\n")))

    def _find_fault(self, block: bytes) -> NoReturn:
        """Tell the first line that does not match."""
        for line in block.splitlines(keepends=True):
            if not line.startswith(self.mark) and not self.pattern.fullmatch(line):
                self.fail(self.fault_of(line.strip()), self.remedy)
            self.line += 1
        raise AssertionError("a block with a fault, and no line that has it")

    remedy = ""

    def fault_of(self, line: bytes) -> str:
        """What is wrong with a line, in words."""
        if b"\0" in line:
            return "binary zeros"
        return f"{quoted(line)} is no line of such a file"

    def numbers(self, text: bytes) -> NDArray[np.int64]:
        """All numbers of a text that has nothing else, by spaces and line ends."""
        found = np.fromstring(text, np.int64, sep=" ")
        self._numbers += len(found)
        if self._numbers > MOST:
            self.fail(f"more than {MOST:,} numbers", "use a smaller instance")
        return found

    def fail(self, fault: str, remedy: str) -> NoReturn:
        raise DimacsError(f"{self.name}:{self.line}: {fault}; {remedy}")


def put_together(pieces: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(0, np.int64), *pieces])


def begins_of(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each row begins, and as a last entry where all end."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
