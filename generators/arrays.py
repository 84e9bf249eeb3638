"""Names for the array types that pass between stages."""

from __future__ import annotations

import os

# One thread is enough for elementwise work, and starting a pool costs more than a small instance.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Tokens = npt.NDArray[np.int32]
"""Clauses as DIMACS writes them: literals, each clause ended by 0."""

Words = npt.NDArray[np.uint64]
"""Up to eight bytes of text each, padded with zero bytes."""

TRUE = 2**31 - 1
FALSE = -TRUE
"""Literals with a known value, until `ragged.clean` removes them: negation works as for others."""
