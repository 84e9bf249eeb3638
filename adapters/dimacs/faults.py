"""Faults of DIMACS files: strict reading raises them, lenient reading notes them."""

from __future__ import annotations

from enum import Enum
from typing import NoReturn

from boardsat.adapters.dimacs.text import DimacsError


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
        """True if the fault leaves in doubt which formula is meant; other faults are of form."""
        # A dropped comment may have been the projection.
        return self in (
            Fault.BEYOND,
            Fault.MORE,
            Fault.FEWER,
            Fault.NO_ZERO,
            Fault.DROPPED_COMMENTS,
        )


class FaultLog:
    """Position in a file that is being read, and the faults noted so far."""

    def __init__(self, name: str, strict: bool) -> None:
        self.name = name
        self.line = 1
        self.notes: list[str] = []
        """Message of the first fault of each kind."""
        self.ambiguities: list[str] = []
        """Notes that leave in doubt which formula is meant."""
        self.noted: set[Fault] = set()
        self._strict = strict

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


def quoted(text: bytes, max_length: int = 20) -> str:
    """Return the text in quotes, printable and cut short."""
    return repr(text[:max_length]).removeprefix("b") + ("..." if len(text) > max_length else "")
