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

MOST_BITS = 24
"""The states of one with more are more than anybody can use."""

STATE_BYTES = 32
"""What a state takes while it is made."""


def compute(board: Board, bits: int) -> Table:
    if not 2 <= bits <= MOST_BITS:
        raise InputError(f"a shift register of {bits} bits", f"ask for 2 to {MOST_BITS}")
    checkpoint(STATE_BYTES * 2**bits)
    feedback = next(low for low in range(3, 2**bits, 2) if _meets_all(bits, low))
    states = np.ones(1, np.int64)
    while len(states) < 2**bits - 1:
        checkpoint()
        # As many steps more as there are states: each bit goes its way alone.
        moved = np.zeros_like(states)
        for bit in range(bits):
            moved ^= (states >> bit & 1) * _after(len(states) + bit, bits, feedback)
        states = np.concatenate([states, moved])
    return Table(states[: 2**bits - 1])


def _step(state: int, bits: int, feedback: int) -> int:
    state <<= 1
    return state ^ (1 << bits | feedback) if state >> bits else state


def _meets_all(bits: int, feedback: int) -> bool:
    """Whether the register comes back after 2**bits - 1 steps, and after no divisor of them."""
    period = 2**bits - 1
    if _after(period, bits, feedback) != 1:
        return False
    return all(_after(period // prime, bits, feedback) != 1 for prime in _primes(period))


def _after(steps: int, bits: int, feedback: int) -> int:
    """The state after so many steps: x to the power of them, modulo the register's polynomial."""
    state = 1
    for digit in f"{steps:b}":
        state = _times(state, state, bits, feedback)
        if digit == "1":
            state = _step(state, bits, feedback)
    return state


def _times(left: int, right: int, bits: int, feedback: int) -> int:
    product = 0
    while right:
        if right & 1:
            product ^= left
        left = _step(left, bits, feedback)
        right >>= 1
    return product


def _primes(number: int) -> list[int]:
    """Its prime factors, each once."""
    found = []
    factor = 2
    while factor * factor <= number:
        if number % factor == 0:
            found.append(factor)
            while number % factor == 0:
                number //= factor
        factor += 1
    return found + [number] * (number > 1)
