"""The faults of DIMACS files: what strict reading refuses and lenient reading notes."""

from __future__ import annotations

from enum import Enum


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
