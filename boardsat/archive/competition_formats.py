"""What competitions require of a file, beyond standard DIMACS."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from boardsat.adapters.dimacs.reader import Literals, open_cnf
from boardsat.adapters.dimacs.text import DimacsError
from boardsat.base.text import pluralize

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.,+-]*\.cnf\.xz")


def name_faults(path: Path) -> Iterator[str]:
    """A name that no shell and no script of an organiser stumbles over."""
    if not NAME.fullmatch(path.name):
        yield "its name has other signs than letters, digits and _.,+-"


def sat_faults(path: Path) -> Iterator[str]:
    """The SAT Competition: exact counts, every variable in use, no variable twice in a clause."""
    yield from name_faults(path)
    try:
        with open_cnf(path) as cnf:
            used = np.zeros(cnf.variables + 1, np.bool_)
            twice = False
            for tokens in cnf.chunks():
                used[np.abs(tokens)] = True
                twice = twice or _repeats(tokens)
    except DimacsError as error:
        yield str(error)
        return
    unused = np.flatnonzero(~used[1:]) + 1
    if len(unused):
        number = pluralize(len(unused), "variable stands", "variables stand")
        yield f"{number} in no clause, first {unused[0]}"
    if twice:
        yield "a clause has the same variable twice"


def _repeats(tokens: Literals) -> bool:
    """Whether a clause of these has a variable twice, with the same sign or not."""
    clause = np.cumsum(tokens == 0)
    inside = tokens != 0
    order = np.lexsort((np.abs(tokens[inside]), clause[inside]))
    of, variable = clause[inside][order], np.abs(tokens[inside])[order]
    return bool(((of[1:] == of[:-1]) & (variable[1:] == variable[:-1])).any())


def mc_faults(path: Path) -> Iterator[str]:
    """The Model Counting Competition: `c t mc`, or `c t pmc` and the variables in `c p show`."""
    yield from name_faults(path)
    try:
        with open_cnf(path) as cnf:
            for _ in cnf.chunks():
                pass
    except DimacsError as error:
        yield str(error)
        return
    kinds = [line for line in cnf.comments if line.startswith("t ")]
    shown = [line.split() for line in cnf.later_comments if line.startswith("p show ")]
    if kinds not in (["t mc"], ["t pmc"]):
        yield "it does not say once `c t mc` or `c t pmc`"
    elif (kinds == ["t pmc"]) != (len(shown) == 1):
        yield "`c t pmc` goes with one line `c p show`"
    elif shown:
        words = shown[0][2:]
        numbers = [int(word) for word in words[:-1] if word.isdecimal()]
        if words[-1] != "0" or len(numbers) != len(words) - 1 or len({*numbers}) != len(numbers):
            yield "`c p show` is not a list of different variables that ends with 0"
        elif numbers and not 0 < min(numbers) <= max(numbers) <= cnf.variables:
            yield "`c p show` has a variable that the header has not"
    if any(line.startswith("ind ") for line in cnf.comments):
        yield "`c ind` stands beside what the competition asks for"
