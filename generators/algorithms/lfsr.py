"""`lfsr(m)`: the states of a linear feedback shift register of m bits, in order.

It meets every number from 1 to 2**m - 1 before it comes back to 1, where it begins. A step moves
every bit up by one; the highest goes to bit 0 and flips the bits at its taps (Galois). So
the state after m steps has bit 0 and the taps. Among all such registers it is the one whose taps,
read as a number, are the least.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board
from boardsat.generators.language.values import Table

FEEDBACK = (3, 3, 3, 5, 3, 3, 29, 17, 9, 5, 83, 27, 43, 3, 45, 9, 39, 39, 9, 5, 3, 33, 27)
"""Least primitive polynomials over GF(2) of degrees 2 to 24, without their leading terms."""

MAX_BITS = len(FEEDBACK) + 1

STATE_BYTES = 32
"""Memory for each state while it is computed."""


def compute(board: Board, bits: int) -> Table:
    if not 2 <= bits <= MAX_BITS:
        raise InputError(f"a shift register of {bits} bits", f"ask for 2 to {MAX_BITS}")
    checkpoint(STATE_BYTES * 2**bits)
    states = np.ones(1, np.int64)
    while len(states) < 2**bits - 1:
        checkpoint()
        # A register is linear: after as many steps more, its bits add up the images of its bits.
        image, moved = int(states[-1]), np.zeros_like(states)
        for bit in range(bits):
            image = _step(image, bits)
            moved ^= (states >> bit & 1) * image
        states = np.concatenate([states, moved])
    return Table(states[: 2**bits - 1])


def _step(state: int, bits: int) -> int:
    state <<= 1
    return state ^ (1 << bits | FEEDBACK[bits - 2]) if state >> bits else state
