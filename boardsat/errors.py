"""The error that programs see: it has a place, a fault and a remedy.

The two halves share no code, and so no class of errors; the entrance makes one of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from boardsat.adapters.dimacs.text import DimacsError
from boardsat.adapters.errors import AdapterError, WrongAnswerError
from boardsat.generators.errors import InputError


class Error(Exception):
    """Bad input: a problem, a setting, a file or a solver. One line, and its parts."""

    def __init__(self, line: str, place: str, fault: str, remedy: str) -> None:
        super().__init__(line)
        self.place, self.fault, self.remedy = place, fault, remedy


class WrongAnswer(Error):  # noqa: N818 (it is what programs catch, beside Error)
    """A solver's answer was checked, and is false."""


@contextmanager
def told() -> Iterator[None]:
    """Errors of both halves as the one that programs know; it says all that they do."""
    try:
        yield
    except WrongAnswerError as error:
        raise WrongAnswer(str(error), error.place, error.fault, error.remedy) from None
    except (InputError, AdapterError) as error:
        raise Error(str(error), error.place, error.fault, error.remedy) from None
    except DimacsError as error:
        place, _, rest = str(error).partition(": ")
        fault, _, remedy = rest.partition("; ")
        raise Error(str(error), place, fault, remedy) from None
