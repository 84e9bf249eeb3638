"""Line-by-line parser of DIMACS text in plain Python: finds every fault and its line.

Strict reading raises faults, lenient reading notes them. Comments and blank lines do not affect the
formula, and a gigabyte of them compresses to a megabyte. So they are skipped in bulk, faster than
clauses are read; a bounded number of bytes is stored, and their total size is limited.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import cache
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.dimacs.text import MAX_REPEATS, DimacsError, covers, quoted
from boardsat.adapters.dimacs.tokens import MAX_INTEGER
from boardsat.base.text import plural_form

MAX_CLAUSE_LENGTH = 2**22
"""Maximum number of literals of a clause, as a clause must be in memory as a whole."""

MAX_COMMENT_BYTES = 32 << 20
"""Memory for stored comments. Further comments are dropped."""

LINE_OVERHEAD_BYTES = 64
"""Memory of a stored line in addition to its bytes."""

MAX_SKIPPED_BYTES = 2 << 30
"""Files with more comments and blank lines are rejected."""

_FILLER_FIRST_BYTES = b"c \t\r\n0%"
"""First bytes of comments, blank lines and lines of the trailer."""

_CANONICAL_NUMBER = re.compile(rb"0|-?[1-9][0-9]{0,9}")
_SIGNED_NUMBER = re.compile(rb"[+-]?[0-9]{1,64}")
_TOKEN = re.compile(rb"[^ \t]+")  # not split(), which would take form feeds for spaces
_NUM_HEADER_TOKENS = 4


class Fault(Enum):
    """Deviation from strict DIMACS. The value is the remedy in its error message."""

    CARRIAGE_RETURN = "end lines with a line feed alone"
    TAB = "separate by spaces"
    BLANK = "remove the line"
    SPAN = "end each clause with 0 on its own line"
    SEVERAL = "write one clause a line"
    COMMENT = "move it before the header"
    COMMENT_FORM = "begin a comment with 'c '"
    # CaDiCaL rejects any other spacing (its src/parse.cpp, " cnf ").
    HEADER_FORM = "write 'p cnf VARIABLES CLAUSES' with single spaces"
    NUMBER = "write numbers without '+' or leading zeros"
    BEYOND = "correct the header or the clause"
    MORE = "correct the header or remove the clause"
    FEWER = "correct the header, or fetch the file again if it was cut short"
    TRAILER = "remove this line and those after it"
    NO_ZERO = "end the clause with 0"
    NO_NEWLINE = "end the last line, or fetch the file again if it was cut short"
    # Not a fault of the file but a limit of the reader: strict reading notes it too.
    DROPPED_COMMENTS = "remove comments"

    @property
    def is_ambiguous(self) -> bool:
        """True if the intended formula is uncertain; other faults concern only the form."""
        # A dropped comment may have been the projection.
        return self in (
            Fault.BEYOND,
            Fault.MORE,
            Fault.FEWER,
            Fault.NO_ZERO,
            Fault.DROPPED_COMMENTS,
        )


@cache
def _filler_pattern(
    has_header: bool, in_trailer: bool, noted: frozenset[Fault]
) -> re.Pattern[bytes]:
    """Return the pattern of up to MAX_REPEATS comments or blank lines without a new fault."""
    has_returns = Fault.CARRIAGE_RETURN in noted
    end = rb"\r?\n" if has_returns else rb"\n"
    within = rb"[^\n\0]" if has_returns else rb"[^\n\r\0]"
    if in_trailer:
        return re.compile(rb"(?:\n+|[ \t]*(?:[0%%][ \t]*)?%b){1,%d}" % (end, MAX_REPEATS))
    forms = [rb"c p %b*" % within] if has_header else []
    if Fault.COMMENT in noted or not has_header:
        forms += [rb"c %b*" % within, rb"c"]
        forms += [rb"[ \t]*c%b*" % within] if Fault.COMMENT_FORM in noted else []
    forms += [rb"[ \t]*"] if Fault.BLANK in noted else []
    empty = rb"\n+|" if Fault.BLANK in noted else b""
    return re.compile(rb"(?:%b(?:%b)%b){1,%d}" % (empty, b"|".join(forms), end, MAX_REPEATS))


def _comments_in(text: bytes, plain: bool) -> list[str]:
    """Return the comments of whole lines, without `c `; plain lines have no indent or CR."""
    if plain:
        lines = text.decode("utf-8", "backslashreplace").split("\n")
        return [line[2:] for line in lines if line[:1] == "c"]
    return [comment_text(line) for line in text.split(b"\n") if line.strip(b" \t\r")]


def comment_text(line: bytes) -> str:
    """Return the text of a comment line, without its `c `."""
    line = line.removesuffix(b"\r").replace(b"\r", b" ").lstrip(b" \t")
    text = line.removeprefix(b"c").removeprefix(b" ")
    return text.decode("utf-8", "backslashreplace")


class _LineState(Enum):
    """Position of the reader in a line."""

    START = auto()
    INDENT = auto()
    COMMENT = auto()
    HEADER = auto()
    CLAUSE = auto()
    XOR = auto()
    XOR_ENDED = auto()
    ENDED = auto()  # after the 0 of a clause
    TRAILER = auto()


class CnfLineReader:
    """Parser of the lines of one file: comments, counts and faults up to the current line.

    A long line may be divided between blocks after any token, so each step reads a part of a line.
    """

    def __init__(self, name: str, strict: bool) -> None:
        self.name = name
        self.line = 1
        self.notes: list[str] = []
        """Message of the first fault of each kind."""
        self.ambiguities: list[str] = []
        """Notes of faults that make the intended formula uncertain."""
        self.noted: set[Fault] = set()
        self._strict = strict
        self.has_header = False
        self.comments: list[str] = []
        self.later_comments: list[str] = []
        self._fragments: list[bytes] = []  # of the comment that is being read
        self._stored_bytes = 0
        self._skipped_bytes = 0  # of comments and blank lines
        self.variables = 0
        self.clauses = 0
        self.max_variable = 0
        self.num_clauses = 0
        self.num_literals = 0
        self.num_xor_lines = 0
        self.xor_literals: list[int] = []  # XOR lines terminated by 0, until they are taken
        self._state = _LineState.START
        self.is_in_clause = False
        """True if a clause has begun whose 0 is on a later line."""
        self._in_trailer = False
        self._xor_start = 0  # index in `xor_literals` of the current XOR line
        self._header_text = b""  # its text as far as its form matters
        self._header_tokens: list[bytes] = []

    @property
    def is_at_line_start(self) -> bool:
        """True if the reader is at the start of a line, and not in the trailer."""
        return self._state is _LineState.START and not self._in_trailer

    def read_header(self, block: bytes) -> int:
        """Read up to the end of the header or of the block; return the number of bytes read."""
        start = 0
        while start < len(block) and not self.has_header:
            start, _ = self._step(block, start)
        return start

    def finish_header(self) -> None:
        """Parse a header that ends with the file; raise DimacsError if it is missing."""
        if self._state is _LineState.HEADER:
            self._end_header()
            return
        if self.line == 1 and self._state is _LineState.START:
            self._fail("the file is empty", "write at least a line 'p cnf 0 0'")
        self.line -= self._state is _LineState.START
        self._fail("the file ends without a header", "write a line 'p cnf VARIABLES CLAUSES'")

    def read(self, block: bytes) -> list[int]:
        """Return the literals of a block."""
        literals: list[int] = []
        start = 0
        while start < len(block):
            start, line_literals = self._step(block, start)
            literals += line_literals
        return literals

    def _step(self, block: bytes, start: int) -> tuple[int, list[int]]:
        """Read one line, or a run of comments and blank lines; return its end and its literals."""
        if end := self._skip_filler(block, start):
            return end, []
        end = block.find(b"\n", start)
        if end < 0:
            return len(block), self._read_part(block[start:])
        literals = self._read_part(block[start:end])
        self._end_line()
        return end + 1, literals

    def count_block(
        self, lines: int, clauses: int, literals: NDArray[np.int32], max_variable: int
    ) -> None:
        """Count a block of whole lines that was scanned and has no new fault."""
        self.line += lines
        self.num_clauses += clauses
        self.num_literals += len(literals) - clauses
        self.max_variable = max(self.max_variable, max_variable)
        if len(literals):
            self.is_in_clause = bool(literals[-1])

    def take_xor_literals(self) -> list[int]:
        """Return the complete XOR lines read since the last call."""
        end = len(self.xor_literals) if self._state is not _LineState.XOR else self._xor_start
        complete, self.xor_literals = self.xor_literals[:end], self.xor_literals[end:]
        self._xor_start = 0
        return complete

    def finish(self) -> list[int]:
        """Report the faults at the end of the file; return [0] if the last clause has no 0."""
        if self._state is not _LineState.START:
            self._report(Fault.NO_NEWLINE, "the last line has no line end")
            self._end_line()
        self.line -= 1  # faults at the end are reported on the last line
        missing_zero = self._close_clause()
        if self.num_clauses < self.clauses:
            clauses = _count(self.num_clauses, "clause")
            message = f"the file ends after {clauses} but the header declares {self.clauses}"
            self._report(Fault.FEWER, message)
        self.line += 1
        return missing_zero

    def _read_part(self, text: bytes) -> list[int]:
        """Read a line, or the next part of one; return its literals."""
        if b"\0" in text:
            self._fail("the file contains binary zeros", "pass a DIMACS text file")
        if b"\r" in text:
            self._report(Fault.CARRIAGE_RETURN, "the line contains a carriage return")
            text = text.removesuffix(b"\r").replace(b"\r", b" ") or b" "
        is_beginning = self._state in (_LineState.START, _LineState.INDENT)
        missing_zero = self._begin_line(text) if is_beginning else []
        if self._state is _LineState.COMMENT:
            self._count_skipped(len(text))
            if self._reserve(len(text)):
                self._fragments.append(text)
        elif self._state is _LineState.HEADER:
            self._add_to_header(text)
        elif self._state is _LineState.TRAILER and text.split() not in ([], [b"0"], [b"%"]):
            self._fail(f"{quoted(text)} follows the trailer '%'", "remove the trailer")
        elif self._state in (_LineState.XOR, _LineState.XOR_ENDED):
            self._read_xor(text.lstrip(b" \t").removeprefix(b"x") if is_beginning else text)
        elif self._state in (_LineState.CLAUSE, _LineState.ENDED):
            return self._read_clause(text)
        return missing_zero

    def _begin_line(self, text: bytes) -> list[int]:
        """Determine the kind of a line. Return [0] at a trailer that follows a clause without 0."""
        is_indented = self._state is _LineState.INDENT
        content = text.lstrip(b" \t")
        if self._in_trailer:
            self._state = _LineState.TRAILER
        elif not content:
            self._state = _LineState.INDENT if text else _LineState.START
        elif content.startswith(b"c"):
            self._state = _LineState.COMMENT
            if is_indented or not (text == b"c" or text.startswith(b"c ")):
                self._report(Fault.COMMENT_FORM, f"a comment begins with {quoted(text)}")
            elif self.has_header and not text.startswith(b"c p "):
                self._report(Fault.COMMENT, "a comment follows the header")
        elif content.startswith(b"p"):
            if self.has_header:
                self._fail("the file has a second header", "remove it")
            self._state = _LineState.HEADER
            self._header_text = b" " if is_indented else b""
        elif not self.has_header:
            message = f"a comment or the header is expected (got {quoted(content)})"
            self._fail(message, "write a line 'p cnf VARIABLES CLAUSES' before the clauses")
        elif content.startswith(b"x"):
            self._begin_xor(text, is_indented)
        elif content.rstrip(b" \t") == b"%":
            self._state = _LineState.TRAILER
            self._report(Fault.TRAILER, "the SATLIB trailer '%' begins here")
            self._in_trailer = True
            return self._close_clause()
        else:
            self._state = _LineState.CLAUSE
        return []

    def _end_line(self) -> None:
        if self._state in (_LineState.START, _LineState.INDENT) and not self._in_trailer:
            self._report(Fault.BLANK, "the line is blank")
        elif self._state is _LineState.COMMENT:
            if self._reserve(LINE_OVERHEAD_BYTES):
                self._stored_comments.append(comment_text(b"".join(self._fragments)))
            self._fragments.clear()
        elif self._state is _LineState.HEADER and not self.has_header:
            self._end_header()
        elif self._state is _LineState.CLAUSE:
            self._report(Fault.SPAN, "the clause has no 0 on this line")
        elif self._state is _LineState.XOR:
            self._fail("the XOR line has no 0", "end it with 0 on the same line")
        self._state = _LineState.START
        self.line += 1

    def _add_to_header(self, text: bytes) -> None:
        """Collect the tokens of the header. A line with very many blanks comes in several parts."""
        self._header_text += text if not self._header_tokens else b"\t" if b"\t" in text else b" "
        self._header_tokens += _TOKEN.findall(text)
        if len(self._header_tokens) > _NUM_HEADER_TOKENS:
            self._fail_header()

    def _end_header(self) -> None:
        tokens = self._header_tokens
        if len(tokens) < _NUM_HEADER_TOKENS or tokens[:2] != [b"p", b"cnf"]:
            self._fail_header()
        if b"\t" in self._header_text:
            self._report(Fault.TAB, "the header contains a tab")
        self.variables, self.clauses = map(self._number, tokens[2:])
        for count in (self.variables, self.clauses):
            if count < 0:
                self._fail(f"the counts of the header must be at least 0 (got {count})")
        if self._header_text != b"p cnf %d %d" % (self.variables, self.clauses):
            message = f"the header {quoted(self._header_text, 40)} is not in canonical form"
            self._report(Fault.HEADER_FORM, message)
        self.has_header = True

    def _fail_header(self) -> NoReturn:
        text = quoted(self._header_text.lstrip(b" \t"), 40)
        self._fail(f"the header {text} is malformed", "write 'p cnf VARIABLES CLAUSES'")

    def _read_clause(self, text: bytes) -> list[int]:
        """Return the literals of a line of clauses, or of a part of it."""
        if b"\t" in text:
            self._report(Fault.TAB, "the line contains a tab")
        numbers = []
        for token in _TOKEN.findall(text):
            if self._state is _LineState.ENDED:
                self._report(Fault.SEVERAL, f"{quoted(token)} follows the 0 of a clause")
                self._state = _LineState.CLAUSE
            number = self._number(token)
            numbers.append(number)
            if number:
                self._count_literal(number)
            else:
                self._count_clause()
        return numbers

    def _begin_xor(self, text: bytes, is_indented: bool) -> None:
        """Begin an XOR line; raise DimacsError if it is not alone on its line.

        CryptoMiniSat does not read other XOR lines.
        """
        if self.is_in_clause:
            self._fail("an XOR line begins inside a clause", "end the clause with 0")
        if is_indented or not text.startswith(b"x"):
            self._fail("the x of an XOR line must begin its line", "remove what precedes it")
        self._state = _LineState.XOR
        self._xor_start = len(self.xor_literals)

    def _read_xor(self, text: bytes) -> None:
        """Read a part of an XOR line; raise DimacsError if the line is malformed.

        An empty XOR line is unsatisfiable, but programs treat it as true, so it is an error.
        """
        if b"\t" in text:
            self._report(Fault.TAB, "the line contains a tab")
        for token in _TOKEN.findall(text):
            if self._state is _LineState.XOR_ENDED:
                message = f"{quoted(token)} follows the 0 of an XOR line"
                self._fail(message, "write one XOR on a line")
            number = self._number(token)
            self.xor_literals.append(number)
            if number:
                self._count_literal(number)
            elif len(self.xor_literals) == self._xor_start + 1:
                self._fail("the XOR line has no literals", "write the clause 0 instead")
            else:
                self._count_clause()
                self.num_xor_lines += 1
                self._state = _LineState.XOR_ENDED
        if self._state is _LineState.XOR_ENDED and text.endswith((b" ", b"\t")):
            self._fail("spaces follow the 0 of an XOR line", "remove them")
        if len(self.xor_literals) - self._xor_start > MAX_CLAUSE_LENGTH:
            self.fail_long_clause()

    def _number(self, token: bytes) -> int:
        """Parse an integer; report one that is not in canonical form."""
        if not _CANONICAL_NUMBER.fullmatch(token):
            if not _SIGNED_NUMBER.fullmatch(token) or (token.startswith(b"-") and not int(token)):
                self._fail(f"{quoted(token)} is not a number", "write digits, or '-' and digits")
            if abs(int(token)) <= MAX_INTEGER:
                self._report(Fault.NUMBER, f"the number {quoted(token)} is not in canonical form")
        number = int(token)
        if abs(number) > MAX_INTEGER:
            self._fail(f"numbers must be at most {MAX_INTEGER} in magnitude (got {number})")
        return number

    def _count_literal(self, literal: int) -> None:
        self.is_in_clause = True
        self.num_literals += 1
        self.max_variable = max(self.max_variable, abs(literal))
        if abs(literal) > self.variables:
            variables = _count(self.variables, "variable")
            self._report(Fault.BEYOND, f"the header declares {variables} (got literal {literal})")

    def _count_clause(self) -> None:
        self.is_in_clause = False
        self._state = _LineState.ENDED
        self.num_clauses += 1
        if self.num_clauses > self.clauses:
            clauses = _count(self.clauses, "clause")
            message = f"the header declares {clauses} (got clause {self.num_clauses})"
            self._report(Fault.MORE, message)

    def _close_clause(self) -> list[int]:
        """End an unterminated clause; return [0] if there is one, otherwise an empty list."""
        if not self.is_in_clause:
            return []
        self._report(Fault.NO_ZERO, "the last clause has no 0")
        state = self._state
        self._count_clause()
        self._state = state
        return [0]

    # Comments and blank lines.

    @property
    def _stored_comments(self) -> list[str]:
        return self.later_comments if self.has_header else self.comments

    def _reserve(self, size: int) -> bool:
        """Return True if comments of the given size still fit the memory for comments."""
        self._stored_bytes += size
        fits = self._stored_bytes <= MAX_COMMENT_BYTES
        if not fits:
            limit = MAX_COMMENT_BYTES >> 20
            self._note(Fault.DROPPED_COMMENTS, f"comments beyond {limit} MB are ignored")
        return fits

    def _count_skipped(self, size: int) -> None:
        self._skipped_bytes += size
        if self._skipped_bytes > MAX_SKIPPED_BYTES:
            limit = MAX_SKIPPED_BYTES >> 30
            self._fail(f"comments and blank lines exceed {limit} GB", "remove them")

    def is_filler(self, text: bytes) -> bool:
        """Return whether all lines are blank or comments, and without a new kind of fault."""
        return self._state is _LineState.START and covers(self._pattern(), text)

    def _pattern(self) -> re.Pattern[bytes]:
        return _filler_pattern(self.has_header, self._in_trailer, frozenset(self.noted))

    def _skip_filler(self, block: bytes, start: int) -> int:
        """Read the comments and blank lines at `start`; return their end, or 0 if there are none.

        The function only saves time: there can be a million comments with names or weights.
        """
        if self._state is not _LineState.START or block[start] not in _FILLER_FIRST_BYTES:
            return 0
        match = self._pattern().match(block, start)
        if match is None:
            return 0
        if b"c" in match[0] and Fault.DROPPED_COMMENTS not in self.noted:
            is_plain = not {Fault.COMMENT_FORM, Fault.CARRIAGE_RETURN} & self.noted
            comments = _comments_in(match[0], is_plain)
            if self._reserve(len(match[0]) + LINE_OVERHEAD_BYTES * len(comments)):
                self._stored_comments.extend(comments)
        lines = match[0].count(b"\n")
        self._count_skipped(len(match[0]) + LINE_OVERHEAD_BYTES * lines)
        self.line += lines
        return match.end()

    # Faults.

    def _report(self, fault: Fault, message: str) -> None:
        """Note a fault; raise DimacsError in strict reading."""
        if self._strict:
            self._fail(message, fault.value)
        self._note(fault, message)

    def _note(self, fault: Fault, message: str) -> None:
        """Note a fault if it is the first of its kind."""
        if fault not in self.noted:
            self.noted.add(fault)
            self.notes.append(f"{self.name}:{self.line}: {message}; {fault.value}")
            self.ambiguities += self.notes[-1:] if fault.is_ambiguous else []

    def _fail(self, message: str, remedy: str = "") -> NoReturn:
        raise DimacsError(message, remedy, f"{self.name}:{self.line}")

    def fail_long_clause(self) -> NoReturn:
        self._fail(f"a clause has more than {MAX_CLAUSE_LENGTH:,} literals", "split it")


def _count(number: int, noun: str) -> str:
    """Return the number, written as in the file, with its noun."""
    return f"{number} {plural_form(number, noun)}"
