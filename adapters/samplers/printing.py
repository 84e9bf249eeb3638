"""What samplers print: a status, how many there are to draw from, and each that was drawn."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from boardsat.adapters.answer import Status
from boardsat.adapters.runtimes.workers.formula import print_count


def print_samples(total: int, samples: Iterable[Sequence[int]]) -> int:
    """Numbers other than 0 each: literals, or cells from 1."""
    code = print_count(total)
    if code == Status.SATISFIABLE.value:
        for sample in samples:
            print("v", *sample, 0)
    return code


def print_fault(error: Exception) -> int:
    print(error, file=sys.stderr)
    return 1
