"""DIMACS text line by line, in plain Python: finds every fault and its line."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.dimacs import comment_reader
from boardsat.adapters.dimacs.comment_reader import Comments
from boardsat.adapters.dimacs.faults import Fault, number_of, quoted
from boardsat.adapters.dimacs.text import covers
from boardsat.adapters.dimacs.tokens import LARGEST

MAX_CLAUSE_LENGTH = 2**22
"""Literals of a clause: it must be in memory as a whole."""

_FIRST_OF_FILLER = b"c \t\r\n0%"
"""What a comment, a blank line and a line of the trailer begin with."""

_SHORTEST = re.compile(rb"0|-?[1-9][0-9]{0,9}")
_SIGNED = re.compile(rb"[+-]?[0-9]{1,64}")
_WORD = re.compile(rb"[^ \t]+")  # not split(), which would take form feeds for spaces
_HEADER_WORDS = 4


class _Place(Enum):
    """Where in a line the reader stands."""

    START = auto()
    INDENT = auto()
    COMMENT = auto()
    HEADER = auto()
    CLAUSE = auto()
    XOR = auto()
    XOR_ENDED = auto()
    ENDED = auto()  # after the 0 of a clause
    TRAILER = auto()


class Lines(Comments):
    """The state of reading: what was seen up to this place, and the line it is on.

    A long line may come in several blocks cut between words, so every step takes a part of a line.
    """

    def __init__(self, name: str, strict: bool) -> None:
        super().__init__(name, strict)
        self.variables = 0
        self.clauses = 0
        self.largest = 0
        self.clauses_seen = 0
        self.literals_seen = 0
        self.xor_lines = 0
        self.sums: list[int] = []  # of xor lines, each ended by 0, until they are taken
        self._place = _Place.START
        self._open = False  # a clause has begun and not ended
        self._trailer = False
        self._begun = 0  # where in `sums` the present xor line begins
        self._header = b""  # its text as far as its form matters
        self._header_words: list[bytes] = []

    @property
    def at_line_start(self) -> bool:
        """At the start of a line, and not in the trailer."""
        return self._place is _Place.START and not self._trailer

    @property
    def is_open(self) -> bool:
        """Inside a clause, whose end is on a later line."""
        return self._open

    def head(self, block: bytes) -> int:
        """Read up to the end of the header line if it is in this block; how far it was read."""
        start = 0
        while start < len(block) and not self.headed:
            start, _ = self._step(block, start)
        return start

    def finish_header(self) -> None:
        """Parse the header if it is the last line and has no line end; raise DimacsError if not."""
        if self._place is _Place.HEADER:
            self._end_header()
            return
        if self.line == 1 and self._place is _Place.START:
            self._fail("the file is empty", "a DIMACS file has at least a line 'p cnf 0 0'")
        self.line -= self._place is _Place.START
        self._fail("the file ends without a header", "write a line 'p cnf VARIABLES CLAUSES'")

    def read(self, block: bytes) -> list[int]:
        """The literals of a block."""
        literals: list[int] = []
        start = 0
        while start < len(block):
            start, found = self._step(block, start)
            literals += found
        return literals

    def _step(self, block: bytes, start: int) -> tuple[int, list[int]]:
        """Read the next line, or comments and blank lines as far as they go; up to where."""
        if after := self._pass_over(block, start):
            return after, []
        end = block.find(b"\n", start)
        if end < 0:
            return len(block), self._part(block[start:])
        literals = self._part(block[start:end])
        self._end_line()
        return end + 1, literals

    def skip(self, lines: int, clauses: int, literals: NDArray[np.int32], largest: int) -> None:
        """Count a block of whole lines that was read elsewhere and has no fault to note."""
        self.line += lines
        self.clauses_seen += clauses
        self.literals_seen += len(literals) - clauses
        self.largest = max(self.largest, largest)
        if len(literals):
            self._open = bool(literals[-1])

    def skip_xor_lines(self, lines: int, literals: NDArray[np.int32], largest: int) -> None:
        """The same of a block of xor lines."""
        self.skip(lines, lines, literals, largest)
        self.xor_lines += lines

    def take_sums(self) -> list[int]:
        """The whole xor lines that were read since the last time."""
        end = len(self.sums) if self._place is not _Place.XOR else self._begun
        taken, self.sums, self._begun = self.sums[:end], self.sums[end:], 0
        return taken

    def finish(self) -> list[int]:
        """At the end of the file: its last faults, and the 0 of a clause that has none."""
        if self._place is not _Place.START:
            self._complain(Fault.NO_NEWLINE, "the last line has no line end")
            self._end_line()
        self.line -= 1  # what is missing is missing on the last line there is
        missing = self._close()
        if self.clauses_seen < self.clauses:
            found = number_of(self.clauses_seen, "clause")
            what = f"the file ends after {found} but the header declares {self.clauses}"
            self._complain(Fault.FEWER, what)
        self.line += 1
        return missing

    def _part(self, text: bytes) -> list[int]:
        """Read a line, or the next part of one; its literals."""
        if b"\0" in text:
            self._fail("binary zeros", "name a DIMACS text file")
        if b"\r" in text:
            self._complain(Fault.CARRIAGE_RETURN, "carriage return")
            text = text.removesuffix(b"\r").replace(b"\r", b" ") or b" "
        beginning = self._place in (_Place.START, _Place.INDENT)
        closing = self._begin(text) if beginning else []
        if self._place is _Place.COMMENT:
            self._keep(text)
        elif self._place is _Place.HEADER:
            self._add_to_header(text)
        elif self._place is _Place.TRAILER and text.split() not in ([], [b"0"], [b"%"]):
            self._fail(f"{quoted(text)} after the trailer '%'", "remove the trailer")
        elif self._place in (_Place.XOR, _Place.XOR_ENDED):
            self._sum(text.lstrip(b" \t").removeprefix(b"x") if beginning else text)
        elif self._place in (_Place.CLAUSE, _Place.ENDED):
            return self._numbers(text)
        return closing

    def _begin(self, text: bytes) -> list[int]:
        """Tell by its first word what a line is; at a trailer, the 0 of a clause that has none."""
        indented = self._place is _Place.INDENT
        word = text.lstrip(b" \t")
        if self._trailer:
            self._place = _Place.TRAILER
        elif not word:
            self._place = _Place.INDENT if text else _Place.START
        elif word.startswith(b"c"):
            self._place = _Place.COMMENT
            if indented or not (text == b"c" or text.startswith(b"c ")):
                self._complain(Fault.COMMENT_FORM, f"comment begins {quoted(text)}")
            elif self.headed and not text.startswith(b"c p "):
                self._complain(Fault.COMMENT, "comment after the header")
        elif word.startswith(b"p"):
            if self.headed:
                self._fail("second header", "keep one")
            self._place = _Place.HEADER
            self._header = b" " if indented else b""
        elif not self.headed:
            what = f"{quoted(word)} where a comment or the header should be"
            self._fail(what, "write a line 'p cnf VARIABLES CLAUSES' before the clauses")
        elif word.startswith(b"x"):
            self._begin_xor(text, indented)
        elif word.rstrip(b" \t") == b"%":
            self._place = _Place.TRAILER
            self._complain(Fault.TRAILER, "SATLIB trailer '%'")
            self._trailer = True
            return self._close()
        else:
            self._place = _Place.CLAUSE
        return []

    def _end_line(self) -> None:
        if self._place in (_Place.START, _Place.INDENT) and not self._trailer:
            self._complain(Fault.BLANK, "blank line")
        elif self._place is _Place.COMMENT:
            self._end_comment()
        elif self._place is _Place.HEADER and not self.headed:
            self._end_header()
        elif self._place is _Place.CLAUSE:
            self._complain(Fault.SPAN, "the clause has no 0 on this line")
        elif self._place is _Place.XOR:
            self._fail("the xor line has no 0", "end it with 0 on its own line")
        self._place = _Place.START
        self.line += 1

    def _add_to_header(self, text: bytes) -> None:
        """Collect the words of the header: with enough blanks its line comes in several parts."""
        self._header += text if not self._header_words else b"\t" if b"\t" in text else b" "
        self._header_words += _WORD.findall(text)
        if len(self._header_words) > _HEADER_WORDS:
            self._fail_header()

    def _end_header(self) -> None:
        if len(self._header_words) < _HEADER_WORDS or self._header_words[:2] != [b"p", b"cnf"]:
            self._fail_header()
        if b"\t" in self._header:
            self._complain(Fault.TAB, "tab in the header")
        self.variables, self.clauses = (self._number(word) for word in self._header_words[2:])
        for count in (self.variables, self.clauses):
            if count < 0:
                self._fail(f"the header declares {count}", "write 'p cnf VARIABLES CLAUSES'")
        if self._header != b"p cnf %d %d" % (self.variables, self.clauses):
            self._complain(Fault.HEADER_FORM, f"header written {quoted(self._header, 40)}")
        self.headed = True

    def _fail_header(self) -> NoReturn:
        text = self._header.lstrip(b" \t")
        self._fail(f"malformed header {quoted(text, 40)}", "write 'p cnf VARIABLES CLAUSES'")

    def _numbers(self, text: bytes) -> list[int]:
        if b"\t" in text:
            self._complain(Fault.TAB, "tab")
        numbers = []
        for word in _WORD.findall(text):
            if self._place is _Place.ENDED:
                self._complain(Fault.SEVERAL, f"{quoted(word)} after the clause's 0")
                self._place = _Place.CLAUSE
            number = self._number(word)
            numbers.append(number)
            if number:
                self._count_literal(number)
            else:
                self._count_clause()
        return numbers

    def _begin_xor(self, text: bytes, indented: bool) -> None:
        """CryptoMiniSat reads one only if it stands alone on its line."""
        if self._open:
            self._fail("an xor line inside a clause", "end the clause with 0")
        if indented or not text.startswith(b"x"):
            self._fail("an xor line does not begin its line", "remove what stands before its x")
        self._place = _Place.XOR
        self._begun = len(self.sums)

    def _sum(self, text: bytes) -> None:
        """A part of an xor line. An odd sum of nothing is false, but programs take it for true."""
        if b"\t" in text:
            self._complain(Fault.TAB, "tab")
        for word in _WORD.findall(text):
            if self._place is _Place.XOR_ENDED:
                self._fail(f"{quoted(word)} after the 0 of an xor line", "write one a line")
            number = self._number(word)
            self.sums.append(number)
            if number:
                self._count_literal(number)
            elif len(self.sums) == self._begun + 1:
                self._fail("an xor line without literals", "write the clause 0 instead")
            else:
                self._count_clause()
                self.xor_lines += 1
                self._place = _Place.XOR_ENDED
        if self._place is _Place.XOR_ENDED and text.endswith((b" ", b"\t")):
            self._fail("spaces after the 0 of an xor line", "remove them")
        if len(self.sums) - self._begun > MAX_CLAUSE_LENGTH:
            self.fail_long_clause()

    def _number(self, word: bytes) -> int:
        if not _SHORTEST.fullmatch(word):
            if not _SIGNED.fullmatch(word) or (word.startswith(b"-") and not int(word)):
                self._fail(f"{quoted(word)} is not a number", "write digits, or '-' and digits")
            if abs(int(word)) <= LARGEST:
                self._complain(Fault.NUMBER, f"number written {quoted(word)}")
        number = int(word)
        if abs(number) > LARGEST:
            self._fail(f"{number} is too large", f"numbers go up to {LARGEST}")
        return number

    def _count_literal(self, literal: int) -> None:
        self._open = True
        self.literals_seen += 1
        self.largest = max(self.largest, abs(literal))
        if abs(literal) > self.variables:
            declared = f"the header declares {number_of(self.variables, 'variable')}"
            self._complain(Fault.BEYOND, f"literal {literal} but {declared}")

    def _count_clause(self) -> None:
        self._open = False
        self._place = _Place.ENDED
        self.clauses_seen += 1
        if self.clauses_seen > self.clauses:
            declared = f"the header declares {number_of(self.clauses, 'clause')}"
            self._complain(Fault.MORE, f"clause {self.clauses_seen} but {declared}")

    def _close(self) -> list[int]:
        """End a clause the file leaves open."""
        if not self._open:
            return []
        self._complain(Fault.NO_ZERO, "the last clause has no 0")
        place = self._place
        self._count_clause()
        self._place = place
        return [0]

    def is_filler(self, text: bytes) -> bool:
        """Whether these lines can be passed over: comments and blank lines without new faults."""
        return self._place is _Place.START and covers(self._filler(), text)

    def _filler(self) -> re.Pattern[bytes]:
        known = (Fault.BLANK, Fault.COMMENT_FORM, Fault.COMMENT, Fault.CARRIAGE_RETURN)
        return comment_reader.faultless(
            self.headed, self._trailer, *(f in self.noted for f in known)
        )

    def _pass_over(self, block: bytes, start: int) -> int:
        """Read the comments and blank lines that stand there; where they end, or 0.

        Only for speed: names of variables or weights can be a million comments.
        """
        if self._place is not _Place.START or block[start] not in _FIRST_OF_FILLER:
            return 0
        match = self._filler().match(block, start)
        if match is None:
            return 0
        if b"c" in match[0] and Fault.KEPT not in self.noted:
            self._keep_all(match[0])
        lines = match[0].count(b"\n")
        self._count_passed(len(match[0]) + comment_reader.LINE_OVERHEAD_BYTES * lines)
        self.line += lines
        return match.end()

    def fail_long_clause(self) -> NoReturn:
        self._fail(f"a clause of more than {MAX_CLAUSE_LENGTH:,} literals", "split it")
