"""A pattern is a small set of clauses over numbered slots, instantiated for many rows at once.

Slots 1 .. inputs stand for given literals, the following ones for fresh variables. Formulas and
cardinality encodings are worked out once as patterns, and NumPy fills them in.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardsat.generators.arrays import Ints, Tokens


class Pattern(NamedTuple):
    inputs: int
    auxiliaries: int
    tokens: Tokens
    """Signed slots, each clause ended by 0."""

    def instantiate(self, inputs: Tokens | Ints, first: Ints | int) -> Tokens:
        """The clauses for each row of `inputs`, whose fresh variables count from `first` on."""
        slots = self.inputs + self.auxiliaries
        # A negative slot counts from the end, so that literals are looked up as they are.
        table = np.zeros((len(inputs), 1 + 2 * slots), np.int32)
        table[:, 1 : 1 + self.inputs] = inputs
        if self.auxiliaries:
            fresh = np.arange(self.auxiliaries)
            table[:, 1 + self.inputs : 1 + slots] = np.reshape(first, (-1, 1)) + fresh
        np.negative(table[:, slots:0:-1], out=table[:, 1 + slots :])
        return table.take(self.tokens, axis=1).reshape(-1)


def stack(*clauses: npt.NDArray[Any]) -> Tokens:
    """Tables of slots (a row a clause) as one run of 0-ended clauses."""
    parts = []
    for table in clauses:
        ended = np.zeros((table.shape[0], table.shape[1] + 1), np.int32)
        ended[:, :-1] = table
        parts.append(ended.reshape(-1))
    return np.concatenate(parts) if parts else np.zeros(0, np.int32)


def columns(*parts: npt.NDArray[Any] | int) -> npt.NDArray[Any]:
    """Slots side by side: each argument is one literal of every clause."""
    return np.stack(np.broadcast_arrays(*parts), axis=-1).reshape(-1, len(parts))
