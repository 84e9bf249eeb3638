"""Patterns: small sets of clauses over numbered slots, instantiated for many rows at once.

Slots 1 to num_inputs are replaced by given literals, the following ones by auxiliary variables.
Formulas and encodings are converted to a pattern once, and NumPy instantiates it for all rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boardsat.generators.arrays import Ints, Tokens

if TYPE_CHECKING:
    import numpy.typing as npt


class Pattern(NamedTuple):
    """Clauses over slots."""

    num_inputs: int
    num_auxiliary: int
    tokens: Tokens
    """Signed slots; each clause is ended by 0."""

    def instantiate(self, inputs: Tokens | Ints, first: Ints | int) -> Tokens:
        """Return the clauses of each row of `inputs`.

        Parameters
        ----------
        inputs : array
            Literals of each row, one for each input slot.
        first : array or int
            First auxiliary variable of each row.
        """
        slots = self.num_inputs + self.num_auxiliary
        # A negative slot counts from the end, so that literals are looked up as they are.
        table = np.zeros((len(inputs), 1 + 2 * slots), np.int32)
        table[:, 1 : 1 + self.num_inputs] = inputs
        if self.num_auxiliary:
            offsets = np.arange(self.num_auxiliary)
            table[:, 1 + self.num_inputs : 1 + slots] = np.reshape(first, (-1, 1)) + offsets
        np.negative(table[:, slots:0:-1], out=table[:, 1 + slots :])
        return table.take(self.tokens, axis=1).reshape(-1)


def stack(*tables: npt.NDArray[Any]) -> Tokens:
    """Return the rows of all tables as clauses, each ended by 0.

    Examples
    --------
    >>> stack(columns(np.array([1, 2]), 3), columns(np.array([-4]))).tolist()
    [1, 3, 0, 2, 3, 0, -4, 0]
    """
    clauses = []
    for table in tables:
        ended = np.zeros((table.shape[0], table.shape[1] + 1), np.int32)
        ended[:, :-1] = table
        clauses.append(ended.reshape(-1))
    return np.concatenate(clauses) if clauses else np.zeros(0, np.int32)


def columns(*literals: npt.NDArray[Any] | int) -> npt.NDArray[Any]:
    """Return a table with a row for each clause, given its columns of literals.

    A number is a literal that all clauses have.
    """
    return np.stack(np.broadcast_arrays(*literals), axis=-1).reshape(-1, len(literals))
