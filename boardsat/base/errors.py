"""Exceptions that report a location, a fault and a remedy on one line.

    BoardsatError             base class; only the command line prints it and exits
    |- InputError             invalid spec, parameter, file, option or solver file (a ValueError)
    |  `- UnsupportedError    the encoding does not support the board
    `- SolverError            a solver, its runtime or its output failed
       |- WrongAnswerError    an answer was checked and is false (exit code 1)
       |  |- WrongModelError  the model falsifies a clause
       |  `- WrongBoardError  the board violates the rules: the encoding is wrong
       `- LostProofError      the proof of an answer is missing or incomplete

Packages derive more specific classes from these where a caller distinguishes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from boardsat.base.text import one_line


class BoardsatError(Exception):
    """Error that a user can act on: location, fault and remedy in one line.

    Parameters
    ----------
    fault : str
        Clause with the parameter, its value and the constraint that it violates.
    remedy : str
        Command or value that works. Empty if unknown.
    location : str
        File and line, option or parameter. Empty if unknown.

    Attributes
    ----------
    fault, remedy, location : str
        Parts of the message.
    exit_code : int
        Exit code of the command line: 1 for a wrong answer, otherwise 2.

    Examples
    --------
    >>> try:
    ...     boardsat.build("queens", n=0)
    ... except boardsat.BoardsatError as error:
    ...     print(error.fault)
    n must be at least 1 (got 0)
    """

    exit_code = 2

    def __init__(self, fault: str, remedy: str = "", location: str = "") -> None:
        self.location, self.fault, self.remedy = location, fault, remedy
        text = f"{location}: {fault}" if location else fault
        super().__init__(one_line(f"{text}; {remedy}" if remedy else text))


class InputError(BoardsatError, ValueError):
    """Invalid input of a user: a spec, a parameter, a file, an option or a solver file.

    Examples
    --------
    >>> boardsat.solve("queens", n=4, timeout=0)
    Traceback (most recent call last):
        ...
    boardsat.base.errors.InputError: timeout must be a finite number of seconds above 0 (got 0)
    """

    def at(self, location: str, declared: str = "") -> InputError:
        """Return the error with another location.

        Parameters
        ----------
        location : str
            Location to report, for example where the user wrote a setting.
        declared : str
            Location of the declaration of the parameter; appended to the remedy.
        """
        remedy = self.remedy
        if declared:
            declaration = f"declared in {declared}"
            remedy = f"{remedy} ({declaration})" if remedy else declaration
        return type(self)(self.fault, remedy, location)


class UnsupportedError(InputError):
    """The encoding does not support the board; another encoding of the problem may."""


class SolverError(BoardsatError):
    """Failure of a solver, its runtime or its output.

    A time limit that is reached is not an error: the result has the status UNKNOWN.
    """


class Wrong(StrEnum):
    """Aspect of an answer that a check refuted."""

    ANSWER = "answer"
    """The answer contradicts another one, the rules or its proof."""
    MODEL = "model"
    """The model falsifies a clause."""
    BOARD = "board"
    """The board violates the rules although the model satisfies the formula."""


class WrongAnswerError(SolverError):
    """Answer that a check refuted: the solver or the encoding has a bug.

    Attributes
    ----------
    what : {"answer", "model", "board"}
        Aspect of the answer that the check refuted.
    """

    exit_code = 1
    what = Wrong.ANSWER


class WrongModelError(WrongAnswerError):
    """The model falsifies a clause: the formula alone shows it."""

    what = Wrong.MODEL


class WrongBoardError(WrongAnswerError):
    """The board violates the rules although the model satisfies the formula."""

    what = Wrong.BOARD


class LostProofError(SolverError):
    """The proof of an answer is missing or incomplete."""


def check_range(
    name: str, number: int, minimum: int, maximum: int | None = None, context: str = ""
) -> None:
    """Raise InputError if an argument is out of range.

    Parameters
    ----------
    name : str
        Name of the argument.
    number : int
        Value of the argument.
    minimum, maximum : int
        Bounds. `maximum` None: no upper bound.
    context : str
        Condition that the bounds depend on, for the message.

    Examples
    --------
    >>> check_range("m", 10, 0, 6, "for n = 4")
    Traceback (most recent call last):
        ...
    boardsat.base.errors.InputError: m must be between 0 and 6 for n = 4 (got 10); try 6
    """
    if number < minimum or (maximum is not None and number > maximum):
        bounds = f"at least {minimum}" if maximum is None else f"between {minimum} and {maximum}"
        nearest = minimum if number < minimum or maximum is None else maximum
        where = f" {context}" if context else ""
        raise InputError(f"{name} must be {bounds}{where} (got {number})", f"try {nearest}")


@contextmanager
def prefix_faults(name: str) -> Iterator[None]:
    """Prefix the fault of an InputError that has no location with the name of a function."""
    try:
        yield
    except InputError as error:
        if error.location:
            raise
        raise type(error)(f"{name}: {error.fault}", error.remedy) from None
