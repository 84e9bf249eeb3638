"""What the checker of a proof may take where no limit is given; told by commands, so light."""

PROOF_SECONDS = 20_000
"""As drat-trim itself has it."""

PROOF_MEMORY, PER_PROOF_BYTE = 2**29, 32
"""Bytes, as a few bytes of a proof can name a variable of billions.

Besides for each byte of the proof and of the formula.
"""

PROOF_RATIO = 250
"""A proof has at most so many times the bytes of its compressed file; one of 20 is usual."""

LONGEST_STEP = 2**23
"""Bytes of a line of an LRAT proof."""
