"""Output of samplers: status, count and samples."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from boardsat.adapters.answer import Status
from boardsat.adapters.runtimes.workers.formula import print_count


def print_samples(total: int, samples: Iterable[Sequence[int]]) -> int:
    """Print the count and the samples (literals, or cells from 1); return the exit code."""
    code = print_count(total)
    if code == Status.SATISFIABLE.value:
        for sample in samples:
            print("v", *sample, 0)
    return code


def print_fault(error: Exception) -> int:
    print(error, file=sys.stderr)
    return 1
