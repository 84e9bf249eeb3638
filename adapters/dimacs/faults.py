"""The faults of DIMACS files: what strict reading refuses and lenient reading notes."""

from __future__ import annotations

from enum import Enum
from typing import NoReturn

from boardsat.adapters.dimacs.text import DimacsError


class Fault(Enum):
    """What strict reading refuses and lenient reading notes; its value is the remedy."""

    CARRIAGE_RETURN = "end lines with a line feed alone"
    TAB = "separate by spaces"
    BLANK = "remove the line"
    SPAN = "end each clause with 0 on its own line"
    SEVERAL = "write one clause a line"
    COMMENT = "move it before the header"
    COMMENT_FORM = "begin a comment with 'c '"
    # CaDiCaL has taken no other form (its src/parse.cpp, " cnf ").
    HEADER_FORM = "write 'p cnf VARIABLES CLAUSES' with single spaces"
    NUMBER = "write numbers without '+' or leading zeros"
    BEYOND = "correct the header or the clause"
    MORE = "correct the header or remove the clause"
    FEWER = "correct the header, or fetch the file again if it was cut short"
    TRAILER = "remove this line and those after it"
    NO_ZERO = "end the clause with 0"
    NO_NEWLINE = "end the last line, or fetch the file again if it was cut short"
    # The one that is the reader's own limit, noted by strict reading too.
    KEPT = "remove those that nobody needs"

    @property
    def is_grave(self) -> bool:
        """Whether nobody can tell which formula was meant: the others are only matters of form."""
        # A comment that was not kept may have been the projection.
        return self in (Fault.BEYOND, Fault.MORE, Fault.FEWER, Fault.NO_ZERO, Fault.KEPT)


class Complaints:
    """The faults of one file that is being read, as far as that has come."""

    def __init__(self, name: str, strict: bool) -> None:
        self.name = name
        self.line = 1
        self.notes: list[str] = []
        self.grave: list[str] = []
        self.noted: set[Fault] = set()
        self._strict = strict

    def _complain(self, fault: Fault, what: str) -> None:
        if self._strict:
            self._fail(what, fault.value)
        self._note(fault, what)

    def _note(self, fault: Fault, what: str) -> None:
        if fault not in self.noted:
            self.noted.add(fault)
            self.notes.append(f"{self.name}:{self.line}: {what}; {fault.value}")
            self.grave += self.notes[-1:] if fault.is_grave else []

    def _fail(self, what: str, remedy: str) -> NoReturn:
        raise DimacsError(what, remedy, f"{self.name}:{self.line}")


def quoted(text: bytes, most: int = 20) -> str:
    """As printable text in quotes, cut short."""
    return repr(text[:most]).removeprefix("b") + ("..." if len(text) > most else "")


def number_of(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("s" if number != 1 else "")
