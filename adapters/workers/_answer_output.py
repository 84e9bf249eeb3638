"""Printing of a worker's answer on standard output, in the formats of competitions."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

NUMBERS_PER_LINE = 100
"""Number of literals or cells on a `v` line."""

_EXIT_CODES = {"SATISFIABLE": 10, "UNSATISFIABLE": 20, "OPTIMUM FOUND": 30, "UNKNOWN": 0}


def print_status(status: str, *comments: str) -> int:
    """Print the status line and comments; return the exit code."""
    print(f"s {status}", *(f"c {comment}" for comment in comments), sep="\n")
    return _EXIT_CODES[status]


def print_values(numbers: Sequence[int]) -> None:
    """Print the literals of a model, or the cells of a tour from 1, as `v` lines."""
    for start in range(0, len(numbers), NUMBERS_PER_LINE):
        print("v", *numbers[start : start + NUMBERS_PER_LINE])
    print("v 0")


def print_count(count: int) -> int:
    """Print the lines of the model counting competition; return the exit code."""
    try:
        line = f"s mc {count}"
    except ValueError:
        from boardsat.adapters.answer import MAX_COUNT_DIGITS

        return print_error(f"the count has more than {MAX_COUNT_DIGITS:,} digits")
    code = print_status("SATISFIABLE" if count else "UNSATISFIABLE")
    print(line)
    return code


def print_samples(count: int, samples: Iterable[Sequence[int]]) -> int:
    """Print the number of models and the samples, a `v` line each; return the exit code."""
    code = print_count(count)
    if code == _EXIT_CODES["SATISFIABLE"]:
        for sample in samples:
            print("v", *sample, 0)
    return code


def print_error(error: object) -> int:
    """Print an error to standard error; return the exit code of a crash."""
    print(error, file=sys.stderr)
    return 1
