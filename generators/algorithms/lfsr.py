"""`lfsr(m)`: states of a maximal linear feedback shift register of m bits, in order from 1.

The register (in Galois form) visits every number from 1 to 2**m - 1 before it returns to 1. A step
shifts the bits up by one; if the highest bit was set, it is moved to bit 0 and flips the taps. So
the state after m steps has bit 0 and the taps set. The feedback polynomial is the smallest
primitive polynomial of degree m, read as a number.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import check_range
from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board
from boardsat.generators.language.values import Table

FEEDBACK = (3, 3, 3, 5, 3, 3, 29, 17, 9, 5, 83, 27, 43, 3, 45, 9, 39, 39, 9, 5, 3, 33, 27)
"""Smallest primitive polynomials over GF(2) of degrees 2 to 24, without their leading terms."""

MIN_BITS, MAX_BITS = 2, len(FEEDBACK) + 1
STATE_BYTES = 32  # memory for each state


def compute(board: Board, bits: int) -> Table:
    check_range("m", bits, MIN_BITS, MAX_BITS)
    checkpoint(STATE_BYTES * 2**bits)
    states = np.ones(1, np.int64)
    while len(states) < 2**bits - 1:
        checkpoint()
        # The map to the state len(states) steps later is linear: it adds up the images of the bits.
        image, later_states = int(states[-1]), np.zeros_like(states)
        for bit in range(bits):
            image = _step(image, bits)
            later_states ^= (states >> bit & 1) * image
        states = np.concatenate([states, later_states])
    return Table(states[: 2**bits - 1])


def _step(state: int, bits: int) -> int:
    """Return the next state."""
    state <<= 1
    return state ^ (1 << bits | FEEDBACK[bits - MIN_BITS]) if state >> bits else state
